package dashboard

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/rest"
	"daybook/app/when"
)

// A class with add-ons, and a host who takes longer and costs more, are the same whether a set-up file or the
// dashboard's forms make them, and book the same by REST, by the agents' tools, by the booking page and by the dashboard:
// mat, level, seats and names, with one end, one price and one mail. The dashboard says all that before it is booked.
func TestAddOnsAndSeatsAtEveryDoor(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	host, other := &w.setup().Hosts[0], &w.setup().Hosts[1]
	w.Apply(fmt.Sprintf(`
workspace: {slug: %s, name: %q, timeZone: %s, currency: EUR}
hosts:
  - {name: %q, email: %s, eventTypes: [{slug: yoga, durationMinutes: 75, price: {amount: 1500}}]}
eventTypes:
  - slug: yoga
    title: Yoga
    durationMinutes: 60
    seats: 20
    price: {amount: 1000, currency: EUR}
    hosts: [%s, %s]
    addOnGroups: [{id: level, title: Level, required: true, max: 1}]
    addOns: [{id: mat, title: Mat, price: {amount: 300, currency: EUR}}, {id: new, title: New, group: level}, {id: old, title: Old, group: level}]
  - slug: dye
    title: Dye
    durationMinutes: 30
    price: {amount: 4000, currency: EUR}
    hosts: [%s]
    addOnGroups: [{id: tone, title: Tone, required: true, max: 1}]
    addOns: [{id: dark, title: Dark, minutes: 30, price: {amount: 900}, group: tone}, {id: light, title: Light, minutes: 20, price: {amount: 550}, group: tone}]
`, w.Workspace.Slug, w.Workspace.Name, w.Workspace.TimeZone, host.Name, host.Email, host.Email, other.Email, other.Email))
	form := []string{"title", "Yoga", "slug", "yoga-2", "durationMinutes", "60", "slotStepMinutes", "60", "bufferBeforeMinutes", "0",
		"bufferAfterMinutes", "0", "minimumNoticeMinutes", "60", "bookingWindowDays", "60", "cancellationNoticeMinutes", "0", "seats", "20",
		"price", "10", "payment", "on_site", "refundOnCancel", "within_notice", "hosts", host.ID.String(), "hosts", other.ID.String(),
		"a0.title", "Mat", "a0.price", "3", "a1.title", "New", "a1.group", "Level", "a2.title", "Old", "a2.group", "level",
		"g0.title", "Level", "g0.required", "on", "g0.max", "1"}
	owner.wants(owner.post("/dashboard/types/new", form...), 303)
	owner.wants(owner.post(hostURL(host)+"/services", append(w.does(w.served(host.ID)...), "eventTypes[yoga].durationMinutes", "75",
		"eventTypes[yoga].price", "15", "eventTypes[yoga-2].durationMinutes", "75", "eventTypes[yoga-2].price", "15")...), 303)
	byFile, byForm := w.setup().EventType("yoga"), w.setup().EventType("yoga-2")
	if !reflect.DeepEqual(byFile.AddOns, byForm.AddOns) || !reflect.DeepEqual(byFile.AddOnGroups, byForm.AddOnGroups) || byFile.Seats != byForm.Seats {
		t.Errorf("by the file %+v %+v\nby the form %+v %+v", byFile.AddOns, byFile.AddOnGroups, byForm.AddOns, byForm.AddOnGroups)
	}
	for _, h := range []*catalog.Host{host, other} {
		if a, b := byFile.With(h.ID), byForm.With(h.ID); a.DurationMinutes != b.DurationMinutes || *a.Price != *b.Price {
			t.Errorf("%s: by the file %d, %v; by the forms %d, %v", h.Name, a.DurationMinutes, a.Price, b.DurationMinutes, b.Price)
		}
	}
	owner.wants(owner.get("/dashboard/types/"+byForm.ID.String()), 200, `name="a0.title" value="Mat"`, `name="a1.group" value="Level"`,
		`name="a3.title" value=""`, `name="g0.max" value="1"`)
	owner.wants(owner.post("/dashboard/types/"+byForm.ID.String(), append(form, "a3.title", "Late", "a3.minutes", "15")...), 422, "Add-on 4", `value="Late"`)

	choice := catalog.Choice{AddOns: []string{"mat", "old"}, Seats: 3}
	open, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "yoga", Host: host.ID.String(), Choice: choice,
		From: when.At(saturday.AddDate(0, 0, 3)).String(), Limit: new(1)})
	w.Must(err)
	start := open.Slots()[0].Start
	at := start.Time().In(w.setup().Zone)
	key := w.Key(account.FullScope).Value
	call := func(handler http.Handler, path, body string) string { return w.asks(handler, key, path, body) }
	body := func(person string) string {
		return fmt.Sprintf(`{"eventType":"yoga","start":%q,"host":%q,"addOns":["mat","old"],"seats":3,"participants":["Ann","Ben"],"invitee":{"name":%q,"email":"%s@x.example"}}`,
			start, host.ID, person, person)
	}
	owner.wants(owner.get("/dashboard/types"), 200, "1\u00a0hr – 1\u00a0hr 15\u00a0min · ", "<span>from €10</span>", "50\u00a0min · ", "<span>from €45.50</span>")
	choose := "/dashboard/bookings/new?type=yoga&addOns=mat&addOns=old&seats=3"
	mails := map[string]string{}
	tools := agent.New(w.Set, agent.Options{})
	mux := http.NewServeMux()
	tools.Routes(mux)
	defer tools.Close(context.Background())
	if list := call(mux, "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_event_types","arguments":{"limit":100}}}`); !strings.Contains(list,
		`"addOnGroups":[{"id":"tone","title":"Tone","required":true,"max":1}]`) {
		t.Errorf("the tools don't say what must be chosen: %.2000s", list)
	}
	for person, book := range map[string]func() string{
		"rest": func() string { return call(rest.New(w.Set, rest.Options{}), "/api/v1/bookings", body("rest")) },
		"tool": func() string {
			return call(mux, "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_booking","arguments":`+body("tool")+`}}`)
		},
		"page": func() string {
			b := w.browser()
			page := b.get("/" + w.Workspace.Slug + "/yoga?host=" + host.ID.String() + "&addOns=mat&addOns.level=old&seats=3&start=" + url.QueryEscape(start.String()))
			b.wants(page, 200, "€54", "1\u00a0hr 15\u00a0min", `name="addOns" value="mat,old"`)
			return b.post("/"+w.Workspace.Slug+"/yoga", "start", start.String(), "host", host.ID.String(), "addOns", "mat,old", "seats", "3", "name", "page",
				"email", "page@x.example", "participants", "Ann\r\nBen\r\n").body
		},
		"dashboard": func() string {
			b := owner
			week := choose + "&date=" + at.Format(time.DateOnly)
			b.wants(b.get(week), 200, host.Name+" · 1\u00a0hr 15\u00a0min · €54", "<b>"+host.Name+"</b> 1\u00a0hr 15\u00a0min · €54",
				"<b>"+other.Name+"</b> 1\u00a0hr · €39")
			own := choose + "&host=" + host.ID.String()
			if page := b.get(own + "&date=" + at.Format(time.DateOnly)); strings.Count(page.body, "1\u00a0hr 15\u00a0min · €54") != 2 || strings.Contains(page.body, "<b>"+other.Name) {
				t.Errorf("the host's own terms: %s", mainOf(page.body))
			}
			b.wants(b.get(own+"&start="+url.QueryEscape(start.String())), 200, `<option value="old" selected`, `name="addOns" value="mat" checked`, `name="seats" value="3"`,
				"Yoga + Mat + Old × 3", "<b>"+host.Name+"</b> "+at.Format("3:04"), at.Add(75*time.Minute).Format("3:04\u202fPM")+" · 1\u00a0hr 15\u00a0min · €54")
			return b.post("/dashboard/bookings/new", "type", "yoga", "host", host.ID.String(), "start", start.String(), "addOns", "mat,old", "seats", "3",
				"name", "dashboard", "email", "dashboard@x.example", "participants", "Ann\r\nBen").body
		},
	} {
		answer := book()
		found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: person + "@x.example"})
		w.Must(err)
		if len(found.Data) != 1 {
			t.Errorf("%s: %d bookings: %.900s", person, len(found.Data), mainOf(answer))
			continue
		}
		b := found.Data[0]
		if b.Start != start || b.End != start.Add(75*time.Minute) || b.Seats != 3 || b.Price == nil || b.Price.Amount != 5400 || !reflect.DeepEqual(b.Participants, []string{"Ann", "Ben"}) ||
			len(b.AddOns) != 2 || b.AddOns[0].Title != "Mat" || b.AddOns[1].ID != "old" {
			t.Errorf("%s: %+v", person, b)
		}
		mails[w.mailOf(b.ID.String(), person)] += person + " "
	}
	if len(mails) != 1 {
		t.Errorf("the mails differ: %q", mails)
	}

	// Who comes, on one page and in print.
	all, _, err := w.Calendar(t.Context(), w.Owner, host.ID.String(), start.Time(), start.Time().Add(time.Second), false)
	w.Must(err)
	list := owner.get("/dashboard/bookings/" + all[0].ID.String() + "/session")
	owner.wants(list, 200, "Participants", "rest", "page@x.example", "Ann, Ben", "Mat, Old", "€54 due", "data-print")
	owner.wants(owner.get("/dashboard/bookings/"+all[0].ID.String()), 200, "/session", "Ann, Ben", "Mat, Old")
	_, err = w.Cancel(t.Context(), w.Owner, all[1].ID.String(), app.CancelInput{})
	w.Must(err)
	if again := owner.get("/dashboard/bookings/" + all[0].ID.String() + "/session"); strings.Count(again.body, `scope="row"`) != len(all)-1 {
		t.Errorf("%d rows after a cancellation of %d", strings.Count(again.body, `scope="row"`), len(all))
	}
}

// asks posts a body to a door that takes keys, and returns the answer.
func (w *world) asks(handler http.Handler, key, path, body string) string {
	w.T.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	r, err := http.NewRequest("POST", server.URL+path, strings.NewReader(body))
	w.Must(err)
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(r)
	w.Must(err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	w.Must(err)
	return string(answer)
}

var linkInMail = regexp.MustCompile(`https?://\S+`)

// mailOf is the text of the booking's first mail, without its links and with "person" for whoever booked.
func (w *world) mailOf(booking, person string) string {
	w.T.Helper()
	for n := 1; n > 0; {
		var err error
		n, err = w.Mail.WriteMails(w.T.Context(), 100)
		w.Must(err)
	}
	all, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{Booking: booking})
	w.Must(err)
	for i := range all.Data {
		if m := &all.Data[i]; m.Kind == catalog.MailConfirmed {
			text, err := mail.Compose(w.T.Context(), w.Mail, m, netmail.Address{})
			w.Must(err)
			return strings.ReplaceAll(linkInMail.ReplaceAllString(text.Text, "link"), person, "person")
		}
	}
	w.T.Errorf("%s has no mail in %+v", person, all.Data)
	return person
}
