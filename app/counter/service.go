package counter

import (
	"daybook/app"
	"daybook/app/id"
	"daybook/app/pass"
	"daybook/app/payment"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	pass.Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
	pass.Reads
	pass.Writes
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	online *payment.Service
	passes *pass.Service
	post   Post
	// vouchers mails those that are bought online.
	vouchers VoucherMails
}

// New returns the Service over a core. online gives back what was paid online, passes are sold here and pay, post mails receipts
// and vouchers what is bought online.
func New(core *app.Service, online *payment.Service, passes *pass.Service, post Post, vouchers VoucherMails) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, online, passes, post, vouchers}
	online.SetOthers(s.acceptEvent)
	core.AddDuties(app.Duties{Tend: s.tendOrders})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.online.In(tx), s.passes.In(tx), s.post, s.vouchers}
}

// tx returns this subject's view of the transaction of a change.
func tx(ch *app.Change) Tx { return ch.Tx.(Tx) }

// CloseID identifies a count of a day's cash.
type (
	CloseID   = id.ID[closeKind]
	closeKind struct{ id.Many }
)

func (closeKind) Prefix() string { return "dc_" }
