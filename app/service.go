package app

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"daybook/app/availability"
	"daybook/app/vault"
)

// Clock tells the time; tests stop it.
type Clock func() time.Time

// Config is what a Service is made of.
type Config struct {
	Store   Store
	Clock   Clock        // nil is time.Now
	BaseURL *url.URL     // of the server, for the links that the Service hands out
	Vault   *vault.Vault // nil keeps secrets as they are
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
	vault   *vault.Vault
	log     *slog.Logger
	setups  sync.Map // WorkspaceID → *cachedSetup
	wakers  []func()
	duties  []Duties
	// searches are those for open times that run at present.
	searches availability.Gate
	till     Till
}

// New makes a Service.
func New(c Config) *Service {
	s := &core{till: onSite{}, store: c.Store, clock: c.Clock, vault: c.Vault, log: c.Logger}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.vault == nil {
		s.vault = &vault.Vault{}
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if c.BaseURL != nil {
		s.baseURL = strings.TrimSuffix(c.BaseURL.String(), "/")
	}
	return &Service{core: s}
}

// TakesMoneyBy gives the Service its Till. It must be called before the Service is used; without one all is paid on site.
func (s *Service) TakesMoneyBy(t Till) { s.till = t }

// ready asks the rooms whether they can work.
func (s *Service) ready() error {
	for _, d := range s.duties {
		if d.Ready != nil {
			if err := d.Ready(); err != nil {
				return err
			}
		}
	}
	return nil
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

// DataVersion changes whenever anybody, in this process or another, has committed something.
func (s *Service) DataVersion() (int64, error) { return s.store.DataVersion() }

// Log is where the Service and the rooms beside it say what went wrong.
func (s *Service) Log() *slog.Logger { return s.log }

// Vault seals what is stored and must be readable.
func (s *Service) Vault() *vault.Vault { return s.vault }

// Ready says whether work can be done: the database can be read and written, and its secrets can be opened. The error
// of the last wraps ErrSecrets.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	return s.ready()
}

// Write runs change in a transaction: the one that the Service is bound to, else one of its own.
func (s *Service) Write(ctx context.Context, change func(tx Tx) error) error {
	if s.tx != nil {
		return s.tx.Try(func() error { return change(s.tx) })
	}
	err := s.Quietly(ctx, change)
	if err == nil {
		for _, wake := range s.wakers {
			wake()
		}
	}
	return err
}

// Quietly runs change in a transaction of its own that wakes nobody, for what a loop keeps to itself: claims, leases,
// what is pruned.
func (s *Service) Quietly(ctx context.Context, change func(tx Tx) error) error {
	return s.store.Write(ctx, change)
}

// Reader is the transaction that the Service is bound to, else the store until ctx ends.
func (s *Service) Reader(ctx context.Context) Reader {
	if s.tx != nil {
		return s.tx
	}
	return s.store.Reader(ctx)
}
