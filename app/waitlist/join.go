package waitlist

import (
	"context"
	"errors"
	"net/netip"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/phone"
	"daybook/app/when"
)

// Join makes an entry. That of a visitor counts once it is confirmed by the link that goes to them: by mail, or to a telephone
// number alone by text. That of the business counts at once. Errors: forbidden, bad_request, not_found (event type, host),
// conflict too_many_waiting (of the person; a visitor learns it once the address is proven), waitlist_full, page_only (a
// visitor with an e-mail address, where no mails go out), no_text (a visitor, to whose number no text may go now), rate_limited
// too_many_mails (to the person).
func (s *Service) Join(ctx context.Context, a app.Actor, in Input) (e Entry, err error) {
	if err := a.May(app.MayBook); err != nil {
		return e, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return e, err
	}
	if e, err = in.check(a, setup, s.Now()); err != nil {
		return e, err
	}
	if !a.Business() {
		if by, err := s.ways(ctx, setup); err != nil {
			return e, err
		} else if !e.reached(by) {
			url := s.Core.BaseURL() + "/" + setup.Workspace.Slug
			return e, fault.Conflictf("page_only", "This business sends no mails at present, so that nothing can be offered by mail. Its page is %s.",
				url).With("url", url)
		}
	}
	e.ID = newID(s.Now())
	wanted := e
	err = s.Write(ctx, func(tx Tx) error {
		e = wanted
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		now := when.At(s.Now())
		e.CreatedAt = now
		if a.Business() {
			if err := s.count(tx, setup, &e, now, tx.InsertWaitEntry); err != nil {
				return err
			}
			return s.event(tx, catalog.WaitlistJoined, &e)
		}
		n, err := tx.WaitsOf(a.Workspace, e.Person(), now, Unconfirmed)
		if err != nil {
			return err
		}
		if n >= MostOfPerson {
			return fault.New(fault.RateLimited, "too_many_mails", "This person was asked lately, and has confirmed nothing yet. Try again tomorrow.").
				With("retryAfter", int(ConfirmWithin.Seconds()))
		}
		if err := s.full(tx, setup); err != nil {
			return err
		}
		if err := tx.InsertWaitEntry(&e); err != nil {
			return err
		}
		return s.tell.Ask(tx, &e, a.From, e.confirmUntil())
	})
	if err != nil {
		return Entry{}, err
	}
	e.present(setup)
	return e, nil
}

// Spend counts an entry that is made from a network address, of IPv6 for its /48. The error is rate_limited.
func (s *Service) Spend(ctx context.Context, from netip.Addr) error {
	if from = from.Unmap(); from.Is6() && !from.IsLoopback() {
		prefix, err := from.WithZone("").Prefix(48)
		if err != nil {
			return err
		}
		from = prefix.Addr()
	}
	return s.gate.Count(ctx, gate.Client{Address: from, Most: MostPerHour, What: "waitlist "})
}

// confirmUntil returns when an unconfirmed entry is gone.
func (e *Entry) confirmUntil() when.Instant { return min(e.EndsAt, e.CreatedAt.Add(ConfirmWithin)) }

// full refuses one entry too many of a workspace.
func (s *Service) full(tx Tx, setup *catalog.Setup) error {
	n, err := tx.LiveWaits(setup.Workspace.ID, mostOfList)
	if err == nil && n >= mostOfList {
		err = fault.Conflictf("waitlist_full", "The waitlist has %d entries, and no more may wait.", mostOfList)
	}
	return err
}

// count makes the entry one that counts, which save saves.
func (s *Service) count(tx Tx, setup *catalog.Setup, e *Entry, now when.Instant, save func(*Entry) error) error {
	n, err := tx.WaitsOf(e.WorkspaceID, e.Person(), now, Waiting, Offered)
	if err != nil {
		return err
	}
	if n >= MostOfPerson {
		return fault.Conflictf("too_many_waiting", "This person waits for %d times already. End one of these first.", MostOfPerson)
	}
	c, err := tx.ContactOf(e.WorkspaceID, e.Invitee.Identity(setup.Workspace.PhoneCountry()))
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if err := s.full(tx, setup); err != nil {
		return err
	}
	e.Contact, e.Status, e.ConfirmedAt = c.ID, Waiting, now
	return save(e)
}

func isMissing(err error) bool { return errors.Is(err, fault.ErrNotFound) }

// errGone answers a link that leads to no entry.
func errGone() *fault.Error {
	return fault.New(fault.NotFound, "", "This link leads to nothing any more: it was not confirmed in time, or is long over.")
}

// ByToken returns the entry of a link in a mail or text, with the set-up of its workspace. Errors: not_found, forbidden while the
// workspace is suspended.
func (s *Service) ByToken(ctx context.Context, token string) (e Entry, setup *catalog.Setup, err error) {
	entry, ok := catalog.Unsigned[booking.WaitIDKind](token)
	if !ok {
		return e, nil, errGone()
	}
	if e, err = s.Reader(ctx).WaitEntry(0, entry); err != nil {
		return e, nil, fault.OrMissing(err, errGone())
	}
	if setup, err = s.Core.Setup(e.WorkspaceID); err != nil {
		return e, nil, fault.OrMissing(err, errGone())
	}
	if !e.is(setup, token) || e.Status == Unconfirmed && e.confirmUntil() <= when.At(s.Now()) {
		return Entry{}, nil, errGone()
	}
	e.present(setup)
	return e, setup, setup.Workspace.Open()
}

// Confirm makes an entry count, by the link in the mail or text, and with it what the person has ticked about texts. Doing it
// again changes nothing. Errors: not_found, conflict too_many_waiting.
func (s *Service) Confirm(ctx context.Context, token string) error {
	e, setup, err := s.ByToken(ctx, token)
	if err != nil {
		return err
	}
	err = s.locked(ctx, e.WorkspaceID, e.ID, func(tx Tx, e *Entry, now when.Instant) error {
		if e.Status != Unconfirmed {
			return nil
		}
		if e.confirmUntil() <= now {
			return errGone()
		}
		if err := s.count(tx, setup, e, now, tx.UpdateWaitEntry); err != nil {
			return err
		}
		if err := s.agree(tx, setup, e, now); err != nil {
			return err
		}
		if err := tx.SetWaitContact(e.WorkspaceID, e.ID, e.Contact); err != nil {
			return err
		}
		return s.event(tx, catalog.WaitlistJoined, e)
	})
	return fault.OrMissing(err, errGone())
}

// agree notes that the person of an entry wants texts, if they have ticked that. What is noted needs a contact: who is unknown
// becomes one.
func (s *Service) agree(tx Tx, setup *catalog.Setup, e *Entry, now when.Instant) error {
	p := &e.Invitee
	if _, ok := phone.Parse(p.Phone, ""); e.Agreed == "" || !ok {
		return nil
	}
	if e.Contact == 0 {
		c := booking.Contact{ID: id.New[booking.ContactIDKind](now.Time()), WorkspaceID: e.WorkspaceID, CreatedAt: now, Name: p.Name, Email: p.Email,
			Phone: p.Phone, TimeZone: p.TimeZone}
		if err := tx.InsertContact(&c); err != nil {
			return err
		}
		if err := s.tell.Met(tx, &c); err != nil {
			return err
		}
		e.Contact = c.ID
	}
	return s.tell.Tick(tx, e)
}

// LeaveWaitlist ends an entry by the link in a mail. Doing it again changes nothing. Errors: not_found.
func (s *Service) LeaveWaitlist(ctx context.Context, token string) error {
	e, _, err := s.ByToken(ctx, token)
	if err != nil {
		return err
	}
	err = s.locked(ctx, e.WorkspaceID, e.ID, func(tx Tx, e *Entry, now when.Instant) error {
		if e.Status >= Booked {
			return nil
		}
		return s.end(tx, e, ByLeaving, now)
	})
	return fault.OrMissing(err, errGone())
}

// find returns the stored entry with that id, where the actor sees it. The error is not_found.
func (s *Service) find(r Reads, a app.Actor, setup *catalog.Setup, ref string) (e Entry, err error) {
	missing := fault.Missing("waitlist entry", ref)
	entry, err := id.Parse[booking.WaitIDKind](ref)
	if err != nil {
		return e, missing
	}
	if e, err = r.WaitEntry(a.Workspace, entry); err != nil {
		return e, fault.OrMissing(err, missing)
	}
	if !e.seenBy(a, setup) {
		return Entry{}, missing
	}
	return e, nil
}

// WaitlistEntry returns an entry. Errors: forbidden, not_found.
func (s *Service) WaitlistEntry(ctx context.Context, a app.Actor, ref string) (e Entry, err error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return e, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return e, err
	}
	if e, err = s.find(s.Reader(ctx), a, setup, ref); err != nil {
		return e, err
	}
	e.present(setup)
	return e, nil
}

// EndEntry ends an entry for the business. Doing it again changes nothing. Errors: forbidden, not_found.
func (s *Service) EndEntry(ctx context.Context, a app.Actor, ref string) error {
	if err := a.May(app.MayCancel); err != nil {
		return err
	}
	if a.Kind == booking.ByInvitee {
		return fault.Missing("waitlist entry", ref)
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	e, err := s.find(s.Reader(ctx), a, setup, ref)
	if err != nil {
		return err
	}
	err = s.locked(ctx, a.Workspace, e.ID, func(tx Tx, e *Entry, now when.Instant) error {
		if e.Status >= Booked {
			return nil
		}
		return s.end(tx, e, ByBusiness, now)
	})
	return fault.OrMissing(err, fault.Missing("waitlist entry", ref))
}

// ListInput says which entries to list.
type ListInput struct {
	Status string // one of States; "" is all
	Limit  *int
	Cursor string
}

// Waitlist lists entries, the newest first. Errors: forbidden, bad_request (status, limit, cursor).
func (s *Service) Waitlist(ctx context.Context, a app.Actor, in ListInput) (page fault.Page[Entry], err error) {
	page.Data = []Entry{}
	if err := a.May(app.MaySeeBookings); err != nil {
		return page, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return page, err
	}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return page, err
	}
	f := Filter{Limit: fault.MaxPage + 1}
	if in.Status != "" {
		n := slices.Index(States, in.Status)
		if n < 0 {
			return page, fault.Invalid("status", "must be one of unconfirmed, waiting, offered, booked and ended")
		}
		f.States = []State{State(n)}
	}
	list := fault.List{"waitlist", in.Status}
	if in.Cursor != "" {
		var last int64
		if err := list.Read(in.Cursor, &last); err != nil {
			return page, err
		}
		f.Before = booking.WaitID(last)
	}
	var found []Entry
	for more := true; more && len(found) <= limit; { // those that the actor doesn't see are passed over
		rows, err := s.Reader(ctx).WaitEntries(a.Workspace, f)
		if err != nil {
			return page, err
		}
		for i := range rows {
			if e := &rows[i]; e.seenBy(a, setup) {
				e.present(setup)
				found = append(found, *e)
			}
			f.Before = rows[i].ID
		}
		more = len(rows) == f.Limit
	}
	found = found[:min(len(found), limit+1)]
	return fault.PageOf(found, limit, func(e *Entry) string { return list.Cursor(int64(e.ID)) }), nil
}

// WaitsOfPerson lists the entries of a contact, and those of the addresses and numbers (Entry.Person), for the file about one
// person. Errors: forbidden.
func (s *Service) WaitsOfPerson(ctx context.Context, a app.Actor, contact booking.ContactID, persons []string) (all []Entry, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return nil, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	all, err = s.Reader(ctx).WaitEntries(a.Workspace, Filter{Contact: contact, Persons: persons, Limit: app.ExportStep})
	for i := range all {
		all[i].present(setup)
	}
	return all, err
}
