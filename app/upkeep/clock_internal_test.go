package upkeep

import (
	"testing"
	"time"
)

func TestClockWatch(t *testing.T) {
	var w clockWatch
	wall := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for _, look := range []struct {
		ran  time.Duration
		wall time.Duration // since the first look
		want time.Duration
	}{
		{0, 0, 0},
		{time.Second, time.Second, 0},
		{2 * time.Second, -time.Hour + 2*time.Second, time.Hour}, // set back
		{3 * time.Second, -time.Hour + 3*time.Second, 0},
		{4 * time.Second, time.Hour, 0},               // set forward
		{6 * time.Second, time.Hour - time.Second, 0}, // slewed
	} {
		if got := w.setBack(look.ran, wall.Add(look.wall)); got != look.want {
			t.Errorf("after %v: %v, want %v", look.ran, got, look.want)
		}
	}
}
