// The SQL of invitation links.

package store

import (
	"errors"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package invitation reads and writes is here.
var (
	_ invitation.Reader = queries{}
	_ invitation.Reader = tx{}
	_ invitation.Tx     = tx{}
)

const invitationColumns = `id, workspace_id, event_type_id, host_id, email, uses, used, expires_ms, revoked_ms, forget_ms,
	mail_id`

const (
	invitationByHash = `SELECT ` + invitationColumns + ` FROM invitation_links WHERE hash = ?`
	invitationByID   = `SELECT ` + invitationColumns + ` FROM invitation_links WHERE id = ? AND workspace_id = ?`
	// The list is as long as a workspace may have links, so what else is asked for is looked at row by row.
	countInvitations = `SELECT COUNT(*) FROM (SELECT id FROM invitation_links WHERE workspace_id = ? AND id >= ?
		AND (CAST(? AS BIGINT) = 0 OR email <> '') ORDER BY id LIMIT ?) links`
	pruneInvitations = `DELETE FROM invitation_links WHERE id IN (SELECT id FROM invitation_links WHERE forget_ms <= ?
		ORDER BY forget_ms LIMIT ?) AND forget_ms <= ?`
)

func scanInvitation(scan func(...any) error) (l invitation.Invitation, err error) {
	err = scan(&l.ID, &l.WorkspaceID, &l.EventTypeID, engine.OrZero(&l.HostID), &l.Email, &l.Uses, &l.Used,
		engine.OrZero(&l.ExpiresAt), engine.OrZero(&l.RevokedAt), engine.OrZero(&l.ForgetAt),
		engine.OrZero(&l.Mail))
	l.CreatedAt = when.At(l.ID.MadeAt())
	return l, engine.Found(err)
}

func (q queries) InvitationLinkByHash(ws catalog.WorkspaceID, hash []byte) (invitation.Invitation, error) {
	if ws == 0 {
		return scanInvitation(q.One(invitationByHash, hash))
	}
	return scanInvitation(q.One(invitationByHash+` AND workspace_id = ?`, hash, ws))
}

func (q queries) InvitationLink(ws catalog.WorkspaceID, id booking.InvitationID) (invitation.Invitation, error) {
	return scanInvitation(q.One(invitationByID, id, ws))
}

func (q queries) InvitationLinks(ws catalog.WorkspaceID, f invitation.Filter) ([]invitation.Invitation, error) {
	query, args := listInvitations(ws, f)
	return engine.List(q, scanInvitation, query, args...)
}

func listInvitations(ws catalog.WorkspaceID, f invitation.Filter) (query string, args []any) {
	query, args = `SELECT `+invitationColumns+` FROM invitation_links WHERE workspace_id = ?`, []any{ws}
	add := func(term string, value any) { query, args = query+` AND `+term, append(args, value) }
	if f.EventType != 0 {
		add(`event_type_id = ?`, f.EventType)
	}
	if f.Host != 0 {
		add(`host_id = ?`, f.Host)
	}
	if f.Before != 0 {
		add(`id < ?`, f.Before)
	}
	if f.OldestFirst {
		add(`id > ?`, f.After)
		return query + ` ORDER BY id LIMIT ?`, append(args, f.Limit)
	}
	return query + ` ORDER BY id DESC LIMIT ?`, append(args, f.Limit)
}

func (q queries) CountInvitationLinks(ws catalog.WorkspaceID, from booking.InvitationID, mailed bool,
	most int) (n int, err error) {
	only := 0
	if mailed {
		only = 1
	}
	err = q.Scan(countInvitations, []any{ws, from, only, most}, &n)
	return n, err
}

func (q queries) InvitationLinkOpen(ws catalog.WorkspaceID, id booking.InvitationID, now when.Instant) (open bool,
	err error) {
	l, err := q.InvitationLink(ws, id)
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	return l.State(now) == invitation.Open, err
}

func (t tx) InsertInvitationLink(l *invitation.Invitation, hash []byte) error {
	_, err := t.Exec(`INSERT INTO invitation_links (id, workspace_id, hash, event_type_id, host_id, email, email_key, uses,
		expires_ms, forget_ms, mail_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, l.ID, l.WorkspaceID, hash, l.EventTypeID,
		engine.OrNull(l.HostID), l.Email, fault.EmailKey(l.Email), l.Uses, engine.OrNull(l.ExpiresAt), engine.OrNull(l.ForgetAt),
		engine.OrNull(l.Mail))
	return err
}

func (t tx) SetInvitationMail(ws catalog.WorkspaceID, id booking.InvitationID, mail int64) error {
	_, err := t.Exec(`UPDATE invitation_links SET mail_id = ? WHERE id = ? AND workspace_id = ?`, mail, id, ws)
	return err
}

func (t tx) RevokeInvitationLink(ws catalog.WorkspaceID, id booking.InvitationID, now, forget when.Instant) error {
	_, err := t.Exec(`UPDATE invitation_links SET revoked_ms = ?, forget_ms = ? WHERE id = ? AND workspace_id = ?
		AND revoked_ms IS NULL`, now, forget, id, ws)
	return err
}

func (t tx) ClaimInvitationLink(ws catalog.WorkspaceID, id booking.InvitationID,
	open, forget when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE invitation_links SET used = used + 1, forget_ms = CASE
		WHEN used + 1 >= uses AND COALESCE(forget_ms, 0) < ? THEN ? ELSE forget_ms END
		WHERE id = ? AND workspace_id = ? AND used < uses AND revoked_ms IS NULL
		AND (expires_ms IS NULL OR expires_ms > ?)`, forget, forget, id, ws, open)
	return n == 1, err
}

func (t tx) ReturnInvitationLink(ws catalog.WorkspaceID, id booking.InvitationID, kept when.Instant) error {
	_, err := t.Exec(`UPDATE invitation_links SET used = used - 1, forget_ms = CASE
		WHEN revoked_ms IS NOT NULL THEN forget_ms ELSE expires_ms + ? END
		WHERE id = ? AND workspace_id = ? AND used > 0`, kept, id, ws)
	return err
}

func (t tx) PruneInvitationLinks(now when.Instant, limit int) (int, error) {
	n, err := t.Exec(pruneInvitations, now, limit, now)
	return int(n), err
}
