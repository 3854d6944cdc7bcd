package agent_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"daybook/app/apptest"
)

// What is answered without the library is what it would answer: each call is sent again with an unknown parameter, which
// leaves it to the library. Only the id of a request, and what is made anew by each call, may differ.
func TestDirectCallsAnswerAsTheLibrary(t *testing.T) {
	w := newWorld(t)
	in := apptest.Input("cut", "1T10", "bo")
	in.Invitee.Name = "Bo <b> & \"Z\" \u2028"
	_, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	post := func(id, params string, header ...string) (*http.Response, map[string]any) {
		t.Helper()
		r, err := http.NewRequest("POST", w.server.URL+"/api/mcp",
			strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}`, id, params)))
		w.Must(err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+w.key)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		res, err := http.DefaultClient.Do(r)
		w.Must(err)
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		w.Must(err)
		var answer map[string]any
		if json.Unmarshal(body, &answer) != nil {
			answer = map[string]any{"text": string(body)}
		}
		return res, answer
	}
	for _, c := range []struct {
		id, params string
		header     []string
		library    bool
	}{
		{id: `1`, params: `{"name":"list_event_types"}`},
		{id: `"a\"\u00e9"`, params: `{"name":"list_event_types","arguments":{}}`},
		{id: `-3`, params: `{"name":"list_bookings","arguments":{"limit":20},"_meta":{"progressToken":7}}`},
		{id: `4`, params: `{"name":"list_contacts","arguments":null}`},
		{id: `5`, params: `{"name":"check_availability","arguments":{"eventType":"cut","limit":20}}`},
		{id: `6`, params: `{"name":"check_availability","arguments":{"eventType":"none"}}`},
		{id: `7`, params: `{"name":"check_availability","arguments":{"eventType":7,"what":1}}`},
		{id: `8`, params: `{"name":"check_availability","arguments":"text"}`},
		{id: `9`, params: `{"name":"check_availability","arguments":{"eventType":"cut","eventType":"cut"}}`},
		{id: `10`, params: `{"name":"analytics_overview","arguments":{}}`},
		{id: `11`, params: `{"name":"list_event_types"}`, header: []string{"MCP-Protocol-Version", "2025-06-18"}},
		{id: `12`, params: `{"name":"list_event_types"}`, header: []string{"MCP-Protocol-Version", "2025-03-26"}},
		{id: `13`, params: `{"name":"list_event_types"}`, header: []string{"MCP-Protocol-Version", "1999-01-01"}, library: true},
		{id: `14`, params: `{"name":"list_event_types"}`, header: []string{"MCP-Protocol-Version", "2026-07-28"}, library: true},
		{id: `15`, params: `{"name":"list_event_types","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, library: true},
		{id: `16`, params: `{"name":"nothing"}`, library: true},
		{id: `17`, params: `{"name":7}`, library: true},
		{id: `18`, params: `{"name":"list_event_types","task":{}}`, library: true},
		{id: `19`, params: `{"name":"list_event_types","_meta":7}`, library: true},
		{id: `20`, params: `[]`, library: true},
		{id: `21`, params: `{}`, library: true},
	} {
		logged := len(w.log.String())
		res, got := post(c.id, c.params, c.header...)
		if byLibrary := !strings.Contains(w.log.String()[logged:], "failed="); byLibrary != c.library {
			t.Errorf("%s: answered by the library: %v", c.params, byLibrary)
		}
		if c.library {
			continue
		}
		logged = len(w.log.String())
		again, want := post(c.id, strings.Replace(c.params, `{"name"`, `{"unknown":1,"name"`, 1), c.header...)
		if !strings.Contains(w.log.String()[logged:], "mcp.request") {
			t.Errorf("%s: the library wasn't asked", c.params)
		}
		for _, h := range []http.Header{res.Header, again.Header} {
			for _, name := range []string{"X-Request-Id", "Ratelimit-Remaining", "Ratelimit-Reset", "Date", "Content-Length"} {
				h.Del(name)
			}
		}
		if res.StatusCode != again.StatusCode || !reflect.DeepEqual(res.Header, again.Header) {
			t.Errorf("%s: %s %v, want %s %v", c.params, res.Status, res.Header, again.Status, again.Header)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v\nwant\n%v", c.params, got, want)
		}
	}
}
