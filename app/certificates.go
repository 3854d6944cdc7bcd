package app

import (
	"context"

	"daybook/app/when"
)

// The server's certificates lie in the database like everything else, sealed by the Vault, so that a backup has them
// and a second server on the same file uses them.

// Certificate is what SaveCertificate kept under the name. The error is ErrNotFound when there is nothing.
func (s *Service) Certificate(name string) ([]byte, error) {
	sealed, err := s.store.Certificate(name)
	if err != nil {
		return nil, err
	}
	return s.vault.Open(sealed)
}

// SaveCertificate keeps data under the name, in the place of what was there.
func (s *Service) SaveCertificate(ctx context.Context, name string, data []byte) error {
	sealed := s.vault.Seal(data)
	return s.Write(ctx, func(tx Tx) error { return tx.SaveCertificate(name, sealed, when.At(s.clock())) })
}

// DeleteCertificate forgets the name; one that is not there is no error.
func (s *Service) DeleteCertificate(ctx context.Context, name string) error {
	return s.Write(ctx, func(tx Tx) error { return tx.DeleteCertificate(name) })
}
