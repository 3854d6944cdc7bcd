package agent_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/right"
)

// TestNamesAndDays: hosts and services are found by name, an unknown one is an error with near names instead of an empty
// list, an empty filter is refused, and bare dates are days of the business, which is in Berlin.
func TestNamesAndDays(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	made := call("create_booking", `{"eventType":"cut","start":"2026-12-02T23:30:00Z","invitee":{"name":"Mia","email":"mia@x.example"},
		"host":"hs_0000000001","override":["outside_hours","off_grid"]}`)
	if made.IsError {
		t.Fatal(string(made.Structured))
	}
	for _, c := range []struct{ tool, arguments, wants string }{
		{"list_bookings", `{"host":"ana"}`, `"mia@x.example"`},
		{"list_bookings", `{"host":"Anna"}`, `Did you mean Ana?`},
		{"list_bookings", `{"host":"Zacharias"}`, `There are Ana, Bo.`},
		{"list_bookings", `{"host":"hs_0000000009"}`, `"not_found"`},
		{"list_bookings", `{"eventType":"cutt"}`, `Did you mean cut?`},
		{"list_bookings", `{"eventType":"CUT"}`, `"mia@x.example"`},
		{"list_bookings", `{"invitee":"nobody@x.example"}`, `"hint":"Nobody has`},
		{"list_bookings", `{"host":""}`, `"field":"host"`},
		{"list_bookings", `{"invitee":""}`, `"field":"invitee"`},
		{"list_bookings", `{"from":"2026-12-03","to":"2026-12-04"}`, `"mia@x.example"`},
		{"list_bookings", `{"from":"2026-12-02","to":"2026-12-03"}`, `"data":[]`},
		{"list_contacts", `{"email":""}`, `"field":"email"`},
		{"list_contacts", `{"phone":""}`, `"field":"phone"`},
		{"check_availability", `{"eventType":"cut","host":"Ana","from":"2026-12-03","days":1}`, `"hosts":["hs_0000000001"]`},
		{"check_availability", `{"eventType":"cutt"}`, `Did you mean cut?`},
		{"analytics_overview", `{"from":"2026-12-03","to":"2026-12-04"}`, `"from":"2026-12-02T23:00:00Z"`},
	} {
		if got := string(call(c.tool, c.arguments).Structured); !strings.Contains(strings.ReplaceAll(got, ".000Z", "Z"), c.wants) {
			t.Errorf("%s %s: want %s in %.400s", c.tool, c.arguments, c.wants, got)
		}
	}
}

// TestChangesTakeNames: tools that change something find services, hosts and add-ons by name, too, but bookings only by
// id, with or without its prefix, whosever name is given. Where there is none of that id they say which tool has them.
func TestChangesTakeNames(t *testing.T) {
	w := newWorld(t)
	setup, err := w.Setup(w.Workspace.ID)
	must(t, err)
	w.Offer("trim", 30, func(e *catalog.EventType) {
		e.Title, e.Hosts = "Beard trim", []catalog.HostRef{{ID: setup.Hosts[0].ID}, {ID: setup.Hosts[1].ID}}
		e.AddOns = []catalog.AddOn{{ID: "oil", Title: "Beard oil", Minutes: 15}}
	})
	call := w.fitting()
	var made struct {
		ID, EventType string
		Host          struct{ Name string }
		AddOns        []struct{ ID string }
	}
	read := func(a answer) {
		t.Helper()
		must(t, json.Unmarshal(a.Structured, &made))
		if a.IsError {
			t.Fatalf("%s", a.Structured)
		}
	}
	read(call("create_booking", `{"eventType":"beard TRIM","host":"bo","addOns":["beard oil"],"start":"2026-12-02T09:00:00Z",
		"invitee":{"name":"Mia Muster","email":"mia@x.example"}}`))
	if made.EventType != "trim" || made.Host.Name != "Bo" || len(made.AddOns) != 1 || made.AddOns[0].ID != "oil" {
		t.Errorf("booked %+v", made)
	}
	read(call("reschedule_booking", `{"id":"`+made.ID+`","host":"ANA","start":"2026-12-02T11:00:00Z"}`))
	if made.Host.Name != "Ana" {
		t.Errorf("moved to %+v", made)
	}
	bare := strings.TrimPrefix(made.ID, "bk_")
	for _, c := range []struct{ tool, arguments, wants string }{
		{"create_booking", `{"eventType":"Beard trimm","start":"2026-12-02T09:00:00Z","invitee":{"name":"M","email":"m@x.example"}}`, `Did you mean Beard trim?`},
		{"create_booking", `{"eventType":"trim","host":"Anna","start":"2026-12-02T09:00:00Z","invitee":{"name":"M","email":"m@x.example"}}`, `Did you mean Ana?`},
		{"reschedule_booking", `{"id":"` + made.ID + `","host":"Zacharias","start":"2026-12-02T11:00:00Z"}`, `There are Ana, Bo.`},
		{"cancel_booking", `{"id":"Mia Muster"}`, `"not_found"`},
		{"cancel_booking", `{"id":"` + bare + `","dryRun":true}`, made.ID},
		{"mark_no_show", `{"id":"` + bare + `"}`, `"wrong_state"`},
		{"reschedule_booking", `{"id":" ` + bare + ` ","start":"2026-12-02T12:00:00Z","dryRun":true}`, made.ID},
		{"check_availability", `{"eventType":"trim","excludeBooking":"` + bare + `","from":"2026-12-03","days":1,"limit":1}`, `"data":[{`},
		{"check_availability", `{"eventType":"trim","excludeBooking":"bk_0000000000000"}`,
			`There is no booking \"bk_0000000000000\" in this workspace. list_bookings has the ids`},
		{"check_availability", `{"eventType":"trim","excludeBooking":"Mia Muster"}`, `list_bookings has the ids`},
		{"mark_no_show", `{"id":"Mia Muster"}`, `"not_found"`},
		{"reschedule_booking", `{"id":"Mia Muster","start":"2026-12-02T12:00:00Z"}`, `"not_found"`},
		{"check_availability", `{"eventTypes":["Beard trim","cut"],"from":"2026-12-03","days":1}`, `"eventType":"trim"`},
		{"check_availability", `{"eventType":"Beard trim","addOns":["Beard oil"],"from":"2026-12-03","days":1,"limit":1}`, `"data":[{`},
	} {
		if got := string(call(c.tool, c.arguments).Structured); !strings.Contains(got, c.wants) {
			t.Errorf("%s %s: want %s in %.400s", c.tool, c.arguments, c.wants, got)
		}
	}
}

// TestCustomersByName: a list takes a customer's name where it fits one person only; for several it says who they are. Who
// may not see contacts learns nothing from a name, an address or a number.
func TestCustomersByName(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	for i, who := range []string{"Lotte Ahrens", "Lotte Berg", "Mateo Öztürk"} {
		got := call("create_booking", `{"eventType":"cut","start":"2026-12-0`+string(rune('1'+i))+`T09:00:00Z","invitee":{"name":"`+who+`",
			"email":"p`+string(rune('0'+i))+`@x.example"}}`)
		if got.IsError {
			t.Fatalf("%s", got.Structured)
		}
	}
	for _, c := range []struct{ tool, arguments, wants string }{
		{"list_bookings", `{"invitee":"Mateo Öztürk"}`, `"p2@x.example"`},
		{"list_bookings", `{"invitee":"mateo"}`, `"p2@x.example"`},
		{"list_bookings", `{"invitee":"lotte berg"}`, `"p1@x.example"`},
		{"list_bookings", `{"invitee":"Lotte"}`, `fits several people, such as Lotte Berg (p1@x.example), Lotte Ahrens (p0@x.example)`},
		{"list_bookings", `{"invitee":"Nobody"}`, `"hint":"Nobody has`},
		{"list_contacts", `{"email":"nobody@x.example"}`, `"hint":"Nobody has this e-mail`},
		{"list_contacts", `{"phone":"030 12345678"}`, `"hint":"Nobody has this telephone`},
	} {
		if got := string(call(c.tool, c.arguments).Structured); !strings.Contains(got, c.wants) {
			t.Errorf("%s %s: want %s in %.400s", c.tool, c.arguments, c.wants, got)
		}
	}

	setup, err := w.Setup(w.Workspace.ID)
	must(t, err)
	bo := setup.Hosts[1].ID
	w.Offer("trim", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: bo}} })
	k, err := w.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "narrow",
		Scope: account.FullScope, Limits: account.Limits{EventTypes: []string{"trim"}}})
	must(t, err)
	narrow := []string{"Authorization", "Bearer " + k.Value}
	for _, arguments := range []string{`{"host":"Anna"}`, `{"eventType":"cutt"}`} {
		if got := w.call("list_bookings", arguments, narrow...); !got.IsError || regexp.MustCompile(`Did you mean (Ana|cut)|are .*(Ana|cut\b)`).Match(got.Structured) {
			t.Errorf("%s tells a key of one service: %s", arguments, got.Structured)
		}
	}
	same := ""
	for _, who := range []string{"p2@x.example", "nobody@x.example", "Mateo Öztürk", "Lotte", "Nobody"} {
		got := string(w.call("list_bookings", `{"invitee":"`+who+`"}`, narrow...).Structured)
		if same == "" {
			same = got
		}
		if got != same || !strings.Contains(got, `"data":[]`) {
			t.Errorf("%s: %s, and another %s", who, got, same)
		}
	}
}

// TestCustomersByTags: an agent whose key has the area finds customers by all of some tags, however these are written, and is
// told of them; one without it is refused, and told of none.
func TestCustomersByTags(t *testing.T) {
	w := newWorld(t)
	for name, tags := range map[string][]string{"Ada": {"VIP", "Öl"}, "Bea": {"vip"}, "Cia": nil} {
		_, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: name, Email: name + "@x.example", Tags: tags})
		must(t, err)
	}
	k, err := w.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "contacts", Scope: account.FullScope, Areas: right.Contacts})
	must(t, err)
	sees := []string{"Authorization", "Bearer " + k.Value}
	for arguments, want := range map[string]string{`{"tags":["vip"]}`: "Ada Bea", `{"tags":["OL","Vip"]}`: "Ada", `{"q":"be","tags":["VIP"]}`: "Bea", `{"tags":["vi"]}`: ""} {
		got := w.call("list_contacts", arguments, sees...)
		var page struct{ Data []struct{ Name string } }
		must(t, json.Unmarshal(got.Structured, &page))
		var names []string
		for _, c := range page.Data {
			names = append(names, c.Name)
		}
		if slices.Sort(names); got.IsError || strings.Join(names, " ") != want {
			t.Errorf("%s finds %q, want %q: %s", arguments, names, want, got.Structured)
		}
	}
	if got := w.call("list_contacts", `{"tags":["öl"]}`, sees...); !strings.Contains(string(got.Structured), `"tags":["Öl","VIP"]`) {
		t.Errorf("%s", got.Structured)
	}
	call := w.fitting()
	if got := call("list_contacts", `{"tags":["vip"]}`); !got.IsError || !strings.Contains(string(got.Structured), "forbidden") {
		t.Errorf("without the area: %s", got.Structured)
	}
	if got := call("list_contacts", `{}`); got.IsError || strings.Contains(strings.ToLower(string(got.Structured)), "vip") {
		t.Errorf("without the area: %s", got.Structured)
	}
}

// TestRequirementByAgents: an agent is refused a service without the consent that it requires, is told what is missing, and
// books it where the business says so.
func TestRequirementByAgents(t *testing.T) {
	w := newWorld(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = []catalog.ConsentKind{{Key: "patch-test", Name: "Patch test", Wording: "I had one."}}
	})
	must(t, err)
	w.Offer("dye", 60, func(e *catalog.EventType) { e.Requires = []catalog.Requirement{{Consent: "patch-test", Within: 180}} })
	call := w.fitting()
	const booking = `"eventType":"dye","start":"2026-12-02T09:00:00Z","invitee":{"name":"Mia","email":"mia@x.example"}`
	got := call("create_booking", `{`+booking+`}`)
	if text := string(got.Structured); !got.IsError || !strings.Contains(text, `"requirement"`) || !strings.Contains(text, "patch-test") {
		t.Errorf("without a consent: %s", text)
	}
	if got := call("create_booking", `{`+booking+`,"override":["requirement"]}`); got.IsError || !strings.Contains(string(got.Structured), `"confirmed"`) {
		t.Errorf("where the business says so: %s", got.Structured)
	}
}

// TestCreateContactSaysWhatItDid: a contact that was there stays as it is, and the answer says so and names what was not
// taken.
func TestCreateContactSaysWhatItDid(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	for _, c := range []struct{ arguments, wants string }{
		{`{"name":"Ed","email":"ed@x.example","phone":"030 901820"}`, `"created":true}`},
		{`{"name":"Ed","email":"ED@x.example","phone":"+49 30 901820"}`, `"created":false}`},
		{`{"email":"ed@x.example","notes":"holiday list 2026"}`, `"notes":"",`},
		{`{"email":"ed@x.example","notes":"holiday list 2026"}`, `"created":false,"unchanged":["notes"]}`},
		{`{"name":"Edward","email":"ed@x.example","phone":"030 1","timeZone":"Europe/Rome"}`, `"unchanged":["name","phone","timeZone"]}`},
		{`{"dryRun":true,"name":"Edward","email":"ed@x.example"}`, `"created":false,"unchanged":["name"]}`},
	} {
		if got := string(call("create_contact", c.arguments).Structured); !strings.Contains(got, c.wants) {
			t.Errorf("%s: want %s in %s", c.arguments, c.wants, got)
		}
	}
}
