package upkeep

import (
	"context"

	"daybook/app/when"
)

// Certificate is what SaveCertificate kept under the name. The error is ErrNotFound when there is nothing.
func (s *Service) Certificate(ctx context.Context, name string) ([]byte, error) {
	sealed, err := s.Reader(ctx).Certificate(name)
	if err != nil {
		return nil, err
	}
	return s.Core.Vault().Open(sealed)
}

// SaveCertificate keeps data under the name, in the place of what was there.
func (s *Service) SaveCertificate(ctx context.Context, name string, data []byte) error {
	sealed := s.Core.Vault().Seal(data)
	return s.Write(ctx, func(tx Tx) error { return tx.SaveCertificate(name, sealed, when.At(s.Core.Now())) })
}

// DeleteCertificate forgets the name; one that is not there is no error.
func (s *Service) DeleteCertificate(ctx context.Context, name string) error {
	return s.Write(ctx, func(tx Tx) error { return tx.DeleteCertificate(name) })
}
