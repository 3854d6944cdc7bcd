package app

import (
	"context"
	"strings"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// ContactByID is one contact. Errors: forbidden (staff), not_found.
func (s *Service) ContactByID(ctx context.Context, a Actor, ref string) (Contact, error) {
	if err := a.seesContacts(); err != nil {
		return Contact{}, err
	}
	return findContact(s.Reader(ctx), a, ref)
}

func (a Actor) seesContacts() error {
	if a.Own() {
		return a.Needs(ManagerRole)
	}
	return nil
}

func findContact(r Reader, a Actor, ref string) (Contact, error) {
	id, err := id.Parse[ContactIDKind](ref)
	if err != nil {
		return Contact{}, fault.Missing("contact", ref)
	}
	c, err := r.Contact(a.Workspace, id)
	if err == nil && c.Email == "" { // deleted: its bookings are figures only
		err = fault.ErrNotFound
	}
	return c, OrMissing(err, fault.Missing("contact", ref))
}

// UpdateContact changes a contact; past bookings keep the name that they were made with.
// Errors: forbidden, not_found, bad_request, conflict email_taken.
func (s *Service) UpdateContact(ctx context.Context, a Actor, ref string, in ContactInput) (c Contact, err error) {
	if err := a.Needs(ManagerRole); err != nil {
		return c, err
	}
	if err := in.check(1); err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if c, err = findContact(tx, a, ref); err != nil {
			return err
		}
		c.Name, c.Email, c.Phone, c.TimeZone, c.Notes = in.Name, in.Email, in.Phone, in.TimeZone, in.Notes
		if err := tx.UpdateContact(&c); err == fault.ErrTaken {
			return &fault.Error{Code: fault.Conflict, Reason: "email_taken", Field: "email", Message: "email: Another contact has this address. Merge the two instead."}
		} else if err != nil {
			return err
		}
		return nil
	})
	return c, err
}

// mergeStep is how many bookings change their contact in one transaction.
const mergeStep = 200

// MergeContacts gives everything of the contact from to the contact into, and forgets the first: notes are joined,
// phone and zone are taken over where into has none. Bookings move in small steps and the contact goes with the last
// of them: after an error both are there, and merging them again moves the rest.
// Errors: forbidden, not_found, bad_request (the same one twice).
func (s *Service) MergeContacts(ctx context.Context, a Actor, from, into string) (c Contact, err error) {
	if err := a.Needs(ManagerRole); err != nil {
		return c, err
	}
	for more := true; more && err == nil; {
		err = s.Write(ctx, func(tx Tx) error {
			gone, err := findContact(tx, a, from)
			if err != nil {
				return err
			}
			if c, err = findContact(tx, a, into); err != nil {
				return err
			}
			if err := c.takeOver(&gone); err != nil {
				return err
			}
			moved, err := tx.MoveBookings(gone.ID, c.ID, mergeStep)
			if more = moved == mergeStep; err != nil || more {
				return err
			}
			if err := tx.ForgetContact(gone.ID); err != nil {
				return err
			}
			return tx.UpdateContact(&c)
		})
	}
	return c, err
}

// takeOver adds what c lacks from gone.
func (c *Contact) takeOver(gone *Contact) error {
	if gone.ID == c.ID {
		return fault.Invalid("into", "choose another contact")
	}
	if c.Phone == "" {
		c.Phone = gone.Phone
	}
	if c.TimeZone == "" {
		c.TimeZone = gone.TimeZone
	}
	c.Notes = strings.TrimSpace(c.Notes + "\n\n" + gone.Notes)
	if len([]rune(c.Notes)) > 5000 {
		return fault.Invalid("into", "together their notes are longer than 5000 characters; shorten one of them first")
	}
	return nil
}

// DeleteContact takes everything that names the person out of the workspace: the contact, and name, address, notes,
// answers and reasons in its bookings, their history, their events and mails. The bookings stay as figures. The contact
// is not found any more when this returns; where it has hundreds of bookings, Maintain does the last of them after that.
// Errors: forbidden, not_found, conflict has_upcoming.
func (s *Service) DeleteContact(ctx context.Context, a Actor, ref string) error {
	if err := a.Needs(ManagerRole); err != nil {
		return err
	}
	err := s.Write(ctx, func(tx Tx) error {
		c, err := findContact(tx, a, ref)
		if err != nil {
			return err
		}
		live, err := tx.Bookings(a.Workspace, BookingFilter{Contact: c.ID, EndsAfter: when.At(s.clock()), LongestLookup: 8 * Day, Statuses: []Status{Pending, Confirmed, Rescheduled}, Limit: 1})
		if err != nil {
			return err
		}
		if len(live) > 0 {
			return fault.Conflictf("has_upcoming", "%s has a booking ahead. Cancel it first, then delete the contact.", c.Name)
		}
		return tx.Anonymise(&c)
	})
	if err != nil {
		return err
	}
	s.sweepSoon(ctx)
	return nil
}
