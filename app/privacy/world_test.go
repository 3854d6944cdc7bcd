package privacy_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/store/enginetest"
)

// world is a salon whose customers come and stay away.
type world struct {
	*apptest.Salon
	opened *sql.DB
}

// raw is the database as it lies there: one pool, for walks over all tables would open hundreds.
func (w *world) raw() *sql.DB {
	w.T.Helper()
	if w.opened == nil {
		w.opened = enginetest.Raw(w.T, w.Store.Engine)
	}
	return w.opened
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{})}
	w.Offer("cut", 60, nil)
	return w
}

// later moves the clock on.
func (w *world) later(months int) { w.Clock.Set(w.Clock.Now().AddDate(0, months, 0)) }

func (w *world) chooses(months, taxYears int) {
	w.T.Helper()
	w.Must(w.Privacy.ChooseRule(w.T.Context(), w.Owner, &catalog.RetentionRule{Months: months, TaxYears: taxYears}))
	w.plan()
}

// plan lets a minute of the loop pass: it plans the first night.
func (w *world) plan() {
	w.T.Helper()
	w.Must(w.Privacy.Due(w.T.Context(), func(time.Duration) {}))
}

// night lets the next night pass, to its end.
func (w *world) night() {
	w.T.Helper()
	w.Clock.Advance(24 * time.Hour)
	w.plan()
	w.sweep()
}

func (w *world) sweep() {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Upkeep.Sweep(w.T.Context(), 50)
		w.Must(err)
	}
}

// name is the name in a booking.
func (w *world) name(b booking.Booking) string {
	w.T.Helper()
	return w.Again(b).Invitee.Name
}

// contacts are the names of all contacts, the newest first.
func (w *world) contacts() (names []string) {
	w.T.Helper()
	page, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	for i := range page.Data {
		names = append(names, page.Data[i].Name)
	}
	return names
}

// each calls see with every value of a table, as text.
func (w *world) each(table string, see func(column string, row int, value string)) {
	w.T.Helper()
	rows, err := w.raw().Query(`SELECT * FROM ` + table)
	w.Must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.Must(err)
	for row := 0; rows.Next(); row++ {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		w.Must(rows.Scan(to...))
		for i, v := range values {
			if b, is := v.([]byte); is {
				v = string(b)
			}
			see(columns[i], row, fmt.Sprint(v))
		}
	}
	w.Must(rows.Err())
}
