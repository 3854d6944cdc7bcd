package text

import (
	"net/netip"

	"daybook/app"
	"daybook/app/gate"
	"daybook/app/mail"
	"daybook/app/text/sms"
)

// Config says how senders are reached.
type Config struct {
	Allow   []netip.Prefix // networks that they may be in besides the public internet
	Version string         // of the program, which senders are told
}

// Service holds the rules of the subject: who gets a text, when, and through which sender.
type Service struct {
	app.Subject[Reader, Tx]
	*state
	mail *mail.Service
	gate *gate.Service
}

// state is what every Service of one server shares, bound to a transaction or not.
type state struct {
	config  Config
	client  *sms.Client
	counted Counts
}

// New returns the Service over a core.
func New(core *app.Service, m *mail.Service, g *gate.Service, c Config) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, &state{config: c}, m, g}
	s.client = sms.NewClient(s.Law(), c.Version)
	m.SetChannel(s)
	core.SetVisited(s.visited)
	core.AddDuties(app.Duties{Secrets: s.eachSender, Prune: s.tidy})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.state, s.mail.In(tx), s.gate.In(tx)}
}
