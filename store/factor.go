// The SQL of members' second factors: passkeys, authenticator apps, recovery codes, and what
// browsers were asked.

package store

import (
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/factor"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package factor reads and writes is here.
var (
	_ factor.Reader = queries{}
	_ factor.Reader = tx{}
	_ factor.Tx     = tx{}
)

func (q queries) Authenticator(u *app.User) (a factor.App, err error) {
	return scanApp(q.One(`SELECT workspace_id, user_id, secret, since_ms, step FROM authenticators
		WHERE workspace_id = ? AND user_id = ?`, u.WorkspaceID, u.ID))
}

func (q queries) Authenticators(ws catalog.WorkspaceID, limit int) ([]factor.App, error) {
	return engine.List(q, scanApp, `SELECT workspace_id, user_id, secret, since_ms, step FROM authenticators
		WHERE workspace_id = ? ORDER BY user_id LIMIT ?`, ws, limit)
}

func scanApp(scan func(...any) error) (a factor.App, err error) {
	err = scan(&a.User.WorkspaceID, &a.User.ID, &a.Secret, &a.Since, &a.Step)
	return a, engine.Found(err)
}

func (q queries) RecoveryCodes(u *app.User) (n int, err error) {
	err = q.Scan(`SELECT COUNT(*) FROM recovery_codes WHERE workspace_id = ? AND user_id = ?`, []any{u.WorkspaceID, u.ID},
		&n)
	return n, err
}

func (q queries) FactorRoles(ws catalog.WorkspaceID) (roles []app.Role, err error) {
	var text string
	err = engine.Found(q.Scan(`SELECT COALESCE(MAX(roles), '') FROM factor_rules WHERE workspace_id = ?`, []any{ws}, &text))
	for _, r := range strings.Split(text, ",") {
		if r != "" {
			roles = append(roles, app.Role(r))
		}
	}
	return roles, err
}

const passkeys = `SELECT id, workspace_id, user_id, credential, host, name, record, used_ms FROM passkeys `

func scanPasskey(scan func(...any) error) (p factor.Passkey, err error) {
	err = scan(&p.ID, &p.User.WorkspaceID, &p.User.ID, &p.Credential, &p.Host, &p.Name, &p.Record,
		engine.OrZero(&p.UsedAt))
	return p, engine.Found(err)
}

func (q queries) Passkeys(u *app.User, limit int) ([]factor.Passkey, error) {
	return engine.List(q, scanPasskey, passkeys+`WHERE workspace_id = ? AND user_id = ? ORDER BY id LIMIT ?`, u.WorkspaceID,
		u.ID, limit)
}

func (q queries) PasskeyByCredential(credential []byte) (factor.Passkey, error) {
	return scanPasskey(q.One(passkeys+`WHERE credential = ?`, credential))
}

func (q queries) HasPasskeys(host string) (here, elsewhere bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM passkeys WHERE host = ?), EXISTS (SELECT 1 FROM passkeys WHERE host <> ?)`,
		[]any{host, host}, &here, &elsewhere)
	return here, elsewhere, err
}

func (q queries) Challenge(hash, about []byte, now when.Instant) (data string, err error) {
	err = q.Scan(`SELECT data FROM factor_challenges WHERE hash = ? AND about = ? AND ends_ms > ?`,
		[]any{hash, about, now}, &data)
	return data, engine.Found(err)
}

func (t tx) LockFactors(u *app.User) (bool, error) {
	n, err := t.Exec(`UPDATE users SET role = role WHERE id = ? AND workspace_id = ?`, u.ID, u.WorkspaceID)
	return n == 1, err
}

func (t tx) Proven(session []byte, u *app.User) (proven, shown when.Instant, err error) {
	err = t.Scan(`SELECT proven_ms, COALESCE(factor_ms, 0) FROM sessions WHERE hash = ? AND user_id = ?`,
		[]any{session, u.ID}, &proven, &shown)
	return proven, shown, engine.Found(err)
}

func (t tx) ProveFactor(session []byte, at when.Instant) error {
	_, err := t.Exec(`UPDATE sessions SET factor_ms = ? WHERE hash = ?`, at, session)
	return err
}

func (t tx) ProveAgain(session []byte, at when.Instant) error {
	_, err := t.Exec(`UPDATE sessions SET proven_ms = ? WHERE hash = ?`, at, session)
	return err
}

func (t tx) SaveAuthenticator(a *factor.App) error {
	_, err := t.Exec(`INSERT INTO authenticators (workspace_id, user_id, secret, since_ms, step) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, user_id) DO UPDATE SET secret = excluded.secret`, a.User.WorkspaceID, a.User.ID, a.Secret,
		a.Since, a.Step)
	return err
}

func (t tx) TakeStep(u *app.User, step int64) (bool, error) {
	n, err := t.Exec(`UPDATE authenticators SET step = ? WHERE workspace_id = ? AND user_id = ? AND step < ?`, step,
		u.WorkspaceID, u.ID, step)
	return n == 1, err
}

func (t tx) DeleteAuthenticator(u *app.User) error {
	_, err := t.Exec(`DELETE FROM authenticators WHERE workspace_id = ? AND user_id = ?`, u.WorkspaceID, u.ID)
	return err
}

func (t tx) ReplaceRecoveryCodes(u *app.User, hashes [][]byte) error {
	_, err := t.Exec(`DELETE FROM recovery_codes WHERE workspace_id = ? AND user_id = ?`, u.WorkspaceID, u.ID)
	for _, hash := range hashes {
		if err != nil {
			break
		}
		_, err = t.Exec(`INSERT INTO recovery_codes (workspace_id, user_id, hash) VALUES (?, ?, ?)`, u.WorkspaceID, u.ID,
			hash)
	}
	return err
}

func (t tx) TakeRecoveryCode(u *app.User, hash []byte) (bool, error) {
	n, err := t.Exec(`DELETE FROM recovery_codes WHERE workspace_id = ? AND user_id = ? AND hash = ?`, u.WorkspaceID, u.ID,
		hash)
	return n == 1, err
}

func (t tx) SetFactorRoles(ws catalog.WorkspaceID, roles []app.Role) error {
	all := make([]string, len(roles))
	for i, r := range roles {
		all[i] = string(r)
	}
	_, err := t.Exec(`INSERT INTO factor_rules (workspace_id, roles) VALUES (?, ?)
		ON CONFLICT (workspace_id) DO UPDATE SET roles = excluded.roles`, ws, strings.Join(all, ","))
	return err
}

func (t tx) InsertPasskey(p *factor.Passkey) error {
	_, err := t.Exec(`INSERT INTO passkeys (id, workspace_id, user_id, credential, host, name, record)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, p.ID, p.User.WorkspaceID, p.User.ID, p.Credential, p.Host, p.Name, p.Record)
	return engine.Free(err)
}

func (t tx) UpdatePasskey(p *factor.Passkey) error {
	_, err := t.Exec(`UPDATE passkeys SET name = ?, record = ?, used_ms = ? WHERE id = ? AND workspace_id = ?`, p.Name,
		p.Record, engine.OrNull(p.UsedAt), p.ID, p.User.WorkspaceID)
	return err
}

func (t tx) DeletePasskey(p *factor.Passkey) error {
	_, err := t.Exec(`DELETE FROM passkeys WHERE id = ? AND workspace_id = ?`, p.ID, p.User.WorkspaceID)
	return err
}

func (t tx) InsertChallenge(hash, about []byte, data string, ends when.Instant) error {
	_, err := t.Exec(`INSERT INTO factor_challenges (hash, about, data, ends_ms) VALUES (?, ?, ?, ?)`, hash, about, data,
		ends)
	return err
}

func (t tx) TakeChallenge(hash []byte) (bool, error) {
	n, err := t.Exec(`DELETE FROM factor_challenges WHERE hash = ?`, hash)
	return n == 1, err
}

func (t tx) PruneChallenges(now when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM factor_challenges WHERE hash IN
		(SELECT hash FROM factor_challenges WHERE ends_ms <= ? LIMIT ?) AND ends_ms <= ?`, now, limit, now)
	return int(n), err
}
