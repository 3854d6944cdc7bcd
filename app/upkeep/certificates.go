package upkeep

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"sync"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// Certificate returns the data that SaveCertificate stored under the name. Errors: ErrNotFound.
func (s *Service) Certificate(ctx context.Context, name string) ([]byte, error) {
	sealed, err := s.Reader(ctx).Certificate(name)
	if err != nil {
		return nil, err
	}
	return s.Core.Vault().Open(sealed)
}

// SaveCertificate stores data under the name, and replaces what was there.
func (s *Service) SaveCertificate(ctx context.Context, name string, data []byte) error {
	sealed := s.Core.Vault().Seal(data)
	return s.Write(ctx, func(tx Tx) error {
		return errors.Join(tx.SaveCertificate(name, sealed, when.At(s.Core.Now())), tx.EndCertificateOrder(name))
	})
}

// DeleteCertificate deletes what is stored under the name; it is no error if there is nothing.
func (s *Service) DeleteCertificate(ctx context.Context, name string) error {
	return s.Write(ctx, func(tx Tx) error { return tx.DeleteCertificate(name) })
}

const (
	orderTurn = 5 * time.Minute // to order a certificate; autocert gives up by then
	orderWait = 5 * time.Second // for another server's order: this server answers no other handshake meanwhile
	orderLook = 200 * time.Millisecond
)

// orders is one server's part in ordering certificates.
type orders struct {
	server int64
	mu     sync.Mutex
	loaded map[string]bool // names that were found: who asks again, asks in order to renew
}

func (o *orders) found(name string) (before bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before = o.loaded[name]
	if o.loaded == nil {
		o.loaded = map[string]bool{}
	}
	o.loaded[name] = true
	return before
}

// CertificateOrTurn returns the certificate, as Certificate does, for a server that will order one if there is none, or
// if the one that it has must be renewed. It then becomes this server's turn, until SaveCertificate or for five
// minutes: other servers wait for the outcome instead of ordering the same certificate. ErrNotFound means that there is
// none and that it is this server's turn. Any other error means that another server's turn takes long; ask again.
func (s *Service) CertificateOrTurn(ctx context.Context, name string) ([]byte, error) {
	data, err := s.Certificate(ctx, name)
	if err == nil && (!s.orders.found(name) || !dueForRenewal(data, s.Core.Now())) {
		return data, nil
	}
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return nil, err
	}
	if errors.Is(err, fault.ErrNotFound) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, orderWait, fmt.Errorf("another server orders the certificate %s", name))
		defer cancel()
	}
	for old := string(data); ; {
		mine := false
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := s.Core.Now()
			mine, err = tx.TakeCertificateOrder(name, s.orders.server, when.At(now), when.At(now.Add(orderTurn)))
			return err
		})
		if err != nil {
			return nil, err
		}
		data, err = s.Certificate(ctx, name) // another server may have saved it before this one's turn began
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return nil, err
		}
		if err == nil && string(data) != old {
			s.orders.found(name)
			if mine {
				err = s.Quietly(ctx, func(tx Tx) error { return tx.EndCertificateOrder(name) })
			}
			return data, err
		}
		if mine {
			return data, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(orderLook):
		}
	}
}

// dueForRenewal tells whether a third of the certificate's life, or 30 days, is all that is left of it: then autocert
// renews it. What is no certificate is never due.
func dueForRenewal(data []byte, now time.Time) bool {
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return false
		}
		return leaf.NotAfter.Sub(now) < min(leaf.NotAfter.Sub(leaf.NotBefore)/3, 30*24*time.Hour)
	}
	return false
}
