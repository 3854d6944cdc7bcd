package app

import (
	"context"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/app/work"
)

// Clock tells the time; tests set it.
type Clock func() time.Time

// Config configures a Service.
type Config struct {
	Store   Store
	Clock   Clock        // nil is time.Now
	BaseURL *url.URL     // of the server, for links
	Vault   *vault.Vault // nil stores secrets in the clear
	Logger  *slog.Logger
}

// Service holds the rules of Daybook. All doors change data through its methods, which are safe for concurrent use.
// Errors meant for the caller are *fault.Error; any other error is internal.
type Service struct {
	*core
	tx Tx        // the transaction that this Service is bound to (see In), or nil
	at time.Time // when all of a visit is changed, or zero: its bookings say the same moment
}

// core is what all Services of one server share, bound to a transaction or not.
type core struct {
	store     Store
	clock     Clock
	baseURL   string
	uidDomain string // UIDDomain
	vault     *vault.Vault
	log       *slog.Logger
	setups    sync.Map // WorkspaceID → *cachedSetup
	slugs     slugs
	wakers    []func()
	duties    []Duties
	// searches limits how many searches for open times run at once.
	searches      availability.Gate
	uploads       *Places
	till          Till
	links         Links
	passes        Passes                                                                // nil is none, see SetPasses
	settleReceipt func(*Change) error                                                   // see SetReceipts
	visited       func(tx Tx, b *booking.Booking, from netip.Addr, now time.Time) error // nil is nothing to note
	// calendars are the hosts' other calendars.
	calendars availability.Calendars
}

// New makes a Service.
func New(c Config) *Service {
	s := &core{uploads: NewPlaces(maxUploads, maxUploadsEach), till: onSite{}, settleReceipt: func(*Change) error { return nil }, links: noLinks{}, calendars: availability.NoCalendars{}, store: c.Store, clock: c.Clock,
		vault: c.Vault, log: c.Logger}
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
	s.uidDomain = booking.UIDDomain(c.BaseURL)
	all := &Service{core: s}
	all.AddDuties(Duties{Prune: all.pruneResponses})
	all.AddDuties(Duties{
		Prune: all.pruneHolds,
		ReleaseLost: func(tx Tx, now, _ when.Instant) error {
			return tx.EndLongHolds(now.Add(max(MaxHoldMinutes, MailHoldMinutes, catalog.MostOfferMinutes) * time.Minute))
		},
	})
	return all
}

// SetReceipts sets the function that closes the receipt of a booking once nothing is due, in the transaction of its
// change. It must be called before the Service is used.
func (s *Service) SetReceipts(settle func(*Change) error) { s.settleReceipt = settle }

// SetTill sets the Service's Till. It must be called before the Service is used; without a Till everything is paid on
// site.
func (s *Service) SetTill(t Till) { s.till = t }

// SetVisited sets the function that notes from which network address a visitor has changed a booking of a workspace that sends
// texts, in the transaction of the change. It must be called before the Service is used.
func (s *Service) SetVisited(note func(tx Tx, b *booking.Booking, from netip.Addr, now time.Time) error) {
	s.visited = note
}

// ready returns the error of the first subject that can't work.
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

// In binds the Service to a transaction: everything it reads and changes happens in tx, and is undone with it. The
// bound Service must not be kept beyond the transaction.
func (s *Service) In(tx Tx) *Service { return &Service{core: s.core, tx: tx} }

// OnCommit calls wake after every change that this Service commits. wake must return at once, and OnCommit must be
// called before the Service is used.
func (s *Service) OnCommit(wake func()) { s.wakers = append(s.wakers, wake) }

// Now returns the Service's time.
func (s *Service) Now() time.Time { return s.clock() }

// BaseURL returns the server's public address, without a slash at its end.
func (s *Service) BaseURL() string { return s.baseURL }

// DataVersion changes whenever this or another process commits something.
func (s *Service) DataVersion() (int64, error) { return s.store.DataVersion() }

// SetupVersion changes whenever this or another process may have changed the set-up of a workspace, its keys or
// members.
func (s *Service) SetupVersion() (int64, error) { return s.store.SetupVersion() }

// Share returns this server's share of the work that the servers of the database divide among them. It can change.
func (s *Service) Share() work.Share { return s.store.Share() }

// Log returns the logger of the Service and the subjects.
func (s *Service) Log() *slog.Logger { return s.log }

// Vault returns the vault that seals secrets before they are stored.
func (s *Service) Vault() *vault.Vault { return s.vault }

// Ready returns an error unless the database can be read and written and its secrets can be opened. The error of
// secrets wraps ErrSecrets.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	return s.ready()
}

// Write runs change in the transaction that the Service is bound to, or else in one of its own.
func (s *Service) Write(ctx context.Context, change func(tx Tx) error) error {
	if s.tx != nil {
		return s.Quietly(ctx, change)
	}
	err := s.store.Write(ctx, s.holding(change))
	for i := 0; err == nil && i < len(s.wakers); i++ {
		s.wakers[i]()
	}
	return err
}

// Quietly is Write for a loop's own records, such as claims and leases, which nobody waits for. It wakes no loop.
func (s *Service) Quietly(ctx context.Context, change func(tx Tx) error) error {
	if s.tx != nil {
		return s.tx.Try(func() error { return change(s.tx) })
	}
	return s.store.WriteAlong(ctx, s.holding(change))
}

// holding returns change, followed by holdFreed.
func (s *Service) holding(change func(tx Tx) error) func(tx Tx) error {
	return func(tx Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		return s.holdFreed(tx)
	}
}

// Reader returns the transaction that the Service is bound to, or else a reader of the store that ends with ctx.
func (s *Service) Reader(ctx context.Context) Reader {
	if s.tx != nil {
		return s.tx
	}
	return s.store.Reader(ctx)
}
