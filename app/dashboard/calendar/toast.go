package calendar

import (
	"net/url"
	"time"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/dash"
)

// undoFor is how long after a move the calendar offers to undo it.
const undoFor = time.Minute

// toast adds what the address says was just done, and how to undo it.
func (b *board) toast(q url.Values) error {
	t := b.Locale.T
	switch {
	case q.Get("freed") != "":
		b.view.Toast = &dash.CalToast{Text: t("calendar_freed")}
	case q.Get("blocked") != "":
		key := q.Get("blocked")
		if h, a := b.away(key); a != nil {
			b.view.Toast = &dash.CalToast{Action: dash.CalendarFree, Hidden: b.awayFields(key),
				Text: t("calendar_blocked", "Host", h.Name, "When", b.awayText(a))}
		}
	}
	for _, done := range []struct {
		name string
		say  func(k *booking.Booking, undone bool) error
	}{{"moved", b.movedToast}, {"undone", b.movedToast}, {"grown", b.grownToast}, {"shrunk", b.grownToast}} {
		id := q.Get(done.name)
		if id == "" {
			continue
		}
		k, err := b.Subjects.Booking(b.Context(), b.Actor, id)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return done.say(&k, done.name == "undone" || done.name == "shrunk")
	}
	return nil
}

// mine returns the last change of a booking's time and what was before it, if the member has just made it; else nil.
func (b *board) mine(k *booking.Booking) (last, before *booking.HistoryEntry, err error) {
	history, err := b.Subjects.History(b.Context(), b.Actor, k.ID.String())
	n := len(history)
	if err != nil || n < 2 {
		return nil, nil, err
	}
	last, before = &history[n-1], &history[n-2]
	if last.Action != booking.ActRescheduled || last.By != b.Actor.User.String() ||
		last.At < when.At(b.Now().Add(-undoFor)) {
		return nil, nil, nil
	}
	return last, before, nil
}

// movedToast says where a booking went. A move that the member has just made can be undone.
func (b *board) movedToast(k *booking.Booking, undone bool) error {
	at := b.Locale.ShortDay(b.At(k.Start)) + ", " + b.Clock(k.Start)
	key := "calendar_moved"
	if undone {
		key = "calendar_moved_back"
	}
	last, before, err := b.mine(k)
	whole := last != nil && last.WithVisit
	switch {
	case whole && undone:
		key = "calendar_moved_back_visit"
	case whole:
		key = "calendar_moved_visit"
	}
	b.view.Toast = &dash.CalToast{Text: b.Locale.T(key, "Name", b.Invitee(k), "When", at, "Host", k.Host.Name)}
	if err != nil || undone || before == nil || before.Host == 0 { // 0: it was booked before the history named the host
		return err
	}
	alone := "1"
	if whole {
		alone = ""
	}
	b.view.Toast.Undo(dash.CalendarMove, "booking", k.ID.String(), "start", b.At(before.Start).Format(localTime),
		"host", before.Host.String(), "alone", alone, "back", b.at())
	return nil
}
