// Package shop holds the rules of what a business offers and when: event types, hosts, their hours and time off, and
// the workspace itself.
package shop

import (
	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	account *account.Service // invites those who join the team
}

// New returns the Service over a core.
func New(core *app.Service, members *account.Service) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: core}, members}
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.account.In(tx)) }

// lockedSetup returns the set-up of the actor's workspace behind its lock: nobody else changes it until tx ends.
func lockedSetup(tx Tx, a app.Actor) (*catalog.Setup, error) {
	if err := tx.LockWorkspace(a.Workspace); err != nil {
		return nil, err
	}
	return tx.Setup(a.Workspace)
}
