package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
)

// Report is the result of applying a set-up file, or of a dry run.
type Report struct {
	Differences []Difference `json:"differences"`
	Left        []Unnamed    `json:"left"` // what the file doesn't name: it stays as it is
	Warnings    []Warning    `json:"warnings"`
}

// Unnamed is a host, a resource, an event type or, where the file has some, a product that the file doesn't name.
type Unnamed struct {
	Kind   string `json:"kind"` // host, resource, eventType or product
	Name   string `json:"name"` // e-mail, name or slug
	Active bool   `json:"active"`
}

// Warning is a setting that is allowed but probably not intended. Path and line say where it is in the file.
type Warning struct {
	Line    int    `json:"line,omitempty"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Difference is one change by a set-up file, made or, in a dry run, to be made.
type Difference struct {
	Change string          `json:"change"`          // create or update
	Kind   string          `json:"kind"`            // workspace, host, resource, eventType or product
	Name   string          `json:"name"`            // slug, e-mail or name, as it was
	Field  string          `json:"field,omitempty"` // of an update
	From   json.RawMessage `json:"from,omitempty"`
	To     json.RawMessage `json:"to,omitempty"`
}

// create notes something new. To has all fields but the id, which a dry run does not keep.
func (p *planner) create(kind, name string, to any) {
	fields := fieldsOf(to)
	delete(fields, "id")
	p.report.Differences = append(p.report.Differences,
		Difference{Change: "create", Kind: kind, Name: name, To: rawJSON(fields)})
}

// compare notes the fields in which two objects differ, by name, and reports whether there are any. The days of a week
// are noted each by itself.
func (p *planner) compare(kind, name string, from, to Object) bool {
	noted := len(p.report.Differences)
	note := func(field string, old, now json.RawMessage) {
		if !bytes.Equal(old, now) {
			p.report.Differences = append(p.report.Differences,
				Difference{Change: "update", Kind: kind, Name: name, Field: field, From: old, To: now})
		}
	}
	byName := func(a, b Member) int { return strings.Compare(a.Name, b.Name) }
	for _, m := range slices.SortedFunc(slices.Values(to), byName) {
		old := from.member(m.Name)
		if m.days == nil {
			note(m.Name, old.Value, m.Value)
		}
		for _, day := range m.days {
			note(m.Name+"."+day.Name, old.days.member(day.Name).Value, day.Value)
		}
	}
	return len(p.report.Differences) > noted
}

// left notes what the file doesn't name; named are the event types in the file.
func (p *planner) left(named map[catalog.EventTypeID]int) {
	for i := range p.hosts {
		h := &p.hosts[i]
		if !slices.ContainsFunc(p.file.hosts,
			func(f patch[catalog.Host]) bool { return f.id == h.ID.String() || fault.SameEmail(f.key, h.Email) }) {
			p.report.Left = append(p.report.Left, Unnamed{"host", h.Email, h.Active})
		}
	}
	for i := range p.resources {
		r := &p.resources[i]
		if !slices.ContainsFunc(p.file.resources,
			func(f patch[catalog.Resource]) bool {
				return f.id == r.ID.String() || catalog.ResourceKey(f.key) == catalog.ResourceKey(r.Name)
			}) {
			p.report.Left = append(p.report.Left, Unnamed{"resource", r.Name, r.Active})
		}
	}
	for i := range p.types {
		if e := &p.types[i]; !hasKey(named, e.ID) {
			p.report.Left = append(p.report.Left, Unnamed{"eventType", e.Slug, e.Active})
		}
	}
}

func hasKey[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}

// warnOf warns about settings of an event type that are probably not intended.
func (p *planner) warnOf(f *patch[catalog.EventType], field string, e *catalog.EventType) {
	warn := func(name, format string, args ...any) {
		v, given := f.given[name]
		if !given {
			v = f.at
		}
		p.report.Warnings = append(p.report.Warnings, Warning{v.node.Line, field + "." + name, fmt.Sprintf(format, args...)})
	}
	for _, m := range []struct {
		name  string
		money *money.Money
	}{{"price", e.Price}, {"noShowFee", e.NoShowFee}, {"lateCancellationFee", e.LateCancellationFee}} {
		if m.money != nil && m.money.Currency != p.workspace.Currency && hasKey(f.given, m.name) {
			warn(m.name, "the currency is %s, but the workspace's is %s", m.money.Currency, p.workspace.Currency)
		}
	}
	given := hasKey(f.given, "payment") || hasKey(f.given, "price") || hasKey(f.given, "noShowFee") ||
		hasKey(f.given, "deposit") || hasKey(f.given, "lateCancellationFee")
	if given && !p.cards {
		switch {
		case e.NoShowFee != nil:
			warn("noShowFee",
				"Stripe isn't connected, so no card is asked for and no fee charged; connect it by: daybook payments connect "+
					"--workspace %s", p.workspace.Slug)
		case e.LateCancellationFee != nil:
			warn("lateCancellationFee", "Stripe isn't connected, so no card is asked for and no fee charged; connect it by: "+
				"daybook payments connect --workspace %s", p.workspace.Slug)
		case e.Deposit != nil:
			warn("deposit", "Stripe isn't connected, so nobody is asked for a deposit; connect it by: daybook payments connect "+
				"--workspace %s", p.workspace.Slug)
		case e.Price != nil && e.Payment == catalog.PayOnline:
			warn("payment",
				"Stripe isn't connected, so nobody is asked to pay online; connect it by: daybook payments connect --workspace %s",
				p.workspace.Slug)
		}
	}
	if text := e.StepAdvice(); text != "" && (hasKey(f.given, "slotStepMinutes") || hasKey(f.given, "durationMinutes") ||
		hasKey(f.given, "bufferAfterMinutes") || hasKey(f.given, "bufferBeforeMinutes")) {
		warn("slotStepMinutes", "%s", text)
	}
}

func fieldsOf(document any) (fields map[string]json.RawMessage) {
	if err := json.Unmarshal(rawJSON(document), &fields); err != nil {
		panic(err) // it was marshalled just now
	}
	return fields
}

func rawJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // documents have only what JSON has
	}
	return text
}
