package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"sync"

	"daybook/app/booking"
	"daybook/assets"
	"daybook/views"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Views show people in a chat what a tool answered, where their program can: the MCP Apps extension (SEP-1865, specification
// 2026-01-26). A program that shows none reads the answer as before. A view is a page that is the same for everybody: it
// holds nothing of a workspace, loads nothing, and has no rights of its own. What is pressed in it is said in the chat by
// the person, so that the model goes on with it, by its rules.
const (
	viewExtension = "io.modelcontextprotocol/ui"
	viewType      = "text/html;profile=mcp-app"
)

// view is one of them.
type view struct{ name, title string }

var (
	timesView   = view{"times", "Open times to choose from"}
	dayView     = view{"day", "Bookings by day and host"}
	confirmView = view{"confirm", "What would be done, and what it costs"}

	allViews = []view{timesView, dayView, confirmView}
)

func (v view) uri() string { return "ui://daybook/" + v.name }

// viewMeta is of a tool whose answers the view shows.
func (t *tool) viewMeta() *mcp.Meta {
	if t.view.name == "" {
		return nil
	}
	return &mcp.Meta{AdditionalFields: map[string]any{"ui": map[string]any{"resourceUri": t.view.uri()}}}
}

// addViews adds the views to a server.
func addViews(m *server.MCPServer) {
	for _, v := range allViews {
		about := map[string]any{"ui": map[string]any{"prefersBorder": true}} // without csp, which is: loads nothing
		m.AddResource(mcp.Resource{URI: v.uri(), Name: v.name, Title: v.title, MIMEType: viewType, Meta: &mcp.Meta{AdditionalFields: about}},
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{mcp.TextResourceContents{URI: v.uri(), MIMEType: viewType, Text: pages()[v.name], Meta: about}}, nil
			})
	}
}

// pages has the views as they are sent, by their names.
var pages = sync.OnceValue(func() map[string]string {
	words := map[string]map[string]string{}
	for _, l := range views.Locales {
		if words[l.Language()] == nil {
			words[l.Language()] = viewWords(l)
		}
	}
	all := map[string]string{}
	for _, v := range allViews {
		css, script := assets.Chat(v.name)
		texts, err := json.Marshal(words)
		if err != nil {
			panic(err) // texts alone
		}
		all[v.name] = fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title>`+
			`<style>%s</style></head><body><main id="view"></main><script type="application/json" id="words">%s</script><script>%s</script></body></html>`,
			template.HTMLEscapeString(v.title), css, texts, script)
	}
	return all
})

// viewWords are the words of the views in a language; what stands in braces is filled in there.
func viewWords(l *views.Locale) map[string]string {
	words := map[string]string{
		"stopped": l.T("chat_stopped"), "more": l.T("chat_more"), "asked": l.T("chat_asked"),

		"times": l.T("chat_times"), "days": l.T("chat_days"), "none": l.T("chat_none"), "next": l.T("chat_next", "When", "{when}"),
		"zone": l.T("chat_zone", "Zone", "{zone}"), "seats": l.T("chat_seats", "Seats", "{count}"), "who": l.T("chat_who"),
		"anyone": l.T("chat_anyone"), "ask": l.T("chat_ask", "When", "{when}"),
		"want":     l.T("chat_want", "When", "{when}", "Start", "{start}"),
		"wantWith": l.T("chat_want_with", "When", "{when}", "Host", "{host}", "Start", "{start}"),

		"bookings": l.T("chat_bookings"), "nobody": l.T("chat_nobody"),

		"sure": l.T("chat_sure"), "done": l.T("chat_done"), "when": l.T("chat_when"), "date": l.T("chat_date"), "service": l.T("chat_service"),
		"host": l.T("chat_host"), "for": l.T("chat_for"), "price": l.T("chat_price"), "state": l.T("chat_state"), "refused": l.T("chat_refused"),
		"is": l.T("chat_is"), "now": l.T("chat_now"), "onSite": l.T("chat_on_site"), "fee": l.T("chat_fee"), "refund": l.T("chat_refund"),
		"paid": l.T("chat_paid"), "tip": l.T("chat_tip"), "discounted": l.T("chat_discounted"), "change": l.T("chat_change"), "due": l.T("chat_due"),
		"from": l.T("chat_from"), "until": l.T("chat_until"), "all": l.T("chat_all"), "is_stays": l.T("chat_is_stays"), "is_moved": l.T("chat_is_rescheduled"),
		"told": l.T("chat_told"), "nobodyTold": l.T("chat_nobody_told"), "who_invitee": l.T("chat_who_invitee"), "who_host": l.T("chat_who_host"),
		"who_member": l.T("chat_who_member"), "who_recipient": l.T("chat_who_recipient"),
		"yes": l.T("chat_yes"), "no": l.T("chat_no"), "yesSay": l.T("chat_yes_say"), "noSay": l.T("chat_no_say"),
	}
	for _, s := range booking.Statuses {
		key := "chat_is_" + string(s)
		if text := l.T(key); text != key { // of a confirmed booking nothing is said
			words["is_"+string(s)] = text
		}
	}
	return words
}
