package calendar

import (
	"net/url"
	"time"

	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
	"daybook/views"
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
	case q.Get("moved") != "" || q.Get("undone") != "":
		k, err := b.Rooms.Booking(b.Context(), b.Actor, q.Get("moved")+q.Get("undone"))
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return b.movedToast(&k, q.Get("undone") != "")
	}
	return nil
}

// movedToast says where a booking went. A move that the member has just made can be undone.
func (b *board) movedToast(k *record.Booking, undone bool) error {
	at := b.Locale.ShortDay(b.At(k.Start)) + ", " + b.Clock(k.Start)
	key := "calendar_moved"
	if undone {
		key = "calendar_moved_back"
	}
	b.view.Toast = &dash.CalToast{Text: b.Locale.T(key, "Name", k.Invitee.Name, "When", at, "Host", k.Host.Name)}
	history, err := b.Rooms.History(b.Context(), b.Actor, k.ID.String())
	if n := len(history); err != nil || undone || n < 2 || history[n-1].Action != record.ActRescheduled ||
		history[n-1].By != b.Actor.User.String() || history[n-1].At < when.At(b.Now().Add(-undoFor)) {
		return err
	}
	before := history[len(history)-2]
	if before.Host == 0 {
		return nil // it was booked before the history named the host
	}
	b.view.Toast.Action = dash.CalendarMove
	b.view.Toast.Hidden = []views.Pair{{Name: "booking", Value: k.ID.String()},
		{Name: "start", Value: b.At(before.Start).Format(localTime)},
		{Name: "host", Value: before.Host.String()}, {Name: "back", Value: b.at()}, {Name: "undo", Value: "1"}}
	return nil
}
