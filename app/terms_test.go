package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
)

const ownTerms = `
workspace: {slug: salon, name: Salon, timeZone: Europe/Berlin}
hosts:
  - {name: Ana, email: ana@salon.example, weekly: {tue: ["09:00-11:00"]}}
  - name: Bob
    email: bob@salon.example
    weekly: {tue: ["09:00-11:00"]}
    about: Twenty years of beards
    eventTypes: [{slug: cut, durationMinutes: 90, price: {amount: 6000}}]
  - name: Cyd
    email: cyd@salon.example
    weekly: {tue: ["09:00-11:00"]}
    eventTypes: [{slug: cut, price: {amount: 0}}, {slug: shave, durationMinutes: 15}]
eventTypes:
  - slug: cut
    title: Cut
    durationMinutes: 60
    slotStepMinutes: 30
    price: {amount: 4500}
    hosts: [ana@salon.example, bob@salon.example, cyd@salon.example]
  - {slug: shave, title: Shave, durationMinutes: 30, hosts: [cyd@salon.example]}
`

// A host can take longer or shorter for a service, and cost more or nothing. Each start is offered with what it takes
// with each host, and a booking has the length and the price of the host who takes it, for good.
func TestTermsOfAHost(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	w.Apply(ownTerms)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	id := func(email string) catalog.HostID { return setup.HostByEmail(email + "@salon.example").ID }
	ana, bob, cyd := id("ana"), id("bob"), id("cyd")

	a, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "cut", From: apptest.At("1T00"), To: apptest.At("1T23")})
	w.Must(err)
	text, err := json.Marshal(a)
	w.Must(err)
	long, err := json.Marshal(a.Slots())
	w.Must(err)
	if !strings.Contains(string(text), string(long)) {
		t.Errorf("the quick JSON differs:\n%s\n%s", text, long)
	}
	want := map[string]map[catalog.HostID]string{
		"08:00": {ana: "09:00 EUR 45.00", bob: "09:30 EUR 60.00", cyd: "09:00 free"},
		"08:30": {ana: "09:30 EUR 45.00", bob: "10:00 EUR 60.00", cyd: "09:30 free"},
		"09:00": {ana: "10:00 EUR 45.00", cyd: "10:00 free"},
	}
	for _, s := range a.Slots() {
		offers := want[s.Start.Time().Format("15:04")]
		if len(s.ByHost) != len(offers) || len(s.Hosts) != len(offers) {
			t.Errorf("%s: %+v", s.Start, s)
		}
		for i, o := range s.ByHost {
			says := o.End.Time().Format("15:04 ")
			if o.Price == nil {
				says += "free"
			} else {
				says += o.Price.Text()
			}
			if says != offers[o.Host] || o.Host != s.Hosts[i] || s.End > o.End {
				t.Errorf("%s: %s says %q, want %q; it ends at %s", s.Start, o.Host, says, offers[o.Host], s.End)
			}
		}
	}
	if a.Len() != len(want) {
		t.Errorf("%d starts", a.Len())
	}

	in := apptest.Input("cut", "1T08", "mia")
	in.Host = bob.String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if b.End.String() != apptest.At("1T09:30") || b.Price.Amount != 6000 || b.Price.Currency != "EUR" {
		t.Errorf("with bob: %s %+v", b.End, b.Price)
	}
	in.Invitee.Name, in.Invitee.Email, in.Start = "leo", "leo@mail.example", apptest.At("1T09")
	_, err = w.Book(t.Context(), w.API, in) // it would end half an hour after his hours
	w.Refused(err, fault.BadRequest, "outside_hours")
	in.Host = cyd.String()
	free, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if free.Price != nil || free.End.String() != apptest.At("1T10") {
		t.Errorf("with cyd: %s %+v", free.End, free.Price)
	}

	// A move keeps the length and the price, whoever takes it.
	moved, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("8T08"), Host: ana.String()})
	w.Must(err)
	if moved.End.String() != apptest.At("8T09:30") || moved.Price.Amount != 6000 {
		t.Errorf("moved: %s %+v", moved.End, moved.Price)
	}

	// A slug can change, for the hosts too; what else was exported stays.
	doc, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
	w.Must(err)
	file, err := doc.YAML()
	w.Must(err)
	w.Apply(strings.ReplaceAll(string(file), "slug: cut", "slug: trim"))
	again, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
	w.Must(err)
	after, err := again.YAML()
	w.Must(err)
	if want := strings.ReplaceAll(string(file), "slug: cut", "slug: trim"); string(after) != want {
		t.Errorf("renamed:\n%s\nwant\n%s", after, want)
	}
}

// Terms that can't hold are refused, and say why.
func TestWrongTermsOfAHost(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	w.Apply(ownTerms)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	ana := *setup.HostByEmail("ana@salon.example")
	minutes := func(n int) *int { return &n }
	for says, terms := range map[string][]catalog.Terms{
		`"shave" is no event type that Ana serves`:    {{Slug: "shave", DurationMinutes: minutes(10)}},
		"must lie between 1 and 10080":                {{Slug: "cut", DurationMinutes: minutes(0)}},
		"cut stands twice":                            {{Slug: "cut", DurationMinutes: minutes(9)}, {Slug: "cut"}},
		"must be the event type's currency, EUR":      {{Slug: "cut", Price: &money.Money{Amount: 100, Currency: "JPY"}}},
		"must lie between 0 and 99999999 minor units": {{Slug: "cut", Price: &money.Money{Amount: -1, Currency: "EUR"}}},
	} {
		h := ana
		h.EventTypes = terms
		if _, err := w.Shop.SaveHost(t.Context(), w.Owner, h); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
	e := *setup.EventType("cut")
	e.Price = &money.Money{Amount: 100, Currency: "USD"}
	_, err = w.Shop.SaveEventType(t.Context(), w.Owner, e)
	if err == nil || !strings.Contains(err.Error(), "Bob's own price of it doesn't fit any more") {
		t.Errorf("another currency than a host's: %v", err)
	}
}
