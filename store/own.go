// The SQL of customers' own pages.

package store

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/own"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package own reads and writes is here.
var (
	_ own.Reader = queries{}
	_ own.Reader = tx{}
	_ own.Tx     = tx{}
)

const (
	ownLink       = `SELECT contact_id, until_ms FROM own_links WHERE workspace_id = ? AND hash = ?`
	ownLinksSince = `SELECT COUNT(*) FROM own_links WHERE contact_id = ? AND made_ms > ? AND +workspace_id = ?`
	ownDevice     = `SELECT contact_id, opened_ms FROM own_devices WHERE workspace_id = ? AND hash = ?`
	ownDevices    = `SELECT COUNT(*) FROM own_devices WHERE contact_id = ? AND +workspace_id = ?`

	endOwnLinks    = `UPDATE own_links SET until_ms = 0 WHERE contact_id = ? AND +workspace_id = ? AND until_ms > 0`
	endOwnDevices  = `DELETE FROM own_devices WHERE contact_id = ? AND +workspace_id = ?`
	takeOwnLink    = `UPDATE own_links SET until_ms = 0 WHERE workspace_id = ? AND hash = ? AND until_ms > ?`
	trimOwnDevices = `DELETE FROM own_devices WHERE workspace_id = ? AND hash IN (SELECT hash FROM own_devices
		WHERE contact_id = ? ORDER BY opened_ms DESC, hash LIMIT ? OFFSET ?)`
	mostTrimmed = 100

	pruneOwnLinks = `DELETE FROM own_links WHERE (workspace_id, hash) IN (SELECT workspace_id, hash FROM own_links
		WHERE made_ms < ? ORDER BY made_ms LIMIT ?) AND made_ms < ?`
	pruneNobodysLinks = `DELETE FROM own_links WHERE (workspace_id, hash) IN (SELECT workspace_id, hash FROM own_links
		WHERE contact_id IS NULL AND made_ms < ? ORDER BY made_ms LIMIT ?) AND made_ms < ?`
	pruneOwnDevices = `DELETE FROM own_devices WHERE (workspace_id, hash) IN (SELECT workspace_id, hash FROM own_devices
		WHERE opened_ms < ? ORDER BY opened_ms LIMIT ?) AND opened_ms < ?`

	dropOwnMails = `DELETE FROM mails WHERE workspace_id = ? AND id IN (SELECT mail_id FROM own_links WHERE contact_id = ?)`
	dropOwnLinks = `DELETE FROM own_links WHERE contact_id = ? AND +workspace_id = ?`
	moveOwnLinks = `UPDATE own_links SET contact_id = ?, until_ms = 0 WHERE contact_id = ? AND +workspace_id = ?`
)

// OwnLink implements own.Reads, as the methods below do.
func (q queries) OwnLink(ws catalog.WorkspaceID, hash []byte) (c booking.ContactID, until when.Instant, err error) {
	err = q.Scan(ownLink, []any{ws, hash}, engine.OrZero(&c), &until)
	return c, until, engine.Found(err)
}

func (q queries) OwnLinksSince(ws catalog.WorkspaceID, c booking.ContactID, since when.Instant) (n int, err error) {
	err = q.Scan(ownLinksSince, []any{c, since, ws}, &n)
	return n, err
}

func (q queries) OwnDevice(ws catalog.WorkspaceID, hash []byte) (c booking.ContactID, opened when.Instant, err error) {
	err = q.Scan(ownDevice, []any{ws, hash}, &c, &opened)
	return c, opened, engine.Found(err)
}

func (q queries) OwnDevices(ws catalog.WorkspaceID, c booking.ContactID) (n int, err error) {
	err = q.Scan(ownDevices, []any{c, ws}, &n)
	return n, err
}

// InsertOwnLink implements own.Tx, as the methods below do.
func (t tx) InsertOwnLink(ws catalog.WorkspaceID, hash []byte, c booking.ContactID, made, until when.Instant, mail int64) error {
	_, err := t.Exec(`INSERT INTO own_links (workspace_id, hash, contact_id, made_ms, until_ms, mail_id)
		VALUES (?, ?, ?, ?, ?, ?)`, ws, hash, engine.OrNull(c), made, until, engine.OrNull(mail))
	return err
}

func (t tx) EndOwnLinks(ws catalog.WorkspaceID, c booking.ContactID) error {
	_, err := t.Exec(endOwnLinks, c, ws)
	return err
}

func (t tx) EndOwnDevices(ws catalog.WorkspaceID, c booking.ContactID) error {
	_, err := t.Exec(endOwnDevices, c, ws)
	return err
}

func (t tx) TakeOwnLink(ws catalog.WorkspaceID, hash []byte, now when.Instant) (bool, error) {
	n, err := t.Exec(takeOwnLink, ws, hash, now)
	return n == 1, err
}

func (t tx) InsertOwnDevice(ws catalog.WorkspaceID, hash []byte, c booking.ContactID, now when.Instant) error {
	_, err := t.Exec(`INSERT INTO own_devices (workspace_id, hash, contact_id, opened_ms) VALUES (?, ?, ?, ?)`, ws, hash, c, now)
	return err
}

func (t tx) TrimOwnDevices(ws catalog.WorkspaceID, c booking.ContactID, keep int) error {
	_, err := t.Exec(trimOwnDevices, ws, c, mostTrimmed, keep)
	return err
}

func (t tx) EndOwnDevice(ws catalog.WorkspaceID, hash []byte) error {
	_, err := t.Exec(`DELETE FROM own_devices WHERE workspace_id = ? AND hash = ?`, ws, hash)
	return err
}

func (t tx) PruneOwn(links, nobodys, devices when.Instant, limit int) (most int, err error) {
	for query, before := range map[string]when.Instant{pruneOwnLinks: links, pruneNobodysLinks: nobodys,
		pruneOwnDevices: devices} {
		n, err := t.Exec(query, before, limit, before)
		if err != nil {
			return most, err
		}
		most = max(most, int(n))
	}
	return most, nil
}

// closeOwn closes the page of the contact on all devices, and ends the links to it.
func (t tx) closeOwn(ws catalog.WorkspaceID, c booking.ContactID) error {
	if err := t.EndOwnLinks(ws, c); err != nil {
		return err
	}
	return t.EndOwnDevices(ws, c)
}

// closeOwnIfMoved does so unless the contact has that e-mail address and that telephone number by now.
func (t tx) closeOwnIfMoved(c *booking.Contact) error {
	same := 0
	err := t.Scan(`SELECT COUNT(*) FROM contacts WHERE id = ? AND workspace_id = ? AND email = ? AND phone = ?`,
		[]any{c.ID, c.WorkspaceID, c.Email, c.Phone}, &same)
	if err != nil || same == 1 {
		return err
	}
	return t.closeOwn(c.WorkspaceID, c.ID)
}

// MergeOwn implements contact.Tx.
func (t tx) MergeOwn(ws catalog.WorkspaceID, from, into booking.ContactID) error {
	if err := t.closeOwn(ws, from); err != nil {
		return err
	}
	if err := t.closeOwn(ws, into); err != nil {
		return err
	}
	_, err := t.Exec(moveOwnLinks, into, from, ws)
	return err
}

// eraseOwn deletes the links and devices of the contact, and the mails that the links were in.
func (t tx) eraseOwn(ws catalog.WorkspaceID, c booking.ContactID) error {
	if _, err := t.Exec(dropOwnMails, ws, c); err != nil {
		return err
	}
	if _, err := t.Exec(dropOwnLinks, c, ws); err != nil {
		return err
	}
	return t.EndOwnDevices(ws, c)
}
