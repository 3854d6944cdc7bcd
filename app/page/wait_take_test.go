package page_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/waitlist"
)

// The page that takes an offer asks what must be said, keeps what was typed where something is missing, and lets one refuse
// without saying any of it.
func TestTakingOnThePageAsksWhatMustBeSaid(t *testing.T) {
	w := newMailing(t)
	mux := http.NewServeMux()
	page.NewDecisions(w.Set, slog.New(slog.DiscardHandler)).Routes(mux)
	mux.Handle("/", w.handler)
	w.handler = mux
	w.Clock.Set(apptest.Monday.Add(10 * time.Hour))
	w.Alter("cut", func(e *catalog.EventType) {
		e.AsksFor = catalog.AskBoth
		e.Questions = []catalog.Question{{Key: "hair", Label: "How long is your hair?", Type: "text", Required: true}, {Key: "tea", Label: "Tea?", Type: "text"}}
	})
	in := waitlist.Input{Items: []waitlist.Item{{EventType: "cut"}}, Wishes: []waitlist.Wish{{From: "2026-12-01", To: "2026-12-04"}}}
	in.Invitee.Name, in.Invitee.Email = "Bo", "bo@mail.example"
	e, err := w.Waitlist.Join(t.Context(), w.Owner, in)
	w.Must(err)
	b := w.book("cut", "2T11:00", "gone")
	w.Must(w.Waitlist.CarryOut(t.Context()))
	_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Must(w.Waitlist.CarryOut(t.Context()))
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	at := waitlist.Path(setup, e.ID)
	shown := w.get(at)
	if !strings.Contains(shown.text, `name="q_hair"`) || !strings.Contains(shown.text, `name="phone"`) || strings.Contains(shown.text, `name="q_tea"`) ||
		strings.Count(shown.text, "formnovalidate") != 2 {
		t.Fatalf("it shows %s", shown.text)
	}
	again := w.send("POST", at, url.Values{"do": {"take"}, "q_hair": {"to the hips"}})
	if again.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(again.text, `id="f-phone-error"`) || !strings.Contains(again.text, "to the hips") {
		t.Fatalf("%d: %s", again.StatusCode, again.text)
	}
	if now := w.waitlist()[0]; now.Status != waitlist.Offered || now.Taken() {
		t.Fatalf("then it is %v", now.Status)
	}
	if a := w.send("POST", at, url.Values{"do": {"take"}, "q_hair": {"to the hips"}, "phone": {"030 901821"}}); a.StatusCode != http.StatusOK {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	taken, err := w.Booking(t.Context(), w.Owner, w.waitlist()[0].BookingID.String())
	w.Must(err)
	if taken.Answers["hair"] != "to the hips" || taken.Invitee.Phone == "" || taken.Start != b.Start {
		t.Errorf("booked %v of %+v", taken.Answers, taken.Invitee)
	}
}
