package booking

import (
	"encoding/json"
	"iter"
	"slices"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// Taken is what a booking takes, and nobody else can have: its time. A search finds it, and bookings and holds keep it
// as it was found, so what is added here needs no line where a booking is made, moved, edited or brought back after it has lapsed; an undone
// no-show is checked in app/mark_noshow.go. Place is
// the exception: a booking that gets another event type gets its place by TakePlace, as a place like no other is the
// booking's id.
type Taken struct {
	Start     when.Instant `json:"start"`
	End       when.Instant `json:"end"`
	BusyStart when.Instant `json:"-"` // Start less the buffer before
	BusyEnd   when.Instant `json:"-"` // End and the buffer after
	Place     slot.Place   `json:"-"` // see PlaceOf
	// Arounds are the resources and people beside the host that are taken longer or shorter than from BusyStart to BusyEnd.
	Arounds []Around `json:"-"`
	// Resources are the rooms and things that it takes besides its host, one for each need of the event type.
	// Those of a session are taken once, by all its bookings.
	Resources []catalog.ResourceRef `json:"resources,omitempty"`
	// Parts are those of a service in parts: the host is taken only while there is work. None is work all the while.
	Parts []BookedPart `json:"parts,omitempty"`
	// Hosts are all who do it, the one who leads first, or nobody where that is one. The others are taken as the one who
	// leads is, while there is work and with the service's buffers; those of a session once, by all its bookings.
	Hosts []catalog.HostRef `json:"hosts,omitempty"`
	// Untimed is a booking that was over when it was imported, and takes nobody's time: another one was then, too.
	Untimed bool `json:"-"`
}

// TakenFields describes the fields of Taken behind its start and end, as those of a booking or of what is held.
func TakenFields(held bool) (all []field.Field) {
	add := func(f field.Field, textOfHold string) {
		if held {
			f.Text, f.Agents = textOfHold, ""
		}
		all = append(all, f)
	}
	add(field.Field{Name: "resources", Of: &catalog.ResourceRefFields, Each: "A resource.",
		Text: "The rooms, chairs and equipment that it takes, one for each of the event type's `needs`; left out when none. " +
			"A move keeps those that are free.",
		Agents: "The rooms and things that it takes; absent when none."},
		"The rooms, chairs and equipment that are held with it; left out when none.")
	add(field.Field{Name: "hosts", Of: &catalog.HostRefFields, Each: "A host.",
		Text: "All who do it where the event type `needs` several hosts: the one who leads, who is `host`, and then the others. " +
			"Left out when it is one. A move keeps those who are free.",
		Agents: "All who do it, the one who leads first; absent when it is one."},
		"All whose time is held, the one who leads first, where the event type `needs` several hosts; left out when it is one.")
	add(field.Field{Name: "parts", Of: &BookedPartFields, Each: "A part.",
		Text:   "The parts of a service in parts: in a `wait` the host is free for others. Left out when it is work all the while.",
		Agents: "Work and waits, in which the host is free for others; absent when it is work all the while."},
		"The parts of a service in parts, of which only work is held; left out when it is work all the while.")
	return all
}

// appendMembers appends the JSON of the fields, without the braces.
func (t *Taken) appendMembers(dst []byte) (_ []byte, err error) {
	dst = t.Start.AppendJSON(append(dst, `"start":`...))
	dst = t.End.AppendJSON(append(dst, `,"end":`...))
	if dst, err = appendSome(dst, `,"resources":`, t.Resources); err != nil {
		return dst, err
	}
	if dst, err = appendSome(dst, `,"parts":`, t.Parts); err != nil {
		return dst, err
	}
	return appendSome(dst, `,"hosts":`, t.Hosts)
}

// appendSome appends a list behind its name, unless it is empty.
func appendSome[T any](dst []byte, name string, list []T) ([]byte, error) {
	if len(list) == 0 {
		return dst, nil
	}
	text, err := json.Marshal(list)
	return append(append(dst, name...), text...), err
}

// NameTaken gives whom and what it takes the names that they have now, in copies: others may have read the same lists.
func (t *Taken) NameTaken(setup *catalog.Setup) {
	for i, h := range t.Hosts {
		if now := setup.Host(h.ID); now != nil && now.Name != h.Name {
			t.Hosts = slices.Clone(t.Hosts)
			t.Hosts[i].Name = now.Name
		}
	}
	for i, r := range t.Resources {
		if now := setup.Resource(r.ID); now != nil && now.Name != r.Name {
			t.Resources = slices.Clone(t.Resources)
			t.Resources[i].Name = now.Name
		}
	}
}

// Others returns the hosts beside the one who leads.
func (t *Taken) Others() []catalog.HostRef {
	if len(t.Hosts) == 0 {
		return nil
	}
	return t.Hosts[1:]
}

// Beside is somebody or something that a booking takes beside its host.
type Beside struct {
	catalog.Subject
	Name  string
	Whole bool // also while nobody works
}

// Beside returns all that it takes beside its host, people first.
func (t *Taken) Beside() iter.Seq[Beside] {
	return func(yield func(Beside) bool) {
		for _, h := range t.Others() {
			if !yield(Beside{catalog.OfHost(h.ID), h.Name, false}) {
				return
			}
		}
		for _, r := range t.Resources {
			if !yield(Beside{catalog.OfResource(r.ID), r.Name, r.During != catalog.DuringWork}) {
				return
			}
		}
	}
}

// Subjects returns all whose time it takes, its host first, which is given.
func (t *Taken) Subjects(host catalog.HostID) []catalog.Subject {
	all := []catalog.Subject{catalog.OfHost(host)}
	for b := range t.Beside() {
		all = append(all, b.Subject)
	}
	return all
}

// SetBeside makes it take just these beside the host, as far as the workspace has them.
func (t *Taken) SetBeside(setup *catalog.Setup, host *catalog.Host, all []catalog.Subject) {
	t.Hosts, t.Resources = nil, nil
	for _, of := range all {
		switch of.Kind {
		case catalog.SubjectHost:
			h := setup.Host(catalog.HostID(of.ID))
			if h == nil {
				continue
			}
			if t.Hosts == nil {
				t.Hosts = []catalog.HostRef{{ID: host.ID, Name: host.Name}}
			}
			t.Hosts = append(t.Hosts, catalog.HostRef{ID: h.ID, Name: h.Name})
		case catalog.SubjectResource:
			if r := setup.Resource(catalog.ResourceID(of.ID)); r != nil {
				t.Resources = append(t.Resources, catalog.ResourceRef{ID: r.ID, Name: r.Name})
			}
		}
	}
}
