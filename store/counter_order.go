package store

import (
	"encoding/json"
	"fmt"

	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/payment"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	orderColumns   = `id, workspace_id, session, intent, sale_id, due_ms, content`
	oneOrder       = `SELECT ` + orderColumns + ` FROM voucher_orders WHERE id = ? AND workspace_id = ?`
	orderBySession = `SELECT ` + orderColumns + ` FROM voucher_orders WHERE workspace_id = ? AND session = ?`
	orderByIntent  = `SELECT ` + orderColumns + ` FROM voucher_orders WHERE workspace_id = ? AND intent = ?`
	orderOfSale    = `SELECT ` + orderColumns + ` FROM voucher_orders WHERE sale_id = ? AND workspace_id = ?`
	dueOrders      = `SELECT ` + orderColumns + ` FROM voucher_orders WHERE due_ms <= ? ORDER BY due_ms LIMIT ?`
)

func scanOrder(scan func(...any) error) (o counter.Order, err error) {
	var content []byte
	var id payment.CheckoutID
	var ws catalog.WorkspaceID
	var session, intent string
	var sale counter.SaleID
	var due when.Instant
	err = scan(&id, &ws, engine.OrZero(&session), engine.OrZero(&intent), engine.OrZero(&sale), engine.OrZero(&due), &content)
	if err != nil {
		return o, engine.Found(err)
	}
	if err := json.Unmarshal(content, &o); err != nil {
		return o, fmt.Errorf("order %s: %w", id, err)
	}
	o.ID, o.WorkspaceID, o.Session, o.Intent, o.SaleID, o.DueAt = id, ws, session, intent, sale, due
	return o, nil
}

// Order implements counter.Reads, as the methods below do.
func (q queries) Order(ws catalog.WorkspaceID, id payment.CheckoutID) (counter.Order, error) {
	return scanOrder(q.One(oneOrder, id, ws))
}

func (q queries) OrderBySession(ws catalog.WorkspaceID, session string) (counter.Order, error) {
	return scanOrder(q.One(orderBySession, ws, session))
}

func (q queries) OrderByIntent(ws catalog.WorkspaceID, intent string) (counter.Order, error) {
	return scanOrder(q.One(orderByIntent, ws, intent))
}

func (q queries) OrderOfSale(ws catalog.WorkspaceID, sale counter.SaleID) (counter.Order, error) {
	return scanOrder(q.One(orderOfSale, sale, ws))
}

func (q queries) DueOrders(now when.Instant, limit int) ([]counter.Order, error) {
	return engine.List(q, scanOrder, dueOrders, now, limit)
}

// InsertOrder implements counter.Writes, as the methods below do.
func (t tx) InsertOrder(o *counter.Order) error {
	content, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO voucher_orders (id, workspace_id, session, intent, sale_id, due_ms, content) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		o.ID, o.WorkspaceID, engine.OrNull(o.Session), engine.OrNull(o.Intent), engine.OrNull(o.SaleID), engine.OrNull(o.DueAt), string(content))
	return err
}

func (t tx) UpdateOrder(o *counter.Order) error {
	content, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE voucher_orders SET session = ?, intent = ?, sale_id = ?, due_ms = ?, content = ? WHERE id = ? AND workspace_id = ?`,
		engine.OrNull(o.Session), engine.OrNull(o.Intent), engine.OrNull(o.SaleID), engine.OrNull(o.DueAt), string(content), o.ID, o.WorkspaceID)
	return err
}

func (t tx) DeleteOrder(ws catalog.WorkspaceID, id payment.CheckoutID) error {
	_, err := t.Exec(`DELETE FROM voucher_orders WHERE id = ? AND workspace_id = ?`, id, ws)
	return err
}

func (t tx) LockOrder(ws catalog.WorkspaceID, id payment.CheckoutID) (counter.Order, error) {
	if _, err := t.Exec(`UPDATE voucher_orders SET due_ms = due_ms WHERE id = ? AND workspace_id = ?`, id, ws); err != nil {
		return counter.Order{}, err
	}
	return t.Order(ws, id)
}

func (t tx) ClaimOrder(o *counter.Order, until when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE voucher_orders SET due_ms = ? WHERE id = ? AND workspace_id = ? AND due_ms = ?`, until, o.ID, o.WorkspaceID, o.DueAt)
	return n > 0, err
}
