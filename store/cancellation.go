// The SQL of cancellations of several bookings at once.

package store

import (
	"encoding/json"

	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const (
	cancellationColumns = `id, workspace_id, user_id, form, scope, message, refund, closed, made_ms, due_ms, done_ms, state,
		seen, offers`
	cancellationByID    = `SELECT ` + cancellationColumns + ` FROM cancellations WHERE id = ? AND workspace_id = ?`
	cancellationOfForm  = `SELECT id FROM cancellations WHERE workspace_id = ? AND form = ?`
	unseenCancellations = `SELECT ` + cancellationColumns + ` FROM cancellations WHERE workspace_id = ? AND made_ms >= ?
		AND state < 3 AND seen = 0 ORDER BY made_ms DESC, id DESC LIMIT ?`
	dueCancellations = `SELECT ` + cancellationColumns + ` FROM cancellations WHERE state < 2 AND due_ms <= ?
		AND ` + NoneSilent
	dueCancellationsOrder = ` ORDER BY due_ms LIMIT ?`
	itemsOfCancellation   = `SELECT booking_id, version, outcome, why FROM cancellation_items
		WHERE workspace_id = ? AND cancellation_id = ? ORDER BY booking_id`
	openItems = `SELECT i.booking_id, c.id, c.due_ms, c.state, c.user_id FROM cancellation_items i
		JOIN cancellations c ON c.id = i.cancellation_id AND c.workspace_id = i.workspace_id
		WHERE i.workspace_id = ? AND i.outcome = 0`
	oldCancellations = `SELECT workspace_id, id FROM cancellations WHERE made_ms < ? AND state >= 2
		ORDER BY made_ms LIMIT ?`
	hastenCancellations = `UPDATE cancellations SET due_ms = CASE WHEN due_ms - ? > ? THEN due_ms - ? ELSE ? END
		WHERE state < 2 AND due_ms > ?`
)

func scanCancellation(scan func(...any) error) (c bulk.Cancellation, err error) {
	var scope, closed []byte
	var refund, seen, offers int
	err = scan(&c.ID, &c.Workspace, &c.By, &c.Form, &scope, &c.Message, &refund, &closed, &c.MadeAt, &c.DueAt,
		engine.OrZero(&c.DoneAt), &c.State, &seen, &offers)
	if err != nil {
		return c, engine.Found(err)
	}
	c.Refund, c.Seen, c.Offers = refund == 1, seen == 1, offers == 1
	if len(closed) > 0 {
		if err := json.Unmarshal(closed, &c.Closed); err != nil {
			return c, err
		}
	}
	return c, json.Unmarshal(scope, &c.Scope)
}

// withItems reads the items of each cancellation.
func (q queries) withItems(all []bulk.Cancellation) error {
	for n := range all {
		c := &all[n]
		items, err := engine.List(q, func(scan func(...any) error) (i bulk.Item, err error) {
			var why string
			err = scan(&i.Booking, &i.Version, &i.Outcome, engine.OrZero(&why))
			if why != "" && json.Unmarshal([]byte(why), &i.Why) != nil { // of versions that kept the text alone
				i.Why = fault.Textf("%s", why)
			}
			return i, err
		}, itemsOfCancellation, c.Workspace, c.ID)
		if err != nil {
			return err
		}
		c.Items = items
	}
	return nil
}

// Cancellation implements bulk.Reads.
func (q queries) Cancellation(ws catalog.WorkspaceID, id bulk.CancellationID) (bulk.Cancellation, error) {
	c, err := scanCancellation(q.One(cancellationByID, id, ws))
	if err != nil {
		return c, err
	}
	all := []bulk.Cancellation{c}
	err = q.withItems(all)
	return all[0], err
}

// CancellationOfForm implements bulk.Reads.
func (q queries) CancellationOfForm(ws catalog.WorkspaceID, form string) (id bulk.CancellationID, err error) {
	return id, engine.Found(q.Scan(cancellationOfForm, []any{ws, form}, &id))
}

// UnseenCancellations implements bulk.Reads.
func (q queries) UnseenCancellations(ws catalog.WorkspaceID, since when.Instant, limit int) ([]bulk.Cancellation, error) {
	all, err := engine.List(q, scanCancellation, unseenCancellations, ws, since, limit)
	if err != nil {
		return nil, err
	}
	return all, q.withItems(all)
}

// OpenItems implements bulk.Reads.
func (q queries) OpenItems(ws catalog.WorkspaceID) (map[booking.BookingID]bulk.Waiting, error) {
	all := map[booking.BookingID]bulk.Waiting{}
	err := q.Each(openItems, []any{ws}, func(scan func(...any) error) error {
		var b booking.BookingID
		var w bulk.Waiting
		err := scan(&b, &w.ID, &w.DueAt, &w.State, &w.By)
		all[b] = w
		return err
	})
	return all, err
}

// DueCancellations implements bulk.Reader.
func (q queries) DueCancellations(of work.Buckets, now when.Instant, limit int) ([]bulk.Cancellation, error) {
	mine, buckets := In(of, `workspace_id`)
	all, err := engine.List(q, scanCancellation, dueCancellations+mine+dueCancellationsOrder,
		append(append([]any{now}, buckets...), limit)...)
	if err != nil {
		return nil, err
	}
	return all, q.withItems(all)
}

// InsertCancellation implements bulk.Tx.
func (t tx) InsertCancellation(c *bulk.Cancellation) error {
	scope, err := json.Marshal(c.Scope)
	if err != nil {
		return err
	}
	var closed any
	if c.Closed != nil {
		text, err := json.Marshal(c.Closed)
		if err != nil {
			return err
		}
		closed = string(text)
	}
	_, err = t.Exec(`INSERT INTO cancellations (`+cancellationColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.Workspace, c.By, c.Form, string(scope), c.Message, engine.Bit(c.Refund), closed, c.MadeAt, c.DueAt,
		engine.OrNull(c.DoneAt), int(c.State), engine.Bit(c.Seen), engine.Bit(c.Offers))
	for i := 0; i < len(c.Items) && err == nil; i++ {
		item := &c.Items[i]
		_, err = t.Exec(`INSERT INTO cancellation_items (workspace_id, cancellation_id, booking_id, version, outcome)
			VALUES (?, ?, ?, ?, ?)`, c.Workspace, c.ID, item.Booking, item.Version, int(item.Outcome))
	}
	return err
}

// BeginCancellation implements bulk.Tx.
func (t tx) BeginCancellation(ws catalog.WorkspaceID, id bulk.CancellationID, now when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE cancellations SET state = 1 WHERE id = ? AND workspace_id = ? AND state = 0 AND due_ms <= ?`,
		id, ws, now)
	return n == 1, err
}

// UndoCancellation implements bulk.Tx.
func (t tx) UndoCancellation(ws catalog.WorkspaceID, id bulk.CancellationID, now when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE cancellations SET state = 3, done_ms = ? WHERE id = ? AND workspace_id = ? AND state = 0`,
		now, id, ws)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = t.Exec(`UPDATE cancellation_items SET outcome = ? WHERE workspace_id = ? AND cancellation_id = ?
		AND outcome = 0`, int(bulk.Dropped), ws, id)
	return true, err
}

// SettleItem implements bulk.Tx.
func (t tx) SettleItem(ws catalog.WorkspaceID, id bulk.CancellationID, i bulk.Item) (bool, error) {
	var why any
	if i.Outcome == bulk.Refused {
		text, err := json.Marshal(i.Why)
		if err != nil {
			return false, err
		}
		why = string(text)
	}
	n, err := t.Exec(`UPDATE cancellation_items SET outcome = ?, why = ? WHERE workspace_id = ? AND cancellation_id = ?
		AND booking_id = ? AND outcome = 0`, int(i.Outcome), why, ws, id, i.Booking)
	return n == 1, err
}

// EndCancellation implements bulk.Tx.
func (t tx) EndCancellation(ws catalog.WorkspaceID, id bulk.CancellationID, now when.Instant) error {
	_, err := t.Exec(`UPDATE cancellations SET state = 2, done_ms = ? WHERE id = ? AND workspace_id = ? AND state = 1
		AND NOT EXISTS (SELECT 1 FROM cancellation_items i WHERE i.workspace_id = cancellations.workspace_id
			AND i.cancellation_id = cancellations.id AND i.outcome = 0)`, now, id, ws)
	return err
}

// SeeCancellation implements bulk.Tx.
func (t tx) SeeCancellation(ws catalog.WorkspaceID, id bulk.CancellationID) error {
	_, err := t.Exec(`UPDATE cancellations SET seen = 1 WHERE id = ? AND workspace_id = ? AND state = 2`, id, ws)
	return err
}

// HastenCancellations implements bulk.Tx.
func (t tx) HastenCancellations(now when.Instant, byMS int64) error {
	_, err := t.Exec(hastenCancellations, byMS, now, byMS, now, now)
	return err
}

// PruneCancellations implements bulk.Tx.
func (t tx) PruneCancellations(before when.Instant, limit int) (int, error) {
	type old struct {
		ws catalog.WorkspaceID
		id bulk.CancellationID
	}
	all, err := engine.List(t.queries, func(scan func(...any) error) (o old, err error) {
		err = scan(&o.ws, &o.id)
		return o, err
	}, oldCancellations, before, limit)
	for i := 0; i < len(all) && err == nil; i++ {
		_, err = t.Exec(`DELETE FROM cancellation_items WHERE workspace_id = ? AND cancellation_id = ?`, all[i].ws, all[i].id)
		if err == nil {
			_, err = t.Exec(`DELETE FROM cancellations WHERE workspace_id = ? AND id = ?`, all[i].ws, all[i].id)
		}
	}
	return len(all), err
}
