package assistant

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"daybook/assets"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/guest"
)

const instructions = "You are at one business and book for a person, without a key. list_services says what it " +
	"offers; check_availability has the open times; request_booking keeps one for ten minutes and mails the person a " +
	"link and a code. Nothing is booked until they open the link, or tell you the code for confirm_booking. The " +
	"booking's own link moves and cancels it: move_booking, cancel_booking. Ask the person for name and e-mail " +
	"address and never make them up. Times are UTC; local is the clock of the business."

//go:embed inputs.json
var inputsJSON []byte

const callTimeout = 20 * time.Second

// tool is one of the tools; its arguments are in inputs.json.
type tool struct {
	name, title, description string
	reads, destroys          bool
	run                      func(d *Door, ctx context.Context, c call, r mcp.CallToolRequest) (any, error)
}

var tools = []tool{
	{name: "list_services", title: "List services", reads: true,
		description: "The business, and the services that can be booked here, with lengths, prices in minor units " +
			"(null is free), hosts, add-ons and the questions to answer. Start here. Changes nothing.",
		run: (*Door).listServices},
	{name: "check_availability", title: "Find open times", reads: true,
		description: "Open times of a service, earliest first, and nextAvailable when there is none. To find times to " +
			"move a booking to, give its link. Changes nothing.",
		run: (*Door).checkAvailability},
	{name: "request_booking", title: "Ask for a booking",
		description: "Keeps an open time for ten minutes and mails the person a link and a code. Nothing is booked and " +
			"nobody else is told before they confirm. One request a person at a time; the same request again is the same " +
			"and mails nobody. A taken start fails with the next open ones. Where the server asks for a proof of work, " +
			"it fails with details.key and details.bits: call again with both key and proof.",
		run: (*Door).requestBooking},
	{name: "confirm_booking", title: "Confirm with the code", destroys: true,
		description: "Books what was asked for, with the code that the person reads in the mail. The person, the host " +
			"and the business are told. Five wrong codes end the request. Keep link: it moves and cancels the booking. A " +
			"pending booking waits for the business, or for the payment at payUrl.",
		run: (*Door).confirmBooking},
	{name: "get_booking", title: "Look at a booking", reads: true,
		description: "A booking by its own link. Changes nothing.",
		run:         (*Door).getBooking},
	{name: "move_booking", title: "Move a booking", destroys: true,
		description: "Moves a booking to another open start, by its own link, as far ahead as the business wants it. " +
			"Host and business are told, the person gets a mail. The old time is open to others at once.",
		run: (*Door).moveBooking},
	{name: "cancel_booking", title: "Cancel a booking", destroys: true,
		description: "Cancels a booking by its own link; this can't be undone. Ask the person first. Where cancelling " +
			"costs a fee by now, it fails, and the person decides at the link.",
		run: (*Door).cancelBooking},
}

// build makes the MCP server. The gate checks origin and host.
func (d *Door) build() {
	m := server.NewMCPServer("daybook-guest", cmp.Or(d.options.Version, "dev"), server.WithTitle("Booking"),
		server.WithWebsiteURL(d.service.BaseURL()), server.WithIcons(mcp.Icon{Src: d.service.BaseURL() + assets.Path("icon-192.png"),
			MIMEType: "image/png", Sizes: []string{"192x192"}}),
		server.WithInstructions(instructions), server.WithToolCapabilities(false), server.WithLogger(d.log))
	for i, described := range Tools() {
		m.AddTool(described, d.handler(&tools[i]))
	}
	d.tools = server.NewStreamableHTTPServer(m, server.WithStateLess(true), server.WithDisableLocalhostProtection(true),
		server.WithStreamableHTTPLogger(d.log))
}

// Tools returns the tools as clients see them.
func Tools() (all []mcp.Tool) {
	outward, closed := true, false
	var inputs map[string]json.RawMessage
	if err := json.Unmarshal(inputsJSON, &inputs); err != nil {
		panic(err) // a constant
	}
	for i := range tools {
		t := &tools[i]
		all = append(all, mcp.Tool{Name: t.name, Title: t.title, Description: t.description, RawInputSchema: inputs[t.name],
			Annotations: mcp.ToolAnnotation{Title: t.title, ReadOnlyHint: &t.reads, DestructiveHint: &t.destroys,
				IdempotentHint: &t.reads, OpenWorldHint: map[bool]*bool{true: &closed, false: &outward}[t.reads]}})
	}
	return all
}

// handler runs a tool. A call runs to its end even if the client disconnects, but no longer than the time limit.
func (d *Door) handler(t *tool) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
		defer cancel()
		c := callOf(ctx)
		answer, err := d.call(ctx, t, c, r)
		if err != nil {
			answer = access.Describe(err, c.requestID, d.log.With("tool", t.name))
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(answer); err != nil {
			return nil, err
		}
		text := bytes.TrimSpace(b.Bytes())
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(string(text))},
			StructuredContent: json.RawMessage(text), IsError: err != nil}, nil
	}
}

// call runs the tool. A panic becomes an internal error.
func (d *Door) call(ctx context.Context, t *tool, c call, r mcp.CallToolRequest) (answer any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in %s: %v\n%s", t.name, p, debug.Stack())
		}
	}()
	return t.run(d, ctx, c, r)
}

func (d *Door) listServices(_ context.Context, c call, r mcp.CallToolRequest) (any, error) {
	if err := readInto(r, &struct{}{}); err != nil {
		return nil, err
	}
	all := []any{}
	for _, e := range guest.Listed(c.setup) {
		all = append(all, serviceOf(c.setup, e))
	}
	return map[string]any{"business": businessOf(c.setup, d.service.BaseURL()), "services": all}, nil
}

func (d *Door) checkAvailability(ctx context.Context, c call, r mcp.CallToolRequest) (any, error) {
	var in struct {
		Service  string   `json:"service"`
		From     string   `json:"from"`
		Days     *int     `json:"days"`
		TimeZone string   `json:"timeZone"`
		Host     string   `json:"host"`
		AddOns   []string `json:"addOns"`
		Seats    *int     `json:"seats"`
		Link     string   `json:"link"`
	}
	if err := readInto(r, &in); err != nil {
		return nil, err
	}
	actor := app.Actor{Kind: booking.ByInvitee, Workspace: c.setup.Workspace.ID}
	q := availability.Input{EventType: in.Service, From: in.From, Days: in.Days, TimeZone: in.TimeZone, Host: in.Host,
		Choice: catalog.ReadChoice(strings.Join(in.AddOns, ","), in.Seats)}
	if q.TimeZone == "" {
		q.TimeZone = c.setup.Workspace.TimeZone
	}
	if q.Days != nil && (*q.Days < 1 || *q.Days > 31) {
		return nil, fault.Invalid("days", "must lie between 1 and 31")
	}
	if in.Link != "" {
		b, a, err := d.byLink(ctx, c, in.Link)
		if err != nil {
			return nil, err
		}
		actor, q.ExcludeBooking = a, b.ID.String()
		if e := c.setup.EventType(in.Service); q.Host == "" && e != nil && e.ID == b.EventTypeID {
			q.Host = app.HostKept(c.setup, e, &b)
		}
	} else if err := listedOnly(c.setup, in.Service); err != nil {
		return nil, err
	}
	return d.service.Availability(ctx, actor, q)
}

// listedOnly refuses an event type that strangers don't know of.
func listedOnly(setup *catalog.Setup, ref string) error {
	if e := setup.EventType(ref); e == nil || !e.Listed() {
		return fault.Missing("event type", ref)
	}
	return nil
}

func (d *Door) requestBooking(ctx context.Context, c call, r mcp.CallToolRequest) (any, error) {
	var in struct {
		Service      string         `json:"service"`
		Start        string         `json:"start"`
		Name         string         `json:"name"`
		Email        string         `json:"email"`
		Phone        string         `json:"phone"`
		TimeZone     string         `json:"timeZone"`
		Locale       string         `json:"locale"`
		Host         string         `json:"host"`
		Notes        string         `json:"notes"`
		Answers      map[string]any `json:"answers"`
		AddOns       []string       `json:"addOns"`
		Seats        int            `json:"seats"`
		Participants []string       `json:"participants"`
		Key          string         `json:"key"`
		Proof        string         `json:"proof"`
	}
	if err := readInto(r, &in); err != nil {
		return nil, err
	}
	bits, err := d.service.Gate.Work(ctx, c.setup.Workspace.ID, d.challenge.Bits(), d.options.BookingsPerHour)
	if err != nil {
		return nil, err
	}
	if !d.challenge.Met(in.Key, in.Proof, bits) {
		return nil, d.askForWork(bits)
	}
	asked := guest.Asked{From: c.from, BookInput: booking.BookInput{EventType: in.Service, Start: in.Start, Host: in.Host,
		Notes: in.Notes, Answers: in.Answers, AddOns: in.AddOns, Seats: in.Seats, Participants: in.Participants,
		Invitee: booking.Invitee{Name: in.Name, Email: in.Email, Phone: in.Phone, TimeZone: in.TimeZone, Locale: in.Locale}}}
	if err := d.spend(ctx, c, in.Key, bits, &asked); err != nil {
		return nil, err
	}
	w, err := d.service.Guest.Ask(ctx, c.setup, asked)
	if err != nil {
		return nil, err
	}
	return waitingOf(c.setup, &w), nil
}

// askForWork asks for the proof of work that the booking form asks for, too.
func (d *Door) askForWork(bits int) error {
	return fault.Conflictf("proof_of_work", "This server asks for some work: find a proof, any text, for which the "+
		"SHA-256 "+
		"of key, a colon and the proof begins with that many zero bits, and call again with key and proof. Or the "+
		"person "+
		"books on the page.").With("key", d.challenge.Key()).With("bits", bits)
}

// spend counts a request as the booking form counts a booking, and uses its proof up.
func (d *Door) spend(ctx context.Context, c call, key string, bits int, in *guest.Asked) error {
	f := gate.Form{Client: d.service.Gate.Assistant(c.from, d.options.BookingsPerHour), Proves: bits > 0,
		Purpose: c.setup.Workspace.Slug + "/" + in.EventType + "@" + in.Start + "/" + fault.EmailKey(in.Invitee.Email)}
	if f.Proves {
		f.Key = key
	}
	err := d.service.Gate.Spend(ctx, f)
	if errors.Is(err, gate.ErrSpent) {
		return d.askForWork(bits)
	}
	return err
}

func (d *Door) confirmBooking(ctx context.Context, c call, r mcp.CallToolRequest) (any, error) {
	var in struct {
		Request string `json:"request"`
		Code    string `json:"code"`
	}
	if err := readInto(r, &in); err != nil {
		return nil, err
	}
	b, err := d.service.Guest.Confirm(ctx, c.setup, in.Request, in.Code, c.from)
	if err != nil {
		return nil, err
	}
	return bookingOf(c.setup, &b), nil
}

// byLink finds the booking of a link, if it is of this business.
func (d *Door) byLink(ctx context.Context, c call, link string) (booking.Booking, app.Actor, error) {
	token := link[strings.LastIndexByte(strings.TrimRight(link, "/"), '/')+1:]
	b, a, err := d.service.BookingByToken(ctx, strings.TrimRight(token, "/"))
	if err == nil && b.WorkspaceID != c.setup.Workspace.ID {
		err = fault.New(fault.NotFound, "", "This link leads to no booking here.")
	}
	return b, a, err
}

func (d *Door) getBooking(ctx context.Context, c call, r mcp.CallToolRequest) (any, error) {
	var in struct {
		Link string `json:"link"`
	}
	if err := readInto(r, &in); err != nil {
		return nil, err
	}
	b, _, err := d.byLink(ctx, c, in.Link)
	if err != nil {
		return nil, err
	}
	return bookingOf(c.setup, &b), nil
}

func (d *Door) moveBooking(ctx context.Context, c call, r mcp.CallToolRequest) (any, error) {
	var in struct {
		Link   string `json:"link"`
		Start  string `json:"start"`
		Reason string `json:"reason"`
	}
	if err := readInto(r, &in); err != nil {
		return nil, err
	}
	b, a, err := d.byLink(ctx, c, in.Link)
	if err != nil {
		return nil, err
	}
	if err := d.service.Gate.Count(ctx, d.service.Gate.Assistant(c.from, d.options.BookingsPerHour)); err != nil {
		return nil, err
	}
	b, err = d.service.Reschedule(ctx, a, b.ID.String(), app.RescheduleInput{Start: in.Start, Reason: in.Reason})
	if err != nil {
		return nil, err
	}
	return bookingOf(c.setup, &b), nil
}

func (d *Door) cancelBooking(ctx context.Context, c call, r mcp.CallToolRequest) (any, error) {
	var in struct {
		Link   string `json:"link"`
		Reason string `json:"reason"`
	}
	if err := readInto(r, &in); err != nil {
		return nil, err
	}
	b, a, err := d.byLink(ctx, c, in.Link)
	if err != nil {
		return nil, err
	}
	b, err = d.service.Cancel(ctx, a, b.ID.String(), app.CancelInput{Reason: in.Reason})
	if err != nil {
		return nil, err
	}
	return bookingOf(c.setup, &b), nil
}
