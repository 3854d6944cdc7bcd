package setup

import (
	"errors"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	about "daybook/app/field"
	"daybook/app/money"
)

// EventTypeChange is a caller's change of one event type, as JSON with the fields and shapes of a set-up file. Fields
// that it leaves out stay as they are.
type EventTypeChange struct{ of patch[catalog.EventType] }

// HostChange is the same about a host.
type HostChange struct{ of patch[catalog.Host] }

// ResourceChange is the same about a resource.
type ResourceChange struct{ of patch[catalog.Resource] }

// ProductChange is the same about a product.
type ProductChange struct{ of patch[catalog.Product] }

// AccountsChange is the same about the accounts of a workspace.
type AccountsChange struct{ of patch[catalog.Accounts] }

// TimeOffChange is one time off in the shape of a set-up file.
type TimeOffChange struct{ list func(host any) error }

// OwnEventType, OwnHost, OwnResource and OwnProduct describe the fields that a caller may give: those of a file, without the id.
var (
	OwnEventType = withoutID(&catalog.EventTypeFields)
	OwnHost      = withoutID(&catalog.HostFields)
	OwnResource  = withoutID(&catalog.ResourceFields)
	OwnProduct   = withoutID(&catalog.ProductFields)
)

func withoutID(of *about.Resource) *about.Resource {
	own := &about.Resource{Text: of.Text}
	for _, f := range of.Fields {
		if f.InFile && f.Name != "id" {
			own.Fields = append(own.Fields, f)
		}
	}
	return own
}

// UnmarshalJSON reads the fields. The error is bad_request and names what is wrong.
func (c *EventTypeChange) UnmarshalJSON(text []byte) error { return readOne(text, &c.of, OwnEventType) }

// UnmarshalJSON reads the fields. The error is bad_request and names what is wrong.
func (c *HostChange) UnmarshalJSON(text []byte) error { return readOne(text, &c.of, OwnHost) }

// UnmarshalJSON reads the fields. The error is bad_request and names what is wrong.
func (c *ResourceChange) UnmarshalJSON(text []byte) error { return readOne(text, &c.of, OwnResource) }

// UnmarshalJSON reads the fields. The error is bad_request and names what is wrong.
func (c *ProductChange) UnmarshalJSON(text []byte) error { return readOne(text, &c.of, OwnProduct) }

// UnmarshalJSON reads the fields. The error is bad_request and names what is wrong.
func (c *AccountsChange) UnmarshalJSON(text []byte) error {
	return readOne(text, &c.of, &catalog.AccountsFields)
}

// Apply changes accounts.
func (c *AccountsChange) Apply(x *catalog.Accounts) error { return c.of.apply(x) }

// UnmarshalJSON reads the fields. The error is bad_request and names what is wrong.
func (c *TimeOffChange) UnmarshalJSON(text []byte) error {
	v, err := rootOf(text)
	if err != nil {
		return err
	}
	var p changes
	read := timeOffField(&p, func(h any) *[]catalog.TimeOff { return &h.(*catalog.Host).TimeOff })
	if err := read(at{&node{Kind: sequence, Content: []*node{v.node}}, "", v.left}); err != nil {
		return within0(err)
	}
	c.list = p.apply
	return nil
}

// In returns the time off on the clock of the zone. The error is bad_request.
func (c *TimeOffChange) In(zone string) (catalog.TimeOff, error) {
	h := catalog.Host{TimeZone: zone}
	if c.list == nil {
		return catalog.TimeOff{}, fault.Invalid("start", "is required")
	}
	if err := c.list(&h); err != nil {
		return catalog.TimeOff{}, within0(err)
	}
	return h.TimeOff[0], nil
}

// within0 takes the place in a list from the fields of an error: the caller sent the only item by itself.
func within0(err error) error {
	e := fault.As(err)
	if e == nil {
		return err
	}
	for _, part := range append([]*fault.Error{e}, e.Parts...) {
		if part.Field = strings.TrimPrefix(strings.TrimPrefix(part.Field, "[0]"), "."); part.Field == "" {
			part.Field = "start"
		}
	}
	return err
}

func readOne[T any](text []byte, to *patch[T], r *about.Resource) error {
	v, err := rootOf(text)
	if err != nil {
		return err
	}
	return to.read(v, r)
}

// rootOf returns a JSON object as the reader of files sees it, without lines: callers have sent none.
func rootOf(text []byte) (at, error) {
	root, err := readYAML(text)
	if err != nil {
		return at{}, err
	}
	if root.Kind != mapping {
		return at{}, errNoObject
	}
	left := maxSetupValues
	return at{node: root, left: &left}, withoutLines(root, "")
}

var errNoObject = errors.New("setup: no JSON object")

func withoutLines(n *node, path string) error {
	n.Line = 0
	if strings.IndexByte(n.Value, 0) >= 0 {
		return fault.Invalid(strings.TrimPrefix(path, "."), "must not contain NUL")
	}
	for i, part := range n.Content {
		name := path
		if n.Kind == mapping && i%2 == 1 {
			name += "." + strings.ReplaceAll(n.Content[i-1].Value, "\x00", "")
		}
		if err := withoutLines(part, name); err != nil {
			return err
		}
	}
	return nil
}

// Apply changes an event type of the set-up; one without an id is new, and gets defaults. Errors: bad_request for a
// field of "eventType".
func (c *EventTypeChange) Apply(s *catalog.Setup, e *catalog.EventType) error {
	p := planner{workspace: s.Workspace, hosts: s.Hosts, resources: s.Resources}
	if err := p.fill(&c.of, "eventType", e, e.ID == 0); err != nil {
		return err
	}
	if err := p.serve(&c.of, "eventType", e, e.ID == 0); err != nil {
		return err
	}
	return p.need(&c.of, "eventType", e)
}

// Apply changes a host of the workspace; one without an id is new, and gets defaults. Errors: bad_request for a field
// of "host".
func (c *HostChange) Apply(w *catalog.Workspace, h *catalog.Host) error {
	if err := c.of.apply(h); err != nil {
		return err
	}
	if c.of.key != "" {
		h.Email = c.of.key
	}
	p := planner{workspace: *w}
	p.withCurrency(h.EventTypes)
	if h.ID != 0 {
		return nil
	}
	return c.of.require("host", &catalog.HostFields)
}

// Apply changes a resource; one without an id is new. Errors: bad_request for a field of "resource".
func (c *ResourceChange) Apply(r *catalog.Resource) error {
	if err := c.of.apply(r); err != nil {
		return err
	}
	if c.of.key != "" {
		r.Name = c.of.key
	}
	if r.ID != 0 {
		return nil
	}
	return c.of.require("resource", &catalog.ResourceFields)
}

// Apply changes a product; one without an id is new. Errors: bad_request for a field of "product".
func (c *ProductChange) Apply(p *catalog.Product) error {
	if err := c.of.apply(p); err != nil {
		return err
	}
	if c.of.key != "" {
		p.Name = c.of.key
	}
	if p.ID != 0 {
		return nil
	}
	return c.of.require("product", &catalog.ProductFields)
}

// fill changes e as the file says, but for the hosts and needs.
func (p *planner) fill(f *patch[catalog.EventType], field string, e *catalog.EventType, isNew bool) error {
	if err := f.apply(e); err != nil {
		return err
	}
	if f.key != "" {
		e.Slug = f.key
	}
	if isNew {
		if err := f.require(field, &catalog.EventTypeFields); err != nil {
			return err
		}
	}
	if hasKey(f.given, "parts") && !hasKey(f.given, "durationMinutes") && len(e.Parts) > 0 {
		e.DurationMinutes = 0 // it is their sum
	}
	amounts := []**money.Money{&e.Price, &e.NoShowFee, &e.LateCancellationFee}
	for i := range e.AddOns {
		amounts = append(amounts, &e.AddOns[i].Price)
	}
	if e.Deposit != nil {
		amounts = append(amounts, &e.Deposit.Amount)
	}
	for _, m := range amounts {
		if *m != nil && (*m).Currency == "" {
			*m = &money.Money{Amount: (*m).Amount, Currency: p.workspace.Currency}
		}
	}
	return nil
}

// HostObject returns a host in the shape of a set-up file, with the time at which it was made.
func HostObject(h *catalog.Host) Object {
	return append(hostObject(h), Member{Name: "createdAt", Value: rawJSON(h.CreatedAt)})
}

// ResourceObject returns a resource in the shape of a set-up file, with the time at which it was made.
func ResourceObject(r *catalog.Resource) Object {
	return append(resourceObject(r), Member{Name: "createdAt", Value: rawJSON(r.CreatedAt)})
}

// TimeOffOf returns a time off in the shape of a file, on the clock of the zone.
func TimeOffOf(t catalog.TimeOff, zone string) TimeOffDocument { return timeOffDocument(t, zone) }
