package store

import (
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	// With each session comes what decides whether it is whole: does the member have a second factor, and whose role
	// needs one.
	sessionColumns = `s.hash, s.agent, s.created_ms, s.seen_ms, s.proven_ms, s.factor_ms,
	CASE WHEN EXISTS (SELECT 1 FROM passkeys p WHERE p.workspace_id = u.workspace_id AND p.user_id = u.id)
	OR EXISTS (SELECT 1 FROM authenticators a WHERE a.workspace_id = u.workspace_id AND a.user_id = u.id)
	THEN 1 ELSE 0 END,
	COALESCE((SELECT r.roles FROM factor_rules r WHERE r.workspace_id = u.workspace_id), ''), w.suspended_ms, `

	sessionsJoined = ` FROM sessions s JOIN users u ON u.id = s.user_id JOIN workspaces w ON w.id = u.workspace_id `
)

func (q queries) Session(hash []byte) (s account.Session, err error) {
	const query = `SELECT ` + sessionColumns + userColumns + sessionsJoined + `WHERE s.hash = ?`
	return scanSession(q.One(query, hash))
}

func scanSession(scan func(...any) error) (s account.Session, err error) {
	var needed string
	s.User, err = scanUser(func(user ...any) error {
		return scan(append([]any{&s.Hash, &s.Agent, &s.CreatedAt, &s.SeenAt, &s.ProvenAt, engine.OrZero(&s.FactorAt),
			&s.HasFactor, &needed, engine.OrZero(&s.SuspendedAt)}, user...)...)
	})
	s.NeedsFactor = slices.Contains(strings.Split(needed, ","), string(s.User.Role))
	return s, err
}

func (q queries) Sessions(u app.UserID, limit int) (all []account.Session, err error) {
	const query = `SELECT ` + sessionColumns + userColumns + sessionsJoined +
		`WHERE s.user_id = ? ORDER BY s.seen_ms DESC LIMIT ?`
	err = q.Each(query, []any{u, limit}, func(scan func(...any) error) error {
		s, err := scanSession(scan)
		all = append(all, s)
		return err
	})
	return all, err
}

func (t tx) InsertSession(s *account.Session) error {
	_, err := t.Exec(`INSERT INTO sessions (hash, user_id, agent, created_ms, seen_ms, proven_ms, factor_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, s.Hash, s.User.ID, s.Agent, s.CreatedAt, s.SeenAt, s.ProvenAt, engine.OrNull(s.FactorAt))
	return err
}

func (t tx) TouchSession(hash []byte, at when.Instant) error {
	_, err := t.Exec(`UPDATE sessions SET seen_ms = ? WHERE hash = ?`, at, hash)
	return err
}

func (t tx) DeleteSession(hash []byte) error {
	_, err := t.Exec(`DELETE FROM sessions WHERE hash = ?`, hash)
	return err
}

func (t tx) DeleteSessions(u app.UserID, except []byte) error {
	if except == nil {
		except = []byte{}
	}
	_, err := t.Exec(`DELETE FROM sessions WHERE user_id = ? AND hash <> ?`, u, except)
	return err
}

func (t tx) PruneSessions(idle when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE seen_ms < ? LIMIT ?)
		AND seen_ms < ?`, idle, limit, idle)
	return int(n), err
}
