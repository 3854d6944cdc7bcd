package gate

import "testing"

// Where more are usual, only several times as many are a rush.
func TestARushIsSeveralTimesAsManyAsUsual(t *testing.T) {
	for usual, want := range map[int]int{0: 60, 15: 60, 16: 64, 100: 400} {
		if r := (rush{usual: usual}); r.most() != want {
			t.Errorf("%d are usual: %d, want %d", usual, r.most(), want)
		}
	}
}
