package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// tool is one of the tools. It returns the REST resource, or a list of them as REST does.
type tool struct {
	name, title string
	description string // what it does, who is notified, what may be charged, what can't be undone

	reads      bool // changes nothing
	destroys   bool // its changes can't be undone
	repeatable bool // a second call with the same arguments changes nothing
	reachesOut bool // people or other systems are notified or charged

	input, output *schema
	visits        bool // it answers a visit or a series, too
	view          view // shows its answers to people, see view.go
	run           runner

	confirms confirms // which calls must bring what their dry run answered
	stepwise bool     // each part has a transaction of its own: one call is no transaction
	// after adds to the answer of a confirmed call what is kept nowhere; nil is nothing.
	after func(ctx context.Context, s *subjects.Set, a app.Actor, answer []byte) (any, error)
}

type runner func(ctx context.Context, s *subjects.Set, a app.Actor, in *args) (any, error)

// reading makes a runner that reads the arguments, and fails before do if one of them is wrong or unknown.
func reading[T any](read func(in *args) T,
	do func(ctx context.Context, s *subjects.Set, a app.Actor, in T) (any, error)) runner {
	return func(ctx context.Context, s *subjects.Set, a app.Actor, in *args) (any, error) {
		input := read(in)
		if err := in.err(); err != nil {
			return nil, err
		}
		return do(ctx, s, a, input)
	}
}

// handler runs a tool with the rights of the request's key. A call runs to its end even if the client disconnects, but
// no longer than the time limit.
func (d *Door) handler(t *tool) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		d.open.begin()
		defer d.open.end()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.options.CallTimeout)
		defer cancel()
		if err := answered(&r); err != nil {
			return d.failure(ctx, t, false, err), nil
		}
		answer, dry, err := d.call(ctx, t, r)
		if form := d.ask(ctx, t, r, err); form != nil {
			return form, nil
		}
		if err != nil {
			return d.failure(ctx, t, dry, err), nil
		}
		text, err := encode(answer)
		if err != nil {
			return d.failure(ctx, t, dry, err), nil
		}
		return result(text, false), nil
	}
}

// call decodes the arguments and runs the tool, dry if they say so. A panic becomes an internal error.
func (d *Door) call(ctx context.Context, t *tool, r mcp.CallToolRequest) (answer any, dry bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in %s: %v\n%s", t.name, p, debug.Stack())
		}
	}()
	actor := access.Key(ctx).Actor(booking.ByAgent)
	if !t.reads { // before the arguments are read, as in REST
		if err := actor.May(app.MayChange); err != nil {
			return nil, false, err
		}
	}
	in, err := readArgs(r)
	if err != nil {
		return nil, false, err
	}
	dry = !t.reads && in.flag(dryRun) && len(in.faults) == 0
	if t.confirms != nil {
		answer, err = d.confirmed(ctx, t, actor, in, dry)
		return answer, dry, err
	}
	if dry {
		answer, err = t.dryRun(ctx, d.service, actor, in)
		return answer, dry, err
	}
	answer, err = t.run(ctx, d.service, actor, in)
	return answer, dry, err
}

// failure returns the REST error object as the tool's result; its message ends with what to do next.
func (d *Door) failure(ctx context.Context, t *tool, dry bool, err error) *mcp.CallToolResult {
	id, _ := ctx.Value(requestID{}).(string)
	if errors.Is(err, context.DeadlineExceeded) {
		d.log.Error("tool call timed out", "tool", t.name, "requestId", id)
		err = fault.New(fault.Internal, "timeout", "This took too long and was stopped.")
	}
	body := access.Describe(err, id, d.log.With("tool", t.name))
	body.Error.Message += nextStep(t, fault.As(err), dry)
	text, encodeErr := encode(body)
	if encodeErr != nil {
		d.log.Error("error body", "err", encodeErr)
	}
	return result(text, true)
}

// encode is JSON in one line, without HTML escapes.
func encode(v any) ([]byte, error) {
	switch v := v.(type) {
	case *availability.Result:
		return access.WithoutHTML(v.AppendJSON(nil)), nil
	case interface {
		AppendJSON(dst []byte) ([]byte, error)
	}:
		text, err := v.AppendJSON(nil)
		return access.WithoutHTML(text), err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// strangersText is in the _meta of each answer: the members, wherever they stand in it, that have text of people outside the
// business. It is data, never instructions; no standard has a word for that yet (MCP's SEP-1913 is a draft).
const strangersText = "daybook/textOfStrangers"

var ofStrangers = []string{"name", "invitee", "email", "notes", "answers", "participants", "reason", "metadata", "contactFields"}

func result(body []byte, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Result: mcp.Result{Meta: &mcp.Meta{AdditionalFields: map[string]any{strangersText: ofStrangers}}},
		Content: []mcp.Content{mcp.NewTextContent(string(body))}, StructuredContent: json.RawMessage(body), IsError: failed,
	}
}
