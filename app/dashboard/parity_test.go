package dashboard

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/rest"
	"daybook/app/when"
)

// A service with words, a place, a limit and a deposit is the same whether a set-up file or the dashboard's form makes
// it. Booked by REST, by the agents' tools, by the booking page and by the dashboard it has one place and one mail with
// the owner's words; whoever books once more is refused for the same reason by each.
func TestWordsWhereAndLimitsAtEveryDoor(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	host := &w.setup().Hosts[0]
	w.Apply(fmt.Sprintf(`
workspace: {slug: %s, name: %q, timeZone: %s, currency: EUR, redirectHosts: [www.salon.example]}
eventTypes:
  - slug: call
    title: Visit
    durationMinutes: 30
    slotStepMinutes: 30
    minimumNoticeMinutes: 60
    bookingWindowDays: 60
    category: At home
    hosts: [%s]
    where: {kind: in_person, text: Park Lane 2, travelMinutes: 45}
    words: [{text: Please ring twice.}, {kind: reminder, locale: de, text: Bis bald.}]
    redirectUrl: https://www.salon.example/thanks
    limits: {personUpcoming: 1, perWeek: 20}
`, w.Workspace.Slug, w.Workspace.Name, w.Workspace.TimeZone, host.Email))
	owner.wants(owner.postForm("/dashboard/types/new", w.serviceForm("category", "At home", "where.kind", "in_person", "where.text", "Park Lane 2",
		"where.travelMinutes", "45", "words[0].text", "Please ring twice.", "words[1].kind", "reminder", "words[1].locale", "de", "words[1].text", "Bis bald.",
		"redirectUrl", "https://www.salon.example/thanks", "limits.personUpcoming", "1", "limits.perWeek", "20", "deposit", "", "lateCancellationFee", "")), 303)
	byFile, byForm := w.setup().EventType("call"), w.setup().EventType("visit")
	for name, of := range map[string]func(*catalog.EventType) any{
		"category": func(e *catalog.EventType) any { return e.Category },
		"where":    func(e *catalog.EventType) any { return *e.Where },
		"words":    func(e *catalog.EventType) any { return e.Words },
		"redirect": func(e *catalog.EventType) any { return e.RedirectURL },
		"limits":   func(e *catalog.EventType) any { return e.Limits },
	} {
		if file, form := of(byFile), of(byForm); !reflect.DeepEqual(file, form) {
			t.Errorf("%s: by the file %+v, by the form %+v", name, file, form)
		}
	}

	open, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "call", Host: host.ID.String(),
		From: when.At(saturday.AddDate(0, 0, 3)).String(), Limit: new(8)})
	w.Must(err)
	slots := open.Slots()
	key := w.Key(account.FullScope).Value
	tools := agent.New(w.Set, agent.Options{})
	mux := http.NewServeMux()
	tools.Routes(mux)
	defer tools.Close(context.Background())
	body := func(person string, start when.Instant) string {
		return fmt.Sprintf(`{"eventType":"call","start":%q,"host":%q,"invitee":{"name":%q,"email":"%s@x.example"}}`, start, host.ID, person, person)
	}
	mails := map[string]string{}
	next := 0
	for person, book := range map[string]func(when.Instant) string{
		"rest": func(start when.Instant) string {
			return w.asks(rest.New(w.Set, rest.Options{}), key, "/api/v1/bookings", body("rest", start))
		},
		"tool": func(start when.Instant) string {
			return w.asks(mux, key, "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_booking","arguments":`+body("tool", start)+`}}`)
		},
		"page": func(start when.Instant) string {
			b := w.browser()
			at := "/" + w.Workspace.Slug + "/call"
			b.wants(b.get(at+"?host="+host.ID.String()+"&start="+url.QueryEscape(start.String())), 200, "Park Lane 2")
			return b.post(at, "start", start.String(), "host", host.ID.String(), "name", "page", "email", "page@x.example").body
		},
		"dashboard": func(start when.Instant) string {
			return owner.post("/dashboard/bookings/new", "type", "call", "host", host.ID.String(), "start", start.String(), "name", "dashboard",
				"email", "dashboard@x.example").body
		},
	} {
		answer := book(slots[next].Start)
		found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: person + "@x.example"})
		w.Must(err)
		if len(found.Data) != 1 {
			t.Errorf("%s: %d bookings: %.900s", person, len(found.Data), mainOf(answer))
			continue
		}
		b := found.Data[0]
		if b.Where == nil || b.Where.Text != "Park Lane 2" || b.Spot() != "Park Lane 2" {
			t.Errorf("%s takes place at %+v", person, b.Where)
		}
		text := w.mailOf(b.ID.String(), person)
		if !strings.Contains(text, "Please ring twice.") || strings.Contains(text, "Bis bald") || !strings.Contains(text, "Park Lane 2") {
			t.Errorf("%s gets %s", person, text)
		}
		_, rest, _ := strings.Cut(text, "Changes:")
		_, rest, _ = strings.Cut(rest, "\n") // the times differ, and until when they can be changed
		mails[rest] += person + " "

		refused := html.UnescapeString(book(slots[next+1].Start))
		want := map[string]string{"rest": `"person_upcoming"`, "tool": "person_upcoming", "page": "as many upcoming bookings of this as one person may",
			"dashboard": "this person has enough bookings to come"}[person]
		if !strings.Contains(refused, want) {
			t.Errorf("%s books twice: %.3000s, want %s", person, mainOf(refused), want)
		}
		if found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: person + "@x.example"}); err != nil || len(found.Data) != 1 {
			t.Errorf("%s has %d bookings, %v", person, len(found.Data), err)
		}
		next += 2
		if person == "dashboard" { // the business may set it aside, and is asked first
			owner.wants(owner.post("/dashboard/bookings/new", "type", "call", "host", host.ID.String(), "start", slots[next-1].Start.String(),
				"name", "dashboard", "email", "dashboard@x.example", "override", "person_upcoming"), 303)
		}
	}
	if len(mails) != 1 {
		t.Errorf("the mails differ: %q", mails)
	}
}
