package app

import (
	"context"
	"strings"
)

// every is a limit for those who want all there are.
const every = 1 << 30

// StoredSecrets counts the secrets in the database that are kept readable: as they are, and encrypted. It fails when
// this Service's vault can't open one.
func (s *Service) StoredSecrets() (plain, sealed int, err error) {
	err = eachSecret(s.store, func(stored *string) (bool, error) {
		if strings.HasPrefix(*stored, sealedForm) {
			sealed++
		} else {
			plain++
		}
		_, err := s.vault.Open(*stored)
		return false, err
	}, secretSaver{})
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
		return eachSecret(tx, func(stored *string) (bool, error) {
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
		}, secretSaver{tx.UpdateWorkspace, tx.UpdateEndpoint, func(ws WorkspaceID, url string) error {
			return tx.SetMailServer(ws, url, At(s.clock()))
		}})
	})
	return n, err
}

// secretSaver saves a secret that was changed: a workspace's, an endpoint's, a mail server's.
type secretSaver struct {
	workspace  func(*Workspace) error
	endpoint   func(*Endpoint) error
	mailServer func(WorkspaceID, string) error
}

// eachSecret shows every stored secret to look, and saves those that it changed.
func eachSecret(r Reader, look func(stored *string) (changed bool, err error), save secretSaver) error {
	all, err := r.Workspaces(every)
	if err != nil {
		return err
	}
	for _, w := range all {
		changed, err := look(&w.LinkKey)
		if err == nil && changed {
			err = save.workspace(&w)
		}
		if err != nil {
			return err
		}
		if err := eachEndpointSecret(r, w.ID, look, save.endpoint); err != nil {
			return err
		}
		url, err := r.MailServer(w.ID)
		if err == ErrNotFound {
			continue
		}
		if err == nil {
			changed, err = look(&url)
		}
		if err == nil && changed {
			err = save.mailServer(w.ID, url)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func eachEndpointSecret(r Reader, ws WorkspaceID, look func(stored *string) (bool, error), save func(*Endpoint) error) error {
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
			err = save(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
