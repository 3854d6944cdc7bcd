package setup

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// secret is what a reference leads to, or why it leads nowhere.
type secret struct {
	text string
	err  error
}

// Resolve looks up the secrets that the file refers to, each once, before the file is applied. Without it, or if look
// fails, stored secrets stay, and ApplySetup returns an error for new connections.
func (f *File) Resolve(look catalog.LinkedCalendarLook) {
	f.secrets = map[string]secret{}
	for i := range f.hosts {
		for k := range f.hosts[i].calendars {
			var c catalog.LinkedCalendar
			if f.hosts[i].calendars[k].apply(&c) != nil {
				continue
			}
			for _, reference := range []string{c.Address, c.Password} {
				if _, known := f.secrets[reference]; !known && catalog.CheckCalendarReference("", reference) == nil {
					text, err := look(reference)
					f.secrets[reference] = secret{text, err}
				}
			}
		}
	}
}

// look finds a secret that Resolve has looked up; "" for a reference that doesn't stand in the file.
func (f *File) look(reference string) (string, error) {
	s := f.secrets[reference]
	return s.text, s.err
}

// applyCalendars makes hosts' other calendars what the file lists. It changes no row of the file's other parts.
func (p *planner) applyCalendars() error {
	for i := range p.file.hosts {
		f := &p.file.hosts[i]
		if !hasKey(f.given, "calendars") {
			continue
		}
		field := fmt.Sprintf("hosts[%d]", i)
		id, err := givenID[catalog.HostIDKind](f.id, field)
		if err != nil {
			return err
		}
		if at := p.findHost(id, f.key); at >= 0 {
			err = p.listCalendars(f, field+".calendars", &p.hosts[at])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) listCalendars(f *patch[catalog.Host], field string, h *catalog.Host) error {
	was, err := p.s.calendars.Listed(p.tx, p.workspace.ID, h.ID)
	if err != nil {
		return err
	}
	all, err := listedIn(f, field, was)
	if err != nil {
		return err
	}
	place := func(i int, name string) string {
		return strings.TrimSuffix(fmt.Sprintf("%s[%d].%s", field, i, name), ".")
	}
	told, err := p.s.calendars.SetListed(p.tx, p.workspace.ID, h.ID, all, p.file.look, place)
	if err != nil {
		return err
	}
	now := slices.SortedFunc(slices.Values(all), func(a, b catalog.LinkedCalendar) int { return strings.Compare(a.Name, b.Name) })
	p.compare("host", h.Email, Object{calendarsMember(was)}, Object{calendarsMember(now)})
	for _, i := range told.Replaced {
		p.report.Differences = append(p.report.Differences, Difference{Change: "update", Kind: "host", Name: h.Email,
			Field: "calendars." + all[i].Name + "." + all[i].ReferenceField(), From: rawJSON("the secret that is stored"),
			To: rawJSON("another one, of " + all[i].Reference())})
	}
	for _, i := range told.Unset {
		_, err := p.file.look(all[i].Reference())
		p.warnAt(place(i, all[i].ReferenceField()), "%v, so that the secret that is stored stays", err)
	}
	for _, name := range told.Written {
		p.warnAt(field, "%s is not connected any more, and the bookings that were written into it stay there. To have "+
			"them removed first: daybook calendars disconnect --remove", name)
	}
	return nil
}

// warnAt warns about a place in the file.
func (p *planner) warnAt(path, format string, args ...any) {
	p.report.Warnings = append(p.report.Warnings, Warning{p.file.root.LineOf(path), path, fmt.Sprintf(format, args...)})
}

// listedIn returns the list of a file for a host who has these: what it leaves out stays as it is.
func listedIn(f *patch[catalog.Host], field string, was []catalog.LinkedCalendar) ([]catalog.LinkedCalendar, error) {
	var wrong mistakes
	all, targets := []catalog.LinkedCalendar{}, 0
	names := map[string]bool{}
	for i := range f.calendars {
		of, at := &f.calendars[i], fmt.Sprintf("%s[%d]", field, i)
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
		if c.Target != "" {
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
