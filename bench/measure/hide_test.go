package measure

import "testing"

func TestHide(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	hide := Hide("/scratch/work", "", "", "nowhere/", "/data/", "$DATA/")
	if got, want := hide.Replace("x /scratch/work/runs/a /data/dict/b /home/me/.cache/c /d"), "x runs/a $DATA/dict/b ~/.cache/c /d"; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
