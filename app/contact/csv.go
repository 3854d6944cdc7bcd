package contact

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// ContactBookings lists the bookings of a contact that the actor sees by ContactByID, after the cursor, the latest start
// first. Staff get the Outline of those that are not theirs. Errors: forbidden, not_found, bad_request (the cursor).
func (s *Service) ContactBookings(ctx context.Context, a app.Actor,
	ref, after string) (fault.Page[booking.Booking], error) {
	if err := a.May(app.MaySeeCustomers); err != nil {
		return fault.Page[booking.Booking]{Data: []booking.Booking{}}, err
	}
	return s.bookingsOf(ctx, a, ref, after, 50)
}

// HistoryShown is how many bookings ContactHistory returns at once.
const HistoryShown = 500

// ContactHistory is ContactBookings with HistoryShown of them on a page, of which a year makes a heading.
func (s *Service) ContactHistory(ctx context.Context, a app.Actor,
	ref, after string) (fault.Page[booking.Booking], error) {
	if err := a.May(app.MaySeeCustomers); err != nil {
		return fault.Page[booking.Booking]{Data: []booking.Booking{}}, err
	}
	return s.bookingsOf(ctx, a, ref, after, HistoryShown)
}

func (s *Service) bookingsOf(ctx context.Context, a app.Actor, ref, after string, n int) (fault.Page[booking.Booking], error) {
	none := fault.Page[booking.Booking]{Data: []booking.Booking{}}
	c, err := s.ContactByID(ctx, a, ref)
	if err != nil {
		return none, err
	}
	f := booking.BookingFilter{Contact: c.ID, Descending: true, Limit: n + 1}
	list := fault.List{"bookings of a contact", c.ID.String()}
	if after != "" {
		var start, id int64
		if err := list.Read(after, &start, &id); err != nil {
			return none, err
		}
		f.After, f.AfterID = when.Instant(start), booking.BookingID(id)
	}
	rows, err := s.Reader(ctx).Bookings(a.Workspace, f)
	if err != nil {
		return none, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return none, err
	}
	for i := range rows {
		s.Core.Present(setup, a, &rows[i])
		if !a.SeesBooking(&rows[i]) {
			rows[i] = rows[i].Outline()
		}
	}
	return fault.PageOf(rows, n, func(b *booking.Booking) string { return list.Cursor(int64(b.Start), int64(b.ID)) }), nil
}

// NewContact makes a contact, and fails if there is one with the e-mail address, or without one with the phone number.
// Errors: forbidden, bad_request, conflict email_taken or phone_taken.
func (s *Service) NewContact(ctx context.Context, a app.Actor, in booking.ContactInput) (booking.Contact, error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return booking.Contact{}, err
	}
	c, created, err := s.CreateContact(ctx, a, in)
	if err == nil && !created {
		err = taken(&in, "%s has this %s already.", c.Name)
	}
	return c, err
}

// SetContactNotes changes only the notes. Errors: forbidden, not_found, bad_request.
func (s *Service) SetContactNotes(ctx context.Context, a app.Actor, ref, notes string) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	notes, err := fault.CheckText("notes", notes, booking.MaxContactNotes)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		c, err := lockedContact(tx, a, ref)
		if err != nil {
			return err
		}
		c.Notes, c.ChangedAt = notes, when.At(s.Core.Now())
		return tx.UpdateContact(&c)
	})
}

var contactColumns = []string{"name", "email", "phone", "timeZone", "notes", "bookings", "noShows", "lastBookingAt",
	"createdAt", "tags", "birthday", "tellBy", "texts"}

// ExportContacts writes all contacts as CSV, the newest first, a few hundred at a time, with a column for each of the
// workspace's own fields after the others. ImportContacts reads that format. The export is logged before the first byte is written. Errors: forbidden.
func (s *Service) ExportContacts(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	err := s.Write(ctx, func(tx Tx) error {
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactsExported})
	})
	if err != nil {
		return err
	}
	return s.WriteContacts(ctx, a, to)
}

// WriteContacts does the same as ExportContacts without logging it, for a larger export that is logged.
func (s *Service) WriteContacts(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	own, head := setup.Workspace.Settings.ContactFields, slices.Clone(contactColumns)
	for i := range own {
		head = append(head, headingFor(&own[i], own))
	}
	out := NewCSV(to)
	out.Write(head)
	for after := booking.ContactID(0); ; {
		r := s.Reader(ctx)
		rows, err := r.Contacts(a.Workspace, "", after, app.ExportStep)
		if err != nil {
			return err
		}
		if err := r.ReadCards(a.Workspace, rows); err != nil {
			return err
		}
		for i := range rows {
			c := &rows[i]
			after = c.ID
			cells := []string{
				c.Name, c.Email, c.Phone, c.TimeZone, c.Notes,
				fmt.Sprint(c.Bookings), fmt.Sprint(c.NoShows), instantCell(c.LastBookingAt), instantCell(c.CreatedAt),
				strings.Join(c.Tags, ", "), *c.Birthday, *c.TellBy,
				string(c.Texts.State),
			}
			for i := range own {
				cells = append(cells, c.Fields[own[i].Key])
			}
			out.Write(cells)
		}
		if err := out.Flush(); err != nil || len(rows) < app.ExportStep {
			return err
		}
	}
}

func instantCell(i when.Instant) string {
	if i == 0 {
		return ""
	}
	return i.String()
}
