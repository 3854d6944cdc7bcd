package cli

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/crypto/acme/autocert"

	"daybook/app/fault"
	"daybook/app/subjects"
)

// certificates keeps what autocert keeps, in the database: certificates, its account and the answers to challenges, so
// that any server answers what another one is asked. autocert orders a certificate when Get has none, or one that is
// due.
type certificates struct{ *subjects.Set }

var _ autocert.Cache = certificates{}

func (c certificates) Get(ctx context.Context, name string) ([]byte, error) {
	get := c.Upkeep.CertificateOrTurn
	if strings.HasSuffix(name, "+token") || strings.HasSuffix(name, "+http-01") || name == "acme_account.key" {
		get = c.Upkeep.Certificate // answers to challenges, which any server gives, and a name that nothing is kept under
	}
	data, err := get(ctx, name)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, autocert.ErrCacheMiss
	}
	return data, err
}

func (c certificates) Put(ctx context.Context, name string, data []byte) error {
	return c.Upkeep.SaveCertificate(ctx, name, data)
}

func (c certificates) Delete(ctx context.Context, name string) error {
	return c.Upkeep.DeleteCertificate(ctx, name)
}
