package contact

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// People reads the customers from the lines of a table that tells of other things, too, such as appointments: as an import
// of customers does.
type People struct {
	read    Read
	country string
	known   func(number string) ([]booking.Contact, error)
}

// PeopleIn returns the People of a table with these headings, of which the fields say what each column becomes: Dropped
// for one that tells of other things. known finds those who were imported with a number; see Service.WithNumber.
func PeopleIn(headings []string, fields []ImportField, country string,
	known func(number string) ([]booking.Contact, error)) *People {
	return &People{Read{Columns: columnsOf(headings, fields, nil)}, country, known}
}

// Of returns whom the cells of a line name: of somebody who was imported with the number that they have, and agrees with
// them, the e-mail address and telephone number by which that contact is found. others are those of the line in whose
// place they stand, after their headings. Errors: bad_request (nobody can be found by them), those of known.
func (p *People) Of(cells []string) (in booking.ContactInput, others []string, err error) {
	row := p.read.row(cells, p.country)
	if row.foreign != "" {
		all, err := p.known(row.foreign)
		if err != nil {
			return row.ContactInput, nil, err
		}
		for i := range all {
			c := &all[i]
			if !row.agrees(c.Name, c.Email, c.Phone) {
				continue
			}
			if row.Email != "" && fault.EmailKey(row.Email) != fault.EmailKey(c.Email) {
				others = append(others, headingOf(p.read.Columns, EmailField, "E-mail")+": "+row.Email)
			}
			if row.Phone != "" && row.Phone != c.Phone {
				others = append(others, headingOf(p.read.Columns, PhoneField, "Phone")+": "+row.Phone)
			}
			row.Email, row.Phone = c.Email, c.Phone
			break
		}
	}
	if row.Email == "" && row.Phone == "" {
		return row.ContactInput, nil, fault.Invalid("email", "neither an e-mail address nor a telephone number")
	}
	if row.Name == "" {
		row.Name = nameless(&row.ContactInput)
	}
	return row.ContactInput, others, row.Check(1, p.country)
}

// WithNumber lists the contacts who were imported with that number in another program, at most ten. Errors: forbidden.
func (s *Service) WithNumber(ctx context.Context, a app.Actor, number string) ([]booking.Contact, error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return nil, err
	}
	return s.Reader(ctx).ForeignContacts(a.Workspace, number, sameNumbers)
}

// NumberElsewhere returns the number that the contact has in the program that it was imported from, or "". Errors: forbidden,
// not_found.
func (s *Service) NumberElsewhere(ctx context.Context, a app.Actor, id booking.ContactID) (string, error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return "", err
	}
	number, err := s.Reader(ctx).Foreign(a.Workspace, id)
	return number, fault.OrMissing(err, fault.Missing("contact", id.String()))
}

// FieldOf returns what a column with the heading becomes in an import of customers.
func FieldOf(heading string) ImportField { return fieldOf[Folded(heading)] }

// Folded returns a heading as headings are compared: in lower case with nothing but its letters, without their accents.
func Folded(heading string) string { return folded(heading) }

// Bare returns a cell without what spreadsheets put around text that is no formula.
func Bare(cell string) string { return bare(cell) }

// Run is an import of another subject, which is remembered and undone like one of customers.
type Run struct {
	s  *Service
	im Import
}

// Alone runs do as an import: while none of the workspace runs or is being undone, and none begins meanwhile. Errors: forbidden, conflict import_running, and those of do.
func (s *Service) Alone(ctx context.Context, a app.Actor, do func(*Run) error) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	im, err := s.beginImport(ctx, a)
	if err != nil {
		return err
	}
	defer s.endImport(ctx, im)
	return do(&Run{s, im})
}

// ID returns the import's id.
func (r *Run) ID() ImportID { return r.im.ID }

// Lock locks the import for a step of it, after the other locks of the transaction, and returns what it has done. Errors:
// conflict import_running (it stood still for so long that another one has begun).
func (r *Run) Lock(tx app.Tx) (Import, error) { return r.s.stepImport(tx.(Tx), r.im) }

// Note saves what the import has done, with the step that does it.
func (r *Run) Note(tx app.Tx, im Import) error {
	im.Until = when.At(r.s.Now()).Add(Undoable)
	return tx.(Tx).SaveImport(&im)
}

// Met remembers that the import touched a contact: that it made it, or gave an appointment to one who was there.
func (r *Run) Met(tx app.Tx, c *booking.Contact, made bool) error {
	n := ImportedContact{Import: r.im.ID, Workspace: c.WorkspaceID, Contact: c.ID, Made: made}
	if made {
		n.Changes = differences(&booking.Contact{}, c)
		return tx.(Tx).InsertImported(&n)
	}
	if _, err := tx.(Tx).Imported(n.Workspace, n.Import, n.Contact); !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	return tx.(Tx).InsertImported(&n)
}
