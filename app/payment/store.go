package payment

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

// Reads finds payments, checkouts and jobs.
type Reads interface {
	// PaymentAccount returns the workspace's account at the provider. Errors: ErrNotFound.
	PaymentAccount(ws catalog.WorkspaceID) (Account, error)
	PaymentAccounts(limit int) ([]Account, error)
	Payment(id booking.PaymentID) (Record, error)
	// PaymentsByIntent returns the payments with that id at the provider: one, or those of a visit that were paid at once.
	PaymentsByIntent(ws catalog.WorkspaceID, intent string) ([]Record, error)
	// PaymentsOf returns a booking's payments, the oldest first.
	PaymentsOf(id booking.BookingID) ([]Record, error)
	// Payments returns a workspace's payments before the id, the newest first; with disputed only those with a dispute.
	Payments(ws catalog.WorkspaceID, before booking.PaymentID, disputed bool, limit int) ([]Record, error)
	// PaymentCard returns the card that a booking's no-show fee is charged to.
	PaymentCard(id booking.BookingID) (Card, error)
	Checkout(id CheckoutID) (Checkout, error)
	CheckoutBySession(ws catalog.WorkspaceID, session string) (Checkout, error)
	// CheckoutsOf returns the open checkouts of a booking, the oldest first.
	CheckoutsOf(id booking.BookingID) ([]Checkout, error)
	// OpenCheckouts returns the open checkouts of a workspace, beginning after after.
	OpenCheckouts(ws catalog.WorkspaceID, after CheckoutID, limit int) ([]Checkout, error)
	// UnsettledPayments returns a workspace's payments of which the money, or a refund, is under way, beginning after
	// after.
	UnsettledPayments(ws catalog.WorkspaceID, after booking.PaymentID, limit int) ([]Record, error)
	// RefundsQueued returns the sum of the queued refunds of a payment, in minor units.
	RefundsQueued(id booking.PaymentID) (int64, error)
	// NextPaymentJob returns when the next job of workspaces in those buckets is due, or zero when there is none.
	NextPaymentJob(of work.Buckets) (when.Instant, error)
}

// Writes saves payments, checkouts and jobs.
type Writes interface {
	// SavePaymentAccount and DeletePaymentAccount bump the revision of the workspace's set-up.
	SavePaymentAccount(a *Account) error
	DeletePaymentAccount(ws catalog.WorkspaceID) error
	// TouchPaymentAccount saves which event arrived last, and when.
	TouchPaymentAccount(ws catalog.WorkspaceID, event string, at when.Instant) error
	SetLooked(ws catalog.WorkspaceID, at when.Instant) error
	InsertPayment(p *Record) error
	UpdatePayment(p *Record) error
	InsertPaymentCard(c *Card) error
	UpdatePaymentCard(c *Card) error
	InsertCheckout(c *Checkout) error
	UpdateCheckout(c *Checkout) error
	InsertPaymentJob(j *Job) error
	// ClaimPaymentJobs claims due jobs in the share for its server until lease, one of each booking at a time, and
	// counts the attempt.
	ClaimPaymentJobs(by work.Share, now, lease when.Instant, limit int) ([]Job, error)
	// FinishPaymentJob, RetryPaymentJob and FailPaymentJob end a claim; they report false if another server has claimed
	// the job since.
	FinishPaymentJob(j *Job, at when.Instant) (bool, error)
	RetryPaymentJob(j *Job, due when.Instant) (bool, error)
	FailPaymentJob(j *Job, at when.Instant) (bool, error)
	// InsertProviderEvent reports false for an event that was accepted before.
	InsertProviderEvent(ws catalog.WorkspaceID, id string, at when.Instant) (bool, error)
	// PruneProviderEvents and PrunePaymentJobs delete at most limit events, or jobs that ended, from before that time.
	PruneProviderEvents(before when.Instant, limit int) (int, error)
	PrunePaymentJobs(before when.Instant, limit int) (int, error)
}
