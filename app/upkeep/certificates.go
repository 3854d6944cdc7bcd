package upkeep

import (
	"context"

	"daybook/app/when"
)

// Certificate is what SaveCertificate stored under the name. The error is ErrNotFound when there is nothing.
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
	return s.Write(ctx, func(tx Tx) error { return tx.SaveCertificate(name, sealed, when.At(s.Core.Now())) })
}

// DeleteCertificate deletes what is stored under the name; it is no error if there is nothing.
func (s *Service) DeleteCertificate(ctx context.Context, name string) error {
	return s.Write(ctx, func(tx Tx) error { return tx.DeleteCertificate(name) })
}
