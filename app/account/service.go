package account

import (
	"context"
	"errors"
	"math/rand/v2"

	"daybook/app"
	"daybook/app/audit"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	KeyReader
	SessionReader
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	KeyReader
	SessionReader
	KeyWriter
	SessionWriter
	AttemptWriter
	audit.Reads
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	*state
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct {
	mail       MailInvitation
	keys       keyCache
	limits     limiter
	rates      sharing
	handshakes limiter
	failed     failedSignIns
}

// MailInvitation queues the mail with a member's invitation, in the caller's transaction.
type MailInvitation func(in app.Tx, u *app.User, i Invitation) error

// New returns the Service over a core.
func New(core *app.Service, mail MailInvitation) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, &state{mail: mail}}
	s.rates.server, s.rates.wait = rand.Int64(), shareWait
	core.AddDuties(app.Duties{Tend: s.tend, Prune: s.pruneAttempts, Release: s.releaseRates})
	return s
}

// tend saves what requests left to be saved: when keys were last used, and failed sign-ins.
func (s *Service) tend(ctx context.Context) error {
	return errors.Join(s.saveUse(ctx), s.saveFailed(ctx))
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.state}
}
