package report_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/report"
	"daybook/store/enginetest"
)

// A question sees every booking once, also one that is moved to another day and back while it is asked: what is read of
// marks, sums and bookings is of one moment.
func TestContestQuestionsAreOfOneMoment(t *testing.T) {
	s := salon(t)
	const all = 8
	for day := 1; day <= all; day++ {
		s.Booked("cut", fmt.Sprintf("%dT09", day), "eva")
	}
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	moved := s.Booked("talk", "1T12", "bob")
	raw := enginetest.Raw(t, s.Store.Engine)
	over := make(chan struct{})
	var mover sync.WaitGroup
	var moves atomic.Int64
	mover.Go(func() {
		for by := int64(7 * 24 * 3600_000); ; by = -by {
			select {
			case <-over:
				return
			default:
			}
			if _, err := raw.Exec(fmt.Sprintf(`UPDATE bookings SET start_ms = start_ms + %[1]d, end_ms = end_ms + %[1]d,
				busy_start_ms = busy_start_ms + %[1]d, busy_end_ms = busy_end_ms + %[1]d WHERE id = %[2]d`, by, int64(moved.ID))); err != nil {
				t.Error(err)
				return
			}
			moves.Add(1)
		}
	})
	asked, wrong := 0, 0
	for ended := time.Now().Add(20 * time.Second); (moves.Load() < 100 || asked < 200) && time.Now().Before(ended); asked++ {
		res, err := s.Report.Analytics(t.Context(), s.Owner, report.AnalyticsInput{From: "2026-11-30"})
		s.Must(err)
		if res.Totals.Total != all+1 {
			wrong++
		}
	}
	close(over)
	mover.Wait()
	if wrong > 0 {
		t.Errorf("%d of %d answers left a booking out or counted it twice", wrong, asked)
	}
	if moves.Load() < 20 || asked < 20 {
		t.Errorf("the booking was moved %d times only, while %d questions were asked", moves.Load(), asked)
	}
	days, marks := kept(t, s)
	if days < all || marks < 2 {
		t.Errorf("%d days are kept, %d marked: nothing is read in parts", days, marks)
	}
	exactly(t, s, "after the moves")
}
