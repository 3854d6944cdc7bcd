package store

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const (
	refundsQueued = `SELECT CAST(COALESCE(SUM(j.amount), 0) AS BIGINT) FROM payments p
		JOIN payment_jobs j ON j.booking_id = p.booking_id
		WHERE p.id = ? AND j.state = 0 AND j.action = 1 AND j.payment_id = p.id`
	nextJob = `SELECT COALESCE(MIN(due_ms), 0) FROM payment_jobs WHERE state = 0 AND ` + NoneGone
)

func claimJobs(of work.Buckets) (query string, args []any) {
	mine, args := In(of, `j.workspace_id`)
	return `UPDATE payment_jobs SET running = ?, due_ms = ?, tries = tries + 1
		WHERE id IN (SELECT MIN(j.id) FROM payment_jobs j WHERE j.state = 0 AND j.due_ms <= ?
		AND ` + NoneGone + mine + `
			AND NOT EXISTS (SELECT 1 FROM payment_jobs r WHERE r.booking_id = j.booking_id AND r.state = 0 AND r.running <> 0
			AND r.due_ms > ?)
			GROUP BY +j.booking_id LIMIT ?) AND state = 0 AND due_ms <= ?
		RETURNING id, workspace_id, booking_id, action, payment_id, checkout_id, amount, intent, tries, error,
		created_ms`, args
}

func (q queries) RefundsQueued(id booking.PaymentID) (sum int64, err error) {
	err = q.Scan(refundsQueued, []any{id}, &sum)
	return sum, err
}

func (q queries) NextPaymentJob(of work.Buckets) (due when.Instant, err error) {
	mine, args := In(of, `workspace_id`)
	err = q.Scan(nextJob+mine, args, &due)
	return due, err
}

func (t tx) InsertPaymentJob(j *payment.Job) error {
	t.Show(*j)
	_, err := t.Exec(`INSERT INTO payment_jobs (id, workspace_id, booking_id, action, payment_id, checkout_id, amount,
		intent, due_ms, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		j.ID, j.WorkspaceID, j.BookingID, slices.Index(payment.Actions,
			j.Action), engine.OrNull(j.PaymentID), engine.OrNull(j.CheckoutID), j.Amount, engine.OrNull(j.Intent), j.Due, j.CreatedAt)
	return err
}

// ClaimPaymentJobs never lets two jobs of a booking run at once: what one of them finds at the provider is never older
// than what another has saved.
func (t tx) ClaimPaymentJobs(by work.Share, now, lease when.Instant, limit int) (all []payment.Job, err error) {
	query, buckets := claimJobs(by.Buckets)
	args := slices.Concat([]any{by.Server, lease, now}, buckets, []any{now, limit, now})
	err = t.Each(query, args, func(scan func(...any) error) error {
		j := payment.Job{Lease: lease, Due: now}
		var action int
		err := scan(&j.ID, &j.WorkspaceID, &j.BookingID, &action, engine.OrZero(&j.PaymentID), engine.OrZero(&j.CheckoutID),
			&j.Amount, engine.OrZero(&j.Intent), &j.Tries, engine.OrZero(&j.Error), &j.CreatedAt)
		if err == nil {
			j.Action = payment.Actions[action]
		}
		all = append(all, j)
		return err
	})
	return all, err
}

func (t tx) FinishPaymentJob(j *payment.Job, at when.Instant) (bool, error) {
	return t.endClaim(j, 1, at)
}

func (t tx) FailPaymentJob(j *payment.Job, at when.Instant) (bool, error) {
	return t.endClaim(j, 2, at)
}

func (t tx) endClaim(j *payment.Job, state int, at when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE payment_jobs SET state = ?, running = 0, settled_ms = ?, error = ? WHERE id = ?
		AND workspace_id = ? AND state = 0 AND running <> 0 AND due_ms = ?`,
		state, at, engine.OrNull(j.Error), j.ID, j.WorkspaceID, j.Lease)
	return n == 1, err
}

func (t tx) RetryPaymentJob(j *payment.Job, due when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE payment_jobs SET running = 0, due_ms = ?, error = ?
		WHERE id = ? AND workspace_id = ? AND state = 0
		AND running <> 0 AND due_ms = ?`,
		due, engine.OrNull(j.Error), j.ID, j.WorkspaceID, j.Lease)
	return n == 1, err
}

func (t tx) InsertProviderEvent(ws catalog.WorkspaceID, id string, at when.Instant) (bool, error) {
	n, err := t.Exec(`INSERT INTO provider_events (workspace_id, id, at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, ws,
		id, at)
	return n == 1, err
}

func (t tx) PruneProviderEvents(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM provider_events WHERE (workspace_id, id) IN (SELECT workspace_id, id
		FROM provider_events WHERE at_ms < ? ORDER BY at_ms LIMIT ?)`, before, limit)
	return int(n), err
}

func (t tx) PrunePaymentJobs(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM payment_jobs WHERE id IN (SELECT id FROM payment_jobs WHERE state > 0
		AND settled_ms < ? ORDER BY settled_ms LIMIT ?) AND state > 0`, before, limit)
	return int(n), err
}
