package mail

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/pass"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	Vouchers
}

// Vouchers finds what the mail with a voucher needs.
type Vouchers interface {
	Pass(ws catalog.WorkspaceID, id booking.PassID) (pass.Pass, error)
	SealedCode(ws catalog.WorkspaceID, id booking.PassID) (pass.SealedCode, error)
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
	Vouchers
	// SealCodeAgain is that of pass.Writes.
	SealCodeAgain(ws catalog.WorkspaceID, c pass.SealedCode) error
}

// Service holds the rules of the subject: who gets a mail, when, and through which server.
type Service struct {
	app.Subject[Reader, Tx]
	*state
	log func(ws catalog.WorkspaceID, f Filter) ([]Mail, error) // in place of the mails, see With
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct {
	mail       ServerConfig
	sharedMail *smtp.Server
	spent      spent
	counted    Counts
	channel    Channel // nil is none
}

// NewService returns the Service over a core.
func NewService(core *app.Service, c ServerConfig) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, &state{mail: c}, nil}
	core.AddDuties(app.Duties{Secrets: s.eachServerPassword, Prune: s.TidyMails})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.state, s.log}
}
