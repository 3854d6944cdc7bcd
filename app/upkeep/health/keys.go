package health

import (
	"context"
	"encoding/json"
	"errors"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/finding"
)

const (
	keysName       = "keys elsewhere" // a server value: confirmed
	replicaKeyName = "replica key"    // the public part of the one that encrypts the replicas
)

// confirmed is that somebody has said that the keys are kept elsewhere.
type confirmed struct {
	At   when.Instant `json:"at"`
	Keys string       `json:"keys"` // which ones: the mark of the secret key, and the replicas' public key
}

// Keys are the keys without which a copy of the database can't be used.
type Keys struct {
	Needed    bool         // there is a replica, or stored secrets are encrypted
	Confirmed when.Instant // that they are kept elsewhere; 0 for never, or for other keys
}

// NoteReplicaKey notes the public part of the key that encrypts the replicas; "" for none.
func (s *Service) NoteReplicaKey(ctx context.Context, public string) error {
	was, err := s.serverValue(s.Reader(ctx), replicaKeyName)
	if err != nil || was == public {
		return err
	}
	return s.Quietly(ctx, func(tx Tx) error { return tx.SetServerValue(replicaKeyName, public) })
}

func (s *Service) serverValue(r Reader, name string) (string, error) {
	text, err := r.ServerValue(name)
	if errors.Is(err, fault.ErrNotFound) {
		return "", nil
	}
	return text, err
}

// keys tells which keys there are now, and whether they are confirmed.
func (s *Service) keys(ctx context.Context, r Reader) (k Keys, which string, err error) {
	copies, err := s.upkeep.Replicas(ctx)
	if err != nil {
		return k, "", err
	}
	public, err := s.serverValue(r, replicaKeyName)
	if err != nil {
		return k, "", err
	}
	mark := s.Core.Vault().Mark()
	k.Needed = mark != "" || len(copies.Targets) > 0
	which = mark + " " + public
	text, err := s.serverValue(r, keysName)
	if err != nil || text == "" {
		return k, which, err
	}
	var c confirmed
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return k, which, err
	}
	if c.Keys == which {
		k.Confirmed = c.At
	}
	return k, which, nil
}

func (s *Service) keysFinding(ctx context.Context) (finding.Finding, error) {
	k, _, err := s.keys(ctx, s.Reader(ctx))
	switch {
	case err != nil:
		return finding.Finding{}, err
	case !k.Needed:
		return ok("keys", "keys_none"), nil
	case k.Confirmed == 0:
		return wrong(finding.Warning, finding.OnToday, "keys", "keys_unconfirmed"), nil
	}
	return ok("keys", "keys_ok", finding.At("At", k.Confirmed)), nil
}

// ConfirmKeys saves that an owner has confirmed that the keys of copies and of stored secrets are kept elsewhere. After
// a change of keys it must be confirmed again. Errors: forbidden, also for owners of a workspace that doesn't look
// after the server.
func (s *Service) ConfirmKeys(ctx context.Context, a app.Actor) error {
	if err := a.May(app.MaySeeHealth); err != nil {
		return err
	}
	err := s.Quietly(ctx, func(tx Tx) error {
		bound := s.In(tx)
		keeps, err := bound.keeps(tx, a)
		if err == nil && !keeps {
			err = fault.New(fault.Forbidden, "role", "The owners of this server's first workspace look after it.")
		}
		if err != nil {
			return err
		}
		_, which, err := bound.keys(ctx, tx)
		if err != nil {
			return err
		}
		text, err := json.Marshal(confirmed{At: when.At(s.Core.Now()), Keys: which})
		if err != nil {
			return err
		}
		return tx.SetServerValue(keysName, string(text))
	})
	if err == nil {
		s.mu.Lock()
		s.last = nil
		s.mu.Unlock()
	}
	return err
}
