package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/subjects"
)

// What the person is asked by a client that shows forms (elicitation, by the multi round-trip requests of 2026-07-28). All
// other clients get the failure that says what to do.
const (
	askContact = "contact" // by which the person who books can be reached
	askAgree   = "agree"   // whether what a dry run has shown is to be done
)

// asks reports whether the client of the call shows forms.
func asks(ctx context.Context, r *mcp.CallToolRequest) bool {
	if !mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) || r.Params.Meta == nil {
		return false
	}
	c := r.Params.Meta.ClientCapabilities()
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// answered puts what the person has answered into the call's arguments. The error is that the person refused.
func answered(r *mcp.CallToolRequest) error {
	if len(r.Params.InputResponses) == 0 {
		return nil
	}
	if given := server.ElicitationResponse(r.Params.InputResponses, askContact); given != nil {
		content, _ := given.Content.(map[string]any)
		var filled []string
		for _, name := range []string{"phone", "email"} {
			if text, _ := content[name].(string); strings.TrimSpace(text) != "" {
				filled = append(filled, name)
			}
		}
		if given.Action != mcp.ElicitationResponseActionAccept || len(filled) == 0 {
			return fault.New(fault.BadRequest, "contact_missing", "The person gave neither a telephone number nor an e-mail address: nothing was booked.").At("invitee")
		}
		return into(r, func(all map[string]json.RawMessage) error {
			invitee := map[string]json.RawMessage{}
			if raw := all["invitee"]; raw != nil && json.Unmarshal(raw, &invitee) != nil {
				return nil // it is refused as what it is
			}
			for _, name := range filled {
				invitee[name], _ = json.Marshal(content[name])
			}
			text, err := json.Marshal(invitee)
			all["invitee"] = text
			return err
		})
	}
	given := server.ElicitationResponse(r.Params.InputResponses, askAgree)
	if given == nil {
		return nil
	}
	content, _ := given.Content.(map[string]any)
	if agreed, _ := content[askAgree].(bool); given.Action != mcp.ElicitationResponseActionAccept || !agreed {
		return fault.Conflictf("not_agreed", "Nothing was done: the person did not agree. Ask them what they want instead.")
	}
	return into(r, func(all map[string]json.RawMessage) (err error) {
		all[confirm], err = json.Marshal(r.Params.RequestState)
		return err
	})
}

// into changes the arguments of a call.
func into(r *mcp.CallToolRequest, change func(map[string]json.RawMessage) error) error {
	in, err := readArgs(*r)
	if err != nil {
		return err
	}
	all := maps.Clone(in.fields)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	if err := change(all); err != nil {
		return err
	}
	r.Params.RawArguments, err = json.Marshal(all)
	return err
}

// ask returns the form by which the person can mend why a call failed, nil for none.
func (d *Door) ask(ctx context.Context, t *tool, r mcp.CallToolRequest, failed error) *mcp.CallToolResult {
	e := fault.As(failed)
	if e == nil || !asks(ctx, &r) || len(r.Params.InputResponses) > 0 { // who was asked once isn't asked again
		return nil
	}
	b := server.NewInputRequestBuilder("")
	switch {
	case e.Reason == "contact_missing" && t == &createBooking:
		b.Elicit(askContact, mcp.ElicitationParams{Message: "How can " + whoBooks(r) + " be reached? A telephone number or an e-mail address is needed.",
			RequestedSchema: form(may("phone", text("Telephone number").length(0, fault.MaxPhone)), may("email", text("E-mail address").length(0, fault.MaxEmail)))})
	case e.Reason == "confirm_needed":
		err := into(&r, func(all map[string]json.RawMessage) error {
			all[dryRun] = json.RawMessage("true")
			return nil
		})
		if err != nil {
			return nil
		}
		shown, _, err := d.call(ctx, t, r)
		run, ok := shown.(foretold)
		if err != nil || !ok { // the failure of the call itself says what to do
			return nil
		}
		b.RequestState(run.Confirm)
		b.Elicit(askAgree, mcp.ElicitationParams{Message: question(t, &run.DryRun), RequestedSchema: form(must(askAgree, truth("Yes, do it")))})
	default:
		return nil
	}
	return b.ToolResult()
}

// form returns the schema of a form.
func form(fields ...property) json.RawMessage { return object("", fields...).json() }

// whoBooks is the name of who is to be booked, as the call has it.
func whoBooks(r mcp.CallToolRequest) string {
	in, err := readArgs(r)
	if err != nil {
		return "the customer"
	}
	var who booking.Invitee
	if json.Unmarshal(in.fields["invitee"], &who) != nil || strings.TrimSpace(who.Name) == "" {
		return "the customer"
	}
	return shortened(strings.Join(strings.Fields(who.Name), " "), 80)
}

// question asks whether what a dry run has found is to be done: how many bookings, how many people, which money.
func question(t *tool, run *subjects.DryRun) string {
	people := map[string]bool{}
	for i, told := range run.Told {
		if told.By == "mail" || told.By == "text" {
			people[told.Who+told.To+map[bool]string{true: fmt.Sprint(i)}[told.To == ""]] = true
		}
	}
	text, err := encode(run.Result)
	var result struct {
		Results, Bookings []json.RawMessage
		Paid, Tip         *money.Money
	}
	if err == nil {
		_ = json.Unmarshal(text, &result) // others have no list
	}
	what := t.title
	if n := len(result.Results) + len(result.Bookings); n > 0 {
		if verb, ofOne := strings.CutSuffix(what, " a booking"); ofOne {
			what = fmt.Sprintf("%s %d bookings", verb, n)
		} else {
			what += fmt.Sprintf(": %d bookings", n)
		}
	}
	if len(people) > 0 {
		what += fmt.Sprintf(", and tell %d people", len(people))
	}
	if _, takes := t.confirms.(always); takes { // of other tools' bookings, paid is what was paid before
		what += ": " + amount(result.Paid)
		if result.Tip != nil {
			what += ", and a tip of " + amount(result.Tip)
		}
	}
	for _, m := range []struct {
		amount string
		is     string
	}{{amount(run.Money.Now), "to pay now"}, {amount(run.Money.Fee), "charged as a fee"}, {amount(run.Money.Refund), "given back"}} {
		if m.amount != "" {
			what += ", " + m.amount + " " + m.is
		}
	}
	return what + "?"
}
