package setup

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/text"
)

// secret is what a reference leads to, or why it leads nowhere.
type secret struct {
	text string
	err  error
}

// Resolve looks up the secrets that the file refers to, each once, before the file is applied. Without it, or if look
// fails, stored secrets stay, and ApplySetup returns an error for new connections.
func (f *File) Resolve(look catalog.SecretLook) {
	f.secrets = map[string]secret{}
	for i := range f.hosts {
		f.resolveCalendars(f.hosts[i].calendars, look)
	}
	for i := range f.resources {
		f.resolveCalendars(f.resources[i].calendars, look)
	}
	var l text.ListedSender
	if of := f.workspace.sender; of != nil && of.apply(&l) == nil {
		f.resolve(look, l.Secret, l.SigningKey)
	}
}

func (f *File) resolveCalendars(all []patch[catalog.LinkedCalendar], look catalog.SecretLook) {
	for k := range all {
		var c catalog.LinkedCalendar
		if all[k].apply(&c) == nil {
			f.resolve(look, c.Address, c.Password)
		}
	}
}

func (f *File) resolve(look catalog.SecretLook, references ...string) {
	for _, reference := range references {
		if _, known := f.secrets[reference]; !known && catalog.CheckReference("", reference) == nil {
			text, err := look(reference)
			f.secrets[reference] = secret{text, err}
		}
	}
}

// look finds a secret that Resolve has looked up; "" for a reference that doesn't stand in the file.
func (f *File) look(reference string) (string, error) {
	s := f.secrets[reference]
	return s.text, s.err
}

// listing is what the file lists of one owner.
type listing struct {
	given []patch[catalog.LinkedCalendar]
	field string
	of    catalog.CalendarOwner
	name  string
}

// applyCalendars makes the other calendars of hosts and resources what the file lists. It changes no row of the file's
// other parts.
func (p *planner) applyCalendars() error {
	all, err := p.listings()
	if err != nil {
		return err
	}
	var locks catalog.Locks
	for i := range all {
		locks = locks.And(all[i].of.Locks())
	}
	if _, err := p.tx.LockTaken(p.workspace.ID, locks.Without(catalog.Locks{})); err != nil { // in the order in which bookings lock
		return err
	}
	for i := range all {
		if err := p.listCalendars(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) listings() (all []listing, err error) {
	for i := range p.file.hosts {
		f, field := &p.file.hosts[i], fmt.Sprintf("hosts[%d]", i)
		if !hasKey(f.given, "calendars") {
			continue
		}
		id, err := givenID[catalog.HostIDKind](f.id, field)
		if err != nil {
			return nil, err
		}
		if at := p.findHost(id, f.key); at >= 0 {
			h := &p.hosts[at]
			all = append(all, listing{f.calendars, field + ".calendars", catalog.CalendarOwner{Host: h.ID}, h.Email})
		}
	}
	for i := range p.file.resources {
		f, field := &p.file.resources[i], fmt.Sprintf("resources[%d]", i)
		if !hasKey(f.given, "calendars") {
			continue
		}
		id, err := givenID[catalog.ResourceIDKind](f.id, field)
		if err != nil {
			return nil, err
		}
		if at := p.findResource(id, f.key); at >= 0 {
			r := &p.resources[at]
			all = append(all, listing{f.calendars, field + ".calendars", catalog.CalendarOwner{Resource: r.ID}, r.Name})
		}
	}
	return all, nil
}

func (p *planner) listCalendars(l *listing) error {
	given, field, of, name := l.given, l.field, l.of, l.name
	kind := "host"
	if of.Resource != 0 {
		kind = "resource"
	}
	was, err := p.s.calendars.Listed(p.tx, p.workspace.ID, of)
	if err != nil {
		return err
	}
	all, err := listedIn(given, field, was, of)
	if err != nil {
		return err
	}
	place := func(i int, member string) string {
		return strings.TrimSuffix(fmt.Sprintf("%s[%d].%s", field, i, member), ".")
	}
	told, err := p.s.calendars.SetListed(p.tx, p.workspace.ID, of, all, p.file.look, place)
	if err != nil {
		return err
	}
	now := slices.SortedFunc(slices.Values(all), func(a, b catalog.LinkedCalendar) int { return strings.Compare(a.Name, b.Name) })
	p.compare(kind, name, Object{calendarsMember(was)}, Object{calendarsMember(now)})
	for _, i := range told.Replaced {
		p.report.Differences = append(p.report.Differences, Difference{Change: "update", Kind: kind, Name: name,
			Field: "calendars." + all[i].Name + "." + all[i].ReferenceField(), From: rawJSON("the secret that is stored"),
			To: rawJSON("another one, of " + all[i].Reference())})
	}
	for _, i := range told.Unset {
		_, err := p.file.look(all[i].Reference())
		p.warnAt(place(i, all[i].ReferenceField()), "%v, so that the secret that is stored stays", err)
	}
	for _, written := range told.Written {
		p.warnAt(field, "%s is not connected any more, and the bookings that were written into it stay there. To have "+
			"them removed first: daybook calendars disconnect --remove", written)
	}
	return nil
}

// warnAt warns about a place in the file.
func (p *planner) warnAt(path, format string, args ...any) {
	p.report.Warnings = append(p.report.Warnings, Warning{p.file.root.LineOf(path), path, fmt.Sprintf(format, args...)})
}

// listedIn returns the list of a file for a host or resource that has these: what it leaves out stays as it is.
func listedIn(given []patch[catalog.LinkedCalendar], field string, was []catalog.LinkedCalendar,
	owner catalog.CalendarOwner) ([]catalog.LinkedCalendar, error) {
	var wrong mistakes
	all, targets := []catalog.LinkedCalendar{}, 0
	names := map[string]bool{}
	for i := range given {
		of, at := &given[i], fmt.Sprintf("%s[%d]", field, i)
		var c catalog.LinkedCalendar
		k := slices.IndexFunc(was, func(c catalog.LinkedCalendar) bool { return c.Name == of.key })
		if k >= 0 {
			c = was[k]
			c.Blocks = slices.Clone(c.Blocks)
		} else if err := of.require(at, &catalog.LinkedCalendarFields); err != nil {
			wrong.add(err)
			continue
		}
		if c.Name = of.key; names[c.Name] {
			wrong.add(fault.Invalid(at+".name", "stands twice"))
		}
		names[c.Name] = true
		wrong.add(of.apply(&c))
		wrong.add(c.Check(at))
		if c.Target != "" && owner.Resource != 0 {
			wrong.add(fault.Invalid(at+".target", "bookings are written into calendars of hosts only"))
		} else if c.Target != "" {
			if targets++; targets == 2 {
				wrong.add(fault.Invalid(at+".target", "only one calendar of a host gets the bookings, and one is named above"))
			}
		}
		all = append(all, c)
	}
	return all, wrong.err()
}

func calendarsMember(all []catalog.LinkedCalendar) Member {
	if len(all) == 0 {
		all = []catalog.LinkedCalendar{}
	}
	return Member{Name: "calendars", Value: rawJSON(all)}
}
