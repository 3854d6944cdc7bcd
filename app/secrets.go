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
	}, nil, nil)
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
		}, tx.UpdateWorkspace, tx.UpdateEndpoint)
	})
	return n, err
}

// eachSecret shows every stored secret to look, and saves those that it changed: a workspace's, or an endpoint's.
func eachSecret(r Reader, look func(stored *string) (changed bool, err error), saveWorkspace func(*Workspace) error, saveEndpoint func(*Endpoint) error) error {
	all, err := r.Workspaces(every)
	if err != nil {
		return err
	}
	for _, w := range all {
		changed, err := look(&w.LinkKey)
		if err == nil && changed {
			err = saveWorkspace(&w)
		}
		if err != nil {
			return err
		}
		if err := eachEndpointSecret(r, w.ID, look, saveEndpoint); err != nil {
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
