package store

import (
	"fmt"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const deliveryColumns = `d.id, d.event_id, COALESCE(e.kind, ''), d.endpoint_id, d.state, d.sending, d.due_ms,
	d.attempts,
	d.response_status, d.error, d.duration_ms, d.created_ms, d.response`

const deliveriesJoined = ` FROM deliveries d ` + withEvent

const withEvent = `LEFT JOIN events e ON e.id = d.event_id /* apart AND e.workspace_id = d.workspace_id */ `

func scanDelivery(scan func(...any) error) (d webhook.Delivery, err error) {
	var state int
	var sending int64
	var due when.Instant
	err = scan(&d.ID, &d.EventID, &d.Event, &d.EndpointID, &state, &sending, &due, &d.Attempts,
		&d.ResponseStatus, &d.Error, &d.DurationMS, &d.CreatedAt, &d.Response)
	d.State = webhook.DeliveryStates[state]
	if d.State == webhook.DeliveryPending && sending == 0 {
		d.NextAttemptAt = due
	}
	return d, engine.Found(err)
}

func (q queries) Delivery(ws catalog.WorkspaceID, id booking.DeliveryID) (webhook.Delivery, error) {
	return scanDelivery(q.One(`SELECT `+deliveryColumns+deliveriesJoined+
		`WHERE d.id = ? AND /* apart d.workspace_id = */ ? > 0`, id, ws))
}

func (q queries) EndpointOf(id booking.DeliveryID) (e catalog.EndpointID, err error) {
	err = q.Scan(`SELECT endpoint_id FROM deliveries WHERE id = ?`, []any{id}, &e)
	return e, engine.Found(err)
}

func (q queries) Deliveries(ws catalog.WorkspaceID, f webhook.DeliveryFilter) (all []webhook.Delivery, err error) {
	query, args := listDeliveries(q.Serial(), ws, f)
	err = q.Each(query, args, func(scan func(...any) error) error {
		d, err := scanDelivery(scan)
		all = append(all, d)
		return err
	})
	return all, err
}

// stateTerms hold the state as a literal, for the partial indexes. Most deliveries are delivered, so their
// term keeps to the log.
var stateTerms = map[webhook.DeliveryState]string{
	"": ``, webhook.DeliveryPending: ` AND x.state = 0`,
	webhook.DeliveryDelivered: ` AND +x.state = 1`, webhook.DeliveryFailed: ` AND x.state = 2`,
}

// listDeliveries writes the SELECT of a list. A workspace's log is that of its few endpoints, merged: an index of its
// own would cost every booking a write. What joins them depends on the engine, which is serial on SQLite.
func listDeliveries(serial bool, ws catalog.WorkspaceID, f webhook.DeliveryFilter) (string, []any) {
	last := f.After
	if last == 0 {
		last = 1<<63 - 1
	}
	id := `x.id`
	if f.State == webhook.DeliveryPending {
		id = `+x.id` // they are few, and lie in the order of when they are due: better sorted than sought in the log
	}
	newest := ` FROM deliveries x WHERE ` + id + ` < ?` + stateTerms[f.State] + ` AND x.endpoint_id = `
	order := ` ORDER BY ` + id + ` DESC LIMIT ?`
	if f.Endpoint != 0 {
		return `SELECT ` + deliveryColumns + deliveriesJoined + `WHERE d.id IN (SELECT x.id` + newest + `?` + order +
				`) AND /* apart d.workspace_id = */ ? > 0 ORDER BY d.id DESC`,
			[]any{last, f.Endpoint, f.Limit, ws}
	}
	each := `JOIN deliveries d ON d.id IN (SELECT x.id` + newest + `w.id` + order + `)`
	if !serial { // an IN of rows that differ for each endpoint would be tried on every delivery
		each = `CROSS JOIN LATERAL (SELECT x.*` + newest + `w.id` + order + `) d`
	}
	return `SELECT ` + deliveryColumns + ` FROM webhook_endpoints w ` + each + ` ` + withEvent + `
		WHERE w.workspace_id = ? ORDER BY d.id DESC LIMIT ?`, []any{last, f.Limit, ws, f.Limit}
}

// steps go from endpoint to endpoint of those that have pending deliveries.
const steps = `WITH RECURSIVE step (endpoint_id) AS (
		SELECT MIN(endpoint_id) FROM deliveries WHERE state = 0
		UNION ALL
		SELECT (SELECT MIN(d.endpoint_id) FROM deliveries d WHERE d.state = 0 AND d.endpoint_id > s.endpoint_id) FROM step s
		WHERE s.endpoint_id IS NOT NULL)
	`

// firstDue is when an endpoint's first delivery is due. Those under way are due when their lease ends.
const firstDue = `(SELECT MIN(d.due_ms) FROM deliveries d WHERE d.state = 0 AND d.endpoint_id = `

// ofOpen is the term for endpoints of workspaces that are not suspended.
const ofOpen = ` AND s.endpoint_id NOT IN (SELECT id FROM webhook_endpoints WHERE workspace_id IN (SELECT id FROM workspaces
	WHERE suspended_ms IS NOT NULL))`

const waitingQuery = steps + `SELECT s.endpoint_id, ` + firstDue + `s.endpoint_id)
	FROM step s `

// FirstDueDelivery returns when the first of the pending deliveries is due that nobody sends, of a workspace, or with 0
// of all. It is 0 for none; where all are under way, it is when the first of their leases ends.
func (q queries) FirstDueDelivery(ws catalog.WorkspaceID) (due when.Instant, err error) {
	query, args := firstDueDelivery(ws)
	err = q.Scan(query, args, &due)
	return due, err
}

func firstDueDelivery(ws catalog.WorkspaceID) (query string, args []any) {
	if ws == 0 {
		return steps + `SELECT COALESCE(MIN(` + firstDue + `s.endpoint_id)), 0) FROM step s WHERE s.endpoint_id IS NOT NULL` + ofOpen,
			nil
	}
	return `SELECT COALESCE(MIN(` + firstDue + `e.id)), 0) FROM webhook_endpoints e WHERE e.workspace_id = ?`, []any{ws}
}

// waitingDeliveries returns the query for the endpoints of workspaces in those buckets. One whose row is gone counts as
// of bucket 0.
func waitingDeliveries(of work.Buckets) (query string, args []any) {
	const some = `WHERE s.endpoint_id IS NOT NULL` + ofOpen
	mine, args := In(of, `COALESCE(w.workspace_id, 0)`)
	if mine == "" {
		return waitingQuery + some, nil
	}
	return waitingQuery + `LEFT JOIN webhook_endpoints w ON w.id = s.endpoint_id ` + some + mine, args
}

// Waiting steps from endpoint to endpoint through the index: what lies between is not read.
func (q queries) Waiting(of work.Buckets) (all []webhook.Waiting, err error) {
	query, args := waitingDeliveries(of)
	err = q.Each(query, args, func(scan func(...any) error) error {
		var w webhook.Waiting
		err := scan(&w.Lane, &w.Due)
		all = append(all, w)
		return err
	})
	return all, err
}

// UPDATE … RETURNING with the body would do both in one statement, at nearly twice the price.
const (
	dueQuery = `SELECT d.id, d.event_id, COALESCE(e.booking_id, 0), d.tries, e.body FROM deliveries d ` + withEvent + `
	WHERE d.endpoint_id = ? AND /* apart d.workspace_id = */ ? > 0 AND d.state = 0 AND d.due_ms <= ?
	AND CAST(? AS BIGINT) NOT IN (SELECT id FROM workspaces WHERE suspended_ms IS NOT NULL)
	ORDER BY d.due_ms, d.id LIMIT ? /* claim d */`
	claimQuery = `UPDATE deliveries SET sending = ?, due_ms = ? WHERE /* apart workspace_id = */ ? > 0 AND state = 0
	AND id IN `
)

func (t tx) ClaimDeliveries(server int64, ws catalog.WorkspaceID, id catalog.EndpointID, now, lease when.Instant,
	limit int) (all []webhook.Claimed, err error) {
	err = t.Each(dueQuery, []any{id, ws, now, ws, limit}, func(scan func(...any) error) error {
		c := webhook.Claimed{Workspace: ws, Lease: lease}
		err := scan(&c.ID, &c.Event, &c.Booking, &c.Tries, &c.Body)
		all = append(all, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	claimed := 0
	for some := range engine.Few(all) {
		args := []any{server, lease, ws}
		for i := range some {
			args = append(args, some[i].ID)
		}
		n, err := t.Exec(claimQuery+engine.Placeholders(len(some)), args...)
		if err != nil {
			return nil, err
		}
		claimed += int(n)
	}
	if claimed != len(all) {
		return nil, fmt.Errorf("claimed %d deliveries instead of %d", claimed, len(all))
	}
	return all, nil
}

func (t tx) SettleDelivery(o *webhook.Outcome) (bool, error) {
	n, err := t.Exec(`UPDATE deliveries SET state = ?, sending = 0, due_ms = ?, tries = tries + 1, attempts = attempts + 1,
		response_status = ?, duration_ms = ?, error = ?, response = ? WHERE id = ? AND /* apart workspace_id = */ ? > 0
		AND state = 0 AND sending <> 0 AND due_ms = ?`,
		slices.Index(webhook.DeliveryStates, o.State), o.Next, engine.OrNull(o.Status), o.Duration.Milliseconds(),
		engine.OrNull(o.Error), engine.BytesOrNull(o.Response), o.ID, o.Workspace, o.Lease)
	return n == 1, err
}

// ReleaseDelivery implements webhook.Tx. What was never tried goes back to its place, before later events of its booking.
func (t tx) ReleaseDelivery(ws catalog.WorkspaceID, id booking.DeliveryID, lease, now when.Instant) error {
	_, err := t.Exec(`UPDATE deliveries SET sending = 0, due_ms = CASE WHEN tries = 0 THEN created_ms ELSE ? END WHERE id = ? AND /* apart workspace_id = */ ? > 0
		AND state = 0 AND sending <> 0 AND due_ms = ?`, now, id, ws, lease)
	return err
}

func (t tx) RequeueDelivery(ws catalog.WorkspaceID, id booking.DeliveryID, now when.Instant) error {
	_, err := t.Exec(`UPDATE deliveries SET state = 0, tries = 0, due_ms = ?
		WHERE id = ? AND /* apart workspace_id = */ ? > 0 AND sending = 0`, now, id, ws)
	return err
}

const failPendingQuery = `UPDATE deliveries SET state = 2, sending = 0, error = ?
	WHERE id IN (SELECT id FROM deliveries WHERE endpoint_id = ? AND state = 0 AND (sending = 0 OR due_ms <= ?)
	ORDER BY due_ms LIMIT ?)
	AND state = 0 AND (sending = 0 OR due_ms <= ?)`

func (t tx) FailPending(id catalog.EndpointID, reason string, now when.Instant, limit int) (int, error) {
	n, err := t.Exec(failPendingQuery, reason, id, now, limit, now)
	return int(n), err
}

const pruneDeliveriesQuery = `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE id < ?
	AND +state <> 0 ORDER BY id LIMIT ?)
	AND +state <> 0`

func (t tx) PruneDeliveries(before booking.DeliveryID, limit int) (int, error) {
	n, err := t.Exec(pruneDeliveriesQuery, before, limit)
	return int(n), err
}
