package measure

import (
	"os"
	"strings"
)

// Hide replaces folders of this machine in what is reported: folder and name in turn,
// and the home folder by ~. A folder that is empty is passed over.
func Hide(folders ...string) *strings.Replacer {
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, home, "~/")
	}
	var pairs []string
	for i := 0; i < len(folders); i += 2 {
		if folder := folders[i]; folder != "" {
			pairs = append(pairs, strings.TrimSuffix(folder, "/")+"/", folders[i+1])
		}
	}
	return strings.NewReplacer(pairs...)
}
