package rest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/payment"
	"daybook/app/right"
	"daybook/app/setup"
	"daybook/app/when"
)

// Every key learns what it is; nobody else does.
func TestMe(t *testing.T) {
	w := newWorld(t)
	for key, want := range map[string][2]string{w.full: {"full", "salon"}, w.readOnly: {"read-only", "salon"}, w.foreign: {"full", "other"}} {
		got := w.do(key, "GET", "/api/v1/me", "")
		me, ws := object(got.json(t)["key"]), object(got.json(t)["workspace"])
		if got.Code != 200 || me["scope"] != want[0] || ws["slug"] != want[1] || me["name"] != "test" || me["rateLimit"] != 1e6 || me["areas"] == nil || strings.Contains(got.text, "dbk_") {
			t.Errorf("%d %s", got.Code, got.text)
		}
	}
	restricted := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{Rights: []string{"bookings:read"},
		EventTypes: []string{"color"}, Hosts: []string{bob.String()}, Until: when.At(w.Clock.Now().Add(time.Hour)), Addresses: []string{"192.0.2.0/24"}}})
	got := w.do(restricted, "GET", "/api/v1/me", "")
	for _, part := range []string{`"rights":["availability:read","bookings:read"]`, `"hosts":["` + bob.String() + `"]`, `"until":"2026-`, `"addresses":["192.0.2.0/24"]`} {
		if got.Code != 200 || !strings.Contains(got.text, part) {
			t.Errorf("a restricted key is not told %s: %d %s", part, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "GET", "/api/v1/me", ""); !strings.Contains(got.text, `"limits":null`) {
		t.Error(got.text)
	}
	if got := w.do("", "GET", "/api/v1/me", ""); got.Code != 401 {
		t.Error(got.Code)
	}
}

// Analytics are what the dashboard and the tools show.
func TestAnalytics(t *testing.T) {
	w := newWorld(t)
	w.book("color", "2026-12-01T08:00:00Z", "bo@x.example")
	got := w.do(w.readOnly, "GET", "/api/v1/analytics?from=2026-12-01&to=2026-12-02&timeZone=Europe/Berlin", "")
	if got.Code != 200 || object(got.json(t)["totals"])["confirmed"] != 1.0 || !strings.Contains(got.text, `"value":[{"amount":9000,"currency":"EUR"}]`) {
		t.Errorf("%d %s", got.Code, got.text)
	}
	for query, field := range map[string]string{"timeZone=Mars": "timeZone", "from=x": "from", "from=2026-12-02&to=2026-12-01": "from", "days=7": "days"} {
		if got := w.do(w.full, "GET", "/api/v1/analytics?"+query, ""); got.Code != 400 || details(t, got)["field"] != field {
			t.Errorf("%s: %d %s", query, got.Code, got.text)
		}
	}
}

func details(t *testing.T, got reply) map[string]any {
	t.Helper()
	return object(object(got.json(t)["error"])["details"])
}

// An endpoint's address, events and switch change; what is left out stays, and a lost update is refused.
func TestChangeEndpoint(t *testing.T) {
	w := newWorld(t)
	const path = "/api/v1/webhook-endpoints"
	made := w.do(w.full, "POST", path, hook(hookURL, "booking.created", "payment.refunded")).json(t)
	at := path + "/" + made["id"].(string)
	first := w.do(w.full, "GET", at, "").Header().Get("ETag")
	for _, c := range []struct{ body, want string }{
		{`{}`, `"events":["booking.created","payment.refunded"]`},
		{`{"events":["booking.cancelled"]}`, `"url":"` + hookURL + `","events":["booking.cancelled"],"enabled":true`},
		{`{"url":"https://93.184.216.34/other"}`, `"url":"https://93.184.216.34/other","events":["booking.cancelled"]`},
		{`{"enabled":false}`, `"enabled":false,"disabledReason":"by_owner"`},
		{`{"enabled":true}`, `"enabled":true,"disabledReason":null`},
	} {
		got := w.do(w.full, "PATCH", at, c.body)
		again := w.do(w.full, "GET", at, "")
		if got.Code != 200 || !strings.Contains(got.text, c.want) || again.text != got.text || again.Header().Get("ETag") != got.Header().Get("ETag") {
			t.Errorf("%s: %d %s, then %s", c.body, got.Code, got.text, again.text)
		}
	}
	for _, c := range []struct {
		key, body string
		status    int
		field     string
	}{
		{w.readOnly, `{"enabled":false}`, 403, ""}, {w.foreign, `{"enabled":false}`, 404, ""},
		{w.full, `{"url":"http://93.184.216.34/"}`, 400, "url"}, {w.full, `{"url":null}`, 400, "url"}, {w.full, `{"events":[]}`, 400, "events"},
		{w.full, `{"events":["x"]}`, 400, "events"}, {w.full, `{"event":["booking.created"]}`, 400, "event"}, {w.full, `{"enabled":null}`, 400, "enabled"},
	} {
		if got := w.do(c.key, "PATCH", at, c.body); got.Code != c.status || c.field != "" && details(t, got)["field"] != c.field {
			t.Errorf("%s: %d %s", c.body, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "PATCH", at, `{"enabled":false}`, "If-Match", first); got.Code != 412 || !strings.Contains(got.text, `"precondition_failed"`) {
		t.Error(got.Code, got.text)
	}
	if got := w.do(w.full, "POST", at+"/test", ""); got.Code != 202 || got.json(t)["event"] != "booking.cancelled" {
		t.Error(got.Code, got.text)
	}
	for _, body := range []string{"", `{"overlapMinutes":60}`, `{"overlapMinutes":0}`} {
		got := w.do(w.full, "POST", at+"/rotate", body, "Idempotency-Key", "r")
		secret, _ := got.json(t)["secret"].(string)
		if got.Code != 200 || !strings.HasPrefix(secret, "whsec_") || secret == made["secret"] || got.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "POST", at+"/rotate", `{"overlapMinutes":-1}`); got.Code != 400 {
		t.Error(got.Code, got.text)
	}
	w.do(w.full, "PATCH", at, `{"enabled":false}`)
	if got := w.do(w.full, "POST", at+"/test", ""); got.Code != 409 || details(t, got)["reason"] != "endpoint_disabled" {
		t.Error(got.Code, got.text)
	}
}

// patched changes one thing, and wants what the answer says to be what a GET says.
func (w *world) patched(key, path, body string) map[string]any {
	w.T.Helper()
	got := w.do(key, "PATCH", path, body)
	if got.Code != 200 {
		w.T.Fatalf("PATCH %s: %d %s: %s", path, got.Code, got.text, body)
	}
	again := w.do(key, "GET", path, "")
	if again.text != got.text || again.Header().Get("ETag") != got.Header().Get("ETag") || got.Header().Get("ETag") == "" {
		w.T.Errorf("PATCH %s %s: %s %s, then %s %s", path, body, got.Header().Get("ETag"), got.text, again.Header().Get("ETag"), again.text)
	}
	return got.json(w.T)
}

// Everything that a set-up file says of an event type can be said by PATCH, and is read back.
func TestEventTypeRoundTrip(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	const at = "/api/v1/event-types/cut"
	room := w.do(key, "POST", "/api/v1/resources", `{"name":"Room 1"}`).json(t)["id"].(string)
	changes := map[string][2]string{ // what is sent, and what is answered where that differs
		"title": {`"Herrenschnitt"`}, "description": {`"Waschen und schneiden"`}, "location": {`"Lindenstr. 4"`}, "color": {`"teal"`},
		"durationMinutes": {`50`}, "price": {`{"amount":5000}`, `{"amount":5000,"currency":"EUR"}`}, "noShowFee": {`{"amount":1000,"currency":"EUR"}`},
		"taxRate": {`19`}, "payment": {`"on_site"`}, "refundOnCancel": {`"never"`}, "requiresApproval": {`true`},
		"hosts": {`["bob@salon.example"]`, `[{"id":"` + bob.String() + `","name":"bob"}]`}, "seats": {`1`}, "slotStepMinutes": {`10`},
		"bufferBeforeMinutes": {`5`}, "bufferAfterMinutes": {`5`}, "minimumNoticeMinutes": {`90`}, "bookingWindowDays": {`30`}, "maxPerDay": {`4`},
		"cancellationNoticeMinutes": {`1440`}, "reminderMinutes": {`[60]`}, "mailsOff": {`["reminder"]`}, "textsOff": {`["receipt"]`}, "textWords": {`[{"kind":"reminder","locale":"de","text":"Bis {date}!"}]`}, "asksComing": {`true`}, "asksFor": {`"either"`},
		"questions": {`[{"key":"tone","label":"Tone?","type":"choice","required":true,"options":["a","b"]}]`}, "category": {`"Hair"`}, "dates": {`["2026-12-03T18:00"]`},
		"addOns":      {`[{"id":"beard","title":"Beard","minutes":0,"price":{"amount":900},"group":"g"}]`, `[{"id":"beard","title":"Beard","minutes":0,"price":{"amount":900,"currency":"EUR"},"group":"g"}]`},
		"addOnGroups": {`[{"id":"g","title":"More","required":false,"max":1}]`}, "deposit": {`{"percent":20}`},
		"lateCancellationFee": {`{"amount":700,"currency":"EUR"}`}, "hidden": {`true`}, "seriesUpTo": {`12`}, "seriesPayment": {`"all"`}, "waitlist": {`"tell"`}, "duringWait": {`true`}, "words": {`[{"kind":"reminder","locale":"de","text":"Bis bald"}]`},
		"redirectUrl": {`""`}, "where": {`{"kind":"in_person","text":"Lindenstr. 4","travelMinutes":10}`},
		"requires": {`[]`}, "limits": {`{"personUpcoming":2}`, `{"personUpcoming":2,"personPerDay":0,"personPerWeek":0,"hostPerWeek":0,"perWeek":0}`}, "active": {`false`},
		"needs":   {`[{"oneOf":["Room 1"]}]`, `[{"oneOf":["` + room + `"],"during":"all"}]`},
		"parts":   {`[{"work":20},{"wait":10},{"work":20}]`},
		"picture": {`null`, `""`}, "slug": {`"cut"`},
	}
	all := map[string]json.RawMessage{}
	for _, f := range setup.OwnEventType.Fields {
		c, known := changes[f.Name]
		if !known {
			t.Fatalf("%s is not changed here", f.Name)
		}
		all[f.Name] = json.RawMessage(c[0])
	}
	body, err := json.Marshal(all)
	w.Must(err)
	got := w.patched(key, at, string(body))
	for name, c := range changes {
		var want any
		w.Must(json.Unmarshal([]byte(cmp.Or(c[1], c[0])), &want))
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	again := w.patched(key, at, `{}`)
	if !reflect.DeepEqual(again, got) {
		t.Errorf("nothing was sent, and it changed: %v", again)
	}
	for name, want := range map[string]any{"price": nil, "deposit": nil, "where": nil, "description": "", "maxPerDay": 0.0, "slotStepMinutes": 50.0, "reminderMinutes": []any{}, "needs": []any{}} {
		body := `{"` + name + `":null}`
		if name == "price" {
			body = `{"price":null,"deposit":null,"payment":"on_site","addOns":null,"addOnGroups":null}`
		}
		if got := w.patched(key, at, body); !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s of null: %v, want %v", name, got[name], want)
		}
	}
	if got := w.patched(key, at, `{"parts":[{"work":30},{"wait":10},{"work":20}]}`); got["durationMinutes"] != 60.0 {
		t.Errorf("the length of other parts: %v", got["durationMinutes"])
	}
	if got := w.do(key, "PATCH", at, `{"durationMinutes":50}`); got.Code != 400 || !strings.Contains(got.text, "take 60 minutes in all") {
		t.Error(got.Code, got.text)
	}
	if got := w.patched(key, at, `{"parts":null,"durationMinutes":50,"seats":2}`); got["seats"] != 2.0 || got["parts"] != nil || got["durationMinutes"] != 50.0 {
		t.Error(got)
	}
	if got := w.patched(key, at, `{"payment":"online","price":{"amount":4500},"noShowFee":null}`); got["payment"] != "online" || got["noShowFee"] != nil {
		t.Error(got)
	}
	made := w.do(key, "POST", "/api/v1/event-types", `{"slug":"new","title":"New","durationMinutes":30}`)
	if e := made.json(t); made.Code != 201 || made.Header().Get("Location") != base+"/api/v1/event-types/"+e["id"].(string) || len(e["hosts"].([]any)) != 1 || e["bookingUrl"] != base+"/salon/new" {
		t.Error(made.Code, made.text)
	}
	if got := w.do(key, "DELETE", at, ""); got.Code != 204 {
		t.Error(got.Code, got.text)
	}
	if got := w.do(key, "GET", at, "").json(t); got["active"] != false {
		t.Error(got)
	}
}

// Everything that a set-up file says of a host, but for the other calendars, can be said by PATCH, and is read back.
func TestHostRoundTrip(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	made := w.do(key, "POST", "/api/v1/hosts", `{"name":"Bea","email":"bea@x.example","weekly":{"mon":["09:00-12:00"]}}`)
	h := made.json(t)
	if made.Code != 201 || h["timeZone"] != "Europe/Berlin" || h["active"] != true {
		t.Fatal(made.Code, made.text)
	}
	at := "/api/v1/hosts/" + h["id"].(string)
	if got := w.do(key, "PATCH", "/api/v1/event-types/color", `{"hosts":["bea@x.example","`+ana.String()+`"]}`); got.Code != 200 {
		t.Fatal(got.text)
	}
	changes := map[string]string{
		"name": `"Bea B."`, "email": `"b@x.example"`, "timeZone": `"Europe/London"`, "active": `false`, "about": `"Colours"`, "picture": `""`,
		"eventTypes":          `[{"slug":"color","durationMinutes":60,"price":{"amount":8000,"currency":"EUR"}}]`,
		"whenCalendarUnknown": `"refuse"`, "weekly": `{"mon":["10:00-12:00"],"tue":["09:00-17:00"],"wed":[],"thu":[],"fri":[],"sat":[],"sun":[]}`,
		"overrides": `[{"date":"2026-12-24","hours":["09:00-12:00"]}]`, "worksOnHolidays": `true`,
		"timeOff": `[{"start":"2026-12-28","end":"2026-12-30","reason":"Ski"},{"start":"2026-12-01T12:00:00Z","end":"2026-12-01T13:00:00Z"},{"start":"2026-12-02T12:00","end":"2026-12-02T13:00","repeat":{"every":1,"unit":"week"}}]`,
	}
	all := map[string]json.RawMessage{}
	for _, f := range setup.OwnHost.Fields {
		if changes[f.Name] == "" {
			t.Fatalf("%s is not changed here", f.Name)
		}
		all[f.Name] = json.RawMessage(changes[f.Name])
	}
	body, err := json.Marshal(all)
	w.Must(err)
	got := w.patched(key, at, string(body))
	for name, c := range changes {
		var want any
		w.Must(json.Unmarshal([]byte(c), &want))
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if got := w.patched(key, at, `{"weekly":{"tue":null,"sat":["10:00-11:00"]}}`)["weekly"]; fmt.Sprint(got) != "map[fri:[] mon:[10:00-12:00] sat:[10:00-11:00] sun:[] thu:[] tue:[] wed:[]]" {
		t.Error(got)
	}
	back, err := json.Marshal(w.patched(key, at, `{}`)["timeOff"]) // what was read is taken
	w.Must(err)
	w.patched(key, at, `{"timeOff":`+string(back)+`}`)
	if got := w.do(key, "DELETE", at, ""); got.Code != 204 {
		t.Error(got.Code, got.text)
	}
}

// Single days and times off come and go; "all" is everybody's.
func TestDaysOff(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	for _, who := range []string{ana.String(), "all"} {
		at := "/api/v1/hosts/" + who + "/time-off"
		for _, body := range []string{`{"start":"2026-12-24","end":"2026-12-26","reason":"Christmas"}`, `{"start":"2026-12-24","end":"2026-12-26","reason":"Christmas"}`,
			`{"start":"2026-12-01T12:00","end":"2026-12-01T13:00"}`, `{"start":"2026-12-07","repeat":{"every":2,"unit":"week"}}`} {
			if got := w.do(key, "POST", at, body); got.Code != 201 || got.json(t)["id"] == "" {
				t.Errorf("%s: %d %s", body, got.Code, got.text)
			}
		}
		for body, field := range map[string]string{`{}`: "start", `{"start":"x"}`: "start", `{"start":"2026-12-01T12:00"}`: "end", `{"start":"2026-12-02","end":"2026-12-01"}`: "end",
			`{"start":"2026-12-02","repeat":{"every":99}}`: "repeat.every", `{"start":"2026-12-02","reasons":"x"}`: "reasons"} {
			if got := w.do(key, "POST", at, body); got.Code != 400 || details(t, got)["field"] != field {
				t.Errorf("%s: %d %s", body, got.Code, got.text)
			}
		}
		ids := w.walkAs(key, at+"?limit=1", "id")
		if len(ids) != 3 {
			t.Fatal(ids)
		}
		for _, id := range ids {
			if got := w.do(key, "DELETE", at+"/"+id, ""); got.Code != 204 {
				t.Error(got.Code, got.text)
			}
			if got := w.do(key, "DELETE", at+"/"+id, ""); got.Code != 404 {
				t.Error(got.Code, got.text)
			}
		}
	}
	at := "/api/v1/hosts/" + ana.String() + "/overrides"
	if got := w.do(key, "POST", at, `{"date":"2026-12-24","until":"2026-12-26","hours":[]}`); got.Code != 200 {
		t.Error(got.Code, got.text)
	}
	if got := w.do(key, "DELETE", at+"/2026-12-25", ""); got.Code != 204 {
		t.Error(got.Code, got.text)
	}
	if got := w.walkAs(key, at+"?limit=1", "date"); fmt.Sprint(got) != "[2026-12-24 2026-12-26]" {
		t.Error(got)
	}
	for body, field := range map[string]string{`{"date":"2026-12-24"}`: "hours", `{"date":"x","hours":[]}`: "date", `{"date":"2026-12-24","until":"2026-12-01","hours":[]}`: "until",
		`{"date":"2026-12-24","hours":["9"]}`: "hours[0]", `{"day":"2026-12-24"}`: "day"} {
		if got := w.do(key, "POST", at, body); got.Code != 400 || details(t, got)["field"] != field {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
}

// walkAs is walk with another key and a limit.
func (w *world) walkAs(key, path, field string) (all []string) {
	w.T.Helper()
	for cursor := ""; ; {
		page := w.do(key, "GET", path+cursor, "").json(w.T)
		for _, row := range page["data"].([]any) {
			all = append(all, object(row)[field].(string))
		}
		next, more := page["nextCursor"].(string)
		if !more || len(all) > 100 {
			return all
		}
		cursor = "&cursor=" + next
	}
}

// What is wrong is named as it stands in the body, all at once, and near misses with the right name.
func TestWrongSetup(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	for _, c := range []struct{ method, path, body, fields, says string }{
		{"PATCH", "event-types/cut", `{"duration":30}`, "duration", "did you mean durationMinutes?"},
		{"PATCH", "event-types/cut", `{"title":7,"seats":"x","price":{"amuont":1}}`, "title seats price.amuont", "title: must be a text"},
		{"PATCH", "event-types/cut", `{"title":""}`, "title", "title:"},
		{"PATCH", "event-types/cut", `{"slug":"color"}`, "slug", "slug:"},
		{"PATCH", "event-types/cut", `{"hosts":["nobody@x.example"]}`, "hosts[0]", "hosts[0]:"},
		{"PATCH", "event-types/cut", `{"id":"et_1"}`, "id", "id:"},
		{"PATCH", "event-types/cut", `{"title":"a\u0000b"}`, "title", "NUL"},
		{"PATCH", "event-types/cut", `{"title":"a","title":"b"}`, "title", "title"},
		{"PATCH", "event-types/cut", `[]`, "", "JSON object"},
		{"POST", "event-types", `{}`, "slug title durationMinutes", "slug: is required"},
		{"POST", "event-types", `{"slug":"color","title":"x","durationMinutes":30}`, "slug", "slug:"},
		{"POST", "hosts", `{"name":"x"}`, "email", "email: is required"},
		{"POST", "hosts", `{"name":"x","email":"ana@salon.example"}`, "email", "email:"},
		{"POST", "hosts", `{"name":"x","email":"y@x.example","eventTypes":[{"slug":"cut","durationMinutes":5}]}`, "eventTypes[0].slug", "eventTypes[0]"},
		{"PATCH", "hosts/" + ana.String(), `{"weekly":{"mo":["09:00-12:00"]}}`, "weekly.mo", "did you mean"},
		{"PATCH", "hosts/" + ana.String(), `{"weekly":{"mon":["9"]}}`, "weekly.mon[0]", "weekly.mon"},
		{"PATCH", "hosts/" + ana.String(), `{"calendars":[]}`, "calendars", "calendars"},
		{"PATCH", "hosts/" + ana.String(), `{"timeZone":"Mars"}`, "timeZone", "timeZone"},
	} {
		got := w.do(key, c.method, "/api/v1/"+c.path, c.body)
		d := details(t, got)
		fields := fmt.Sprint(cmp.Or(d["field"], any("")))
		if all, ok := d["fields"].([]any); ok {
			var names []string
			for _, f := range all {
				names = append(names, object(f)["field"].(string))
			}
			fields = strings.Join(names, " ")
		}
		if got.Code != 400 && got.Code != 409 || fields != c.fields || !strings.Contains(got.text, c.says) || strings.Contains(got.text, "line") {
			t.Errorf("%s %s %s: %d %q %s", c.method, c.path, c.body, got.Code, fields, got.text)
		}
	}
}

// Contacts are changed, merged and deleted.
func TestManageContacts(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	make := func(body string) string {
		return w.do(key, "POST", "/api/v1/contacts", body).json(t)["id"].(string)
	}
	bo, bea := make(`{"name":"Bo","email":"bo@x.example","notes":"a"}`), make(`{"name":"Bea","email":"bea@x.example","phone":"+49 30 901820"}`)
	at := "/api/v1/contacts/" + bo
	if got := w.patched(key, at, `{"timeZone":"Europe/Berlin","notes":null}`); got["notes"] != "" || got["name"] != "Bo" || got["timeZone"] != "Europe/Berlin" {
		t.Error(got)
	}
	for body, want := range map[string]string{`{"email":"bea@x.example"}`: "email_taken", `{"email":null}`: "contact_missing", `{"name":null}`: "invalid", `{"nmae":"x"}`: "invalid"} {
		if got := w.do(key, "PATCH", at, body); details(t, got)["reason"] != want {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
	for body, code := range map[string]int{`{"into":"` + bo + `"}`: 400, `{"into":"ct_x"}`: 404, `{}`: 404, `{"into":"` + bea + `"}`: 200} {
		if code == 200 {
			continue
		}
		if got := w.do(key, "POST", at+"/merge", body); got.Code != code {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
	w.book("cut", cutAt, "bo@x.example")
	if got := w.do(key, "DELETE", at, ""); got.Code != 409 || details(t, got)["reason"] != "has_upcoming" {
		t.Error(got.Code, got.text)
	}
	got := w.do(key, "POST", at+"/merge", `{"into":"`+bea+`"}`, "Idempotency-Key", "m")
	if again := w.do(key, "POST", at+"/merge", `{"into":"`+bea+`"}`, "Idempotency-Key", "m"); got.Code != 200 || got.json(t)["bookings"] != 1.0 || again.text != got.text {
		t.Error(got.Code, got.text, again.text)
	}
	if got := w.do(key, "GET", at, ""); got.Code != 404 {
		t.Error(got.Code)
	}
	gone := make(`{"name":"Cy","email":"cy@x.example"}`)
	if got := w.do(key, "DELETE", "/api/v1/contacts/"+gone, ""); got.Code != 204 || w.do(key, "GET", "/api/v1/contacts/"+gone, "").Code != 404 {
		t.Error(got.Code, got.text)
	}
}

// Members are invited, changed and removed; no key gets above itself.
func TestManageMembers(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	const path = "/api/v1/members"
	made := w.do(key, "POST", path, `{"email":"m@x.example","role":"manager"}`, "Idempotency-Key", "m")
	link, _ := made.json(t)["inviteUrl"].(string)
	if made.Code != 201 || !strings.HasPrefix(link, base+"/invite/") || made.json(t)["joined"] != false {
		t.Fatal(made.Code, made.text)
	}
	at := path + "/" + made.json(t)["id"].(string)
	if made.Header().Get("Location") != base+at {
		t.Error(made.Header().Get("Location"))
	}
	if got := w.do(key, "POST", at+"/invite", ""); got.Code != 200 || got.json(t)["inviteUrl"] == link {
		t.Error(got.Code, got.text)
	}
	if got := w.patched(key, at, `{"role":"staff","host":"`+ana.String()+`"}`); got["role"] != "staff" || object(got["host"])["name"] != "ana" {
		t.Error(got)
	}
	if got := w.patched(key, at, `{"role":"manager","host":null}`); got["host"] != nil {
		t.Error(got)
	}
	for body, want := range map[string]string{`{"role":"boss"}`: "role", `{"role":"staff"}`: "host", `{"host":"x"}`: "host", `{"rol":"staff"}`: "rol"} {
		if got := w.do(key, "PATCH", at, body); got.Code != 400 || details(t, got)["field"] != want {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
	if got := w.do(key, "POST", path, `{"email":"m@x.example","role":"manager"}`); got.Code != 409 || details(t, got)["reason"] != "email_taken" {
		t.Error(got.Code, got.text)
	}
	if got := w.do(key, "POST", path, `{"email":"o@x.example","role":"owner"}`); got.Code != 403 || details(t, got)["reason"] != "above_itself" {
		t.Error(got.Code, got.text)
	}
	if got := w.walkAs(key, path+"?limit=1", "email"); !slices.Contains(got, "m@x.example") {
		t.Error(got)
	}
	if got := w.do(key, "DELETE", at, ""); got.Code != 204 || w.do(key, "GET", at, "").Code != 404 {
		t.Error(got.Code, got.text)
	}
}

// Each new route refuses who may not use it, and knows nothing of other workspaces.
func TestManageRights(t *testing.T) {
	w := newWorld(t)
	key, foreign := w.manager(), w.keyWith(w.other, account.FullScope, right.Contacts|right.Members|right.Payments|right.Settings)
	w.book("cut", cutAt, "bo@x.example")
	contact := w.contact("bo@x.example")
	member := w.do(key, "POST", "/api/v1/members", `{"email":"m@x.example","role":"staff","host":"`+ana.String()+`"}`).json(t)["id"].(string)
	entry := w.do(key, "POST", "/api/v1/hosts/"+ana.String()+"/time-off", `{"start":"2026-12-24"}`).json(t)["id"].(string)
	state := w.state()
	for _, c := range []struct{ area, method, path, body string }{
		{"settings", "POST", "event-types", `{"slug":"n","title":"N","durationMinutes":30}`},
		{"settings", "PATCH", "event-types/wash", `{"title":"N"}`}, {"settings", "DELETE", "event-types/wash", ""},
		{"settings", "GET", "hosts", ""}, {"settings", "POST", "hosts", `{"name":"N","email":"n@x.example"}`},
		{"settings", "GET", "hosts/" + ana.String(), ""}, {"settings", "PATCH", "hosts/" + ana.String(), `{"about":"N"}`},
		{"settings", "DELETE", "hosts/" + ana.String(), ""}, {"settings", "GET", "hosts/" + ana.String() + "/overrides", ""},
		{"settings", "POST", "hosts/" + ana.String() + "/overrides", `{"date":"2026-12-24","hours":[]}`},
		{"settings", "DELETE", "hosts/" + ana.String() + "/overrides/2026-12-24", ""},
		{"settings", "GET", "hosts/" + ana.String() + "/time-off", ""}, {"settings", "POST", "hosts/" + ana.String() + "/time-off", `{"start":"2026-12-24"}`},
		{"settings", "DELETE", "hosts/" + ana.String() + "/time-off/" + entry, ""},
		{"settings", "PATCH", "contact-fields", `{"contactFields":[]}`},
		{"contacts", "PATCH", "contacts/" + contact, `{"notes":"N"}`}, {"contacts", "DELETE", "contacts/" + contact, ""},
		{"contacts", "POST", "contacts/" + contact + "/merge", `{"into":"` + contact + `"}`},
		{"members", "GET", "members", ""}, {"members", "POST", "members", `{"email":"n@x.example","role":"staff","host":"` + ana.String() + `"}`},
		{"members", "GET", "members/" + member, ""}, {"members", "PATCH", "members/" + member, `{"role":"manager"}`},
		{"members", "DELETE", "members/" + member, ""}, {"members", "POST", "members/" + member + "/invite", ""},
		{"payments", "GET", "payments", ""}, {"payments", "GET", "payments/pay_1", ""},
	} {
		path := "/api/v1/" + c.path
		if got := w.do(w.full, c.method, path, c.body); got.Code != 403 || details(t, got)["reason"] != "area" || !strings.Contains(got.text, c.area) {
			t.Errorf("%s %s without the area: %d %s", c.method, path, got.Code, got.text)
		}
		if got := w.do(w.readOnly, c.method, path, c.body); got.Code != 403 {
			t.Errorf("%s %s read-only: %d %s", c.method, path, got.Code, got.text)
		}
		if got := w.do("", c.method, path, c.body); got.Code != 401 {
			t.Errorf("%s %s by nobody: %d %s", c.method, path, got.Code, got.text)
		}
		if strings.Contains(c.path, "/") {
			if got := w.do(foreign, c.method, path, c.body); got.Code != 404 {
				t.Errorf("%s %s of another workspace: %d %s", c.method, path, got.Code, got.text)
			}
		}
	}
	if now := w.state(); now != state {
		t.Error("something was changed")
	}
}

// manager is a key that may do what managers may, and invite members.
func (w *world) manager() string {
	return w.keyWith(w.Salon, account.FullScope, right.Contacts|right.Members|right.Payments|right.Settings)
}

func (w *world) keyWith(s *apptest.Salon, scope account.Scope, areas app.Areas) string {
	w.T.Helper()
	k, err := s.Account.CreateKey(w.T.Context(), app.Operator(s.Workspace.ID), account.KeyInput{Name: "areas", Scope: scope, Areas: areas, RateLimit: 1_000_000})
	w.Must(err)
	return k.Value
}

// manageAll has each route answer by which a workspace is set up.
func (w *world) manageAll() {
	w.T.Helper()
	key := w.manager()
	do := func(method, path, body string) string {
		w.T.Helper()
		got := w.do(key, method, "/api/v1/"+path, body)
		if got.Code >= 300 {
			w.T.Errorf("%s %s: %d %s", method, path, got.Code, got.text)
		}
		id, _ := got.json(w.T)["id"].(string)
		return id
	}
	for _, path := range []string{"me", "analytics?from=2020-01-01", "payments"} {
		do("GET", path, "")
	}
	do("POST", "event-types", `{"slug":"own","title":"Own","durationMinutes":30,"addOns":[{"id":"a","title":"A"}],"limits":{"perWeek":5}}`)
	do("PATCH", "event-types/own", `{"price":{"amount":4500},"where":{"kind":"video"}}`)
	host := "hosts/" + do("POST", "hosts", `{"name":"Zoe","email":"zoe@x.example","weekly":{"mon":["09:00-12:00"]}}`)
	do("PATCH", host, `{"about":"New"}`)
	do("POST", host+"/overrides", `{"date":"2026-12-24","hours":["09:00-12:00"]}`)
	card := "contacts/" + do("POST", "contacts", `{"name":"Card","email":"card@x.example","tags":["vip"],"birthday":"1990-05-03"}`)
	do("PATCH", card, `{"tags":null,"tellBy":"both","phone":"+49 30 901821","texts":{"state":"yes","wording":"May we text you?"}}`)
	entry := card + "/entries/" + do("POST", card+"/entries", `{"kind":"formula","text":"6/0 + 6 %"}`)
	do("PATCH", entry, `{"pinned":true}`)
	photo := w.do(key, "POST", "/api/v1/"+card+"/files?kind=before", smallPNG(w.T, 400), "Content-Type", "image/png").json(w.T)["id"].(string)
	consent := card + "/consents/" + do("POST", card+"/consents", `{"kind":"health","signer":"Mia Brandt"}`)
	health := card + "/health/" + do("POST", card+"/health", `{"kind":"allergy","text":"PPD"}`)
	for _, path := range []string{"/card", "/entries", "/files", "/files/" + photo, "/consents", "/health"} {
		do("GET", card+path, "")
	}
	w.do(key, "DELETE", "/api/v1/"+health, "")
	do("POST", consent+"/withdraw", "")
	room := "resources/" + do("POST", "resources", `{"name":"Room 1","kind":"room"}`)
	do("PATCH", room, `{"weekly":{"mon":["09:00-12:00"]},"timeOff":[{"start":"2026-12-28"}]}`)
	do("GET", "resources", "")
	do("GET", room, "")
	w.do(key, "DELETE", "/api/v1/"+room, "")
	do("POST", host+"/time-off", `{"start":"2026-12-28","end":"2026-12-30","repeat":{"every":2,"unit":"month"}}`)
	for _, path := range []string{"hosts?limit=1", host, host + "/overrides", host + "/time-off"} {
		do("GET", path, "")
	}
	into, from := do("POST", "contacts", `{"name":"In","email":"in@x.example"}`), do("POST", "contacts", `{"name":"Fr","email":"fr@x.example"}`)
	do("PATCH", "contact-fields", `{"contactFields":[{"key":"shoe","label":"Shoe size","type":"number","onForm":"asked"}]}`)
	do("GET", "contact-fields", "")
	do("PATCH", "contacts/"+into, `{"phone":"+49 30 901820","notes":null,"fields":{"shoe":39.5}}`)
	do("POST", "contacts/"+from+"/merge", `{"into":"`+into+`"}`)
	hooked := "webhook-endpoints/" + do("POST", "webhook-endpoints", hook(hookURL, "booking.created"))
	do("PATCH", hooked, `{"events":["*"]}`)
	do("POST", hooked+"/test", "")
	do("POST", hooked+"/rotate", "")
	member := "members/" + do("POST", "members", `{"email":"mm@x.example","role":"staff","host":"`+ana.String()+`"}`)
	do("PATCH", member, `{"role":"manager","host":null}`)
	do("POST", member+"/invite", "")
	do("GET", "members", "")
	do("GET", member, "")
	paid := payment.Record{ID: 77, WorkspaceID: w.Workspace.ID, Kind: payment.PaysBooking, Attempt: 1, Status: booking.PaymentPaid, Amount: 4500, Currency: "EUR", CreatedAt: when.At(apptest.Monday)}
	b, err := w.Booking(w.T.Context(), app.Operator(w.Workspace.ID), w.book("cut", "2026-12-09T11:00:00Z", "paid@x.example"))
	w.Must(err)
	paid.BookingID = b.ID
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error { return tx.(payment.Tx).InsertPayment(&paid) }))
	do("GET", "payments/"+paid.ID.String(), "")
	do("GET", "payments", "")
}
