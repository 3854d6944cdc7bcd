package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"daybook/app/fault"
)

// prompt is something that people pick in their client, which their model is then told. What they type into it stands in
// it as a quotation.
type prompt struct {
	name, title, description string
	arguments                []mcp.PromptArgument
	text                     string // with {name} for each argument
	desk                     string // the same where the tools of the desk are; "" is as text
}

var prompts = []prompt{
	{name: "morning", title: "Morning", description: "What the day brings: who comes, what is open, what needs a decision.",
		text: `Tell me about my day at the business, in my language and in a few lines that I can read standing.

1. list_bookings with from today and to tomorrow, all pages. Say how many come, when the first and the last one is, and with whom.
2. list_bookings with status pending from today on: who waits for an approval, and who has not paid yet.
3. Name what I should know before it happens: people with no-shows (list_contacts by phone or email, for those who are new to you or whose booking is long), and gaps of an hour and more between two bookings of a host.

Change nothing. End with at most three things that I could do now, each as a question.`},
	{name: "stylist_ill", title: "A stylist is ill", description: "Who is booked with them, who else is free, and what to tell whom; nothing is changed before you agree.",
		arguments: []mcp.PromptArgument{{Name: "host", Description: "Who is ill.", Required: true},
			{Name: "until", Description: "Until when, such as tonight or Friday; today when left out."}},
		text: `"{host}" is ill, until: "{until}". Help me find another time or person for everybody who is booked with them.

1. list_bookings with that host, from now until then: tell me who is affected.
2. check_availability with the services and other hosts for the same times, then for the next days. Propose one place for each booking, at the same time with somebody else where that is possible.
3. Show me the list and ask. Only when I agree: reschedule_booking with moves and dryRun: true; show me whom it tells; then again with its confirm. Those for whom there is no place: ask me whether to cancel them, and with what words.

These tools can't close the ill person's day: the times that come free would be offered to the public again at once. Tell me first to enter the time off in the dashboard, and wait until I say that it is done.`,
		desk: `"{host}" is ill, until: "{until}".

1. set_time_off with that host, from now until then, bookings: "list" and dryRun: true: tell me who is affected.
2. The same with bookings: "move" and dryRun: true: who would go to whom at the same time, who could not be placed, and whom it would tell.
3. Show me that and ask what should happen, and what the customers are to be told. Only when I agree, call it with the confirm of that dry run: it closes the day first, so that nobody can book it meanwhile.
4. For those who could not be placed: check_availability for the next days, propose a time for each, and ask me before you move (reschedule_booking with moves) or cancel (cancel_booking with ids).`},
	{name: "close_the_day", title: "Close the day", description: "What is still open of today: payments, people who did not come, bookings that nobody marked.",
		text: `Help me close the day.

1. list_bookings with from today, to tomorrow and status all: who came, who did not, who cancelled.
2. Name those that are over and still have something due, with the amount, and those that nobody marked.
3. Ask me about each: mark_no_show only for those of whom I say that they did not come. What was paid is entered at the till in the dashboard.
4. analytics_overview with from today, to tomorrow: what was earned, and by whom.

The cash is counted in the dashboard, in the till's day.`,
		desk: `Help me close the day.

1. list_bookings with from today, to tomorrow and status all: who came, who did not, who cancelled.
2. Name those that are over and still have something due, with the amount, and those that nobody marked.
3. Ask me about each: take_payment for what was paid and how (dryRun first, then with its confirm), mark_done for those who were here, mark_no_show only for those of whom I say that they did not come.
4. analytics_overview with from today, to tomorrow: what was earned, and by whom.

The cash is counted in the dashboard, in the till's day.`},
}

// maxTyped is how many characters an argument of a prompt has at most.
const maxTyped = 200

// addPrompts adds the prompts to the server of a set.
func addPrompts(m *server.MCPServer, of *set) {
	for i := range prompts {
		p := &prompts[i]
		text := p.text
		if p.desk != "" && of.tool(setTimeOff.name) != nil {
			text = p.desk
		}
		m.AddPrompt(mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: slices.Clone(p.arguments)},
			func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				filled, err := p.fill(text, r.Params.Arguments)
				if err != nil {
					return nil, err
				}
				return mcp.NewGetPromptResult(p.description, []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(filled))}), nil
			})
	}
}

// fill returns the text with what was typed.
func (p *prompt) fill(text string, typed map[string]string) (string, error) {
	for _, a := range p.arguments {
		value := strings.Join(strings.Fields(strings.ReplaceAll(typed[a.Name], `"`, "'")), " ")
		switch {
		case value == "" && a.Required:
			return "", fault.Invalid(a.Name, "is required: %s", strings.ToLower(a.Description))
		case utf8.RuneCountInString(value) > maxTyped:
			return "", fault.Invalid(a.Name, "must have at most %d characters", maxTyped)
		case value == "":
			value = "today"
		}
		text = strings.ReplaceAll(text, "{"+a.Name+"}", value)
	}
	for name := range typed {
		if !slices.ContainsFunc(p.arguments, func(a mcp.PromptArgument) bool { return a.Name == name }) {
			return "", fmt.Errorf("%s is no argument of this prompt", name)
		}
	}
	return text, nil
}
