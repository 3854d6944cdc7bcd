package store

import (
	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/row"
)

const keyColumns = `k.id, k.workspace_id, w.slug, k.name, k.scope, k.rate_limit, k.hint, k.hash, k.previous_hash, k.previous_until_ms,
	k.created_ms, k.last_used_ms, k.revoked_ms, w.revision`

const keysJoined = ` FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id AND w.gone_ms IS NULL `

func scanKey(scan func(...any) error) (k account.Key, err error) {
	err = scan(&k.ID, &k.WorkspaceID, &k.Workspace, &k.Name, &k.Scope, &k.RateLimit, &k.Hint, &k.Hash, &k.PreviousHash, row.OrZero(&k.PreviousUntil),
		&k.CreatedAt, row.OrZero(&k.LastUsedAt), row.OrZero(&k.RevokedAt), &k.SetupRevision)
	return k, row.Found(err)
}

func (q queries) FindKey(hash []byte) (account.Key, error) {
	k, err := scanKey(q.One(`SELECT `+keyColumns+keysJoined+`WHERE k.hash = ?`, hash))
	if err == fault.ErrNotFound {
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
	_, err := t.Exec(`INSERT INTO api_keys (id, workspace_id, name, scope, rate_limit, hint, hash, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.WorkspaceID, k.Name, k.Scope, k.RateLimit, k.Hint, k.Hash, k.CreatedAt)
	return row.Free(err)
}

func (t tx) UpdateKey(k *account.Key) error {
	_, err := t.Exec(`UPDATE api_keys SET name = ?, rate_limit = ?, hint = ?, hash = ?, previous_hash = ?, previous_until_ms = ?, revoked_ms = ? WHERE id = ?`,
		k.Name, k.RateLimit, k.Hint, k.Hash, row.BytesOrNull(k.PreviousHash), row.OrNull(k.PreviousUntil), row.OrNull(k.RevokedAt), k.ID)
	return row.Free(err)
}

func (t tx) TouchKey(id app.KeyID, at when.Instant) error {
	_, err := t.Exec(`UPDATE api_keys SET last_used_ms = ? WHERE id = ?`, at, id)
	return err
}

const userColumns = `u.id, u.workspace_id, w.slug, u.email, u.role, u.host_id, u.password_hash, u.created_ms`

func scanUser(scan func(...any) error) (u app.User, err error) {
	err = scan(&u.ID, &u.WorkspaceID, &u.Workspace, &u.Email, &u.Role, row.OrZero(&u.HostID), &u.PasswordHash, &u.CreatedAt)
	return u, row.Found(err)
}

func (q queries) UserByEmail(email string) (app.User, error) {
	return scanUser(q.One(`SELECT `+userColumns+` FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.email_key = ?`, fault.EmailKey(email)))
}

func (q queries) Users(ws catalog.WorkspaceID, limit int) (all []app.User, err error) {
	const query = `SELECT ` + userColumns + ` FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.workspace_id = ? ORDER BY u.id LIMIT ?`
	err = q.Each(query, []any{ws, limit}, func(scan func(...any) error) error {
		u, err := scanUser(scan)
		all = append(all, u)
		return err
	})
	return all, err
}

func (q queries) HasUsers() (has bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM users)`, nil, &has)
	return has, err
}

func (t tx) InsertUser(u *app.User) error {
	_, err := t.Exec(`INSERT INTO users (id, workspace_id, email_key, email, role, host_id, password_hash, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		u.ID, u.WorkspaceID, fault.EmailKey(u.Email), u.Email, u.Role, row.OrNull(u.HostID), u.PasswordHash, u.CreatedAt)
	return row.Free(err)
}

func (t tx) UpdateUser(u *app.User) error {
	_, err := t.Exec(`UPDATE users SET email_key = ?, email = ?, role = ?, host_id = ?, password_hash = ? WHERE id = ?`,
		fault.EmailKey(u.Email), u.Email, u.Role, row.OrNull(u.HostID), u.PasswordHash, u.ID)
	return row.Free(err)
}

func (q queries) SetupLink(hash []byte) (until when.Instant, err error) {
	err = q.Scan(`SELECT until_ms FROM setup_links WHERE hash = ?`, []any{hash}, &until)
	return until, row.Found(err)
}

func (t tx) ReplaceSetupLink(hash []byte, until when.Instant) error {
	if _, err := t.Exec(`DELETE FROM setup_links`); err != nil || hash == nil {
		return err
	}
	_, err := t.Exec(`INSERT INTO setup_links (hash, until_ms) VALUES (?, ?)`, hash, until)
	return err
}
