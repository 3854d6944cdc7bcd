package setup

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	about "daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// File is a workspace's set-up as a file says it, read and ready to be applied: the workspace itself, hosts with
// their hours, and event types. It only says what its author wrote; ApplySetup fills in the rest.
type File struct {
	root       *node
	workspace  patch[catalog.Workspace]
	hosts      []patch[catalog.Host]
	eventTypes []patch[catalog.EventType]
}

// patch is what the file says of one thing.
type patch[T any] struct {
	at    at
	id    string // "" when not given
	key   string // what identifies it besides: a slug or an e-mail; "" when not given
	given map[string]at
	set   []func(*T)
	last  []func(*T) error // what depends on other fields
}

func (p *patch[T]) apply(to *T) error {
	for _, set := range p.set {
		set(to)
	}
	for _, set := range p.last {
		if err := set(to); err != nil {
			return err
		}
	}
	return nil
}

// MaxBytes bounds a set-up file.
const MaxBytes = 4 << 20

// maxSetupValues bounds what its aliases may make of it.
const maxSetupValues = 1_000_000

// Parse reads a set-up file, YAML or JSON, of at most 4 MiB. The bad_request that it answers names the line and
// the path of what is wrong, and what was expected there.
//
// The document is
//
//	workspace: {id, slug, name, timeZone, currency}
//	hosts: [{id, name, email, timeZone, active, weekly: {mon … sun: [ranges]}, overrides, timeOff}]
//	eventTypes: [{id, slug, title, …}] with the names of the API
//
// A field that is left out stays as it is, or takes its default where the thing is new; that goes for the days of
// weekly and the currency of a price too. A list that is given replaces the old one. null clears a price, a fee, a
// cap, a text that may be empty, a day, a list of hours; slotStepMinutes: null makes the step the duration.
//
// A workspace is found by its id, else by its slug; a host by id, else e-mail; an event type by id, else slug. An id
// that this database doesn't have is not an error, so that a file can be moved to another one: what is then created
// takes that id where it is free. To copy a workspace within a database, remove the ids.
func Parse(text []byte) (File, error) {
	if len(text) > MaxBytes {
		return File{}, fault.Invalid("file", "must have at most %d MiB", MaxBytes>>20)
	}
	root, err := readNodes(text)
	if err != nil {
		return File{}, err
	}
	f := File{root: root}
	left := maxSetupValues
	return f, at{node: root, left: &left}.object(map[string]field{
		"workspace":  func(v at) error { return f.workspace.read(v, workspaceFields(&f.workspace)) },
		"hosts":      func(v at) error { return readPatches(v, catalog.MaxHosts, &f.hosts, hostFields) },
		"eventTypes": func(v at) error { return readPatches(v, catalog.MaxEventTypes, &f.eventTypes, eventTypeFields) },
	})
}

func readPatches[T any](v at, most int, to *[]patch[T], fields func(*patch[T]) map[string]field) error {
	return v.list(most, func(v at) error {
		var p patch[T]
		err := p.read(v, fields(&p))
		*to = append(*to, p)
		return err
	})
}

func (p *patch[T]) read(v at, fields map[string]field) error {
	p.at, p.given = v, map[string]at{}
	for name, read := range fields {
		fields[name] = func(v at) error {
			p.given[name] = v
			return read(v)
		}
	}
	return v.object(fields)
}

// field reads the value of one field.
type field func(at) error

// put is the field that is read by read and kept where to says.
func put[T, V any](p *patch[T], read func(at) (V, error), to func(*T) *V) field {
	return func(v at) error {
		value, err := read(v)
		p.set = append(p.set, func(t *T) { *to(t) = value })
		return err
	}
}

func keep(to *string) field {
	return func(v at) (err error) {
		*to, err = readText[string](v)
		return err
	}
}

func workspaceFields(p *patch[catalog.Workspace]) map[string]field {
	return map[string]field{
		"id":       keep(&p.id),
		"slug":     keep(&p.key),
		"name":     put(p, readText[string], func(w *catalog.Workspace) *string { return &w.Name }),
		"timeZone": put(p, readText[string], func(w *catalog.Workspace) *string { return &w.TimeZone }),
		"currency": put(p, readText[string], func(w *catalog.Workspace) *string { return &w.Currency }),
	}
}

func hostFields(p *patch[catalog.Host]) map[string]field {
	return map[string]field{
		"id":        keep(&p.id),
		"email":     keep(&p.key),
		"name":      put(p, readText[string], func(h *catalog.Host) *string { return &h.Name }),
		"timeZone":  put(p, readText[string], func(h *catalog.Host) *string { return &h.TimeZone }),
		"active":    put(p, readBool, func(h *catalog.Host) *bool { return &h.Active }),
		"weekly":    weeklyField(p),
		"overrides": put(p, readOverrides, func(h *catalog.Host) *[]catalog.Override { return &h.Overrides }),
		"timeOff":   timeOffField(p),
	}
}

// eventTypeFields are those that its description says stand in set-up files.
func eventTypeFields(p *patch[catalog.EventType]) map[string]field {
	fields := map[string]field{}
	for _, f := range catalog.EventTypeFields.Fields {
		if f.InFile {
			fields[f.Name] = described(p, f)
		}
	}
	fields["id"], fields["slug"] = keep(&p.id), keep(&p.key)
	// They may be new: see planner.serve.
	fields["hosts"] = func(v at) error { _, err := readTexts(v); return err }
	return fields
}

// described reads a field as its type asks for.
func described[T any](p *patch[T], f about.Field) field {
	to := func(t *T) reflect.Value { return about.In(t, f.Name) }
	switch of := to(new(T)); of.Interface().(type) {
	case *catalog.Money:
		return moneyField(p, func(t *T) **catalog.Money { return to(t).Addr().Interface().(**catalog.Money) })
	case []catalog.Question:
		return put(p, readQuestions, func(t *T) *[]catalog.Question {
			return to(t).Addr().Interface().(*[]catalog.Question)
		})
	case []catalog.HostRef:
		return nil // by e-mail
	case []int:
		return put(p, readWholes, func(t *T) *[]int { return to(t).Addr().Interface().(*[]int) })
	default:
		return func(v at) (err error) {
			value := reflect.New(of.Type()).Elem()
			if !f.Clears || !v.null() {
				err = readInto(v, value)
			}
			p.set = append(p.set, func(t *T) { to(t).Set(value) })
			return err
		}
	}
}

// readInto reads a text, a number, a truth or a list of texts.
func readInto(v at, to reflect.Value) error {
	switch to.Kind() {
	case reflect.Int:
		n, err := readWhole(v)
		to.SetInt(int64(n))
		return err
	case reflect.Bool:
		is, err := readBool(v)
		to.SetBool(is)
		return err
	case reflect.Slice:
		texts, err := readTexts(v)
		to.Set(reflect.MakeSlice(to.Type(), len(texts), len(texts)))
		for i, text := range texts {
			to.Index(i).SetString(text)
		}
		return err
	}
	text, err := readText[string](v)
	if err == nil {
		to.SetString(text)
	}
	return err
}

// moneyField keeps the currency of the price before when the file gives none.
func moneyField[T any](p *patch[T], to func(*T) **catalog.Money) field {
	return func(v at) error {
		if v.null() {
			p.set = append(p.set, func(t *T) { *to(t) = nil })
			return nil
		}
		var amount *int64
		var currency string
		err := v.object(map[string]field{
			"amount":   func(v at) error { n, err := readWhole(v); a := int64(n); amount = &a; return err },
			"currency": keep(&currency),
		})
		if err == nil && amount == nil {
			err = v.child("amount",
				v.node).wrong("is required: minor units, such as 4500 for 45.00; a free event type has price: null")
		}
		if err != nil {
			return err
		}
		p.set = append(p.set, func(t *T) {
			m := catalog.Money{Amount: *amount, Currency: currency}
			if old := *to(t); currency == "" && old != nil {
				m.Currency = old.Currency
			}
			*to(t) = &m
		})
		return nil
	}
}

func weeklyField(p *patch[catalog.Host]) field {
	return func(v at) error {
		if v.null() {
			p.set = append(p.set, func(h *catalog.Host) { h.Weekly = nil })
			return nil
		}
		days := map[string][]string{}
		fields := map[string]field{}
		for _, day := range catalog.Weekdays {
			fields[day] = func(v at) (err error) {
				days[day], err = readTexts(v)
				return err
			}
		}
		p.set = append(p.set, func(h *catalog.Host) {
			weekly := map[string][]string{}
			for _, day := range catalog.Weekdays {
				ranges, given := days[day]
				if !given {
					ranges = h.Weekly[day]
				}
				if len(ranges) > 0 {
					weekly[day] = ranges
				}
			}
			h.Weekly = weekly
		})
		return v.object(fields)
	}
}

func readOverrides(v at) (all []catalog.Override, err error) {
	if v.null() {
		return nil, nil
	}
	return all, v.list(catalog.MaxOverrides, func(v at) error {
		o := catalog.Override{Hours: []string{}}
		err := v.needs(map[string]field{
			"date":  keep(&o.Date),
			"hours": func(v at) (err error) { o.Hours, err = readTexts(v); return err },
		}, "date", "hours")
		all = append(all, o)
		return err
	})
}

// timeOffField reads spans whose ends are times, or days of the host's zone: "end" is then the last day off, and may
// be left out when it is the first one too.
func timeOffField(p *patch[catalog.Host]) field {
	return func(v at) error {
		var given []timeOffPatch
		p.last = append(p.last, func(h *catalog.Host) error {
			zone, err := catalog.CheckZone("timeZone", h.TimeZone)
			if err != nil {
				zone = time.UTC // told by the check of the zone
			}
			h.TimeOff = nil
			for _, t := range given {
				off, err := t.in(zone)
				if err != nil {
					return err
				}
				h.TimeOff = append(h.TimeOff, off)
			}
			return nil
		})
		if v.null() {
			return nil
		}
		return v.list(catalog.MaxTimeOff, func(v at) error {
			t := timeOffPatch{at: v}
			end := func(to *string) field {
				return func(v at) (err error) {
					if *to, err = readText[string](v); err != nil {
						return err
					}
					if _, err := slot.ParseDate(*to); err == nil {
						return nil
					}
					if _, err := when.Parse(*to); err != nil {
						return v.wrong("expected a day such as 2026-12-24, or a time with a zone such as 2026-12-24T12:00:00Z")
					}
					return nil
				}
			}
			err := v.needs(map[string]field{
				"start": end(&t.start), "end": end(&t.end),
				"reason": func(v at) (err error) { t.reason, err = orNull(readText[string])(v); return err },
			}, "start")
			given = append(given, t)
			return err
		})
	}
}

// timeOffPatch is a time off as the file says it.
type timeOffPatch struct {
	at                 at
	start, end, reason string
}

func (t timeOffPatch) in(zone *time.Location) (catalog.TimeOff, error) {
	off := catalog.TimeOff{Reason: t.reason}
	var err error
	if off.Start, err = dayOrInstant(t.start, zone, 0); err != nil {
		return off, t.at.wrong("%v", err)
	}
	end := t.end
	if _, notDay := slot.ParseDate(t.start); end == "" && notDay == nil {
		end = t.start
	}
	if end == "" {
		return off, t.at.child("end", t.at.node).wrong("is required where start is a time and not a day")
	}
	if off.End, err = dayOrInstant(end, zone, 1); err != nil {
		return off, t.at.wrong("%v", err)
	}
	return off, nil
}

// dayOrInstant is a time with a zone, or the beginning of a day, so many days on.
func dayOrInstant(text string, zone *time.Location, days int) (when.Instant, error) {
	if _, err := slot.ParseDate(text); err == nil {
		return catalog.WallClock("timeOff", text, zone, days)
	}
	return when.Parse(text)
}

func readQuestions(v at) ([]catalog.Question, error) {
	all := []catalog.Question{}
	if v.null() {
		return all, nil
	}
	return all, v.list(catalog.MaxQuestions, func(v at) error {
		q := catalog.Question{Type: "text"}
		err := v.needs(map[string]field{
			"key": keep(&q.Key), "label": keep(&q.Label), "type": keep(&q.Type),
			"required": func(v at) (err error) { q.Required, err = readBool(v); return err },
			"options":  func(v at) (err error) { q.Options, err = readTexts(v); return err },
		}, "key", "label")
		all = append(all, q)
		return err
	})
}

// located adds the line that the error's field stands on, or the line of the nearest thing around it.
func (f *File) located(err error) error {
	e := fault.As(err)
	switch {
	case e == nil || e.Field == "":
		return err
	case len(e.Parts) > 0:
		var all mistakes
		for _, part := range e.Parts {
			all.add(f.located(part))
		}
		return all.err()
	case e.Details["line"] != nil:
		return err
	}
	return e.OnLine(lineOf(f.root, e.Field))
}

// lineOf follows path as far as it leads.
func lineOf(n *node, path string) int {
	line := n.line
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		n = followed(n)
		next := step(n, name)
		if next == nil {
			return line
		}
		n, line = next, next.line
	}
	return line
}

func step(n *node, name string) *node {
	switch n.kind {
	case mappingNode:
		for i := 0; i+1 < len(n.content); i += 2 {
			if n.content[i].value == name {
				return n.content[i+1]
			}
		}
	case sequenceNode:
		var i int
		if _, err := fmt.Sscanf(name, "%d", &i); err == nil && i >= 0 && i < len(n.content) {
			return n.content[i]
		}
	}
	return nil
}

func followed(n *node) *node {
	for range 100 {
		if n.kind != aliasNode {
			break
		}
		n = n.alias
	}
	return n
}
