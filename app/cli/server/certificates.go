package server

import (
	"context"
	"errors"

	"golang.org/x/crypto/acme/autocert"

	"daybook/app/fault"
	"daybook/app/rooms"
)

// certificates keeps what autocert keeps, in the database.
type certificates struct{ *rooms.Set }

var _ autocert.Cache = certificates{}

func (c certificates) Get(ctx context.Context, name string) ([]byte, error) {
	data, err := c.Upkeep.Certificate(ctx, name)
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
