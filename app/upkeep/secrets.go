package upkeep

import (
	"context"
	"errors"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/vault"
)

// StoredSecrets counts the secrets in the database: those in clear text, and those encrypted. It fails when this
// Service's vault can't open one.
func (s *Service) StoredSecrets(ctx context.Context) (plain, sealed int, err error) {
	err = s.eachSecret(s.Reader(ctx), nil, func(stored *string) (bool, error) {
		if strings.HasPrefix(*stored, vault.SealedForm) {
			sealed++
		} else {
			plain++
		}
		_, err := s.Core.Vault().Open(*stored)
		return false, err
	})
	return plain, sealed, err
}

// SealSecrets encrypts the secrets that were stored before the vault had a key, and returns how many. It fails when the
// vault can't open one.
func (s *Service) SealSecrets(ctx context.Context) (n int, err error) {
	plain, _, err := s.StoredSecrets(ctx)
	if err != nil || plain == 0 || !s.Core.Vault().Seals() {
		return 0, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		n = 0
		return s.eachSecret(tx, tx, func(stored *string) (bool, error) {
			if !strings.HasPrefix(*stored, vault.PlainForm) {
				return false, nil
			}
			secret, err := s.Core.Vault().Open(*stored)
			if err != nil {
				return false, err
			}
			*stored = s.Core.Vault().Seal(secret)
			n++
			return true, nil
		})
	})
	return n, err
}

// eachSecret passes every stored secret to look, and saves through tx those that look changed.
func (s *Service) eachSecret(r Reader, tx Tx, look app.LookAtSecret) error {
	all, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range all {
		if tx != nil {
			if w, err = locked(tx, w); errors.Is(err, fault.ErrNotFound) {
				continue
			} else if err != nil {
				return err
			}
		}
		changed, err := look(&w.LinkKey)
		if err == nil && changed {
			err = tx.UpdateWorkspace(&w)
		}
		if err != nil {
			return err
		}
	}
	for _, d := range s.Core.Duties() {
		if d.Secrets != nil {
			if err := d.Secrets(r, tx, look); err != nil {
				return err
			}
		}
	}
	if err := formKeySecret(r, tx, look); err != nil {
		return err
	}
	return eachCertificate(r, tx, look)
}

// locked returns the workspace behind its lock: nobody else changes its secrets until tx ends.
func locked(tx Tx, w catalog.Workspace) (catalog.Workspace, error) {
	if err := tx.LockWorkspace(w.ID); err != nil {
		return w, err
	}
	return tx.Workspace(w.ID)
}

func eachCertificate(r Reader, tx Tx, look app.LookAtSecret) error {
	names, err := r.CertificateNames()
	if err != nil {
		return err
	}
	for _, name := range names {
		stored, err := r.Certificate(name)
		if err != nil {
			return err
		}
		changed, err := look(&stored)
		if err == nil && changed {
			err = tx.SaveCertificate(name, stored, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
