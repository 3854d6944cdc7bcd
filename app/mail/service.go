package mail

import (
	"daybook/app"
	"daybook/app/mail/smtp"
)

// Reader is what the room reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is the room's view of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Service holds the room's rules: who gets a mail, when, and through which server.
type Service struct {
	app.Room[Reader, Tx]
	*state
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct {
	mail       ServerConfig
	sharedMail *smtp.Server
}

// NewService returns the room of the core.
func NewService(core *app.Service, c ServerConfig) *Service {
	s := &Service{app.Room[Reader, Tx]{Core: core}, &state{mail: c}}
	core.AddDuties(app.Duties{Secrets: s.eachServerPassword, Prune: s.TidyMails})
	return s
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}, s.state}
}
