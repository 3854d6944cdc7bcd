package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/booking"
)

// person answers the forms that a client shows.
type person struct {
	asked  []mcp.ElicitationParams
	answer func(mcp.ElicitationParams) mcp.ElicitationResponse
}

// Elicit implements client.ElicitationHandler.
func (p *person) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	p.asked = append(p.asked, r.Params)
	return &mcp.ElicitationResult{ElicitationResponse: p.answer(r.Params)}, nil
}

// shows is a client of the newest protocol that shows forms, or one that doesn't for nil.
func (w *world) shows(path string, who *person) *client.Client {
	w.Helper()
	trans, err := transport.NewStreamableHTTP(w.server.URL+path, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + w.key}))
	must(w.T, err)
	var with []client.ClientOption
	if who != nil {
		with = append(with, client.WithElicitationHandler(who))
	}
	c := client.NewClient(trans, with...)
	must(w.T, c.Start(w.Context()))
	w.Cleanup(func() { c.Close() })
	_, err = c.Initialize(w.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "test", Version: "1"}}})
	must(w.T, err)
	return c
}

// calls makes a call by a client.
func (w *world) calls(c *client.Client, tool string, arguments with) answer {
	w.Helper()
	got, err := c.CallTool(w.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	must(w.T, err)
	text, err := json.Marshal(got.StructuredContent)
	must(w.T, err)
	return answer{IsError: got.IsError, Structured: text}
}

func accepts(content with) func(mcp.ElicitationParams) mcp.ElicitationResponse {
	return func(mcp.ElicitationParams) mcp.ElicitationResponse {
		return mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: content}
	}
}

func declines(mcp.ElicitationParams) mcp.ElicitationResponse {
	return mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionDecline}
}

// A client that shows forms asks the person for the number that is missing; others are told to ask.
func TestTheMissingNumberIsAskedFor(t *testing.T) {
	w := newWorld(t)
	mei := with{"eventType": "cut", "start": "2026-12-01T08:00:00Z", "invitee": with{"name": "Mei"}}
	who := &person{answer: accepts(with{"phone": "030 901820"})}
	c := w.shows("/api/mcp", who)
	var b booking.Booking
	got := w.calls(c, "create_booking", mei)
	must(t, json.Unmarshal(got.Structured, &b))
	if got.IsError || b.Invitee.Phone != "+4930901820" || b.Invitee.Name != "Mei" || len(who.asked) != 1 || !strings.Contains(who.asked[0].Message, "Mei") {
		t.Errorf("%s after %+v", got.Structured, who.asked)
	}
	mei["start"] = "2026-12-01T10:00:00Z"
	for name, no := range map[string]func(mcp.ElicitationParams) mcp.ElicitationResponse{"declined": declines, "empty": accepts(with{"phone": " "}), "nonsense": accepts(with{"phone": "12"})} {
		who.answer, who.asked = no, nil
		if got := w.calls(c, "create_booking", mei); !got.IsError || len(who.asked) != 1 {
			t.Errorf("%s: %s, asked %d times", name, got.Structured, len(who.asked))
		}
	}
	if e := w.calls(w.shows("/api/mcp", nil), "create_booking", mei).failure(); e.Details["reason"] != "contact_missing" {
		t.Errorf("without forms: %+v", e)
	}
	all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
	must(t, err)
	if len(all.Data) != 1 {
		t.Errorf("%d bookings", len(all.Data))
	}
}

// What must be shown before it is done is shown by the client itself, which then brings the confirm of that dry run: the
// same is done, once, and nothing where the person says no.
func TestWhatIsToBeDoneIsAskedFor(t *testing.T) {
	w := newWorld(t)
	w.key = w.keyWith("contacts", "settings")
	var moves []with
	for i := range 3 {
		var b booking.Booking
		w.get("create_booking", fmt.Sprintf(`{"eventType":"cut","start":"2026-12-01T%02d:00:00Z","invitee":{"name":"P%d","email":"p%d@x.example"}}`, 8+i, i, i), &b)
		moves = append(moves, with{"id": b.ID.String(), "start": fmt.Sprintf("2026-12-02T%02d:00:00Z", 8+i)})
	}
	who := &person{answer: declines}
	c := w.shows("/api/mcp", who)
	when := func() (days string) {
		all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
		must(t, err)
		for _, b := range all.Data {
			days += b.Start.String()[8:10] + " "
		}
		return days
	}
	for name, no := range map[string]func(mcp.ElicitationParams) mcp.ElicitationResponse{"declined": declines, "unticked": accepts(with{"agree": false}), "empty": accepts(nil)} {
		who.answer = no
		if e := w.calls(c, "reschedule_booking", with{"moves": moves}).failure(); e.Details["reason"] != "not_agreed" || when() != "01 01 01 " {
			t.Errorf("%s: %+v, %s", name, e, when())
		}
	}
	who.answer, who.asked = accepts(with{"agree": true}), nil
	got := w.calls(c, "reschedule_booking", with{"moves": moves})
	if got.IsError || when() != "02 02 02 " || len(who.asked) != 1 || who.asked[0].Message != "Move 3 bookings, and tell 4 people?" {
		t.Errorf("%s after %+v", got.Structured, who.asked)
	}
	// At the desk money is taken so.
	desk := w.shows(deskPath, who)
	who.asked = nil
	id := moves[0]["id"]
	paid := w.calls(desk, "take_payment", with{"id": id, "method": "cash"})
	if b, err := w.Booking(t.Context(), w.Owner, id.(string)); err != nil || paid.IsError || b.Due.Units() != 0 || len(who.asked) != 1 {
		t.Errorf("%v %s %+v", err, paid.Structured, who.asked)
	}
	// A client of an older protocol, or without forms, is told to make the dry run.
	if e := w.calls(w.shows("/api/mcp", nil), "reschedule_booking", with{"moves": moves}).failure(); e.Details["reason"] != "confirm_needed" {
		t.Errorf("%+v", e)
	}
	if e := w.call("reschedule_booking", `{"moves":[{"id":"`+id.(string)+`","start":"2026-12-03T08:00:00Z"}]}`).failure(); e.Details["reason"] != "confirm_needed" {
		t.Errorf("%+v", e)
	}
	// An answer of the client is no confirm by itself.
	forged := w.request("POST", "/api/mcp", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"reschedule_booking","arguments":{"moves":[{"id":"`+id.(string)+`","start":"2026-12-03T08:00:00Z"}]},
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}},
		"inputResponses":{"agree":{"action":"accept","content":{"agree":true}}},"requestState":"a.b.c.d"}}`, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "reschedule_booking")
	if body := readAll(t, forged); !strings.Contains(body, "confirm_other") || when() != "02 02 02 " {
		t.Errorf("forged: %s", body)
	}
}
