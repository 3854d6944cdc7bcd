package contact

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Entries lists the entries of a contact whose card the actor may see, the pinned ones first and of these the latest
// first. Errors: forbidden, not_found, bad_request (the cursor).
func (s *Service) Entries(ctx context.Context, a app.Actor, contact string, limit *int, cursor string) (fault.Page[Entry], error) {
	none := fault.Page[Entry]{Data: []Entry{}}
	if err := a.May(app.MaySeeCard); err != nil {
		return none, err
	}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return none, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, contact)
	if err != nil {
		return none, err
	}
	list := fault.List{"entries", c.ID.String()}
	var after EntryPosition
	if cursor != "" {
		var pinned, last int64
		if err := list.Read(cursor, &pinned, &last); err != nil {
			return none, err
		}
		after = EntryPosition{Pinned: pinned == 1, ID: EntryID(last)}
	}
	rows, err := r.Entries(a.Workspace, c.ID, after, n+1)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, n, func(e *Entry) string {
		pinned := int64(0)
		if e.Pinned {
			pinned = 1
		}
		return list.Cursor(pinned, int64(e.ID))
	})
	authors := make([]*Author, len(page.Data))
	for i := range page.Data {
		authors[i] = &page.Data[i].Author
	}
	return page, nameAuthors(r, a.Workspace, authors)
}

// AddEntry writes an entry. One that corrects another is of that one's kind, and takes its pin and, unless it names one, its
// booking. Errors: forbidden, not_found (of the entry to correct, too), bad_request (of a booking that isn't this
// contact's, too), conflict corrected (somebody else has corrected it) and too_many_entries.
func (s *Service) AddEntry(ctx context.Context, a app.Actor, contact string, in EntryInput) (e Entry, err error) {
	if err := a.May(app.MayWriteCard); err != nil {
		return e, err
	}
	if in.Text, err = fault.CheckText("text", in.Text, MaxEntryText); err != nil {
		return e, err
	}
	if in.Text == "" {
		return e, fault.Invalid("text", "is required")
	}
	if in.Kind == "" {
		in.Kind = NoteEntry
	}
	if in.Corrects == "" && in.Kind != NoteEntry && in.Kind != FormulaEntry {
		return e, fault.Invalid("kind", "must be note or formula")
	}
	err = s.Write(ctx, func(tx Tx) error {
		c, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		e = Entry{ID: id.New[EntryIDKind](s.Now()), Kind: in.Kind, Text: in.Text, Pinned: in.Pinned,
			Author: Author{Actor: a.Kind, By: a.ID()}}
		e.CreatedAt = when.At(e.ID.MadeAt())
		if e.Booking, err = bookingOf(tx, a, c, in.Booking); err != nil {
			return err
		}
		if in.Corrects != "" {
			old, err := findEntry(tx, a, c, in.Corrects)
			if err != nil {
				return err
			}
			if old.Corrected {
				return errCorrected
			}
			if e.Kind, e.Corrects, e.Pinned = old.Kind, old.ID, old.Pinned || in.Pinned; e.Booking == 0 {
				e.Booking = old.Booking
			}
			if err := tx.CorrectedEntry(a.Workspace, old.ID); err != nil {
				return err
			}
		}
		total, err := tx.EntriesTotal(a.Workspace, c)
		if err != nil {
			return err
		}
		if total >= MaxEntries {
			return fault.Conflictf("too_many_entries", "A customer has at most %d entries.", MaxEntries)
		}
		if err := tx.InsertEntry(a.Workspace, c, &e); err != nil {
			return err
		}
		return s.written(tx, a, c, &e.Author)
	})
	return e, err
}

var errCorrected = fault.Conflictf("corrected", "This entry was corrected already. Correct the one that stands in its place.")

// PinEntry pins an entry, or unpins it. Errors: forbidden, not_found, conflict corrected.
func (s *Service) PinEntry(ctx context.Context, a app.Actor, contact, entry string, pinned bool) (e Entry, err error) {
	if err := a.May(app.MayWriteCard); err != nil {
		return e, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		c, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		if e, err = findEntry(tx, a, c, entry); err != nil {
			return err
		}
		if e.Corrected && pinned {
			return errCorrected
		}
		e.Pinned = pinned
		if err := tx.PinEntry(a.Workspace, e.ID, pinned); err != nil {
			return err
		}
		return nameAuthors(tx, a.Workspace, []*Author{&e.Author})
	})
	return e, err
}

// DeleteEntry deletes an entry, with those that it corrects. Errors: forbidden (staff never may), not_found.
func (s *Service) DeleteEntry(ctx context.Context, a app.Actor, contact, entry string) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		c, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		e, err := findEntry(tx, a, c, entry)
		if err != nil {
			return err
		}
		for old := e; ; {
			if err := tx.DeleteEntry(a.Workspace, old.ID); err != nil {
				return err
			}
			if old.Corrects == 0 {
				break
			}
			if old, err = tx.Entry(a.Workspace, c, old.Corrects); errors.Is(err, fault.ErrNotFound) {
				break
			} else if err != nil {
				return err
			}
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.EntryDeleted, Subject: e.ID.String()})
	})
}

// cardLocked is carded behind the lock of the contact: nobody else writes on its card until tx ends.
func (s *Service) cardLocked(tx Tx, a app.Actor, ref string) (booking.ContactID, error) {
	c, err := s.carded(tx, a, ref)
	if err != nil {
		return 0, err
	}
	if err := tx.LockContact(c.ID); err != nil {
		return 0, err
	}
	c, err = app.FindContact(tx, a, ref) // merged or deleted meanwhile
	return c.ID, err
}

// written notes that the actor wrote something on the card, and names them as its author.
func (s *Service) written(tx Tx, a app.Actor, c booking.ContactID, author *Author) error {
	if err := tx.TouchContact(a.Workspace, c, when.At(s.Now())); err != nil {
		return err
	}
	return nameAuthors(tx, a.Workspace, []*Author{author})
}

// bookingOf returns the booking of a contact that an input names, or 0. Errors: bad_request.
func bookingOf(tx Tx, a app.Actor, c booking.ContactID, ref string) (booking.BookingID, error) {
	if ref == "" {
		return 0, nil
	}
	other := fault.Invalid("booking", "must be one of this customer's bookings")
	wanted, err := id.Parse[booking.BookingIDKind](ref)
	if err != nil {
		return 0, other
	}
	b, err := tx.Booking(a.Workspace, wanted)
	if err == nil && b.ContactID != c {
		err = other
	}
	return b.ID, fault.OrMissing(err, other)
}

func findEntry(tx Tx, a app.Actor, c booking.ContactID, ref string) (Entry, error) {
	missing := fault.Missing("entry", ref)
	wanted, err := id.Parse[EntryIDKind](ref)
	if err != nil {
		return Entry{}, missing
	}
	e, err := tx.Entry(a.Workspace, c, wanted)
	return e, fault.OrMissing(err, missing)
}
