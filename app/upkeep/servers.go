package upkeep

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/when"
)

// The names under which the servers of a database store what they share.
const (
	secretKeyMark = "secret key"    // Vault.Mark of the key that all of them use
	formKeyName   = "form key"      // sealed
	baseURLName   = "base URL"      // of the server that was started last
	proxyName     = "unknown proxy" // when a request last came through one, as an instant
)

// TakeOver prepares a database for the first of its servers, while no other runs. It encrypts the secrets that were
// stored without the vault's key, and returns how many; it records the key, for the servers that join later; and it
// ends every lease, so that the deliveries, mails and payment jobs of a killed server continue at once.
func (s *Service) TakeOver(ctx context.Context) (sealed int, err error) {
	if sealed, err = s.SealSecrets(ctx); err != nil {
		return 0, err
	}
	return sealed, s.Quietly(ctx, func(tx Tx) error {
		if err := s.release(tx, 0); err != nil {
			return err
		}
		return tx.SetServerValue(secretKeyMark, s.Core.Vault().Mark())
	})
}

// TakeOverFrom ends the leases of a dead server, given by the number in its Share: everything that it had claimed is
// due at once, for the servers that have its buckets now.
func (s *Service) TakeOverFrom(ctx context.Context, server int64) error {
	return s.Quietly(ctx, func(tx Tx) error { return s.release(tx, server) })
}

func (s *Service) release(tx Tx, server int64) error {
	now := when.At(s.Core.Now())
	if _, err := tx.ReleaseWork(server, now); err != nil {
		return err
	}
	for _, d := range s.Core.Duties() {
		if d.Release != nil {
			if err := d.Release(tx, server, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// NoteBaseURL stores the server's address for ServedAt.
func (s *Service) NoteBaseURL(ctx context.Context) error {
	return s.Quietly(ctx, func(tx Tx) error {
		return errors.Join(tx.SetServerValue(baseURLName, s.Core.BaseURL()), tx.AddFirstUIDDomain(s.Core.UIDDomain()))
	})
}

// ServedAt returns the base URL of the server that was started last, or "" if none ever was.
func (s *Service) ServedAt(ctx context.Context) (string, error) {
	base, err := s.Reader(ctx).ServerValue(baseURLName)
	if errors.Is(err, fault.ErrNotFound) {
		return "", nil
	}
	return base, err
}

// NoteUnknownProxy stores that a request came through a proxy on a server's machine which that server doesn't trust.
func (s *Service) NoteUnknownProxy(ctx context.Context) error {
	return s.Quietly(ctx, func(tx Tx) error { return tx.SetServerValue(proxyName, when.At(s.Core.Now()).String()) })
}

// UnknownProxySeen returns when NoteUnknownProxy was called last, or 0 if it never was.
func (s *Service) UnknownProxySeen(ctx context.Context) (when.Instant, error) {
	at, err := s.Reader(ctx).ServerValue(proxyName)
	if errors.Is(err, fault.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return when.Parse(at)
}

// CheckSecretKey returns an error if the servers of the database use another secret key than this Service, or if only
// one side uses a key: each would store secrets that the other can't read.
func (s *Service) CheckSecretKey(ctx context.Context) error {
	mark, err := s.Reader(ctx).ServerValue(secretKeyMark)
	if errors.Is(err, fault.ErrNotFound) {
		return nil // no server has used the database yet
	}
	switch {
	case err != nil:
		return err
	case mark == s.Core.Vault().Mark():
		return nil
	case mark == "":
		return errors.New("the server of this database does not encrypt its secrets: leave out --secret-key-file, " +
			"or stop every server first and start one with it, which encrypts what is stored")
	case s.Core.Vault().Mark() == "":
		return errors.New("the server of this database encrypts its secrets: give --secret-key-file, with the file that " +
			"it uses")
	}
	return errors.New("the key of --secret-key-file is not the one that the server of this database uses; give the " +
		"same file")
}

// ErrSecrets is wrapped by the error of Ready when a stored secret can't be opened.
var ErrSecrets = errors.New("a stored secret can't be opened")

// secretsEvery is the longest time until Ready notices a secret that can't be opened.
const secretsEvery = 5 * time.Second

// opened is the result of the last check of all stored secrets.
type opened struct {
	mu      sync.Mutex
	at      time.Time
	version int64 // the DataVersion at which it was made
	err     error
}

// secretsOpen checks again when something was committed since the last check, but not at every call.
func (s *Service) secretsOpen() error {
	version, err := s.Core.DataVersion()
	if err != nil {
		return err
	}
	o := &s.opened
	o.mu.Lock()
	defer o.mu.Unlock()
	age := time.Since(o.at)
	if o.at.IsZero() || o.err != nil && age >= time.Second || version != o.version && age >= secretsEvery {
		ctx := context.Background() // the result is kept for every caller, so it does not end with one request
		if o.err = s.CheckSecretKey(ctx); o.err == nil {
			_, _, o.err = s.StoredSecrets(ctx)
		}
		if o.err != nil {
			o.err = fmt.Errorf("%w: %w", ErrSecrets, o.err)
		}
		o.at, o.version = time.Now(), version
	}
	return o.err
}

// FormKey returns a secret of 32 bytes, the same for every server of the database and after a restart. Servers sign
// with it the values that they hand out and must recognise later.
func (s *Service) FormKey(ctx context.Context) (key []byte, err error) {
	stored, err := s.Reader(ctx).ServerValue(formKeyName)
	if errors.Is(err, fault.ErrNotFound) {
		err = s.Quietly(ctx, func(tx Tx) (err error) {
			var random [32]byte
			rand.Read(random[:])
			if err := tx.AddServerValue(formKeyName, s.Core.Vault().Seal(random[:])); err != nil {
				return err
			}
			stored, err = tx.ServerValue(formKeyName) // another server may have been faster
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	return s.Core.Vault().Open(stored)
}

func formKeySecret(r Reader, tx Tx, look app.LookAtSecret) error {
	stored, err := r.ServerValue(formKeyName)
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if changed, err := look(&stored); err != nil || !changed {
		return err
	}
	return tx.SetServerValue(formKeyName, stored)
}
