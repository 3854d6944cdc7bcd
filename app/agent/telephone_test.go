package agent_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/rest"
)

// telephone is a key as the guide for phone agents has it made, and the two ways in which an agent uses it.
func telephone(t *testing.T) (w *world, byREST func(method, path, body string, header ...string) (int, any)) {
	w = newWorld(t)
	w.key = w.keyLimited(account.Limits{Rights: []string{"bookings:read", "bookings:write"}})
	server := httptest.NewServer(rest.New(w.Set, rest.Options{}))
	t.Cleanup(server.Close)
	return w, func(method, path, body string, header ...string) (int, any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/api/v1"+path, strings.NewReader(body))
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+w.key)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		var v any
		text := readAll(t, res)
		res.Body.Close()
		if text != "" {
			must(t, json.Unmarshal([]byte(text), &v))
		}
		return res.StatusCode, v
	}
}

// keyLimited is the value of a full key that may do less.
func (w *world) keyLimited(l account.Limits) string {
	w.Helper()
	k, err := w.Account.CreateKey(w.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "Telephone", Scope: account.FullScope,
		Limits: l, RateLimit: 10000})
	must(w.T, err)
	return k.Value
}

// The conversation of the guide for phone agents, by tools and by functions: the time is the caller's from the moment that they
// chose it, they are booked with a number alone after they said yes, and what they leave is free again.
func TestTelephone(t *testing.T) {
	for _, way := range []string{"tools", "functions"} {
		t.Run(way, func(t *testing.T) {
			w, rest := telephone(t)
			fits := w.fittingAt(deskPath)
			do := func(tool string, arguments with, method, path string, header ...string) (v any, failed bool) {
				t.Helper()
				text, err := json.Marshal(arguments)
				must(t, err)
				if way == "tools" {
					a := fits(tool, string(text))
					must(t, json.Unmarshal(a.Structured, &v))
					return v, a.IsError
				}
				if method != "POST" {
					text = nil
				}
				status, v := rest(method, path, string(text), header...)
				return v, status >= 400
			}
			ok := func(v any, failed bool) any {
				t.Helper()
				if failed {
					t.Fatalf("failed: %v", v)
				}
				return v
			}
			times := ok(do("check_availability", with{"eventType": "cut", "from": "2026-12-01", "to": "2026-12-02", "limit": 3}, "GET", "/availability?eventType=cut&from=2026-12-01&to=2026-12-02&limit=3"))
			first := at(times, "data", 0)
			if at(first, "local") != "2026-12-01T09:00:00+01:00" || at(times, "data", 3) != nil {
				t.Fatalf("offered: %v", times)
			}
			start := at(first, "start")
			hold := func() any {
				return ok(do("hold_time", with{"eventType": "cut", "start": start, "minutes": 5}, "POST", "/holds"))
			}
			held := hold()
			// Somebody else can't have it meanwhile, and hears what else is free.
			other := with{"eventType": "cut", "start": start, "invitee": with{"name": "Bo Berg", "phone": "+49 30 901821"}}
			if v, failed := do("create_booking", other, "POST", "/bookings"); !failed || at(v, "error", "details", "reason") != "slot_taken" || at(v, "error", "details", "alternatives", 0) == nil {
				t.Errorf("somebody else: %v", v)
			}
			// They hang up: it is free at once; or say nothing for long: it is free by itself.
			ok(do("hold_time", with{"release": at(held, "id")}, "DELETE", "/holds/"+at(held, "id").(string)))
			hold()
			w.Clock.Advance(6 * time.Minute)
			held = hold()
			mei := with{"eventType": "cut", "start": start, "hold": at(held, "id"), "invitee": with{"name": "Mei Lin", "phone": "030 901820"}, "metadata": with{"by": "telephone"}}
			booked := ok(do("create_booking", mei, "POST", "/bookings", "Idempotency-Key", "call 1"))
			if at(booked, "status") != "confirmed" || at(booked, "invitee", "phone") != "+4930901820" || at(booked, "invitee", "email") != "" {
				t.Errorf("booked: %v", booked)
			}
			// The yes is heard twice.
			v, failed := do("create_booking", mei, "POST", "/bookings", "Idempotency-Key", "call 2")
			if !failed || at(v, "error", "details", "bookingId") != at(booked, "id") {
				t.Errorf("again: %v", v)
			}
			// The key reaches neither money, nor the list of people, nor rules that bind callers.
			for tool, arguments := range map[string]with{"take_payment": {"id": at(booked, "id"), "method": "cash", "dryRun": true}, "list_contacts": {"q": "Mei"}, "analytics_overview": {},
				"create_booking": {"eventType": "cut", "start": "2026-12-01T22:00:00Z", "override": []string{"outside_hours"}, "invitee": with{"name": "Al", "phone": "+49 30 901822"}}} {
				text, err := json.Marshal(arguments)
				must(t, err)
				if a := w.callAt(deskPath, tool, string(text)); a.failure().Code != "forbidden" {
					t.Errorf("%s: %s", tool, a.Structured)
				}
			}
			all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
			must(t, err)
			if len(all.Data) != 1 || all.Data[0].Metadata["by"] != "telephone" {
				t.Errorf("%+v", all.Data)
			}
		})
	}
}

// A hold by the tool takes names, and says what it can't do.
func TestHoldTime(t *testing.T) {
	d := newDeskClient(t, deskPath)
	hold := func(arguments string) answer { return d.fits("hold_time", arguments) }
	if a := hold(`{"eventType":"CUT","start":"2026-12-01T08:00:00Z","host":"Ana"}`); a.IsError || !strings.Contains(string(a.Structured), `"local":"2026-12-01T09:00:00+01:00"`) ||
		!strings.Contains(string(a.Structured), `"host":"Ana"`) {
		t.Errorf("%s", a.Structured)
	}
	for arguments, says := range map[string]string{
		`{"eventType":"cut","start":"2026-12-01T08:00:00Z"}`:                                "These are free",
		`{"eventType":"cut","start":"2026-12-01T09:00:00Z","host":"Nobody"}`:                "not_found",
		`{"eventType":"cut","start":"2026-12-01T09:00:00Z","minutes":16}`:                   "minutes",
		`{"release":"hd_0000000000000"}`:                                                    "not_found",
		`{"release":"hd_0000000000000","eventType":"cut"}`:                                  "does not go with release",
		`{"eventType":"cut","start":"2026-12-01T22:00:00Z"}`:                                "outside_hours",
		`{"eventType":"cut","start":"2026-12-01T09:00:00Z","override":["outside_hours"]}`:   "is no argument of this tool",
		`{"eventType":"nothing","start":"2026-12-01T09:00:00Z","minutes":1,"dryRun":false}`: "not_found",
	} {
		if a := hold(arguments); !a.IsError || !strings.Contains(string(a.Structured), says) {
			t.Errorf("%s: %s", arguments, a.Structured)
		}
	}
	if a := hold(`{"eventType":"cut","start":"2026-12-01T10:00:00Z","dryRun":true}`); a.IsError || !strings.Contains(string(a.Structured), `"dryRun":true`) {
		t.Errorf("%s", a.Structured)
	}
	if a := hold(`{"eventType":"cut","start":"2026-12-01T10:00:00Z"}`); a.IsError {
		t.Errorf("the dry run held it: %s", a.Structured)
	}
}

// A visit is held while the caller spells their name, and booked as it was held; whatever else is booked by its hold is refused,
// and the hold stays.
func TestHoldsOfVisitsByAgents(t *testing.T) {
	d := newDeskClient(t, deskPath)
	d.Offer("wash", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	const at, mei = `"start":"2026-12-01T08:00:00Z"`, `"invitee":{"name":"Mei Lin","phone":"030 901820"}`
	const both = `"services":[{"service":"Cut"},{"service":"wash","host":"Bo"}]`
	type told struct {
		ID, Local, Host, End string
		Items                []struct{ EventType, Host, Local, Status string }
	}
	get := func(tool, arguments string) (v told) {
		t.Helper()
		a := d.fits(tool, arguments)
		if a.IsError {
			t.Fatalf("%s %s: %s", tool, arguments, a.Structured)
		}
		must(t, json.Unmarshal(a.Structured, &v))
		return v
	}
	refused := func(tool, arguments, code, says string) {
		t.Helper()
		if a := d.fits(tool, arguments); a.failure().Code != code || !strings.Contains(string(a.Structured), says) {
			t.Errorf("%s %s: %s", tool, arguments, a.Structured)
		}
	}
	h := get("hold_time", `{`+both+`,`+at+`,"minutes":5}`)
	if !strings.HasPrefix(h.ID, "hd_") || h.Local != "2026-12-01T09:00:00+01:00" || h.Host != "Ana" || h.End != "2026-12-01T09:30:00Z" || len(h.Items) != 2 ||
		h.Items[1].Host != "Bo" || h.Items[1].Local != "2026-12-01T10:00:00+01:00" {
		t.Fatalf("held: %+v", h)
	}
	with := `,` + at + `,"hold":"` + h.ID + `",` + mei
	refused("create_booking", `{"eventType":"wash","host":"Bo","start":"2026-12-01T09:00:00Z",`+mei+`}`, "conflict", "slot_taken")
	refused("create_booking", `{"services":[{"service":"wash"},{"service":"colour"}]`+with+`}`, "bad_request", "the hold is of other services, hosts or times: give those")
	refused("create_booking", `{"services":[{"service":"cut"},{"service":"wash","host":"Ana"}]`+with+`}`, "bad_request", `"field":"services[1]"`)
	refused("create_booking", `{"services":[{"service":"cut"}]`+with+`}`, "bad_request", "the hold is of 2 services")
	refused("create_booking", `{`+both+`,"start":"2026-12-01T09:00:00Z","hold":"`+h.ID+`",`+mei+`}`, "bad_request", `"field":"start"`)
	refused("create_booking", `{"eventType":"cut"`+with+`}`, "bad_request", "the hold is of a visit: book all of its services")
	refused("create_booking", `{`+both+with+`,"repeat":{"every":1,"unit":"week","count":2}}`, "bad_request", "release it first, which frees its time, and book the series without it")
	key := d.key
	d.key = d.keyLimited(account.Limits{EventTypes: []string{"cut", "wash"}})
	refused("create_booking", `{`+both+with+`}`, "conflict", "hold_expired") // somebody else's
	refused("hold_time", `{"release":"`+h.ID+`"}`, "not_found", "hold")
	d.key = key
	if v := get("create_booking", `{`+both+with+`}`); !strings.HasPrefix(v.ID, "vi_") || len(v.Items) != 2 || v.Items[1].Host != "Bo" || v.Items[1].Status != "confirmed" {
		t.Errorf("booked: %+v", v)
	}
	refused("create_booking", `{`+both+with+`}`, "conflict", "already_booked") // the yes is heard twice
	refused("create_booking", `{`+both+`,`+at+`,"hold":"`+h.ID+`","invitee":{"name":"Al","phone":"030 901821"}}`, "conflict", "hold_expired")

	const next = `"start":"2026-12-02T08:00:00Z"`
	h = get("hold_time", `{`+both+`,`+next+`}`)
	if v := get("hold_time", `{"release":"`+h.ID+`"}`); v.ID != h.ID {
		t.Errorf("released: %+v", v)
	}
	h = get("hold_time", `{`+both+`,`+next+`,"minutes":5}`)
	d.Clock.Advance(6 * time.Minute)
	refused("create_booking", `{`+both+`,`+next+`,"hold":"`+h.ID+`",`+mei+`}`, "conflict", "Hold the time again, or book without hold")
	single := get("hold_time", `{"eventType":"wash","host":"Bo",`+next+`}`)
	refused("create_booking", `{"services":[{"service":"wash","host":"Bo"}],`+next+`,"hold":"`+single.ID+`",`+mei+`}`, "bad_request", "the hold is of one service: book that one")
	refused("create_booking", `{"eventType":"wash","host":"Bo",`+next+`,"hold":"`+single.ID+`",`+mei+`,"repeat":{"every":1,"unit":"week","count":2}}`, "bad_request", `"field":"hold"`)

	for arguments, says := range map[string]string{
		`{` + both + `,` + at + `}`: "These are free",
		`{` + both + `}`:            `"field":"start"`,
		`{` + at + `}`:              "the slug or title of the service, or services for a visit",
		`{` + both + `,` + at + `,"eventType":"cut","host":"Ana"}`:                                          "leave it out with services",
		`{"services":[],` + at + `}`:                                                                        `"field":"services"`,
		`{"services":[{"service":"cut"},{"service":"nothing"}],` + at + `}`:                                 "not_found",
		`{"services":[{"service":"cut"},{"service":"colour","host":"Ana"}],"start":"2026-12-03T08:00:00Z"}`: `"field":"services[1].host"`,
		`{"services":[{"service":"cut"},{"service":"wash"}],"start":"2026-12-03T15:00:00Z"}`:                "slot_taken", // it ends after five
		`{"services":[{"service":"cut"},{"service":"wash"}],` + at + `,"release":"hd_0000000000000"}`:       "does not go with release",
	} {
		if a := d.fits("hold_time", arguments); !a.IsError || !strings.Contains(string(a.Structured), says) {
			t.Errorf("%s: %s", arguments, a.Structured)
		}
	}
}
