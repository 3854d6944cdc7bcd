package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Of two who change the same version one wins, whatever is changed.
func TestLostUpdate(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	w.book("cut", cutAt, "bo@x.example")
	endpoint := w.do(w.full, "POST", "/api/v1/webhook-endpoints", hook(hookURL, "booking.created")).json(t)["id"].(string)
	member := w.do(key, "POST", "/api/v1/members", `{"email":"m@x.example","role":"staff","host":"`+ana.String()+`"}`).json(t)["id"].(string)
	for path, bodies := range map[string][2]string{
		"event-types/cut":                       {`{"title":"One"}`, `{"seats":2}`},
		"hosts/" + ana.String():                 {`{"about":"One"}`, `{"weekly":{"sat":["09:00-10:00"]}}`},
		"contacts/" + w.contact("bo@x.example"): {`{"notes":"One"}`, `{"phone":"+49 30 901820"}`},
		"webhook-endpoints/" + endpoint:         {`{"enabled":false}`, `{"events":["booking.cancelled"]}`},
		"members/" + member:                     {`{"role":"manager"}`, `{"host":"` + bob.String() + `"}`},
	} {
		path = "/api/v1/" + path
		version := w.do(key, "GET", path, "").Header().Get("ETag")
		codes := make([]int, 2)
		var both sync.WaitGroup
		for i, body := range bodies {
			both.Go(func() { codes[i] = w.do(key, "PATCH", path, body, "If-Match", version).Code })
		}
		both.Wait()
		slices.Sort(codes)
		if !slices.Equal(codes, []int{200, 412}) {
			t.Errorf("%s: %v", path, codes)
		}
		now := w.do(key, "GET", path, "").Header().Get("ETag")
		if now == version {
			t.Errorf("%s: the version stays", path)
		}
		for header, code := range map[string]int{"*": 200, version + ", " + now: 200, version: 412, "": 412} {
			if got := w.do(key, "PATCH", path, `{}`, "If-Match", header); got.Code != code {
				t.Errorf("%s %s: %d %s", path, header, got.Code, got.text)
			}
		}
	}
}

// A DELETE with the version of before is refused and takes nothing away; of one who changes that version and one who
// deletes it, one is told.
func TestLostDelete(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	for name, c := range map[string]struct {
		make  func(n string) string // path of a new one
		patch string
		stays string // what it says once it is switched off; "" is for what is gone then
	}{
		"event type": {func(n string) string {
			w.do(key, "POST", "/api/v1/event-types", `{"slug":"gone`+n+`","title":"Gone","durationMinutes":30}`)
			return "event-types/gone" + n
		}, `{"title":"Kept"}`, `"active":false`},
		"host": {func(n string) string {
			return "hosts/" + w.do(key, "POST", "/api/v1/hosts", `{"name":"H","email":"h`+n+`@x.example"}`).json(t)["id"].(string)
		}, `{"about":"Kept"}`, `"active":false`},
		"resource": {func(n string) string {
			return "resources/" + w.do(key, "POST", "/api/v1/resources", `{"name":"R`+n+`"}`).json(t)["id"].(string)
		}, `{"shown":true}`, `"active":false`},
		"product": {func(n string) string {
			return "products/" + w.do(key, "POST", "/api/v1/products", `{"name":"P`+n+`","price":{"amount":100}}`).json(t)["id"].(string)
		}, `{"stock":3}`, ""},
		"contact": {func(n string) string {
			return "contacts/" + w.do(key, "POST", "/api/v1/contacts", `{"name":"C","email":"c`+n+`@x.example"}`).json(t)["id"].(string)
		}, `{"notes":"Kept"}`, ""},
		"member": {func(n string) string {
			return "members/" + w.do(key, "POST", "/api/v1/members", `{"email":"m`+n+`@x.example","role":"manager"}`).json(t)["id"].(string)
		}, `{"role":"staff","host":"` + ana.String() + `"}`, ""},
		"endpoint": {func(n string) string {
			return "webhook-endpoints/" + w.do(w.full, "POST", "/api/v1/webhook-endpoints", hook(hookURL, "booking.created")).json(t)["id"].(string)
		}, `{"events":["booking.cancelled"]}`, ""},
	} {
		get := func(path string) reply { t.Helper(); return w.do(key, "GET", path, "") }
		gone := func(path string) bool {
			got := get(path)
			if c.stays == "" {
				return got.Code == 404
			}
			return strings.Contains(got.text, c.stays)
		}
		path := "/api/v1/" + c.make("1")
		first := get(path).Header().Get("ETag")
		changed := w.do(key, "PATCH", path, c.patch, "If-Match", first)
		if changed.Code != 200 || first == "" {
			t.Fatalf("%s: %d %s", name, changed.Code, changed.text)
		}
		refused := w.do(key, "DELETE", path, "", "If-Match", first)
		if now := get(path); refused.Code != 412 || !strings.Contains(refused.text, `"precondition_failed"`) || now.text != changed.text {
			t.Errorf("%s: %d %s, then %s", name, refused.Code, refused.text, now.text)
		}
		if got := w.do(key, "DELETE", path, "", "If-Match", first+", "+changed.Header().Get("ETag")); got.Code != 204 || !gone(path) {
			t.Errorf("%s: %d %s, then %s", name, got.Code, got.text, get(path).text)
		}
		for n, header := range map[string][]string{"2": {"If-Match", "*"}, "3": nil} {
			path := "/api/v1/" + c.make(n)
			empty := w.do(key, "DELETE", path, "", "If-Match", "")
			if empty.Code != 412 || !strings.Contains(empty.text, "If-Match is empty") || gone(path) {
				t.Errorf("%s, If-Match is empty: %d %s", name, empty.Code, empty.text)
			}
			if got := w.do(key, "DELETE", path, "", header...); got.Code != 204 || !gone(path) {
				t.Errorf("%s, %q: %d %s", name, header, got.Code, got.text)
			}
		}
		for round := range 5 {
			path := "/api/v1/" + c.make(fmt.Sprint("r", round))
			version := get(path).Header().Get("ETag")
			var patched, deleted reply
			var both sync.WaitGroup
			both.Go(func() { patched = w.do(key, "PATCH", path, c.patch, "If-Match", version) })
			both.Go(func() { deleted = w.do(key, "DELETE", path, "", "If-Match", version) })
			both.Wait()
			late := 412
			if c.stays == "" {
				late = 404 // there is nothing left that could have changed
			}
			switch {
			case patched.Code == 200 && deleted.Code == 412 && !gone(path) && get(path).text == patched.text:
			case patched.Code == late && deleted.Code == 204 && gone(path):
			default:
				t.Errorf("%s: PATCH %d, DELETE %d, then %s", name, patched.Code, deleted.Code, get(path).text)
			}
		}
	}
}
