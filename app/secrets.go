package app

import (
	"context"
	"strings"
)

// StoredSecrets counts the secrets in the database that are kept readable: as they are, and encrypted. It fails when
// this Service's vault can't open one.
func (s *Service) StoredSecrets() (plain, sealed int, err error) {
	all, err := s.store.Workspaces(1 << 30)
	if err != nil {
		return 0, 0, err
	}
	var stored []string
	for _, w := range all {
		stored = append(stored, w.LinkKey)
	}
	accounts, err := s.store.PaymentAccounts(1 << 30)
	if err != nil {
		return 0, 0, err
	}
	for _, a := range accounts {
		stored = append(stored, a.SecretKey, a.SigningSecret)
	}
	for _, text := range stored {
		if _, err := s.vault.Open(text); err != nil {
			return 0, 0, err
		}
		if strings.HasPrefix(text, sealedForm) {
			sealed++
		} else {
			plain++
		}
	}
	return plain, sealed, nil
}

// SealSecrets encrypts the secrets that were stored before the vault had a key, and says how many. It fails when the
// vault can't open one.
func (s *Service) SealSecrets(ctx context.Context) (n int, err error) {
	plain, _, err := s.StoredSecrets()
	if err != nil || plain == 0 || !s.vault.Seals() {
		return 0, err
	}
	return n, s.write(ctx, func(tx Tx) error {
		all, err := tx.Workspaces(1 << 30)
		if err != nil {
			return err
		}
		for _, w := range all {
			if !strings.HasPrefix(w.LinkKey, plainForm) {
				continue
			}
			key, err := s.vault.Open(w.LinkKey)
			if err != nil {
				return err
			}
			w.LinkKey = s.vault.Seal(key)
			if err := tx.UpdateWorkspace(&w); err != nil {
				return err
			}
			n++
		}
		payments, err := s.sealPayments(tx)
		n += payments
		return err
	})
}

// sealPayments encrypts the keys of the accounts at the payment provider.
func (s *Service) sealPayments(tx Tx) (n int, err error) {
	all, err := tx.PaymentAccounts(1 << 30)
	if err != nil {
		return 0, err
	}
	for _, a := range all {
		before := n
		for _, stored := range []*string{&a.SecretKey, &a.SigningSecret} {
			if !strings.HasPrefix(*stored, plainForm) {
				continue
			}
			secret, err := s.vault.Open(*stored)
			if err != nil {
				return n, err
			}
			*stored = s.vault.Seal(secret)
			n++
		}
		if n > before {
			if err := tx.SavePaymentAccount(&a); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}
