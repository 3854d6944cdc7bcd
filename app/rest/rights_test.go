package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/guest"
	"daybook/app/mail/smtp"
	"daybook/app/right"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// rightOf says what a restricted key must list for each route; "" is nothing, an area stands for what no right opens,
// and public for what is for public keys only.
var rightOf = map[string]string{
	"GET /public/event-types": "public", "GET /public/availability": "public", "POST /public/bookings": "public",
	"GET /bookings": "bookings:read", "GET /bookings/{id}": "bookings:read", "GET /me": "",
	"POST /bookings": "bookings:write", "PATCH /bookings/{id}": "bookings:write", "POST /bookings/{id}/cancel": "bookings:write",
	"POST /bookings/{id}/reschedule": "bookings:write", "POST /bookings/{id}/arrived": "bookings:write",
	"POST /bookings/{id}/done": "bookings:write", "POST /bookings/{id}/no-show": "bookings:write", "POST /bookings/{id}/undo": "bookings:write",
	"POST /bookings/{id}/confirm": "bookings:write", "POST /bookings/{id}/decline": "bookings:write", "POST /bookings/{id}/coming": "bookings:write", "POST /bookings/{id}/resend": "bookings:write",
	"GET /series/{id}": "bookings:read", "POST /series": "bookings:write", "POST /series/{id}/cancel": "bookings:write",
	"POST /series/{id}/reschedule": "bookings:write",
	"GET /waitlist":                "bookings:read", "GET /waitlist/{id}": "bookings:read", "POST /waitlist": "bookings:write",
	"DELETE /waitlist/{id}": "bookings:write", "POST /waitlist/{id}/offer": "bookings:write", "POST /public/waitlist": "public",
	"GET /visits/{id}": "bookings:read", "POST /visits": "bookings:write", "POST /visits/{id}/cancel": "bookings:write",
	"POST /visits/{id}/reschedule": "bookings:write", "POST /visits/{id}/no-show": "bookings:write",
	"POST /holds": "bookings:write", "DELETE /holds/{id}": "bookings:write",
	"POST /bookings/{id}/payments": "money:write", "POST /payments/{id}/refund": "money:write", "POST /bookings/{id}/receipt": "money:write",
	"GET /passes": "money:read", "GET /passes/{id}": "money:read", "GET /passes/{id}/entries": "money:read",
	"POST /passes/{id}/code": "money:write", "POST /pass-codes": "money:read",
	"GET /sales": "money:read", "GET /sales/{id}": "money:read", "POST /sales": "money:write", "PATCH /sales/{id}": "money:write",
	"POST /sales/{id}/payments": "money:write", "POST /sales/{id}/refund": "money:write", "POST /sales/{id}/void": "money:write",
	"GET /receipts": "money:read", "GET /receipts/{id}": "money:read", "GET /till": "money:read", "POST /till/close": "money:write",
	"GET /event-types": "availability:read", "GET /event-types/{id}": "availability:read", "GET /availability": "availability:read",
	"GET /contacts": "contacts:read", "GET /contacts/{id}": "contacts:read", "POST /contacts": "contacts:write",
	"PATCH /contacts/{id}": "contacts:write contacts", "DELETE /contacts/{id}": "contacts:write contacts", "POST /contacts/{id}/merge": "contacts:write contacts",
	"GET /contact-fields": "contacts:read", "PATCH /contact-fields": " settings",
	"GET /contacts/{id}/consents": "unlisted contacts", "POST /contacts/{id}/consents": "unlisted contacts",
	"POST /contacts/{id}/consents/{consent}/withdraw": "unlisted contacts", "GET /contacts/{id}/health": "unlisted contacts",
	"POST /contacts/{id}/health": "unlisted contacts", "DELETE /contacts/{id}/health/{health}": "contacts:write contacts",
	"GET /contacts/{id}/card": "contacts:read contacts", "GET /contacts/{id}/entries": "contacts:read contacts",
	"POST /contacts/{id}/entries": "contacts:write contacts", "PATCH /contacts/{id}/entries/{entry}": "contacts:write contacts",
	"DELETE /contacts/{id}/entries/{entry}": "contacts:write contacts", "GET /contacts/{id}/files": "contacts:read contacts",
	"POST /contacts/{id}/files": "contacts:write contacts", "GET /contacts/{id}/files/{file}": "contacts:read contacts",
	"GET /contacts/{id}/files/{file}/content": "contacts:read contacts", "DELETE /contacts/{id}/files/{file}": "contacts:write contacts",
	"GET /pictures": "pictures:read", "GET /pictures/{id}": "pictures:read", "POST /pictures": "pictures:write", "DELETE /pictures/{id}": "pictures:write",
	"GET /events": "webhooks:read", "GET /invitations": "invitations:read", "GET /invitations/{id}": "invitations:read",
	"POST /invitations": "invitations:write", "DELETE /invitations/{id}": "invitations:write", "POST /invitations/{id}/resend": "invitations:write",
	"GET /webhook-endpoints": "webhooks:read", "GET /webhook-endpoints/{id}": "webhooks:read", "POST /webhook-endpoints": "webhooks:write",
	"PATCH /webhook-endpoints/{id}": "webhooks:write", "DELETE /webhook-endpoints/{id}": "webhooks:write",
	"GET /webhook-deliveries": "webhooks:read", "GET /webhook-deliveries/{id}": "webhooks:read", "POST /webhook-deliveries/{id}/redeliver": "webhooks:write",
	"POST /webhook-endpoints/{id}/test": "webhooks:write", "POST /webhook-endpoints/{id}/rotate": "webhooks:write",
	"GET /payments": " payments", "GET /payments/{id}": " payments", "GET /analytics": "analytics:read",
	"GET /members": " members", "POST /members": " members", "GET /members/{id}": " members", "PATCH /members/{id}": " members",
	"POST /event-types": " settings", "PATCH /event-types/{id}": " settings", "DELETE /event-types/{id}": " settings",
	"GET /hosts": " settings", "POST /hosts": " settings", "GET /hosts/{id}": " settings", "PATCH /hosts/{id}": " settings",
	"DELETE /hosts/{id}": " settings", "GET /hosts/{id}/overrides": " settings", "POST /hosts/{id}/overrides": " settings",
	"DELETE /hosts/{id}/overrides/{date}": " settings", "GET /hosts/{id}/time-off": " settings",
	"POST /hosts/{id}/time-off": " settings", "DELETE /hosts/{id}/time-off/{entry}": " settings",
	"GET /resources": " settings", "POST /resources": " settings", "GET /resources/{id}": " settings",
	"PATCH /resources/{id}": " settings", "DELETE /resources/{id}": " settings",
	"GET /accounts": " settings", "PATCH /accounts": " settings",
	"GET /products": "money:read", "GET /products/{id}": "money:read",
	"POST /products": " settings", "PATCH /products/{id}": " settings", "DELETE /products/{id}": " settings",
	"DELETE /members/{id}": " members", "POST /members/{id}/invite": " members",
}

// rightBodies are those of writes, so that a request gets as far as the right that it needs.
var rightBodies = map[string]string{
	"POST /bookings":               `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"X","email":"x@x.example"}}`,
	"POST /public/bookings":        `{"eventType":"cut","start":"2026-12-01T10:15:00Z","invitee":{"name":"Y","email":"y@x.example"}}`,
	"POST /series":                 `{"repeat":{"every":1,"unit":"week","count":2},"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"X","email":"x@x.example"}}`,
	"POST /series/{id}/reschedule": `{"from":"bk_1p4s8ywa0g0m3","start":"2026-12-01T09:00:00Z"}`,
	"POST /bookings/{id}/coming":   `{"answer":"yes"}`,
	"POST /series/{id}/cancel":     `{"from":"bk_1p4s8ywa0g0m3"}`,
	"POST /visits":                 `{"items":[{"eventType":"cut"}],"start":"2026-12-01T08:00:00Z","invitee":{"name":"X","email":"x@x.example"}}`,
	"POST /visits/{id}/reschedule": `{"start":"2026-12-01T09:00:00Z"}`,
	"POST /waitlist":               `{"items":[{"eventType":"cut"}],"wishes":[{"from":"2026-12-01","to":"2026-12-04"}],"invitee":{"name":"X","email":"x@x.example"}}`,
	"POST /waitlist/{id}/offer":    `{"start":"2026-12-01T08:00:00Z"}`,
	"POST /public/waitlist":        `{"items":[{"eventType":"cut"}],"wishes":[{"from":"2026-12-01","to":"2026-12-04"}],"invitee":{"name":"X","email":"x@x.example"}}`,
	"POST /holds":                  `{"eventType":"cut","start":"2026-12-01T08:00:00Z"}`,
	"POST /contacts":               `{"name":"X","email":"x@x.example"}`, "PATCH /contacts/{id}": `{"name":"Y"}`, "POST /contacts/{id}/merge": `{"into":"co_1"}`,
	"POST /bookings/{id}/reschedule": `{"start":"2026-12-01T09:00:00Z"}`, "PATCH /bookings/{id}": `{"notes":"n"}`,
	"POST /bookings/{id}/payments": `{"amount":1,"method":"cash"}`,
	"POST /sales":                  `{"lines":[{"kind":"tip","amount":100}]}`, "PATCH /sales/{id}": `{"lines":[{"kind":"tip","amount":100}]}`,
	"POST /sales/{id}/payments": `{"payments":[]}`,
	"POST /pass-codes":          `{"code":"7M2K-Q9TD-4WXZ-0H5C"}`,
	"POST /invitations":         `{"eventType":"cut"}`, "POST /webhook-endpoints": `{"url":"https://93.184.216.34/x","events":["booking.created"]}`,
	"PATCH /webhook-endpoints/{id}": `{"enabled":true}`, "POST /till/close": `{"counted":95,"opening":100}`,
	"POST /event-types": `{"slug":"x","title":"X","durationMinutes":30,"hosts":["` + ana.String() + `"]}`, "PATCH /event-types/{id}": `{"title":"X"}`,
	"POST /hosts": `{"name":"X","email":"x@x.example"}`, "PATCH /hosts/{id}": `{"name":"X"}`,
	"POST /hosts/{id}/overrides": `{"date":"2026-12-01","closed":true}`, "POST /hosts/{id}/time-off": `{"from":"2026-12-01","to":"2026-12-02"}`,
	"POST /resources": `{"name":"X"}`, "PATCH /resources/{id}": `{"name":"X"}`,
	"PATCH /accounts": `{"cash":"1000"}`, "POST /products": `{"name":"X","price":{"amount":100}}`, "PATCH /products/{id}": `{"name":"X"}`,
	"POST /contacts/{id}/consents": `{"kind":"health"}`, "POST /contacts/{id}/health": `{"kind":"allergy","text":"n"}`,
	"PATCH /contact-fields": `{"contactFields":[]}`, "POST /contacts/{id}/entries": `{"kind":"note","text":"n"}`, "PATCH /contacts/{id}/entries/{entry}": `{"pinned":true}`,
	"POST /members": `{"email":"m@x.example","role":"manager"}`, "PATCH /members/{id}": `{"role":"manager"}`,
}

// keyOf makes a key of the salon.
func (w *world) keyOf(in account.KeyInput) string {
	w.T.Helper()
	in.Name, in.RateLimit = "test", 1_000_000
	k, err := w.Account.CreateKey(w.T.Context(), w.Owner, in)
	w.Must(err)
	return k.Value
}

// guestOf is somebody without a key, as far as they got: what they were given to come back with, and the id in the paths
// of it.
type guestOf struct{ name, secret, id string }

// guests have a booking's own link, and what a person's assistant gets who asked for a booking: the request, the link and
// the code of its mail, and the held time.
func (w *world) guests() []guestOf {
	w.T.Helper()
	b, err := w.Booking(w.T.Context(), w.API, w.book("cut", "2026-12-01T08:00:00Z", "gail@x.example"))
	w.Must(err)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	r, err := w.Guest.Ask(w.T.Context(), setup, guest.Asked{From: netip.MustParseAddr("198.51.100.9"),
		BookInput: booking.BookInput{EventType: "cut", Start: "2026-12-02T08:00:00Z", Invitee: booking.Invitee{Name: "Gus", Email: "gus@x.example"}}})
	w.Must(err)
	last := func(link string) string { return link[strings.LastIndexByte(link, '/')+1:] }
	return []guestOf{
		{"a booking's link", b.ManageURL, b.ID.String()}, {"its token", last(b.ManageURL), b.ID.String()},
		{"the booking's id", b.ID.String(), b.ID.String()}, {"the booking's contact", b.ContactID.String(), b.ContactID.String()},
		{"a request", r.ID.String(), r.ID.String()}, {"its code", booking.GuestCode(setup, r.ID), r.ID.String()},
		{"the link of its mail", booking.GuestToken(setup, r.ID), r.ID.String()}, {"its held time", r.Hold, r.Hold},
	}
}

// askRoute sends a request that gets as far as the right that it needs; id is that of the path.
func (w *world) askRoute(t *testing.T, name, key, id string, headers ...string) (int, string) {
	t.Helper()
	method, path, _ := strings.Cut(name, " ")
	at, body := "/api/v1"+strings.NewReplacer("{id}", id, "{date}", "2026-12-01", "{entry}", "0", "{file}", "0", "{consent}", "0", "{health}", "0").Replace(path), rightBodies[name]
	if strings.HasSuffix(path, "/availability") {
		at += "?eventType=cut"
	}
	if name == "POST /pictures" || name == "POST /contacts/{id}/files" {
		body, headers = "picture", append(headers, "Content-Type", "image/png")
	}
	got := w.do(key, method, at, body, headers...)
	reason := ""
	if got.Code >= 400 {
		reason, _ = details(t, got)["reason"].(string)
	}
	return got.Code, reason
}

// routes are those of the API's document, such as "GET /bookings/{id}".
func (w *world) routes() (all []string) {
	w.T.Helper()
	var doc struct{ Paths map[string]map[string]any }
	w.Must(json.Unmarshal([]byte(w.do("", "GET", "/api/v1/openapi.json", "").text), &doc))
	for path, item := range doc.Paths {
		for method := range item {
			all = append(all, strings.ToUpper(method)+" "+strings.TrimPrefix(path, "/api/v1"))
		}
	}
	slices.Sort(all)
	return all
}

// Every route refuses guests, whatever they were given to come back with and however they show it, for what is theirs,
// too; and nothing changes.
func TestEveryRouteByGuests(t *testing.T) {
	w := newWorld(t)
	guests := w.guests()
	raw := enginetest.Raw(t, w.Store.Engine)
	before := enginetest.Dump(t, raw)
	walked := 0
	for _, name := range w.routes() {
		for _, g := range guests {
			shown := [][]string{{"Authorization", "Bearer " + g.secret}}
			if g.name == "its token" {
				shown = append(shown, []string{"Authorization", "Basic " + g.secret}, []string{"Cookie", "session=" + g.secret}, []string{"X-Api-Key", g.secret})
			}
			for _, headers := range shown {
				if code, _ := w.askRoute(t, name, "", g.id, headers...); code != 401 {
					t.Errorf("%s by a guest with %s, %v: %d", name, g.name, headers, code)
				}
				walked++
			}
		}
	}
	if walked < 40*11 {
		t.Errorf("%d requests were made", walked)
	}
	if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
		t.Errorf("guests changed:\n%s", changed)
	}
	// The links open what they are for: the routes refused what works elsewhere.
	if b, _, err := w.BookingByToken(t.Context(), guests[1].secret); err != nil || b.ID.String() != guests[1].id {
		t.Error(b.ID, err)
	}
	if r, _, err := w.Guest.ByToken(t.Context(), guests[6].secret); err != nil || r.ID.String() != guests[6].id {
		t.Error(r.ID, err)
	}
}

// Every route answers nobody, a public key, the token of a staff member's agent, a key of each right, a read-only key and a key of another workspace as the tables say.
func TestEveryRouteByEveryKey(t *testing.T) {
	w := newWorld(t)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587}) // what asks by mail works
	byRight := map[string]string{}
	for _, name := range right.Names {
		byRight[name] = w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{Rights: []string{name}}})
	}
	website := w.keyOf(account.KeyInput{Scope: account.PublicScope, Limits: account.Limits{Origins: []string{"https://salon.example"}}})
	token := w.tokenOfStaff()
	var seen []string
	for _, name := range w.routes() {
		method, path, _ := strings.Cut(name, " ")
		needs, known := rightOf[name]
		if !known {
			t.Errorf("%s: say in rightOf what it needs", name)
			continue
		}
		seen = append(seen, name)
		needs, area, _ := strings.Cut(needs, " ")
		ask := func(key string) (int, string) { return w.askRoute(t, name, key, "unknown_0000000000") }
		if code, _ := ask(""); code != 401 {
			t.Errorf("%s by nobody: %d", name, code)
		}
		if code, _ := ask(token); code != 401 {
			t.Errorf("%s by the token of a staff member's agent: %d", name, code)
		}
		if code, reason := ask(website); (needs == "public") != (code/100 == 2) || needs != "public" && (code != 403 || reason != "public_key") {
			t.Errorf("%s by a public key: %d %s", name, code, reason)
		}
		if needs == "public" {
			for _, key := range []string{byRight["bookings:write"], byRight["availability:read"], w.full, w.readOnly, w.foreign} {
				if code, reason := ask(key); code != 403 || reason != "public_key" {
					t.Errorf("%s by a secret key: %d %s", name, code, reason)
				}
			}
			continue
		}
		for has, key := range byRight {
			set, err := right.Parse([]string{has})
			w.Must(err)
			listed := needs == "" || slices.Contains(set.List(), needs)
			code, reason := ask(key)
			switch {
			case !listed && (code != 403 || reason != "right"), listed && area != "" && (code != 403 || reason != "area") && !(area == "settings" && code == 400),
				listed && area == "" && (code == 401 || code == 403):
				t.Errorf("%s by a key with %s: %d %s", name, has, code, reason)
			}
		}
		if code, reason := ask(w.readOnly); method != "GET" && (code != 403 || reason != "read_only_key") ||
			method == "GET" && area == "" && (code == 401 || code == 403) || area != "" && code != 403 {
			t.Errorf("%s by a read-only key: %d %s", name, code, reason)
		}
		if code, _ := ask(w.foreign); code == 401 || strings.Contains(path, "{id}") && area == "" && code < 400 {
			t.Errorf("%s by a key of another workspace: %d", name, code)
		}
	}
	if len(seen) < 40 {
		t.Errorf("%d routes were asked", len(seen))
	}
}

// A key of some services or hosts doesn't find what is of others: in no list, by no id, as no time, by no write.
func TestKeyOfAServiceAndAHost(t *testing.T) {
	w := newWorld(t)
	cut := w.book("cut", "2026-12-01T08:00:00Z", "a@x.example")
	byBob := w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"color","start":"2026-12-03T08:00:00Z","host":"`+bob.String()+`","invitee":{"name":"B","email":"b@x.example"}}`).json(t)["id"].(string)
	byAna := w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"color","start":"2026-12-02T08:00:00Z","host":"`+ana.String()+`","invitee":{"name":"C","email":"c@x.example"}}`).json(t)["id"].(string)
	service := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{EventTypes: []string{"color"}}})
	host := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{Hosts: []string{bob.String()}}})
	for _, c := range []struct {
		key, sees string
		not       []string
	}{{service, byBob, []string{cut}}, {host, byBob, []string{cut, byAna}}} {
		list := w.do(c.key, "GET", "/api/v1/bookings?scope=all", "")
		if !strings.Contains(list.text, c.sees) || w.do(c.key, "GET", "/api/v1/bookings/"+c.sees, "").Code != 200 {
			t.Errorf("its own booking: %s", list.text)
		}
		for _, id := range c.not {
			if strings.Contains(list.text, id) {
				t.Errorf("the list has %s", id)
			}
			for _, do := range []string{"GET ", "PATCH ", "POST /cancel", "POST /reschedule", "POST /arrived", "POST /confirm", "POST /resend"} {
				method, path, _ := strings.Cut(do, " ")
				body := map[string]string{"PATCH ": `{"notes":"x"}`, "POST /reschedule": `{"start":"2026-12-02T08:00:00Z"}`}[do]
				if got := w.do(c.key, method, "/api/v1/bookings/"+id+path, body); got.Code != 404 {
					t.Errorf("%s of %s: %d %s", do, id, got.Code, got.text)
				}
			}
		}
		types := w.do(c.key, "GET", "/api/v1/event-types", "")
		if strings.Contains(types.text, `"slug":"cut"`) || !strings.Contains(types.text, `"slug":"color"`) {
			t.Errorf("event types: %s", types.text)
		}
		for _, at := range []string{"GET /event-types/cut", "GET /availability?eventType=cut"} {
			if got := w.do(c.key, "GET", "/api/v1"+strings.TrimPrefix(at, "GET "), ""); got.Code != 404 {
				t.Errorf("%s: %d", at, got.Code)
			}
		}
		if got := w.do(c.key, "POST", "/api/v1/bookings", rightBodies["POST /bookings"]); got.Code != 404 {
			t.Errorf("booking another service: %d %s", got.Code, got.text)
		}
	}
	if got := w.do(host, "GET", "/api/v1/event-types/color", ""); strings.Contains(got.text, ana.String()) {
		t.Errorf("a key of one host is told of the other: %s", got.text)
	}
	// Ana is free, Bob is not: for a key of Bob's that is taken.
	if got := w.do(host, "POST", "/api/v1/bookings", `{"eventType":"color","start":"2026-12-03T08:00:00Z","invitee":{"name":"D","email":"d@x.example"}}`); got.Code != 409 {
		t.Errorf("a time of the other host: %d %s", got.Code, got.text)
	}
	if got := w.do(host, "PATCH", "/api/v1/bookings/"+byBob, `{"host":"`+ana.String()+`"}`); got.Code != 404 {
		t.Errorf("given to the other host: %d %s", got.Code, got.text)
	}
	if got := w.do(host, "POST", "/api/v1/bookings/"+byBob+"/reschedule", `{"start":"2026-12-03T09:30:00Z","host":"`+ana.String()+`"}`); got.Code < 400 {
		t.Errorf("moved to the other host: %d %s", got.Code, got.text)
	}
	if got := w.do(host, "GET", "/api/v1/availability?eventType=color&host="+ana.String(), ""); got.Code < 400 {
		t.Errorf("the other host's times: %d %s", got.Code, got.text)
	}
	narrowLearnsNothing(t, w, service, host, cut, byAna)
	// Once none of its hosts serves the event type the key can't move what they have of it.
	owner := w.keyOf(account.KeyInput{Scope: account.FullScope, Areas: right.Settings})
	if got := w.do(owner, "PATCH", "/api/v1/event-types/color", `{"hosts":["ana@salon.example"]}`); got.Code != 200 {
		t.Fatalf("%d %s", got.Code, got.text)
	}
	if got := w.do(host, "POST", "/api/v1/bookings/"+byBob+"/reschedule", `{"start":"2026-12-03T09:30:00Z"}`); got.Code != 404 {
		t.Errorf("moved where none of its hosts serves: %d %s", got.Code, got.text)
	}
}

// withoutID is the answer without the id of its request.
func withoutID(r reply) string {
	text, _, _ := strings.Cut(r.text, `"requestId"`)
	return text
}

// narrowLearnsNothing has a key of the event type color and one of the host Bob name what isn't theirs: each is answered
// as for an id that doesn't exist. cut and byAna are bookings of Ana, which neither or only the first may see.
func narrowLearnsNothing(t *testing.T, w *world, service, host, cut, byAna string) {
	t.Helper()
	nobody := catalog.HostID(99).String()
	same := func(name, foreign, unknown string, ask func(id string) reply) {
		t.Helper()
		got, want := ask(foreign), ask(unknown)
		if got.Code != want.Code || got.Code < 400 || strings.ReplaceAll(withoutID(got), foreign, "") != strings.ReplaceAll(withoutID(want), unknown, "") {
			t.Errorf("%s: %d %s, for one that doesn't exist %d %s", name, got.Code, got.text, want.Code, want.text)
		}
	}
	excluding := func(key string) func(string) reply {
		return func(id string) reply {
			return w.do(key, "GET", "/api/v1/availability?eventType=color&excludeBooking="+id, "")
		}
	}
	unknown := byAna[:len(byAna)-3] + "zzz"
	same("excludeBooking of another service", cut, unknown, excluding(service))
	same("excludeBooking of another host", byAna, unknown, excluding(host))
	booking := func(start, person, more string) string {
		return `{"eventType":"color","start":"` + start + `","invitee":{"name":"C","email":"` + person + `"}` + more + `}`
	}
	for path, body := range map[string]func(id string) string{
		"bookings": func(id string) string { return booking("2026-12-04T08:00:00Z", "e@x.example", `,"host":"`+id+`"`) },
		"holds": func(id string) string {
			return `{"eventType":"color","start":"2026-12-04T08:00:00Z","host":"` + id + `"}`
		},
	} {
		same(path+" with another host", ana.String(), nobody, func(id string) reply { return w.do(host, "POST", "/api/v1/"+path, body(id)) })
	}
	same("times of another host", ana.String(), nobody, func(id string) reply {
		return w.do(host, "GET", "/api/v1/availability?eventType=color&host="+id, "")
	})
	// A key of a service doesn't know a host who serves only others.
	eve := w.do(w.keyOf(account.KeyInput{Scope: account.FullScope, Areas: right.Settings}), "POST", "/api/v1/hosts",
		`{"name":"Eve","email":"eve@salon.example"}`).json(t)["id"].(string)
	same("a host of another service", eve, nobody, func(id string) reply {
		return w.do(service, "POST", "/api/v1/bookings", booking("2026-12-04T08:00:00Z", "e@x.example", `,"host":"`+id+`"`))
	})
	// Who has the time with Ana can't have it twice; with Bob's key nothing is said of that booking.
	got := w.do(host, "POST", "/api/v1/bookings", booking("2026-12-02T08:00:00Z", "c@x.example", ""))
	if _, reason, _ := got.errorOf(t); reason != "already_booked" || strings.Contains(got.text, "bk_") || strings.Contains(got.text, "bookingId") {
		t.Errorf("booked with another host: %s", got.text)
	}
	if got := w.do(service, "POST", "/api/v1/bookings", booking("2026-12-02T08:00:00Z", "c@x.example", "")); !strings.Contains(got.text, byAna) {
		t.Errorf("a key that sees the other booking: %s", got.text)
	}
	// A hold that another key made is none for it.
	held := w.do(w.full, "POST", "/api/v1/holds", `{"eventType":"color","start":"2026-12-07T08:00:00Z","host":"`+bob.String()+`"}`).json(t)["id"].(string)
	for name, key := range map[string]string{"service": service, "host": host} {
		got := w.do(key, "POST", "/api/v1/bookings", booking("2026-12-07T08:00:00Z", "h@x.example", `,"hold":"`+held+`"`))
		if _, reason, _ := got.errorOf(t); reason != "hold_expired" {
			t.Errorf("%s: a hold of another key: %d %s", name, got.Code, got.text)
		}
		same(name+": releasing it", held, held[:len(held)-3]+"zzz", func(id string) reply { return w.do(key, "DELETE", "/api/v1/holds/"+id, "") })
	}
	own := w.do(host, "POST", "/api/v1/holds", `{"eventType":"color","start":"2026-12-08T08:00:00Z"}`).json(t)["id"].(string)
	if got := w.do(host, "POST", "/api/v1/bookings", booking("2026-12-08T08:00:00Z", "h@x.example", `,"hold":"`+own+`"`)); got.Code != 201 {
		t.Errorf("its own hold: %d %s", got.Code, got.text)
	}
	// An invitation to Ana doesn't let Bob's key book, nor tells it her name.
	link := w.do(w.full, "POST", "/api/v1/invitations", `{"eventType":"color","host":"`+ana.String()+`"}`).json(t)["url"].(string)
	token := link[strings.LastIndexAny(link, "/=")+1:]
	same("an invitation to another host", token, "x"+token[1:], func(token string) reply {
		return w.do(host, "POST", "/api/v1/bookings", booking("2026-12-09T08:00:00Z", "i@x.example", `,"invitation":"`+token+`"`))
	})
}

func TestKeyThatEndsAndKeyOfAnAddress(t *testing.T) {
	w := newWorld(t)
	until := when.At(w.Clock.Now().Add(time.Hour))
	ends := w.keyOf(account.KeyInput{Scope: account.ReadOnlyScope, Limits: account.Limits{Until: until}})
	bound := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{Addresses: []string{"203.0.113.0/24", "2001:db8::1"}}})
	from := func(address, key string) (int, string) {
		r := httptest.NewRequest(http.MethodGet, "/api/v1/me", nil)
		r.RemoteAddr = address
		r.Header.Set("Authorization", "Bearer "+key)
		got := httptest.NewRecorder()
		w.door.ServeHTTP(got, r)
		return got.Code, got.Body.String()
	}
	for address, want := range map[string]int{"203.0.113.7:1": 200, "[::ffff:203.0.113.7]:1": 200, "[2001:db8::1]:1": 200,
		"203.0.114.7:1": 403, "[2001:db8::2]:1": 403, "": 403} {
		if code, text := from(address, bound); code != want || code == 403 && !strings.Contains(text, "address_not_allowed") {
			t.Errorf("from %q: %d %s", address, code, text)
		}
	}
	if code, _ := from("203.0.114.7:1", ends); code != 200 {
		t.Errorf("before its end: %d", code)
	}
	w.Clock.Advance(time.Hour)
	if code, text := from("203.0.114.7:1", ends); code != 401 || !strings.Contains(text, "key_expired") {
		t.Errorf("behind its end: %d %s", code, text)
	}
	for field, in := range map[string]account.KeyInput{
		"rights":    {Scope: account.FullScope, Limits: account.Limits{EventTypes: []string{"cut"}, Rights: []string{"contacts:read"}}},
		"areas":     {Scope: account.FullScope, Areas: right.Keys, Limits: account.Limits{Rights: []string{"bookings:read"}}},
		"until":     {Scope: account.FullScope, Limits: account.Limits{Until: until}},
		"addresses": {Scope: account.FullScope, Limits: account.Limits{Addresses: []string{"203.0.113.0/33"}}},
	} {
		in.Name = "x"
		if _, err := w.Account.CreateKey(t.Context(), w.Owner, in); err == nil || !strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
