package dashboard

import (
	"testing"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/text"
	"daybook/views/dash"
)

// untold notes that nothing told the customer of a booking that it was moved.
func (w *world) untold(b *booking.Booking, why string) text.CallID {
	w.T.Helper()
	c := text.Call{ID: id.New[text.CallIDKind](w.Clock.Now()), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: catalog.TextMoved,
		Phone: "+4915112345678", Name: "Nora Untold", Start: b.Start, Why: why}
	w.Must(w.Write(w.T.Context(), func(tx app.Tx) error { return tx.(text.Tx).InsertCall(&c) }))
	return c.ID
}

// Whom nothing told stands on Today until somebody ticks it. Staff see theirs alone.
func TestTodaySaysWhomToCall(t *testing.T) {
	w := newWorld(t)
	k := w.tomorrows()
	b := w.asOwner()
	b.wants(b.get("/dashboard"), 200, "!To call")
	at := dash.CallToldPath(w.untold(&k, "they sent STOP").String())
	b.wants(b.get("/dashboard"), 200, "To call", "Nora Untold", `href="tel:+4915112345678"`, "They sent STOP", "The appointment is now: ", at)
	var other catalog.HostID
	for _, h := range w.setup().Hosts {
		if h.ID != k.Host.ID {
			other = h.ID
		}
	}
	s := w.staff(other)
	s.wants(s.get("/dashboard"), 200, "!Nora Untold")
	s.wants(s.post(at), 404)
	b.wants(b.post(at), 303)
	b.wants(b.get("/dashboard?said=told"), 200, "Noted: told.", "!Nora Untold")
	b.wants(b.post(at), 404)
	w.untold(&k, "zebra: no route")
	b.wants(b.get("/dashboard"), 200, "The text could not be sent", "!zebra")
}

// Today turns without a reload.
func TestCallsTurnToday(t *testing.T) {
	w := newWorld(t)
	k := w.tomorrows()
	b := w.browse()
	b.look("light", 390, 844)
	b.signIn(w)
	b.open("/dashboard")
	b.until(`document.querySelector("[data-live]")`)
	browser.Eval[bool](t, b.ctx, `(window.kept = true)`)
	call := w.untold(&k, "they sent STOP")
	b.until(`window.kept && document.querySelector(".calls")?.textContent.includes("Nora Untold")`)
	if wide := browser.Eval[int](t, b.ctx, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("%d px wide", wide)
	}
	w.Must(w.Text.Called(t.Context(), w.Owner, call.String()))
	b.until(`window.kept && !document.querySelector(".calls")`)
}
