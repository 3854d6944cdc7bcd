package store

import (
	"encoding/json"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package payment reads and writes is here.
var (
	_ payment.Reader = queries{}
	_ payment.Reader = tx{}
	_ payment.Tx     = tx{}
)

const accountColumns = `workspace_id, secret_key, signing_secret, live, account, connected_ms, looked_ms, last_event,
	last_event_ms`

func scanAccount(scan func(...any) error) (a payment.Account, err error) {
	err = scan(&a.WorkspaceID, &a.SecretKey, &a.SigningSecret, &a.Live, &a.Account, &a.ConnectedAt, &a.LookedAt,
		engine.OrZero(&a.LastEvent), engine.OrZero(&a.LastEventAt))
	return a, engine.Found(err)
}

func (q queries) PaymentAccount(ws catalog.WorkspaceID) (payment.Account, error) {
	return scanAccount(q.One(`SELECT `+accountColumns+` FROM payment_accounts WHERE workspace_id = ?`, ws))
}

func (q queries) PaymentAccounts(limit int) ([]payment.Account, error) {
	return engine.List(q, scanAccount, `SELECT `+accountColumns+` FROM payment_accounts ORDER BY workspace_id LIMIT ?`, limit)
}

func (t tx) SavePaymentAccount(a *payment.Account) error {
	_, err := t.Exec(`INSERT INTO payment_accounts (workspace_id, secret_key, signing_secret, live, account,
		connected_ms, looked_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id) DO UPDATE
		SET secret_key = excluded.secret_key, signing_secret = excluded.signing_secret, live = excluded.live,
		account = excluded.account, connected_ms = excluded.connected_ms, looked_ms = excluded.looked_ms`,
		a.WorkspaceID, a.SecretKey, a.SigningSecret, a.Live, a.Account, a.ConnectedAt, a.LookedAt)
	if err != nil {
		return err
	}
	return Touch(t.Transaction, a.WorkspaceID)
}

func (t tx) DeletePaymentAccount(ws catalog.WorkspaceID) error {
	if _, err := t.Exec(`DELETE FROM payment_accounts WHERE workspace_id = ?`, ws); err != nil {
		return err
	}
	return Touch(t.Transaction, ws)
}

func (t tx) TouchPaymentAccount(ws catalog.WorkspaceID, event string, at when.Instant) error {
	_, err := t.Exec(`UPDATE payment_accounts SET last_event = ?, last_event_ms = ? WHERE workspace_id = ?`, event, at, ws)
	return err
}

func (t tx) SetLooked(ws catalog.WorkspaceID, at when.Instant) error {
	_, err := t.Exec(`UPDATE payment_accounts SET looked_ms = ? WHERE workspace_id = ?`, at, ws)
	return err
}

const paymentColumns = `id, workspace_id, booking_id, kind, attempt, status, amount, currency, refunded, refunding,
	unwanted, intent, dispute, error, paid_ms, created_ms`

const (
	paymentsOf        = `SELECT ` + paymentColumns + ` FROM payments WHERE booking_id = ? ORDER BY kind, attempt`
	paymentsByIntent  = `SELECT ` + paymentColumns + ` FROM payments WHERE intent = ? AND +workspace_id = ? ORDER BY id`
	unsettledPayments = `SELECT ` + paymentColumns +
		` FROM payments WHERE workspace_id = ? AND (status = 1 OR refunding > 0) AND id > ? ORDER BY id LIMIT ?`
)

func scanPayment(scan func(...any) error) (p payment.Record, err error) {
	var kind, status int
	err = scan(&p.ID, &p.WorkspaceID, &p.BookingID, &kind, &p.Attempt, &status, &p.Amount, &p.Currency, &p.RefundedAmount,
		&p.Refunding,
		&p.Unwanted, engine.OrZero(&p.Intent), engine.OrZero(&p.Dispute), engine.OrZero(&p.Error), engine.OrZero(&p.PaidAt), &p.CreatedAt)
	if err == nil {
		p.Kind, p.Status = payment.Kinds[kind], booking.PaymentStatuses[status]
	}
	return p, engine.Found(err)
}

func (q queries) Payment(id booking.PaymentID) (payment.Record, error) {
	return scanPayment(q.One(`SELECT `+paymentColumns+` FROM payments WHERE id = ?`, id))
}

func (q queries) PaymentsByIntent(ws catalog.WorkspaceID, intent string) ([]payment.Record, error) {
	return engine.List(q, scanPayment, paymentsByIntent, intent, ws)
}

func (q queries) PaymentsOf(id booking.BookingID) ([]payment.Record, error) {
	return engine.List(q, scanPayment, paymentsOf, id)
}

func (q queries) Payments(ws catalog.WorkspaceID, before booking.PaymentID, disputed bool,
	limit int) ([]payment.Record, error) {
	if before == 0 {
		before = 1<<63 - 1
	}
	return engine.List(q, scanPayment, listPayments(disputed), ws, before, limit)
}

func listPayments(disputed bool) string {
	query := `SELECT ` + paymentColumns + ` FROM payments WHERE workspace_id = ? AND id < ?`
	if disputed {
		query += ` AND dispute IS NOT NULL`
	}
	return query + ` ORDER BY id DESC LIMIT ?`
}

func (q queries) UnsettledPayments(ws catalog.WorkspaceID, after booking.PaymentID,
	limit int) ([]payment.Record, error) {
	return engine.List(q, scanPayment, unsettledPayments, ws, after, limit)
}

func (t tx) InsertPayment(p *payment.Record) error {
	t.Show(*p)
	_, err := t.Exec(`INSERT INTO payments (id, workspace_id, booking_id, kind, attempt, status, amount, currency,
		intent, unwanted, paid_ms, created_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.ID, p.WorkspaceID, p.BookingID, slices.Index(payment.Kinds, p.Kind), p.Attempt,
		slices.Index(booking.PaymentStatuses, p.Status), p.Amount, p.Currency, engine.OrNull(p.Intent), p.Unwanted,
		engine.OrNull(p.PaidAt), p.CreatedAt)
	return err
}

func (t tx) UpdatePayment(p *payment.Record) error {
	_, err := t.Exec(`UPDATE payments
		SET status = ?, refunded = ?, refunding = ?, unwanted = ?, intent = ?, dispute = ?, error = ?, paid_ms = ?
		WHERE id = ? AND workspace_id = ?`,
		slices.Index(booking.PaymentStatuses, p.Status), p.RefundedAmount, p.Refunding, p.Unwanted, engine.OrNull(p.Intent),
		engine.OrNull(p.Dispute), engine.OrNull(p.Error), engine.OrNull(p.PaidAt), p.ID, p.WorkspaceID)
	return err
}

func (q queries) PaymentCard(id booking.BookingID) (c payment.Card, err error) {
	err = q.Scan(`SELECT booking_id, workspace_id, amount, currency, wording, consent_ms, customer, source
		FROM payment_cards WHERE booking_id = ?`, []any{id},
		&c.BookingID, &c.WorkspaceID, &c.Fee.Amount, &c.Fee.Currency, &c.Wording,
		engine.OrZero(&c.ConsentAt), engine.OrZero(&c.Customer), engine.OrZero(&c.Source))
	return c, engine.Found(err)
}

func (t tx) InsertPaymentCard(c *payment.Card) error {
	_, err := t.Exec(`INSERT INTO payment_cards (booking_id, workspace_id, amount, currency, wording)
		VALUES (?, ?, ?, ?, ?)`,
		c.BookingID, c.WorkspaceID, c.Fee.Amount, c.Fee.Currency, c.Wording)
	return err
}

func (t tx) UpdatePaymentCard(c *payment.Card) error {
	_, err := t.Exec(`UPDATE payment_cards SET wording = ?, consent_ms = ?, customer = ?, source = ?
		WHERE booking_id = ? AND workspace_id = ?`,
		c.Wording, engine.OrNull(c.ConsentAt), engine.OrNull(c.Customer), engine.OrNull(c.Source), c.BookingID, c.WorkspaceID)
	return err
}

const checkoutColumns = `id, workspace_id, booking_id, payment_id, state, request, session, url, created_ms`

const (
	checkoutsOf       = `SELECT ` + checkoutColumns + ` FROM checkouts WHERE booking_id = ? AND state < 3 ORDER BY id`
	checkoutBySession = `SELECT ` + checkoutColumns + ` FROM checkouts WHERE session = ? AND +workspace_id = ?`
	openCheckouts     = `SELECT ` + checkoutColumns +
		` FROM checkouts WHERE workspace_id = ? AND state < 3 AND id > ? ORDER BY id LIMIT ?`
)

func scanCheckout(scan func(...any) error) (c payment.Checkout, err error) {
	var request []byte
	err = scan(&c.ID, &c.WorkspaceID, &c.BookingID, engine.OrZero(&c.PaymentID), &c.State, &request, engine.OrZero(&c.Session),
		engine.OrZero(&c.URL), &c.CreatedAt)
	if err != nil {
		return c, engine.Found(err)
	}
	return c, json.Unmarshal(request, &c.Request)
}

func (q queries) Checkout(id payment.CheckoutID) (payment.Checkout, error) {
	return scanCheckout(q.One(`SELECT `+checkoutColumns+` FROM checkouts WHERE id = ?`, id))
}

func (q queries) CheckoutBySession(ws catalog.WorkspaceID, session string) (payment.Checkout, error) {
	return scanCheckout(q.One(checkoutBySession, session, ws))
}

func (q queries) CheckoutsOf(id booking.BookingID) ([]payment.Checkout, error) {
	return engine.List(q, scanCheckout, checkoutsOf, id)
}

func (q queries) OpenCheckouts(ws catalog.WorkspaceID, after payment.CheckoutID,
	limit int) ([]payment.Checkout, error) {
	return engine.List(q, scanCheckout, openCheckouts, ws, after, limit)
}

func (t tx) InsertCheckout(c *payment.Checkout) error {
	request, err := json.Marshal(c.Request)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO checkouts (id, workspace_id, booking_id, payment_id, state, request, created_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.WorkspaceID, c.BookingID, engine.OrNull(c.PaymentID), c.State, string(request), c.CreatedAt)
	return err
}

func (t tx) UpdateCheckout(c *payment.Checkout) error {
	_, err := t.Exec(`UPDATE checkouts SET state = ?, session = ?, url = ? WHERE id = ? AND workspace_id = ?`, c.State,
		engine.OrNull(c.Session), engine.OrNull(c.URL), c.ID, c.WorkspaceID)
	return err
}

// AnonymiseCheckouts takes the address of a deleted contact out of what the provider was asked.
func (t tx) AnonymiseCheckouts(id booking.BookingID) error {
	all, err := engine.List(t.Transaction, scanCheckout, `SELECT `+checkoutColumns+` FROM checkouts WHERE booking_id = ?`, id)
	if err != nil {
		return err
	}
	for _, c := range all {
		c.Request.Email = booking.ErasedEmail
		request, err := json.Marshal(c.Request)
		if err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE checkouts SET request = ? WHERE id = ? AND workspace_id = ?`, string(request), c.ID,
			c.WorkspaceID); err != nil {
			return err
		}
	}
	return nil
}
