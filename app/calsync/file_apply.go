package calsync

import (
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Listed returns the connections of an owner that a set-up file lists, by name, as they are now.
func (s *Service) Listed(r app.Reader, ws catalog.WorkspaceID, of catalog.CalendarOwner) ([]catalog.LinkedCalendar, error) {
	found, err := r.(Reader).CalendarConnections(ws, of)
	all := []catalog.LinkedCalendar{}
	for i := range found {
		if found[i].Listed != nil {
			all = append(all, document(&found[i]))
		}
	}
	return all, err
}

// document returns a connection as a file lists it.
func document(c *Connection) catalog.LinkedCalendar {
	l := c.Listed
	if c.Kind == ICS {
		return catalog.LinkedCalendar{Name: c.Name, Kind: catalog.ICS, Address: l.Reference}
	}
	d := catalog.LinkedCalendar{Name: c.Name, Kind: string(c.Kind), Address: c.Address, User: c.User, Password: l.Reference}
	if l.Wanted {
		d.Blocks, d.Target, d.Details = l.Blocks, l.Target, listedNames(l.Details)
		return d
	}
	d.Blocks = []string{}
	for _, k := range c.Calendars {
		if k.Blocks && !slices.Contains(d.Blocks, k.Name) {
			d.Blocks = append(d.Blocks, k.Name)
		}
		if k.Target {
			d.Target, d.Details = k.Name, listedNames(k.Details)
		}
	}
	slices.Sort(d.Blocks)
	return d
}

// listedNames returns those of LinkedCalendarDetails that are ticked.
func listedNames(d Details) (all []string) {
	for i, on := range []bool{d.Name, d.Phone, d.Notes, d.Link} {
		if on {
			all = append(all, catalog.LinkedCalendarDetails[i])
		}
	}
	return all
}

func details(names []string) Details {
	has := func(i int) bool { return slices.Contains(names, catalog.LinkedCalendarDetails[i]) }
	return Details{Name: has(0), Phone: has(1), Notes: has(2), Link: has(3)}
}

// SetListed replaces the connections of an owner that set-up files list by these, which must have been checked and have
// different names. Other connections stay. at names their place in the file. Errors: bad_request.
func (s *Service) SetListed(tx app.Tx, ws catalog.WorkspaceID, of catalog.CalendarOwner, all []catalog.LinkedCalendar,
	look catalog.SecretLook, at func(i int, field string) string) (o catalog.LinkedCalendarOutcome, err error) {
	c := change{s, tx.(Tx), look, at, &o}
	if _, err := c.tx.LockTaken(ws, of.Locks()); err != nil {
		return o, err
	}
	found, err := c.tx.CalendarConnections(ws, of)
	if err != nil {
		return o, err
	}
	others := 0
	was := map[string]*Connection{}
	for i := range found {
		f := &found[i]
		switch {
		case f.Listed == nil:
			others++
		case !slices.ContainsFunc(all, func(x catalog.LinkedCalendar) bool { return x.Name == f.Name }):
			if err := c.end(f); err != nil {
				return o, err
			}
		default:
			was[f.Name] = f
		}
	}
	if len(all) > 0 && len(all)+others > catalog.MaxLinkedCalendars {
		return o, fault.Invalid(at(len(all)-1, ""), "at most %d connections, and %d were made in the dashboard",
			catalog.MaxLinkedCalendars, others)
	}
	for i := range all {
		var err error
		if f := was[all[i].Name]; f != nil {
			err = c.update(i, &all[i], f)
		} else {
			err = c.insert(i, &all[i], ws, of)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// change is one call of SetListed.
type change struct {
	*Service
	tx      Tx
	look    catalog.SecretLook
	at      func(i int, field string) string
	outcome *catalog.LinkedCalendarOutcome
}

// end forgets a connection that the file lists no longer.
func (c *change) end(f *Connection) error {
	for _, k := range f.Calendars {
		copies, err := c.tx.CalendarCopiesIn(k.ID, 0, 1)
		if err != nil {
			return err
		}
		if len(copies) > 0 && !slices.Contains(c.outcome.Written, f.Name) {
			c.outcome.Written = append(c.outcome.Written, f.Name)
		}
	}
	return Forget(c.tx, f)
}

// credentials returns what the reference of the ith leads to.
func (c *change) credentials(i int, d *catalog.LinkedCalendar) (Credentials, error) {
	field := c.at(i, d.ReferenceField())
	secret, err := c.look(d.Reference())
	if err != nil {
		return Credentials{}, fault.Invalid(field, "%v", err)
	}
	if secret == "" {
		return Credentials{}, fault.Invalid(field, "is required: this is another account, or a new one")
	}
	if d.Kind == catalog.CalDAV {
		return Credentials{Password: secret}, nil
	}
	u, err := catalog.ParseCalendarAddress(field, secret)
	if err != nil {
		return Credentials{}, fault.Invalid(field, "what %s holds is not an https:// address of a calendar",
			d.Reference())
	}
	return Credentials{Address: u.String()}, nil
}

func (c *change) insert(i int, d *catalog.LinkedCalendar, ws catalog.WorkspaceID, of catalog.CalendarOwner) error {
	secret, err := c.credentials(i, d)
	if err != nil {
		return err
	}
	now := c.Now()
	n := Connection{ID: id.New[ConnectionIDKind](now), WorkspaceID: ws, CalendarOwner: of,
		Kind: Kind(d.Kind), Name: d.Name, User: d.User, State: New, DueAt: when.At(now),
		CreatedAt: when.At(now), Listed: &FileChoice{Wanted: true}}
	if n.Address = d.Address; d.Kind == catalog.ICS {
		u, err := catalog.ParseCalendarAddress("", secret.Address)
		if err != nil {
			return err
		}
		n.Address = u.Hostname()
	}
	describe(n.Listed, d)
	if n.Secret, err = c.seal(secret); err != nil {
		return err
	}
	return c.tx.InsertCalendarConnection(&n)
}

// describe notes what the file says.
func describe(l *FileChoice, d *catalog.LinkedCalendar) {
	l.Reference, l.Blocks, l.Target, l.Details = d.Reference(), d.Blocks, d.Target, details(d.Details)
}

// update changes a connection to what the file says. That of another account begins anew.
func (c *change) update(i int, d *catalog.LinkedCalendar, f *Connection) error {
	was := document(f)
	if d.Kind != was.Kind {
		return fault.Invalid(c.at(i, "kind"), "%s is %s; to connect another kind of calendar give it another name", d.Name,
			was.Kind)
	}
	if d.Kind == catalog.CalDAV && (d.Address != was.Address || d.User != was.User) {
		if err := c.end(f); err != nil {
			return err
		}
		return c.insert(i, d, f.WorkspaceID, f.CalendarOwner)
	}
	replaced, err := c.replace(i, d, f)
	if err != nil {
		return err
	}
	chosen := !d.SameChoice(&was)
	if !replaced && !chosen && d.Reference() == was.Reference() {
		return nil
	}
	describe(f.Listed, d)
	if chosen || replaced {
		f.DueAt, f.Tries = when.At(c.Now()), 0
	}
	f.Listed.Wanted = f.Listed.Wanted || chosen
	if err := c.tx.UpdateCalendarConnection(f); err != nil || !chosen {
		return err
	}
	_, err = c.ChooseListed(c.tx, f)
	return err
}

// replace gives the connection the secret that its reference leads to, if it has another one, and has it read anew.
func (c *change) replace(i int, d *catalog.LinkedCalendar, f *Connection) (replaced bool, err error) {
	if d.Reference() == f.Listed.Reference {
		if secret, err := c.look(d.Reference()); err != nil {
			c.outcome.Unset = append(c.outcome.Unset, i)
			return false, nil
		} else if secret == "" {
			return false, nil // left out
		}
	}
	secret, err := c.credentials(i, d)
	if err != nil {
		return false, err
	}
	if stored, err := c.unseal(f.Secret); err != nil || stored == secret {
		return false, err
	}
	if f.Secret, err = c.seal(secret); err != nil {
		return false, err
	}
	c.outcome.Replaced = append(c.outcome.Replaced, i)
	for k := range f.Calendars { // another file: nothing goes on where the old one ended
		f.Calendars[k].Cursor, f.Calendars[k].ReadTo = "", 0
		if err := c.tx.UpdateCalendar(&f.Calendars[k]); err != nil {
			return false, err
		}
	}
	if d.Kind == catalog.ICS {
		u, err := catalog.ParseCalendarAddress("", secret.Address)
		if err != nil {
			return false, err
		}
		f.Address = u.Hostname()
	}
	return true, nil
}
