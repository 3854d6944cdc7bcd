package app

import (
	"context"
	"strings"

	"daybook/app/fault"
)

// every is a limit for those who want all there are.
const every = 1 << 30

// StoredSecrets counts the secrets in the database that are kept readable: as they are, and encrypted. It fails when
// this Service's vault can't open one.
func (s *Service) StoredSecrets() (plain, sealed int, err error) {
	err = eachSecret(s.store, nil, func(stored *string) (bool, error) {
		if strings.HasPrefix(*stored, sealedForm) {
			sealed++
		} else {
			plain++
		}
		_, err := s.vault.Open(*stored)
		return false, err
	})
	return plain, sealed, err
}

// SealSecrets encrypts the secrets that were stored before the vault had a key, and says how many. It fails when the
// vault can't open one.
func (s *Service) SealSecrets(ctx context.Context) (n int, err error) {
	plain, _, err := s.StoredSecrets()
	if err != nil || plain == 0 || !s.vault.Seals() {
		return 0, err
	}
	err = s.write(ctx, func(tx Tx) error {
		n = 0
		return eachSecret(tx, tx, func(stored *string) (bool, error) {
			if !strings.HasPrefix(*stored, plainForm) {
				return false, nil
			}
			secret, err := s.vault.Open(*stored)
			if err != nil {
				return false, err
			}
			*stored = s.vault.Seal(secret)
			n++
			return true, nil
		})
	})
	return n, err
}

// eachSecret shows every stored secret to look, and saves by tx those that it changed.
func eachSecret(r Reader, tx Tx, look func(stored *string) (changed bool, err error)) error {
	all, err := r.Workspaces(every)
	if err != nil {
		return err
	}
	for _, w := range all {
		changed, err := look(&w.LinkKey)
		if err == nil && changed {
			err = tx.UpdateWorkspace(&w)
		}
		if err == nil {
			err = eachEndpointSecret(r, tx, w.ID, look)
		}
		if err == nil {
			err = mailServerSecret(r, tx, w.ID, look)
		}
		if err != nil {
			return err
		}
	}
	if err := eachPaymentKey(r, tx, look); err != nil {
		return err
	}
	if err := formKeySecret(r, tx, look); err != nil {
		return err
	}
	return eachCertificate(r, tx, look)
}

func eachPaymentKey(r Reader, tx Tx, look func(stored *string) (bool, error)) error {
	all, err := r.PaymentAccounts(every)
	if err != nil {
		return err
	}
	for i := range all {
		a := &all[i]
		changed, err := look(&a.SecretKey)
		if err != nil {
			return err
		}
		also, err := look(&a.SigningSecret)
		if err == nil && (changed || also) {
			err = tx.SavePaymentAccount(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func eachEndpointSecret(r Reader, tx Tx, ws WorkspaceID, look func(stored *string) (bool, error)) error {
	all, err := r.Endpoints(ws, every)
	if err != nil {
		return err
	}
	for i := range all {
		e := &all[i]
		changed, err := look(&e.Secret)
		if err == nil && e.PreviousSecret != "" {
			var also bool
			also, err = look(&e.PreviousSecret)
			changed = changed || also
		}
		if err == nil && changed {
			err = tx.UpdateEndpoint(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func mailServerSecret(r Reader, tx Tx, ws WorkspaceID, look func(stored *string) (bool, error)) error {
	stored, err := r.MailServer(ws)
	if err == fault.ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if changed, err := look(&stored); err != nil || !changed {
		return err
	}
	return tx.SetMailServer(ws, stored, 0)
}

func eachCertificate(r Reader, tx Tx, look func(stored *string) (bool, error)) error {
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
