package app

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Clock tells the time; tests stop it.
type Clock func() time.Time

// Config is what a Service is made of.
type Config struct {
	Store   Store
	Clock   Clock    // nil is time.Now
	BaseURL *url.URL // of the server, for the links that the Service hands out
	Vault   *Vault   // nil keeps secrets as they are
	Webhook WebhookConfig
	Mail    MailConfig
	Logger  *slog.Logger
}

// Service holds every rule of Daybook. All doors change data through its methods, which are safe for concurrent use.
// Errors meant for the caller are *Error; any other error is internal.
type Service struct {
	*core
	tx Tx // the transaction that this Service is bound to, see In; nil for none
}

// core is what every Service of one server shares, bound to a transaction or not.
type core struct {
	store   Store
	clock   Clock
	baseURL string
	vault   *Vault
	log     *slog.Logger
	limits  limiter
	chatter limiter
	setups  sync.Map // WorkspaceID → *cachedSetup
	keys    keyCache
	signIns attempts
	wakers  []func()
	// searches are those for open times that run at present.
	searches gate
	webhook  WebhookConfig
	opened   opened
	mail     MailConfig

	sharedMail *MailServer

	provider PaymentProvider
	till     Till
}

// New makes a Service.
func New(c Config) *Service {
	s := &core{store: c.Store, clock: c.Clock, vault: c.Vault, log: c.Logger, webhook: c.Webhook, mail: c.Mail}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.vault == nil {
		s.vault = &Vault{}
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if c.BaseURL != nil {
		s.baseURL = strings.TrimSuffix(c.BaseURL.String(), "/")
	}
	bound := &Service{core: s}
	s.till = till{bound}
	return bound
}

// In is the Service within a transaction: everything it reads and changes happens in tx, and is undone with it. It
// must not be kept beyond the transaction.
func (s *Service) In(tx Tx) *Service { return &Service{core: s.core, tx: tx} }

// OnCommit has wake called after every change that this Service commits. It must return at once, and be set before
// the Service is used.
func (s *Service) OnCommit(wake func()) { s.wakers = append(s.wakers, wake) }

// Now is the Service's time.
func (s *Service) Now() time.Time { return s.clock() }

// BaseURL is the server's public address, without a slash at its end.
func (s *Service) BaseURL() string { return s.baseURL }

// Ready says whether work can be done: the database can be read and written, and its secrets can be opened. The error
// of the last wraps ErrSecrets.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	return s.secretsOpen()
}

// write runs change in a transaction: the one that the Service is bound to, else one of its own.
func (s *Service) write(ctx context.Context, change func(tx Tx) error) error {
	if s.tx != nil {
		return s.tx.Try(func() error { return change(s.tx) })
	}
	err := s.store.Write(ctx, change)
	if err == nil {
		for _, wake := range s.wakers {
			wake()
		}
	}
	return err
}

// Together runs several operations of the Service that do gets in one transaction. The error of do undoes all.
func (s *Service) Together(ctx context.Context, do func(bound *Service) error) error {
	return s.write(ctx, func(tx Tx) error { return do(s.In(tx)) })
}

// reader is the transaction that the Service is bound to, else the store until ctx ends.
func (s *Service) reader(ctx context.Context) Reader {
	if s.tx != nil {
		return s.tx
	}
	return s.store.Reader(ctx)
}

type cachedSetup struct {
	setup   *Setup
	version int64 // DataVersion at which it was last known to hold
}

// Setup is the set-up of a workspace as last committed. It must not be changed.
func (s *Service) Setup(id WorkspaceID) (*Setup, error) {
	version, err := s.store.DataVersion()
	if err != nil {
		return nil, err
	}
	held, _ := s.setups.Load(id)
	c, _ := held.(*cachedSetup)
	if c != nil && c.version == version {
		return c.setup, nil
	}
	revision, err := s.store.SetupRevision(id)
	if err != nil {
		return nil, err
	}
	setup, err := s.setupOf(s.store, id, revision)
	if err != nil {
		return nil, err
	}
	s.setups.Store(id, &cachedSetup{setup, version})
	return setup, nil
}

// setup is the set-up as the actor's request found it, or a later one.
func (s *Service) setup(a Actor) (*Setup, error) {
	if a.revision != 0 {
		if held, ok := s.setups.Load(a.Workspace); ok {
			if c := held.(*cachedSetup); c.setup.Workspace.Revision == a.revision {
				return c.setup, nil
			}
		}
	}
	return s.Setup(a.Workspace)
}

// held is a set-up of the workspace that may have been replaced since: for those who check the revision behind a lock.
func (s *Service) held(id WorkspaceID) (*Setup, error) {
	if c, ok := s.setups.Load(id); ok {
		return c.(*cachedSetup).setup, nil
	}
	return s.Setup(id)
}

// setupOf is the set-up as r sees it: the one held where that has the revision.
func (s *Service) setupOf(r Reader, id WorkspaceID, revision int64) (*Setup, error) {
	if held, ok := s.setups.Load(id); ok {
		if c := held.(*cachedSetup); c.setup.Workspace.Revision == revision {
			return c.setup, nil
		}
	}
	setup, err := r.Setup(id)
	if err != nil {
		return nil, err
	}
	if setup.linkKey, err = s.vault.Open(setup.Workspace.LinkKey); err != nil {
		return nil, err
	}
	if setup.takesCards, err = s.till.Takes(r, id); err != nil {
		return nil, err
	}
	for i := range setup.EventTypes {
		e := &setup.EventTypes[i]
		e.BookingURL = s.baseURL + "/" + setup.Workspace.Slug + "/" + e.Slug
	}
	return setup, nil
}
