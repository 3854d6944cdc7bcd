package store

import (
	"encoding/json"
	"errors"
	"strings"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/when"
	"daybook/store/engine"
)

const keyColumns = `k.id, k.workspace_id, w.slug, k.name, k.scope, k.areas, k.restriction, k.public_value,
	k.rate_limit, k.hint, k.hash, k.previous_hash, k.previous_until_ms, k.created_ms, k.last_used_ms, k.revoked_ms,
	w.revision, w.suspended_ms`

const keysJoined = ` FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id AND w.gone_ms IS NULL `

func scanKey(scan func(...any) error) (k account.Key, err error) {
	var areas, limits string
	err = scan(&k.ID, &k.WorkspaceID, &k.Workspace, &k.Name, &k.Scope, &areas, &limits, &k.Public, &k.RateLimit, &k.Hint,
		&k.Hash, &k.PreviousHash, engine.OrZero(&k.PreviousUntil),
		&k.CreatedAt, engine.OrZero(&k.LastUsedAt), engine.OrZero(&k.RevokedAt), &k.SetupRevision,
		engine.OrZero(&k.SuspendedAt))
	if err != nil {
		return k, engine.Found(err)
	}
	if areas != "" {
		k.Areas, err = right.ParseAreas(strings.Split(areas, ","))
	}
	if limits != "" && err == nil {
		err = json.Unmarshal([]byte(limits), &k.Limits)
	}
	return k, err
}

func (q queries) FindKey(hash []byte) (account.Key, error) {
	k, err := scanKey(q.One(`SELECT `+keyColumns+keysJoined+`WHERE k.hash = ?`, hash))
	if errors.Is(err, fault.ErrNotFound) {
		return scanKey(q.One(`SELECT `+keyColumns+keysJoined+`WHERE k.previous_hash = ?`, hash))
	}
	return k, err
}

func (q queries) Key(id app.KeyID) (account.Key, error) {
	return scanKey(q.One(`SELECT `+keyColumns+keysJoined+`WHERE k.id = ?`, id))
}

func (q queries) Keys(ws catalog.WorkspaceID, limit int) (all []account.Key, err error) {
	query, args := `SELECT `+keyColumns+keysJoined+`WHERE k.workspace_id = ? ORDER BY k.id DESC LIMIT ?`, []any{ws, limit}
	if ws == 0 {
		query, args = `SELECT `+keyColumns+keysJoined+`ORDER BY k.id DESC LIMIT ?`, []any{limit}
	}
	err = q.Each(query, args, func(scan func(...any) error) error {
		k, err := scanKey(scan)
		all = append(all, k)
		return err
	})
	return all, err
}

func (t tx) InsertKey(k *account.Key) error {
	limits := ""
	if k.Limits != nil {
		text, err := json.Marshal(k.Limits)
		if err != nil {
			return err
		}
		limits = string(text)
	}
	_, err := t.Exec(`INSERT INTO api_keys (id, workspace_id, name, scope, areas, restriction, public_value, rate_limit,
		hint, hash, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.WorkspaceID, k.Name, k.Scope, k.Areas.String(), limits, k.Public, k.RateLimit, k.Hint, k.Hash, k.CreatedAt)
	return engine.Free(err)
}

func (t tx) LockKey(id app.KeyID) error {
	_, err := t.Exec(`UPDATE api_keys SET last_used_ms = last_used_ms WHERE id = ?`, id)
	return err
}

func (t tx) UpdateKey(k *account.Key) error {
	_, err := t.Exec(`UPDATE api_keys
		SET name = ?, public_value = ?, rate_limit = ?, hint = ?, hash = ?, previous_hash = ?, previous_until_ms = ?,
		revoked_ms = ? WHERE id = ? AND workspace_id = ?`,
		k.Name, k.Public, k.RateLimit, k.Hint, k.Hash, engine.BytesOrNull(k.PreviousHash), engine.OrNull(k.PreviousUntil),
		engine.OrNull(k.RevokedAt), k.ID, k.WorkspaceID)
	return engine.Free(err)
}

func (t tx) TouchKey(id app.KeyID, at when.Instant) error {
	_, err := t.Exec(`UPDATE api_keys SET last_used_ms = ? WHERE id = ?`, at, id)
	return err
}
