// The SQL of agents' programs: the clients that have registered, and what members allowed them.

package store

import (
	"encoding/json"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/oauth"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package oauth reads and writes is here.
var (
	_ oauth.Reader = queries{}
	_ oauth.Reader = tx{}
	_ oauth.Tx     = tx{}
)

const (
	clientColumns = `g.id, g.workspace_id, w.slug, g.user_id, g.role, g.host_id, u.email, g.client, g.name, g.redirect, g.scope,
	g.resource, g.ends_ms, g.over_ms, g.used_ms, g.code_hash, g.challenge, g.family_hash, g.refresh_hash, g.previous_hash,
	g.rotated_ms, g.salt, g.access_hash, g.access_until_ms, g.previous_access_hash, g.previous_access_until_ms`

	// A grant is none once its member has another role or host, or its workspace is gone.
	joinedGrants = ` FROM oauth_grants g JOIN users u ON u.id = g.user_id AND u.workspace_id = g.workspace_id AND u.role = g.role
	AND COALESCE(u.host_id, 0) = COALESCE(g.host_id, 0)
	JOIN workspaces w ON w.id = g.workspace_id AND w.gone_ms IS NULL `

	access = `SELECT g.id, g.scope, g.resource, u.id, u.workspace_id, w.slug, u.email, u.role, u.host_id, u.locale, w.revision, w.suspended_ms, `

	byToken    = access + `g.access_until_ms` + joinedGrants + `WHERE g.access_hash = ?`
	byOldToken = access + `g.previous_access_until_ms` + joinedGrants + `WHERE g.previous_access_hash = ?`
	grantByID  = `SELECT ` + clientColumns + joinedGrants + `WHERE g.id = ?`

	clientByID = `SELECT id, name, redirects FROM oauth_clients WHERE id = ?`

	ofAll             = `SELECT ` + clientColumns + joinedGrants + `WHERE g.family_hash IS NOT NULL AND g.over_ms > ?`
	grantsOfWorkspace = ofAll + ` AND g.workspace_id = ?`
	ofMember          = grantsOfWorkspace + ` AND g.user_id = ?`
	newest            = ` ORDER BY g.id DESC LIMIT ?`

	pruneGrants = `DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE over_ms <= ? ORDER BY over_ms
		LIMIT ?) AND over_ms <= ?`
	pruneClients = `DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients WHERE forget_ms <= ?
		ORDER BY forget_ms LIMIT ?) AND forget_ms <= ?`
)

func scanGrant(scan func(...any) error) (g oauth.Grant, err error) {
	err = scan(&g.ID, &g.WorkspaceID, &g.Workspace, &g.Member.ID, &g.Member.Role, engine.OrZero(&g.Member.HostID), &g.Email,
		&g.Client, &g.Name, &g.Redirect, &g.Scope, &g.Resource, &g.EndsAt, &g.OverAt, engine.OrZero(&g.LastUsedAt), &g.Code,
		&g.Challenge, &g.Family, &g.Refresh, &g.Previous, engine.OrZero(&g.RotatedAt), &g.Salt, &g.Token,
		engine.OrZero(&g.Until), &g.PreToken, engine.OrZero(&g.PreUntil))
	g.CreatedAt = when.At(g.ID.MadeAt())
	g.Member.WorkspaceID, g.Member.Workspace, g.Member.Email = g.WorkspaceID, g.Workspace, g.Email
	return g, engine.Found(err)
}

func (q queries) Grants(ws catalog.WorkspaceID, u app.UserID, now when.Instant, limit int) ([]oauth.Grant, error) {
	query, args := listGrants(ws, u, now, limit)
	return engine.List(q, scanGrant, query, args...)
}

func listGrants(ws catalog.WorkspaceID, u app.UserID, now when.Instant, limit int) (query string, args []any) {
	switch {
	case u != 0:
		return ofMember + newest, []any{now, ws, u, limit}
	case ws != 0:
		return grantsOfWorkspace + newest, []any{now, ws, limit}
	}
	return ofAll + newest, []any{now, limit}
}

func (q queries) Grant(id oauth.GrantID) (oauth.Grant, error) { return scanGrant(q.One(grantByID, id)) }

func (q queries) Access(hash []byte) (a oauth.Access, err error) {
	for _, query := range []string{byToken, byOldToken} {
		m := &a.Member
		err = engine.Found(q.One(query, hash)(&a.Grant, &a.Scope, &a.Resource, &m.ID, &m.WorkspaceID, &m.Workspace, &m.Email, &m.Role,
			engine.OrZero(&m.HostID), &m.Locale, &a.SetupRevision, engine.OrZero(&a.SuspendedAt), &a.Until))
		if err == nil {
			break
		}
	}
	return a, err
}

func (q queries) OAuthClient(id oauth.ClientID) (c oauth.Client, err error) {
	var redirects []byte
	err = q.Scan(clientByID, []any{id}, &c.ID, &c.Name, &redirects)
	if err != nil {
		return c, engine.Found(err)
	}
	return c, json.Unmarshal(redirects, &c.Redirects)
}

func (t tx) InsertOAuthClient(c *oauth.Client, forget when.Instant) error {
	redirects, err := json.Marshal(c.Redirects)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO oauth_clients (id, name, redirects, forget_ms) VALUES (?, ?, ?, ?)`, c.ID, c.Name,
		string(redirects), forget)
	return err
}

func (t tx) KeepOAuthClient(id oauth.ClientID, forget when.Instant) error {
	_, err := t.Exec(`UPDATE oauth_clients SET forget_ms = ? WHERE id = ?`, forget, id)
	return err
}

func (t tx) LockMember(u *app.User) (bool, error) {
	n, err := t.Exec(`UPDATE users SET role = role WHERE id = ? AND workspace_id = ? AND role = ?
		AND COALESCE(host_id, 0) = ?`, u.ID, u.WorkspaceID, u.Role, u.HostID)
	return n == 1, err
}

func (t tx) InsertGrant(g *oauth.Grant) error {
	_, err := t.Exec(`INSERT INTO oauth_grants (id, workspace_id, user_id, role, host_id, client, name, redirect, scope,
		resource, ends_ms, over_ms, code_hash, challenge) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		g.ID, g.WorkspaceID, g.Member.ID, g.Member.Role, engine.OrNull(g.Member.HostID), g.Client, g.Name, g.Redirect, g.Scope,
		g.Resource, g.EndsAt, g.OverAt, g.Code, g.Challenge)
	return err
}

func (t tx) LockGrantByCode(hash []byte) (oauth.Grant, error) { return t.lock(`code_hash`, hash) }

func (t tx) LockGrantByFamily(hash []byte) (oauth.Grant, error) { return t.lock(`family_hash`, hash) }

func (t tx) lock(column string, hash []byte) (g oauth.Grant, err error) {
	if _, err := t.Exec(lockBy(column), hash); err != nil {
		return g, err
	}
	return scanGrant(t.Querier().One(grantByHash(column), hash))
}

func lockBy(column string) string {
	return `UPDATE oauth_grants SET over_ms = over_ms WHERE ` + column + ` = ?`
}

func grantByHash(column string) string {
	return `SELECT ` + clientColumns + joinedGrants + `WHERE g.` + column + ` = ?`
}

func (t tx) SaveTokens(g *oauth.Grant) error {
	_, err := t.Exec(`UPDATE oauth_grants SET over_ms = ?, used_ms = ?, family_hash = ?, refresh_hash = ?,
		previous_hash = ?, rotated_ms = ?, salt = ?, access_hash = ?, access_until_ms = ?, previous_access_hash = ?,
		previous_access_until_ms = ? WHERE id = ? AND workspace_id = ?`, g.OverAt, g.LastUsedAt, g.Family, g.Refresh,
		engine.BytesOrNull(g.Previous), engine.OrNull(g.RotatedAt), engine.BytesOrNull(g.Salt), g.Token, g.Until,
		engine.BytesOrNull(g.PreToken), engine.OrNull(g.PreUntil), g.ID, g.WorkspaceID)
	return err
}

func (t tx) TouchGrant(id oauth.GrantID, at when.Instant) error {
	_, err := t.Exec(`UPDATE oauth_grants SET used_ms = ? WHERE id = ?`, at, id)
	return err
}

func (t tx) DeleteGrant(id oauth.GrantID) error {
	_, err := t.Exec(`DELETE FROM oauth_grants WHERE id = ?`, id)
	return err
}

func (t tx) PruneGrants(now when.Instant, limit int) (most int, err error) {
	for _, query := range []string{pruneGrants, pruneClients} {
		n, err := t.Exec(query, now, limit, now)
		if err != nil {
			return 0, err
		}
		most = max(most, int(n))
	}
	return most, nil
}
