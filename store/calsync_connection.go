// The SQL of hosts' other calendars.

package store

import (
	"encoding/json"

	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// What package calsync reads and writes is here.
var (
	_ calsync.Reader = queries{}
	_ calsync.Reader = tx{}
	_ calsync.Tx     = tx{}
)

const connectionColumns = `id, workspace_id, host_id, resource_id, kind, name, address, account, secret, from_file, state, problem,
	failed_ms, told_ms, read_ms, due_ms, tries, created_ms, listed`

func scanConnection(scan func(...any) error) (c calsync.Connection, err error) {
	var fromFile bool
	var listed string
	err = scan(&c.ID, &c.WorkspaceID, engine.OrZero(&c.Host), engine.OrZero(&c.Resource), &c.Kind, &c.Name, &c.Address, &c.User, &c.Secret, &fromFile, &c.State,
		engine.OrZero(&c.Problem), engine.OrZero(&c.FailedAt), engine.OrZero(&c.ToldAt), engine.OrZero(&c.ReadAt), &c.DueAt, &c.Tries,
		&c.CreatedAt, &listed)
	if err == nil && listed != "" {
		err = json.Unmarshal([]byte(listed), &c.Listed)
	}
	return c, engine.Found(err)
}

// listedText returns what a file says of a connection, as it is kept; "" if none lists it.
func listedText(l *calsync.FileChoice) (string, error) {
	if l == nil {
		return "", nil
	}
	text, err := json.Marshal(l)
	return string(text), err
}

const calendarColumns = `id, workspace_id, connection_id, remote, name, read_only, blocks, target, details, position,
	read_to_ms, read_ms, full_ms, problem`

func scanCalendar(scan func(...any) error) (c calsync.Calendar, err error) {
	var details int64
	err = scan(&c.ID, &c.WorkspaceID, &c.Connection, &c.Remote, &c.Name, &c.ReadOnly, &c.Blocks, &c.Target, &details,
		&c.Cursor, engine.OrZero(&c.ReadTo), engine.OrZero(&c.ReadAt), engine.OrZero(&c.FullAt), engine.OrZero(&c.Problem))
	c.Details = calsync.Details{Name: details&1 != 0, Phone: details&2 != 0, Notes: details&4 != 0, Link: details&8 != 0}
	return c, engine.Found(err)
}

func bits(d calsync.Details) (n int64) {
	for i, on := range []bool{d.Name, d.Phone, d.Notes, d.Link} {
		if on {
			n |= 1 << i
		}
	}
	return n
}

func (q queries) HasCalendarConnections() (some bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM calendar_connections)`, nil, &some)
	return some, err
}

func (q queries) CalendarConnections(ws catalog.WorkspaceID, of catalog.CalendarOwner) ([]calsync.Connection, error) {
	query, args := `SELECT `+connectionColumns+` FROM calendar_connections WHERE workspace_id = ?`, []any{ws}
	switch {
	case of.Resource != 0:
		query, args = query+` AND resource_id = ?`, append(args, of.Resource)
	case of.Host != 0:
		query, args = query+` AND host_id = ?`, append(args, of.Host)
	}
	all, err := engine.List(q, scanConnection, query+` ORDER BY COALESCE(host_id, 0), COALESCE(resource_id, 0), name, id`, args...)
	return q.withCalendars(all, err)
}

func (q queries) CalendarConnection(ws catalog.WorkspaceID, id calsync.ConnectionID) (calsync.Connection, error) {
	query, args := `SELECT `+connectionColumns+` FROM calendar_connections WHERE id = ?`, []any{id}
	if ws != 0 {
		query, args = query+` AND workspace_id = ?`, append(args, ws)
	}
	c, err := scanConnection(q.One(query, args...))
	if err != nil {
		return c, err
	}
	all, err := q.withCalendars([]calsync.Connection{c}, nil)
	if err != nil {
		return c, err
	}
	return all[0], nil
}

func (q queries) ConnectionOfCalendar(ws catalog.WorkspaceID, c calsync.CalendarID) (of calsync.Connection, err error) {
	var id calsync.ConnectionID
	if err := q.Scan(`SELECT connection_id FROM calendars WHERE workspace_id = ? AND id = ?`, []any{ws, c},
		&id); err != nil {
		return of, engine.Found(err)
	}
	return q.CalendarConnection(ws, id)
}

func (q queries) CalendarTarget(ws catalog.WorkspaceID, host catalog.HostID) (c calsync.CalendarID, err error) {
	err = q.Scan(`SELECT COALESCE(MAX(c.id), 0) FROM calendar_connections n JOIN calendars c ON c.connection_id = n.id
		WHERE n.workspace_id = ? AND n.host_id = ? AND c.target = 1`, []any{ws, host}, &c)
	return c, err
}

// withCalendars adds their calendars.
func (q queries) withCalendars(all []calsync.Connection, err error) ([]calsync.Connection, error) {
	for i := range all {
		if err != nil {
			return nil, err
		}
		all[i].Calendars, err = engine.List(q, scanCalendar, `SELECT `+calendarColumns+` FROM calendars
			WHERE connection_id = ? ORDER BY name, id`, all[i].ID)
	}
	return all, err
}

func (q queries) HasDueCalendarConnections(of work.Buckets, now when.Instant) (due bool, err error) {
	return readingQueue.anyDue(q, of, now, "")
}

func (t tx) InsertCalendarConnection(c *calsync.Connection) error {
	listed, err := listedText(c.Listed)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO calendar_connections (`+connectionColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.WorkspaceID, engine.OrNull(c.Host), engine.OrNull(c.Resource), c.Kind, c.Name, c.Address, c.User, c.Secret, engine.Bit(c.Listed != nil), c.State,
		engine.OrNull(c.Problem), engine.OrNull(c.FailedAt), engine.OrNull(c.ToldAt), engine.OrNull(c.ReadAt), c.DueAt, c.Tries,
		c.CreatedAt, listed)
	if err != nil {
		return err
	}
	return Touch(t.Transaction, c.WorkspaceID)
}

func (t tx) UpdateCalendarConnection(c *calsync.Connection) error {
	listed, err := listedText(c.Listed)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE calendar_connections SET host_id = ?, resource_id = ?, kind = ?, name = ?, address = ?, account = ?,
			secret = ?, from_file = ?, state = ?, problem = ?, failed_ms = ?, told_ms = ?, read_ms = ?, due_ms = ?, tries = ?,
			listed = ?, reading = 0 WHERE id = ? AND workspace_id = ?`,
		engine.OrNull(c.Host), engine.OrNull(c.Resource), c.Kind, c.Name, c.Address, c.User, c.Secret, engine.Bit(c.Listed != nil), c.State, engine.OrNull(c.Problem),
		engine.OrNull(c.FailedAt), engine.OrNull(c.ToldAt), engine.OrNull(c.ReadAt), c.DueAt, c.Tries, listed, c.ID, c.WorkspaceID)
	return err
}

func (t tx) SetCalendarListed(id calsync.ConnectionID, l *calsync.FileChoice) error {
	listed, err := listedText(l)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE calendar_connections SET listed = ? WHERE id = ?`, listed, id)
	return err
}

func (t tx) DeleteCalendarConnection(c *calsync.Connection) error {
	if _, err := t.Exec(`DELETE FROM calendar_connections WHERE id = ?`, c.ID); err != nil {
		return err
	}
	return Touch(t.Transaction, c.WorkspaceID)
}

func (t tx) ClaimCalendarConnections(by work.Share, now, lease when.Instant,
	limit int) ([]calsync.Connection, error) {
	ids, err := readingQueue.claim(t, by, now, lease, limit)
	var all []calsync.Connection
	for _, id := range ids {
		if err != nil {
			return nil, err
		}
		var c calsync.Connection
		c, err = t.queries.CalendarConnection(0, calsync.ConnectionID(id))
		all = append(all, c)
	}
	return all, err
}

func (t tx) ClaimCalendarConnection(server int64, id calsync.ConnectionID, now, lease when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE calendar_connections SET reading = ?, due_ms = ? WHERE id = ?
		AND (reading = 0 OR due_ms <= ?)`, server, lease, id, now)
	return n > 0, err
}

func (t tx) SettleCalendarConnection(c *calsync.Connection, lease when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE calendar_connections SET reading = 0, state = ?, problem = ?, failed_ms = ?, told_ms = ?,
		read_ms = ?, due_ms = ?, tries = ? WHERE id = ? AND reading <> 0 AND due_ms = ?`,
		c.State, engine.OrNull(c.Problem), engine.OrNull(c.FailedAt), engine.OrNull(c.ToldAt), engine.OrNull(c.ReadAt), c.DueAt, c.Tries,
		c.ID, lease)
	return n > 0, err
}

func (t tx) SetCalendarSecret(id calsync.ConnectionID, was, sealed string) error {
	_, err := t.Exec(`UPDATE calendar_connections SET secret = ? WHERE id = ? AND secret = ?`, sealed, id, was)
	return err
}

func (t tx) SetCalendarProblem(id calsync.CalendarID, p calsync.Problem) error {
	_, err := t.Exec(`UPDATE calendars SET problem = ? WHERE id = ?`, engine.OrNull(p), id)
	return err
}

func (t tx) InsertCalendar(c *calsync.Calendar) error {
	_, err := t.Exec(`INSERT INTO calendars (`+calendarColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.WorkspaceID, c.Connection, c.Remote, c.Name, engine.Bit(c.ReadOnly), engine.Bit(c.Blocks), engine.Bit(c.Target),
		bits(c.Details), c.Cursor, engine.OrNull(c.ReadTo), engine.OrNull(c.ReadAt), engine.OrNull(c.FullAt), engine.OrNull(c.Problem))
	return err
}

func (t tx) UpdateCalendar(c *calsync.Calendar) error {
	_, err := t.Exec(`UPDATE calendars SET remote = ?, name = ?, read_only = ?, blocks = ?, target = ?, details = ?,
		position = ?, read_to_ms = ?, read_ms = ?, full_ms = ?, problem = ? WHERE id = ?`, c.Remote, c.Name,
		engine.Bit(c.ReadOnly), engine.Bit(c.Blocks), engine.Bit(c.Target), bits(c.Details), c.Cursor, engine.OrNull(c.ReadTo),
		engine.OrNull(c.ReadAt), engine.OrNull(c.FullAt), engine.OrNull(c.Problem), c.ID)
	return err
}

func (q queries) CalendarClient(ws catalog.WorkspaceID, k calsync.Kind) (c calsync.Client, err error) {
	err = q.Scan(`SELECT kind, client, secret, tenant FROM calendar_clients WHERE workspace_id = ? AND kind = ?`,
		[]any{ws, k}, &c.Kind, &c.ID, &c.Secret, &c.Tenant)
	return c, engine.Found(err)
}

func (t tx) SetCalendarClient(ws catalog.WorkspaceID, c *calsync.Client) error {
	_, err := t.Exec(`INSERT INTO calendar_clients (workspace_id, kind, client, secret, tenant) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, kind) DO UPDATE SET client = excluded.client, secret = excluded.secret,
			tenant = excluded.tenant`, ws, c.Kind, c.ID, c.Secret, c.Tenant)
	return err
}

func (t tx) DeleteCalendarClient(ws catalog.WorkspaceID, k calsync.Kind) error {
	_, err := t.Exec(`DELETE FROM calendar_clients WHERE workspace_id = ? AND kind = ?`, ws, k)
	return err
}
