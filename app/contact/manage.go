package contact

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// ContactByID returns one contact. For staff there are only those whom they serve, and none unless the workspace lets
// them see these. Errors: forbidden, not_found.
func (s *Service) ContactByID(ctx context.Context, a app.Actor, ref string) (booking.Contact, error) {
	if err := a.May(app.MaySeeCustomers); err != nil {
		return booking.Contact{}, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, ref)
	if err != nil {
		return c, err
	}
	if c, err = s.shownOne(r, a, c); err != nil {
		return c, err
	}
	return c, nameTexts(r, &c)
}

// served returns fault.ErrNotFound unless the workspace lets staff see the customers whom they serve, and the contact is
// one of these: it has a booking, past or to come, that wasn't cancelled and that the member does, alone or with others.
func (s *Service) served(r app.Reader, a app.Actor, c booking.ContactID) error {
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	if !setup.Workspace.Settings.StaffSeeCustomers || a.Host == 0 {
		return fault.ErrNotFound
	}
	some, err := r.Bookings(a.Workspace, booking.BookingFilter{Contact: c, Host: a.Host,
		HasOthers: setup.Workspace.HasOthers, Statuses: booking.ShownStatuses, Limit: 1, Brief: true})
	if err == nil && len(some) == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// UpdateContact changes a contact; past bookings keep the name they were made with. Errors: forbidden, not_found,
// bad_request, conflict email_taken, phone_taken or texts_stopped.
func (s *Service) UpdateContact(ctx context.Context, a app.Actor, ref string,
	in booking.ContactInput) (c booking.Contact, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return c, err
	}
	return s.ChangeContact(ctx, a, ref, func(*booking.Contact) (booking.ContactInput, error) { return in, nil })
}

// ChangeContact changes a contact as UpdateContact does; change gets the contact as read after the lock, and returns
// what to save.
func (s *Service) ChangeContact(ctx context.Context, a app.Actor, ref string,
	change func(*booking.Contact) (booking.ContactInput, error)) (c booking.Contact, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return c, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if len(setup.Workspace.Settings.ContactFields) > 0 { // as setCard does, but before the contact
			if err := tx.LockWorkspace(a.Workspace); err != nil {
				return err
			}
		}
		if c, err = lockedContact(tx, a, ref); err != nil {
			return err
		}
		if c, err = s.shownOne(tx, a, c); err != nil {
			return err
		}
		in, err := change(&c)
		if err != nil {
			return err
		}
		if err := mayGive(a, &in); err != nil {
			return err
		}
		if err := fault.Join(in.Check(1, setup.Workspace.PhoneCountry()), s.checkCard(&setup.Workspace, &in)); err != nil {
			return err
		}
		c.ChangedAt = when.At(s.Core.Now())
		c.Name, c.Email, c.Phone, c.TimeZone, c.Notes = in.Name, in.Email, in.Phone, in.TimeZone, in.Notes
		if err := tx.UpdateContact(&c); errors.Is(err, fault.ErrTaken) {
			return taken(&in, "Another contact has this %s. Merge the two instead.")
		} else if err != nil {
			return err
		}
		if err := s.setCard(tx, a, &c, &in); err != nil {
			return err
		}
		c, err = s.shownOne(tx, a, c)
		return err
	})
	return c, err
}

// taken returns the conflict of two contacts that would be the same person. The last argument of the format is what
// both have.
func taken(in *booking.ContactInput, format string, args ...any) error {
	if in.Email == "" {
		return fault.New(fault.Conflict, "phone_taken", format, append(args, "telephone number")...).At("phone")
	}
	return fault.New(fault.Conflict, "email_taken", format, append(args, "address")...).At("email")
}

// lockedContact returns a contact behind its lock: nobody else changes it until tx ends.
func lockedContact(tx Tx, a app.Actor, ref string) (booking.Contact, error) {
	c, err := app.FindContact(tx, a, ref)
	if err != nil {
		return c, err
	}
	if err := tx.LockContact(c.ID); err != nil {
		return c, err
	}
	return app.FindContact(tx, a, ref)
}

// mergeStep is how many bookings move to the other contact in one transaction.
const mergeStep = 200

// MergeContacts moves everything from the contact from to the contact into, and deletes the first: notes are joined, tags
// unite, and phone, zone, birthday, the way to tell and the workspace's own fields are copied if into has none. Entries and
// files move, however many there are. What into has no room for, or has another of, is written into entries. The own pages
// of both close. Bookings move in small steps, and the contact is deleted with the
// last of them. After an error both still exist, and merging them again moves the rest. Errors: forbidden, not_found,
// bad_request (both are the same).
func (s *Service) MergeContacts(ctx context.Context, a app.Actor, from, into string) (c booking.Contact, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return c, err
	}
	for more := true; more && err == nil; {
		err = s.Write(ctx, func(tx Tx) error {
			own, err := ownFields(tx, a.Workspace)
			if err != nil {
				return err
			}
			gone, err := lockedContact(tx, a, from)
			if err != nil {
				return err
			}
			if c, err = lockedContact(tx, a, into); err != nil {
				return err
			}
			shared := ""
			if gone.Phone == c.Phone {
				shared = c.Phone
			}
			left, err := c.TakeOver(&gone)
			if err != nil {
				return err
			}
			if err := tx.MergeOwn(a.Workspace, gone.ID, c.ID); err != nil { // with the first bookings that move
				return err
			}
			if err := s.mergeWaits(tx, &gone, c.ID); err != nil {
				return err
			}
			moved, err := tx.MoveBookings(gone.ID, c.ID, mergeStep)
			if more = moved == mergeStep; err != nil || more {
				return err
			}
			if err := tx.MoveForeign(gone.ID, c.ID); err != nil {
				return err
			}
			if err := s.mergeCards(tx, a, own, &gone, &c, left); err != nil {
				return err
			}
			if err := tx.MergeTexts(a.Workspace, gone.ID, c.ID, shared); err != nil {
				return err
			}
			if err := tx.ForgetContact(gone.ID); err != nil {
				return err
			}
			c.ChangedAt = when.At(s.Core.Now())
			if err := errors.Join(tx.UpdateContact(&c), tx.KeepImported(a.Workspace, c.ID)); err != nil {
				return err
			}
			if c, err = app.FindContact(tx, a, into); err == nil { // with the bookings that it has now
				c, err = s.shownOne(tx, a, c)
			}
			if err != nil {
				return err
			}
			return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactsMerged, Subject: c.ID.String()})
		})
	}
	return c, err
}

// mergeWaits makes what a contact waits for that of another. A person is offered one time at once: of several offers the
// earliest stays.
func (s *Service) mergeWaits(tx Tx, gone *booking.Contact, into booking.ContactID) error {
	if err := tx.MergeWaits(gone, into); err != nil {
		return err
	}
	offers, err := tx.OffersOf(gone.WorkspaceID, into)
	if err != nil {
		return err
	}
	for _, entry := range offers[min(1, len(offers)):] {
		if err := app.EndOffer(tx, s.Now(), gone.WorkspaceID, entry); err != nil {
			return err
		}
	}
	return nil
}

// DeleteContact removes everything that names the person from the workspace: the contact, and name, address, notes,
// answers and reasons in its bookings, their history, their events and mails. The bookings still count in the figures.
// When this returns, the contact is no longer found; if it has hundreds of bookings, Maintain finishes the last of them
// later. It does nothing unless all checks, which get the contact as it is, return nil. Errors: forbidden, not_found,
// conflict has_upcoming, those of checks.
func (s *Service) DeleteContact(ctx context.Context, a app.Actor, ref string,
	checks ...func(*booking.Contact) error) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	err := s.Write(ctx, func(tx Tx) error {
		if err := app.LockBookings(tx, a.Workspace); err != nil {
			return err
		}
		c, err := lockedContact(tx, a, ref)
		if err != nil {
			return err
		}
		if c, err = s.shownOne(tx, a, c); err != nil {
			return err
		}
		if err := fault.Agree(&c, checks); err != nil {
			return err
		}
		live, err := tx.Bookings(a.Workspace,
			booking.BookingFilter{Contact: c.ID, EndsAfter: when.At(s.Core.Now()), LongestLookup: 8 * when.Day,
				Statuses: booking.LiveStatuses, Limit: 1})
		if err != nil {
			return err
		}
		if len(live) > 0 {
			return fault.Conflictf("has_upcoming", "%s has a booking ahead. Cancel it first, then delete the contact.", c.Name)
		}
		if err := tx.Anonymise(&c); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactDeleted, Subject: c.ID.String()})
	})
	if err != nil {
		return err
	}
	s.Core.SweepSoon(ctx)
	return nil
}
