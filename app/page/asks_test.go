package page_test

import (
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/page"
)

// The form asks for what the event type wants to know, without a script, and holds people to it. Who gives no e-mail is
// promised no mail.
func TestTheFormAsksForTheEventTypesContact(t *testing.T) {
	w := newWorld(t, page.Options{})
	hours := map[catalog.Asks]string{catalog.AskEmail: "1T08:00", catalog.AskPhone: "2T08:00", catalog.AskEither: "3T08:00", catalog.AskBoth: "4T08:00"}
	for asks, at := range hours {
		w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = asks })
		form := bookingForm(at, "kim", "email", "", "phone", "")
		shown := w.get("/salon/cut?start=" + form.Get("start")).text
		for name, want := range map[string]bool{`name="email"`: asks.Email(), `name="phone"`: asks.Phone()} {
			if strings.Contains(shown, name) != want {
				t.Errorf("%s: the form has %s: %v", asks, name, !want)
			}
		}
		if a := w.send("POST", "/salon/cut", form); a.StatusCode != 422 || asks == catalog.AskEither && !strings.Contains(a.text, "or your phone number") {
			t.Errorf("%s: neither is %d", asks, a.StatusCode)
		}
		if asks != catalog.AskEmail {
			form.Set("phone", "call me")
			if a := w.send("POST", "/salon/cut", form); a.StatusCode != 422 || !strings.Contains(a.text, `value="call me"`) {
				t.Errorf("%s: no number is %d", asks, a.StatusCode)
			}
			form.Set("phone", "030 901820")
		}
		if asks == catalog.AskEmail || asks == catalog.AskBoth {
			form.Set("email", "kim@mail.example")
		}
		a := w.send("POST", "/salon/cut", form)
		if a.StatusCode != 303 {
			t.Fatalf("%s: %d %s", asks, a.StatusCode, a.text)
		}
		if receipt := w.get(a.Header.Get("Location")).text; asks == catalog.AskPhone && strings.Contains(receipt, "confirmation to") {
			t.Errorf("%s: a mail is promised", asks)
		}
	}
}
