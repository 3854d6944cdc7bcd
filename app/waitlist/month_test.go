package waitlist_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// A month of a salon: people book, cancel, move and wait, and answer their mails or don't. At its end nothing is held, every
// entry has been booked or has ended, no two bookings meet, and every time that came free was booked or is open.
func TestMonthOfASalon(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	rnd := rand.New(rand.NewPCG(7, 11))
	w.Alter("cut", func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	w.Alter("wash", func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	services, hosts := []string{"cut", "cut", "wash"}, w.hosts()
	var live []booking.Booking
	var entries []waitlist.Entry
	offers, taken, freed := 0, 0, 0
	refusal := func(err error) bool {
		if err != nil && fault.Refusal(err) == nil {
			t.Fatal(err)
		}
		return err != nil
	}
	end := apptest.Monday.AddDate(0, 0, 30)
	for n := 0; w.Clock.Now().Before(end); n++ {
		now := w.Clock.Now()
		at := now.Truncate(24*time.Hour).AddDate(0, 0, 1+rnd.IntN(3)).Add(time.Duration(16+rnd.IntN(14)) * 30 * time.Minute)
		switch rnd.IntN(8) {
		case 0, 1, 2:
			in := apptest.Input(services[rnd.IntN(3)], at.Format(time.RFC3339), fmt.Sprint("c", n))
			if b, err := w.Book(ctx, w.visitor(), in); !refusal(err) {
				live = append(live, b)
			}
		case 3, 4:
			if len(live) == 0 {
				break
			}
			i := rnd.IntN(len(live))
			if _, err := w.Cancel(ctx, w.Owner, live[i].ID.String(), app.CancelInput{}); !refusal(err) {
				freed++
			}
			live = append(live[:i], live[i+1:]...)
		case 5:
			if len(live) > 0 {
				_, err := w.Reschedule(ctx, w.Owner, live[rnd.IntN(len(live))].ID.String(), app.RescheduleInput{Start: at.Format(time.RFC3339)})
				refusal(err)
			}
		case 6, 7:
			from := int(now.Sub(apptest.Monday).Hours())/24 + 1
			in := input(services[rnd.IntN(3)], fmt.Sprint("w", n), wish(from, from+rnd.IntN(3)))
			if rnd.IntN(3) == 0 {
				in.Items[0].Host = hosts[0].String()
			}
			if rnd.IntN(4) == 0 {
				in.Items = []waitlist.Item{{EventType: "cut"}, {EventType: "wash"}}
			}
			e, err := w.Waitlist.Join(ctx, w.Owner, in)
			if !refusal(err) {
				entries = append(entries, e)
			}
		}
		w.carries()
		page, err := w.Waitlist.Waitlist(ctx, w.Owner, waitlist.ListInput{Status: "offered", Limit: new(100)})
		w.Must(err)
		for i := range page.Data {
			e := page.Data[i]
			switch rnd.IntN(6) {
			case 0, 1:
				offers++
				if _, err := w.Waitlist.Take(ctx, w.token(e)); !refusal(err) {
					taken++
				}
			case 2:
				offers++
				w.Must(w.Waitlist.Refuse(ctx, w.token(e)))
			}
		}
		w.carries()
		if rnd.IntN(4) == 0 {
			w.prunes()
		}
		w.Clock.Advance(time.Duration(5+rnd.IntN(55)) * time.Minute)
	}
	w.Clock.Advance(10 * 24 * time.Hour)
	for range 5 {
		w.carries()
		w.prunes()
		w.Clock.Advance(time.Hour)
	}
	if n := w.jobs(); n != 0 || w.held() != [3]int{} {
		t.Errorf("%d jobs are left, held %v", n, w.held())
	}
	w.apart()
	outcomes := map[string]int{}
	for _, e := range entries {
		now, err := w.Waitlist.WaitlistEntry(ctx, w.Owner, e.ID.String())
		if fault.Is(err, fault.NotFound) { // it has ended long ago
			outcomes["pruned"]++
			continue
		}
		w.Must(err)
		outcomes[now.Status.String()+" "+string(now.EndedBy)]++
		if now.Status != waitlist.Booked && now.Status != waitlist.Ended {
			t.Errorf("an entry is %v, until %v", now.Status, now.EndsAt)
		}
		if now.Status == waitlist.Booked && now.BookingID == 0 && now.VisitID == 0 {
			t.Error("an entry is booked, and nothing else")
		}
	}
	if offers < 20 || taken < 10 || freed < 50 {
		t.Errorf("%d offers were answered, %d taken, %d times came free", offers, taken, freed)
	}
	t.Logf("%d entries: %v; %d offers answered, %d taken, %d times came free, until %v", len(entries), outcomes, offers, taken, freed, when.At(w.Clock.Now()))
}
