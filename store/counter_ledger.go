package store

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package counter reads and writes is here.
var (
	_ counter.Reader = queries{}
	_ counter.Reader = tx{}
	_ counter.Tx     = tx{}
)

const (
	entries = `SELECT id, workspace_id, booking_id, gives_back, method, amount, tip, currency, actor, actor_id, at_ms,
		sale_id, host_id FROM counter_entries`
	entry      = entries + ` WHERE id = ? AND workspace_id = ?`
	allEntries = entries + ` WHERE workspace_id = ? AND (at_ms, id) > (?, ?) ORDER BY at_ms, id LIMIT ?`
	sums       = `SELECT method, currency, CAST(SUM(amount + tip) AS BIGINT), CAST(SUM(tip) AS BIGINT),
		CAST(SUM(CASE WHEN gives_back IS NULL THEN 0 ELSE -amount - tip END) AS BIGINT)
		FROM counter_entries WHERE workspace_id = ? AND at_ms >= ? AND at_ms < ? GROUP BY method, currency
		ORDER BY method, currency`
	insertEntry = `INSERT INTO counter_entries (id, workspace_id, booking_id, gives_back, method, amount, tip, currency,
		actor, actor_id, at_ms, sale_id, host_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	closeColumns = `id, workspace_id, day, currency, opening, cash, counted, note, actor, actor_id, at_ms`
	closes       = `SELECT ` + closeColumns + ` FROM day_closes WHERE workspace_id = ? AND day = ? ORDER BY id LIMIT 100`
	allCloses    = `SELECT ` + closeColumns + ` FROM day_closes WHERE workspace_id = ? AND (day, id) > (?, ?)
		ORDER BY day, id LIMIT ?`
	lastClose = `SELECT ` + closeColumns + ` FROM day_closes WHERE workspace_id = ? AND day < ?
		ORDER BY day DESC, id DESC LIMIT 1`
)

func scanEntry(scan func(...any) error) (e counter.Entry, err error) {
	var method int
	err = engine.Found(scan(&e.ID, &e.WorkspaceID, engine.OrZero(&e.BookingID), engine.OrZero(&e.GivesBack), &method, &e.Amount, &e.Tip,
		&e.Currency, &e.Actor, &e.By, &e.At, engine.OrZero(&e.SaleID), engine.OrZero(&e.HostID)))
	if err == nil {
		e.Method = booking.Methods[method]
	}
	return e, err
}

func (q queries) CounterEntry(ws catalog.WorkspaceID, id booking.PaymentID) (counter.Entry, error) {
	return scanEntry(q.One(entry, id, ws))
}

func (q queries) CounterEntries(ws catalog.WorkspaceID, at when.Instant, id booking.PaymentID,
	limit int) ([]counter.Entry, error) {
	return engine.List(q, scanEntry, allEntries, ws, at, id, limit)
}

func (q queries) CounterSums(ws catalog.WorkspaceID, from, to when.Instant) ([]counter.Taking, error) {
	return engine.List(q, func(scan func(...any) error) (x counter.Taking, err error) {
		var method int
		if err = scan(&method, &x.Currency, &x.Amount, &x.Tips, &x.GivenBack); err == nil {
			x.Method = booking.Methods[method]
		}
		return x, err
	}, sums, ws, from, to)
}

func (t tx) InsertCounterEntry(e *counter.Entry) error {
	t.Show(*e)
	_, err := t.Exec(insertEntry, e.ID, e.WorkspaceID, engine.OrNull(e.BookingID), engine.OrNull(e.GivesBack),
		slices.Index(booking.Methods, e.Method), e.Amount, e.Tip, e.Currency, e.Actor, e.By, e.At,
		engine.OrNull(e.SaleID), engine.OrNull(e.HostID))
	return err
}

func scanClose(scan func(...any) error) (c counter.DayClose, err error) {
	err = scan(&c.ID, &c.WorkspaceID, &c.Day, &c.Currency, &c.Opening, &c.Cash, &c.Counted, &c.Note, &c.By, &c.ByID, &c.At)
	c.Expected = c.Opening + c.Cash
	c.Difference = c.Counted - c.Expected
	return c, engine.Found(err)
}

func (q queries) DayCloses(ws catalog.WorkspaceID, day string) ([]counter.DayClose, error) {
	return engine.List(q, scanClose, closes, ws, day)
}

func (q queries) AllDayCloses(ws catalog.WorkspaceID, day string, id counter.CloseID,
	limit int) ([]counter.DayClose, error) {
	return engine.List(q, scanClose, allCloses, ws, day, id, limit)
}

func (q queries) LastClose(ws catalog.WorkspaceID, before string) (counter.DayClose, error) {
	return scanClose(q.One(lastClose, ws, before))
}

func (t tx) InsertDayClose(c *counter.DayClose) error {
	_, err := t.Exec(`INSERT INTO day_closes (`+closeColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.WorkspaceID, c.Day, c.Currency, c.Opening, c.Cash, c.Counted, c.Note, c.By, c.ByID, c.At)
	return err
}
