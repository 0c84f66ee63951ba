package measure

import "testing"

func TestHide(t *testing.T) {
	t.Setenv("HOME", "home")
	hide := Hide("work", "", "", "nowhere/", "data/", "$DATA/")
	if got, want := hide.Replace("x work/runs/a data/dict/b home/.cache/c d"), "x runs/a $DATA/dict/b ~/.cache/c d"; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
