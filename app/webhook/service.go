package webhook

import (
	"daybook/app"
	"daybook/app/catalog"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	webhook Config
	// disabled informs the owner, in the transaction that disables an endpoint
	disabled func(tx app.Tx, ws catalog.WorkspaceID, url, why string) error
}

// NewService returns the Service over a core. disabled informs the owner that an endpoint was disabled; it may be nil.
func NewService(core *app.Service, c Config,
	disabled func(tx app.Tx, ws catalog.WorkspaceID, url, why string) error) *Service {
	if disabled == nil {
		disabled = func(app.Tx, catalog.WorkspaceID, string, string) error { return nil }
	}
	s := &Service{app.Subject[Reader, Tx]{Core: core}, c, disabled}
	core.AddDuties(app.Duties{Secrets: s.eachEndpointSecret})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.webhook, s.disabled}
}
