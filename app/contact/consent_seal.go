package contact

import (
	"crypto/rand"
	"errors"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/vault"
)

// What is sealed on cards is sealed with a key of the workspace, and that key with the server's: so that a server looks at
// one secret of a workspace instead of at every row, and a deleted workspace takes its key along.

const cardKeyBytes = 32

// HealthKept reports whether health entries can be kept here: only where the server has a key for its secrets.
func (s *Service) HealthKept() bool { return s.Core.Vault().Seals() }

// seal makes the stored form of a text on a card of the workspace.
func (s *Service) seal(tx Tx, ws catalog.WorkspaceID, text []byte) (string, error) {
	stored, err := tx.CardKey(ws)
	if errors.Is(err, fault.ErrNotFound) {
		key := make([]byte, cardKeyBytes)
		rand.Read(key)
		if err := tx.AddCardKey(ws, s.Core.Vault().Seal(key)); err != nil {
			return "", err
		}
		stored, err = tx.CardKey(ws) // another transaction may have been faster
	}
	if err != nil {
		return "", err
	}
	v, err := s.cardVault(stored)
	if err != nil {
		return "", err
	}
	return v.Seal(text), nil
}

// unseal reads what seal made.
func (s *Service) unseal(r sealedReads, ws catalog.WorkspaceID, sealed string) ([]byte, error) {
	stored, err := r.CardKey(ws)
	if err != nil {
		return nil, err
	}
	v, err := s.cardVault(stored)
	if err != nil {
		return nil, err
	}
	return v.Open(sealed)
}

func (s *Service) cardVault(stored string) (*vault.Vault, error) {
	key, err := s.Core.Vault().Open(stored)
	if err != nil {
		return nil, err
	}
	return vault.NewVault(key)
}

// eachCardKey has look see the keys of all workspaces.
func (s *Service) eachCardKey(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil for a caller that only reads
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		stored, err := r.CardKey(w.ID)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		changed, err := look(&stored)
		if err == nil && changed {
			err = tx.SaveCardKey(w.ID, stored)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
