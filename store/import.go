// The SQL of what imports of contacts did. What imports of appointments did besides is in movein.go.

package store

import (
	"encoding/json"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const (
	importColumns = `id, workspace_id, state, made_ms, until_ms, created, changed, booked, services, people, undone, stays, lines, come, left_out`
	importByID    = `SELECT ` + importColumns + ` FROM imports WHERE id = ? AND workspace_id = ?`
	importsOf     = `SELECT ` + importColumns + ` FROM imports WHERE workspace_id = ? AND created + changed + booked + services + people > 0
		ORDER BY id DESC LIMIT ?`
	latestImport = `SELECT COALESCE(MAX(id), 0) FROM imports WHERE workspace_id = ?`
	busyImport   = `SELECT ` + importColumns + ` FROM imports WHERE workspace_id = ? AND state < 2 ORDER BY id LIMIT 1`
	newerImport  = `SELECT n.import_id FROM import_contacts m JOIN import_contacts n ON n.contact_id = m.contact_id
		AND n.import_id > m.import_id AND n.outcome = 0 AND +n.workspace_id = m.workspace_id
		WHERE m.workspace_id = ? AND m.import_id = ? LIMIT 1`
	// staysOf lists contacts first, then bookings, services, and people. Of what is gone there is no name.
	staysOf = `SELECT i.contact_id, 0, 0, 0, COALESCE(c.name, ''), 0, i.outcome FROM import_contacts i
		LEFT JOIN contacts c ON c.id = i.contact_id AND c.workspace_id = i.workspace_id
		WHERE i.workspace_id = ? AND i.import_id = ? AND i.outcome > ?
		UNION ALL SELECT 0, i.booking_id, 0, 0, COALESCE(b.name, ''), COALESCE(b.start_ms, 0), i.outcome FROM import_bookings i
		LEFT JOIN bookings b ON b.id = i.booking_id AND b.workspace_id = i.workspace_id
		WHERE i.workspace_id = ? AND i.import_id = ? AND i.outcome > ?
		UNION ALL SELECT 0, 0, i.event_type_id, 0, '', 0, i.outcome FROM import_services i
		WHERE i.workspace_id = ? AND i.import_id = ? AND i.outcome > ?
		UNION ALL SELECT 0, 0, 0, i.host_id, '', 0, i.outcome FROM import_people i
		WHERE i.workspace_id = ? AND i.import_id = ? AND i.outcome > ? LIMIT ?`
	undoingImports = `SELECT ` + importColumns + ` FROM imports WHERE state < 2 AND state = 1 AND ` + NoneGone
	undoingOrder   = ` ORDER BY workspace_id LIMIT ?`
	oldImports     = `SELECT ` + importColumns + ` FROM imports WHERE until_ms <= ? ORDER BY until_ms LIMIT ?`

	importedColumns = `import_id, workspace_id, contact_id, made, outcome, changes`
	importedBy      = `SELECT ` + importedColumns + ` FROM import_contacts
		WHERE workspace_id = ? AND import_id = ? AND contact_id = ?`
	openImported = `SELECT ` + importedColumns + ` FROM import_contacts
		WHERE workspace_id = ? AND import_id = ? AND contact_id > ? AND outcome = 0 ORDER BY contact_id LIMIT ?`
	forgetImported = `UPDATE import_contacts SET changes = '' WHERE +workspace_id = ? AND contact_id = ? AND outcome = 0`
	writtenTo      = `SELECT recipient FROM mails WHERE workspace_id = ? AND id >= ?
		UNION ALL SELECT email_key FROM invitation_links WHERE workspace_id = ? AND id >= ? AND email_key <> ''`
	hasAsked = `SELECT EXISTS (SELECT 1 FROM mail_refusals WHERE workspace_id = ? AND email_key = ? AND created_ms >= ?)
		OR EXISTS (SELECT 1 FROM guest_requests WHERE email_key = ? AND made_ms >= ? AND +workspace_id = ?)`
)

func scanImport(scan func(...any) error) (im contact.Import, err error) {
	err = scan(&im.ID, &im.Workspace, &im.State, &im.MadeAt, engine.OrZero(&im.Until), &im.Created, &im.Changed, &im.Booked,
		&im.Services, &im.People, &im.Undone, &im.Stays, &im.Lines, &im.Come, &im.LeftOut)
	return im, engine.Found(err)
}

func scanImported(scan func(...any) error) (c contact.ImportedContact, err error) {
	var made int
	var changes string
	if err := scan(&c.Import, &c.Workspace, &c.Contact, &made, &c.Outcome, &changes); err != nil {
		return c, engine.Found(err)
	}
	if c.Made = made == 1; changes == "" {
		return c, nil
	}
	return c, json.Unmarshal([]byte(changes), &c.Changes)
}

// Import implements contact.ImportReads, as the other methods here do.
func (q queries) Import(ws catalog.WorkspaceID, id contact.ImportID) (contact.Import, error) {
	return scanImport(q.One(importByID, id, ws))
}

func (q queries) Imports(ws catalog.WorkspaceID, limit int) ([]contact.Import, error) {
	return engine.List(q, scanImport, importsOf, ws, limit)
}

func (q queries) LatestImport(ws catalog.WorkspaceID) (id contact.ImportID, err error) {
	err = q.Scan(latestImport, []any{ws}, &id)
	return id, err
}

func (q queries) BusyImport(ws catalog.WorkspaceID) (contact.Import, error) {
	return scanImport(q.One(busyImport, ws))
}

func (q queries) NewerImport(ws catalog.WorkspaceID, id contact.ImportID) (newer contact.ImportID, err error) {
	err = engine.Found(q.Scan(newerImport, []any{ws, id}, &newer))
	return newer, err
}

func (q queries) Stays(ws catalog.WorkspaceID, id contact.ImportID, limit int) ([]contact.Stay, error) {
	return engine.List(q, func(scan func(...any) error) (s contact.Stay, err error) {
		err = scan(&s.Contact, &s.Booking, &s.Service, &s.Host, &s.Name, &s.Start, &s.Outcome)
		return s, err
	}, staysOf, ws, id, int(contact.Restored), ws, id, int(contact.Restored), ws, id, int(contact.Restored),
		ws, id, int(contact.Restored), limit)
}

// UndoingImports implements contact.ImportReader.
func (q queries) UndoingImports(of work.Buckets, limit int) ([]contact.Import, error) {
	mine, buckets := In(of, `workspace_id`)
	return engine.List(q, scanImport, undoingImports+mine+undoingOrder, append(buckets, limit)...)
}

// OldImports implements contact.ImportReader.
func (q queries) OldImports(now when.Instant, limit int) ([]contact.Import, error) {
	return engine.List(q, scanImport, oldImports, now, limit)
}

// InsertImport implements contact.ImportWriter, as the methods below do.
func (t tx) InsertImport(im *contact.Import) error {
	_, err := t.Exec(`INSERT INTO imports (`+importColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, im.ID,
		im.Workspace, int(im.State), im.MadeAt, engine.OrNull(im.Until), im.Created, im.Changed, im.Booked, im.Services,
		im.People, im.Undone, im.Stays, im.Lines, im.Come, im.LeftOut)
	return err
}

func (t tx) LockImport(ws catalog.WorkspaceID, id contact.ImportID) (contact.Import, error) {
	if _, err := t.Exec(`UPDATE imports SET state = state WHERE id = ? AND workspace_id = ?`, id, ws); err != nil {
		return contact.Import{}, err
	}
	return t.Import(ws, id)
}

func (t tx) SaveImport(im *contact.Import) error {
	_, err := t.Exec(`UPDATE imports SET state = ?, until_ms = ?, created = ?, changed = ?, booked = ?, services = ?,
		people = ?, undone = ?, stays = ?, lines = ?, come = ?, left_out = ? WHERE id = ? AND workspace_id = ?`, int(im.State), engine.OrNull(im.Until),
		im.Created, im.Changed, im.Booked, im.Services, im.People, im.Undone, im.Stays, im.Lines, im.Come,
		im.LeftOut, im.ID, im.Workspace)
	return err
}

func (t tx) DropImport(ws catalog.WorkspaceID, id contact.ImportID) error {
	_, err := t.Exec(`DELETE FROM imports WHERE id = ? AND workspace_id = ?`, id, ws)
	return err
}

// dropImported forgets rows of an import, of contacts, bookings, services and people.
var dropImported = func() (all []string) {
	for _, x := range [][2]string{{`import_contacts`, `contact_id`}, {`import_bookings`, `booking_id`},
		{`import_services`, `event_type_id`}, {`import_people`, `host_id`}} {
		key := `workspace_id, import_id, ` + x[1]
		all = append(all, `DELETE FROM `+x[0]+` WHERE (`+key+`) IN
			(SELECT `+key+` FROM `+x[0]+` WHERE workspace_id = ? AND import_id = ? LIMIT ?)`)
	}
	return all
}()

func (t tx) DropImported(ws catalog.WorkspaceID, id contact.ImportID, limit int) (dropped int, err error) {
	for _, query := range dropImported {
		n, err := t.Exec(query, ws, id, limit-dropped)
		if dropped += int(n); err != nil || dropped >= limit {
			return dropped, err
		}
	}
	return dropped, nil
}

// changesOf returns what the column has.
func changesOf(c *contact.ImportedContact) (string, error) {
	if len(c.Changes) == 0 {
		return "", nil
	}
	text, err := json.Marshal(c.Changes)
	return string(text), err
}

func (t tx) InsertImported(c *contact.ImportedContact) error {
	changes, err := changesOf(c)
	if err != nil {
		return err
	}
	return t.Later(`INSERT INTO import_contacts (`+importedColumns+`) VALUES (?, ?, ?, ?, ?, ?)`, c.Import, c.Workspace,
		c.Contact, engine.Bit(c.Made), int(c.Outcome), changes)
}

func (q queries) Imported(ws catalog.WorkspaceID, id contact.ImportID,
	c booking.ContactID) (contact.ImportedContact, error) {
	return scanImported(q.One(importedBy, ws, id, c))
}

func (t tx) SaveImported(c *contact.ImportedContact) error {
	changes, err := changesOf(c)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE import_contacts SET outcome = ?, changes = ?
		WHERE workspace_id = ? AND import_id = ? AND contact_id = ?`, int(c.Outcome), changes, c.Workspace, c.Import, c.Contact)
	return err
}

func (q queries) OpenImported(ws catalog.WorkspaceID, id contact.ImportID, after booking.ContactID,
	limit int) ([]contact.ImportedContact, error) {
	return engine.List(q, scanImported, openImported, ws, id, after, limit)
}

func (t tx) KeepImported(ws catalog.WorkspaceID, c booking.ContactID) error {
	_, err := t.Exec(forgetImported+` AND made = 1`, ws, c)
	return err
}

func (q queries) WrittenTo(ws catalog.WorkspaceID, since when.Instant) (all []string, err error) {
	err = q.Each(writtenTo, []any{ws, id.First[mail.MailIDKind](since.Time()), ws,
		id.First[booking.InvitationIDKind](since.Time())}, func(scan func(...any) error) error {
		var address string
		err := scan(&address)
		all = append(all, fault.EmailKey(address))
		return err
	})
	return all, err
}

func (q queries) HasAsked(ws catalog.WorkspaceID, email string, since when.Instant) (asked bool, err error) {
	err = q.Scan(hasAsked, []any{ws, email, since, email, since, ws}, &asked)
	return asked, err
}
