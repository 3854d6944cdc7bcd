package contact

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
)

// People reads the customers from the lines of a table that tells of other things, too, such as appointments: as an import
// of customers does.
type People struct {
	read    Read
	country string
}

// PeopleIn returns the People of a table with these headings, of which the fields say what each column becomes: Dropped
// for one that tells of other things.
func PeopleIn(headings []string, fields []ImportField, country string) *People {
	return &People{Read{Columns: columnsOf(headings, fields)}, country}
}

// Of returns whom the cells of a line name. Errors: bad_request (nobody can be found by them).
func (p *People) Of(cells []string) (booking.ContactInput, error) {
	row := p.read.row(cells, p.country)
	if row.Email == "" && row.Phone == "" {
		return row.ContactInput, fault.Invalid("email", "neither an e-mail address nor a telephone number")
	}
	if row.Name == "" {
		row.Name = nameless(&row.ContactInput)
	}
	return row.ContactInput, row.Check(1, p.country)
}

// FieldOf returns what a column with the heading becomes in an import of customers.
func FieldOf(heading string) ImportField { return fieldOf[Folded(heading)] }

// Folded returns a heading as headings are compared: in lower case with nothing but its letters, without their accents.
func Folded(heading string) string { return folded(heading) }

// Bare returns a cell without what spreadsheets put around text that is no formula.
func Bare(cell string) string { return bare(cell) }

// Alone runs do while no import of customers of the workspace runs, or is being undone; none begins meanwhile. do calls step
// in each of its transactions, after its locks. Errors: forbidden, conflict import_running, and
// those of do.
func (s *Service) Alone(ctx context.Context, a app.Actor, do func(step func(app.Tx) error) error) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	im, err := s.beginImport(ctx, a)
	if err != nil {
		return err
	}
	defer s.endImport(ctx, im, &Imported{})
	return do(func(tx app.Tx) error {
		now, err := s.stepImport(tx.(Tx), im)
		if err != nil {
			return err
		}
		return s.cameTo(tx.(Tx), now, &Imported{})
	})
}
