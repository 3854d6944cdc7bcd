package store

import (
	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package account reads and writes is here.
var (
	_ account.Reader = queries{}
	_ account.Reader = tx{}
	_ account.Tx     = tx{}
)

const userColumns = `u.id, u.workspace_id, w.slug, u.email, u.role, u.host_id, u.password_hash, u.locale,
	u.created_ms`

func scanUser(scan func(...any) error) (u app.User, err error) {
	err = scan(&u.ID, &u.WorkspaceID, &u.Workspace, &u.Email, &u.Role, engine.OrZero(&u.HostID), &u.PasswordHash,
		&u.Locale, &u.CreatedAt)
	return u, engine.Found(err)
}

func (q queries) UserByEmail(email string) (app.User, error) {
	return scanUser(q.One(`SELECT `+userColumns+` FROM users u JOIN workspaces w ON w.id = u.workspace_id
		WHERE u.email_key = ?`, fault.EmailKey(email)))
}

func (q queries) Users(ws catalog.WorkspaceID, limit int) (all []app.User, err error) {
	const query = `SELECT ` + userColumns +
		` FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.workspace_id = ? ORDER BY u.id LIMIT ?`
	err = q.Each(query, []any{ws, limit}, func(scan func(...any) error) error {
		u, err := scanUser(scan)
		all = append(all, u)
		return err
	})
	return all, err
}

func (q queries) LocaleOf(ws catalog.WorkspaceID, email string) (locale string, err error) {
	err = q.Scan(`SELECT locale FROM users WHERE email_key = ? AND workspace_id = ?`, []any{fault.EmailKey(email),
		ws}, &locale)
	if engine.Found(err) == fault.ErrNotFound {
		return "", nil
	}
	return locale, err
}

func (q queries) HasUsers() (has bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM users)`, nil, &has)
	return has, err
}

func (t tx) InsertUser(u *app.User) error {
	_, err := t.Exec(`INSERT INTO users (id, workspace_id, email_key, email, role, host_id, password_hash, locale,
		created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		u.ID, u.WorkspaceID, fault.EmailKey(u.Email), u.Email, u.Role, engine.OrNull(u.HostID), u.PasswordHash, u.Locale,
		u.CreatedAt)
	return engine.Free(err)
}

func (t tx) SetRole(u *app.User) error {
	const ended = `DELETE FROM oauth_grants WHERE user_id = ? AND (role <> ? OR COALESCE(host_id, 0) <> ?)`
	if _, err := t.Exec(ended, u.ID, u.Role, u.HostID); err != nil {
		return err
	}
	return there(t.Exec(`UPDATE users SET role = ?, host_id = ? WHERE id = ? AND workspace_id = ?`, u.Role,
		engine.OrNull(u.HostID), u.ID, u.WorkspaceID))
}

func (t tx) SetPassword(u *app.User) error {
	if _, err := t.Exec(`DELETE FROM oauth_grants WHERE user_id = ?`, u.ID); err != nil {
		return err
	}
	return there(t.Exec(`UPDATE users SET password_hash = ? WHERE id = ? AND workspace_id = ?`, u.PasswordHash, u.ID,
		u.WorkspaceID))
}

func (t tx) SetLocale(u *app.User) error {
	return there(t.Exec(`UPDATE users SET locale = ? WHERE id = ? AND workspace_id = ?`, u.Locale, u.ID, u.WorkspaceID))
}

// there turns a statement that changed no row into fault.ErrNotFound.
func there(affected int64, err error) error {
	if err == nil && affected == 0 {
		err = fault.ErrNotFound
	}
	return err
}

func (t tx) LockPassword(u *app.User) (bool, error) {
	n, err := t.Exec(`UPDATE users SET password_hash = password_hash
		WHERE id = ? AND workspace_id = ? AND password_hash = ?`, u.ID, u.WorkspaceID, u.PasswordHash)
	return n == 1, err
}

func (t tx) LockSetupLinks() error {
	_, err := t.Exec(`UPDATE setup_links SET until_ms = until_ms`)
	return err
}

func (q queries) SetupLink(hash []byte) (until when.Instant, err error) {
	err = q.Scan(`SELECT until_ms FROM setup_links WHERE hash = ?`, []any{hash}, &until)
	return until, engine.Found(err)
}

func (t tx) ReplaceSetupLink(hash []byte, until when.Instant) error {
	if _, err := t.Exec(`DELETE FROM setup_links`); err != nil || hash == nil {
		return err
	}
	_, err := t.Exec(`INSERT INTO setup_links (hash, until_ms) VALUES (?, ?)`, hash, until)
	return err
}

func (q queries) User(id app.UserID) (app.User, error) {
	return scanUser(q.One(`SELECT `+userColumns+` FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id = ?`,
		id))
}

func (q queries) Invitation(hash []byte) (u app.UserID, until when.Instant, err error) {
	err = q.Scan(`SELECT user_id, until_ms FROM invitations WHERE hash = ?`, []any{hash}, &u, &until)
	return u, until, engine.Found(err)
}

func (t tx) DeleteUser(id app.UserID) error {
	for _, query := range []string{`DELETE FROM sessions WHERE user_id = ?`, `DELETE FROM oauth_grants WHERE user_id = ?`,
		`DELETE FROM passkeys WHERE user_id = ?`, `DELETE FROM authenticators WHERE user_id = ?`,
		`DELETE FROM recovery_codes WHERE user_id = ?`,
		`DELETE FROM invitations WHERE user_id = ?`,
		`DELETE FROM users WHERE id = ?`} {
		if _, err := t.Exec(query, id); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) SaveInvitation(u app.UserID, hash []byte, until when.Instant) error {
	if _, err := t.Exec(`DELETE FROM invitations WHERE user_id = ?`, u); err != nil || hash == nil {
		return err
	}
	_, err := t.Exec(`INSERT INTO invitations (hash, user_id, until_ms) VALUES (?, ?, ?)`, hash, u, until)
	return err
}
