package store

import (
	"encoding/json"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/row"
)

const workspaceColumns = `id, slug, name, time_zone, currency, settings, link_key, longest_booking_ms, revision, created_ms`

func scanWorkspace(scan func(...any) error) (w catalog.Workspace, err error) {
	var settings []byte
	var longest int64
	err = scan(&w.ID, &w.Slug, &w.Name, &w.TimeZone, &w.Currency, &settings, &w.LinkKey, &longest, &w.Revision, &w.CreatedAt)
	if err != nil {
		return w, row.Found(err)
	}
	w.LongestBooking = time.Duration(longest) * time.Millisecond
	return w, json.Unmarshal(settings, &w.Settings)
}

func (q queries) Workspaces(limit int) (all []catalog.Workspace, err error) {
	err = q.Each(`SELECT `+workspaceColumns+` FROM workspaces WHERE gone_ms IS NULL ORDER BY slug LIMIT ?`, []any{limit}, func(scan func(...any) error) error {
		w, err := scanWorkspace(scan)
		all = append(all, w)
		return err
	})
	return all, err
}

func (q queries) Workspace(id catalog.WorkspaceID) (catalog.Workspace, error) {
	return scanWorkspace(q.One(`SELECT `+workspaceColumns+` FROM workspaces WHERE id = ? AND gone_ms IS NULL`, id))
}

func (q queries) WorkspaceBySlug(slug string) (catalog.Workspace, error) {
	return scanWorkspace(q.One(`SELECT `+workspaceColumns+` FROM workspaces WHERE slug = ? AND gone_ms IS NULL`, slug))
}

func (q queries) SetupRevision(id catalog.WorkspaceID) (revision int64, err error) {
	err = q.Scan(`SELECT revision FROM workspaces WHERE id = ? AND gone_ms IS NULL`, []any{id}, &revision)
	return revision, row.Found(err)
}

// Setup implements app.Reader. On the readers' pool its parts may come from different commits; the revision is read
// first, so that the next call notices.
func (q queries) Setup(id catalog.WorkspaceID) (*catalog.Setup, error) {
	w, err := q.Workspace(id)
	if err != nil {
		return nil, err
	}
	hosts, err := q.hosts(id)
	if err != nil {
		return nil, err
	}
	types, err := q.eventTypes(id)
	if err != nil {
		return nil, err
	}
	setup, err := catalog.NewSetup(w, hosts, types)
	if err != nil {
		return nil, err
	}
	setup.Subscriptions, err = q.subscriptions(id)
	return setup, err
}

func (q queries) hosts(ws catalog.WorkspaceID) (all []catalog.Host, err error) {
	const query = `SELECT id, email, name, time_zone, active, hours, created_ms FROM hosts WHERE workspace_id = ? ORDER BY id`
	err = q.Each(query, []any{ws}, func(scan func(...any) error) error {
		h := catalog.Host{WorkspaceID: ws}
		var hours []byte
		if err := scan(&h.ID, &h.Email, &h.Name, &h.TimeZone, &h.Active, &hours, &h.CreatedAt); err != nil {
			return err
		}
		err := json.Unmarshal(hours, &h.Hours)
		all = append(all, h)
		return err
	})
	return all, err
}

func (q queries) eventTypes(ws catalog.WorkspaceID) (all []catalog.EventType, err error) {
	const query = `SELECT id, slug, position, definition, created_ms FROM event_types WHERE workspace_id = ? ORDER BY position, id`
	err = q.Each(query, []any{ws}, func(scan func(...any) error) error {
		var e catalog.EventType
		var definition []byte
		var id catalog.EventTypeID
		var slug string
		var position int
		var created when.Instant
		if err := scan(&id, &slug, &position, &definition, &created); err != nil {
			return err
		}
		err := json.Unmarshal(definition, &e)
		e.ID, e.WorkspaceID, e.Slug, e.Position, e.CreatedAt = id, ws, slug, position, created
		all = append(all, e)
		return err
	})
	return all, err
}

func (t tx) InsertWorkspace(w *catalog.Workspace) error {
	settings, err := json.Marshal(w.Settings)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO workspaces (id, slug, name, time_zone, currency, settings, link_key, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		w.ID, w.Slug, w.Name, w.TimeZone, w.Currency, string(settings), w.LinkKey, w.CreatedAt)
	return row.Free(err)
}

func (t tx) UpdateWorkspace(w *catalog.Workspace) error {
	settings, err := json.Marshal(w.Settings)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE workspaces SET slug = ?, name = ?, time_zone = ?, currency = ?, settings = ?, link_key = ?, revision = revision + 1 WHERE id = ?`,
		w.Slug, w.Name, w.TimeZone, w.Currency, string(settings), w.LinkKey, w.ID)
	return row.Free(err)
}

func (t tx) SetLongestBooking(id catalog.WorkspaceID, d time.Duration) error {
	_, err := t.Exec(`UPDATE workspaces SET longest_booking_ms = ?, revision = revision + 1 WHERE id = ?`, millis(d), id)
	return err
}

func (t tx) bumpRevision(id catalog.WorkspaceID) error {
	_, err := t.Exec(`UPDATE workspaces SET revision = revision + 1 WHERE id = ?`, id)
	return err
}

func (t tx) LockHosts(ws catalog.WorkspaceID, ids ...catalog.HostID) (l app.Locked, err error) {
	slices.Sort(ids) // so that two transactions can't wait for each other
	for _, id := range ids {
		if _, err := t.Exec(`UPDATE hosts SET lock = lock + 1 WHERE id = ?`, id); err != nil {
			return l, err
		}
	}
	err = t.Scan(`SELECT revision, COALESCE((SELECT MAX(id) FROM events), 0) FROM workspaces WHERE id = ? AND gone_ms IS NULL`, []any{ws}, &l.SetupRevision, &l.LastEvent)
	return l, row.Found(err)
}

func (t tx) InsertHost(h *catalog.Host) error {
	hours, err := json.Marshal(h.Hours)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID, h.WorkspaceID, fault.EmailKey(h.Email), h.Email, h.Name, h.TimeZone, h.Active, string(hours), h.CreatedAt)
	if err != nil {
		return row.Free(err)
	}
	return t.bumpRevision(h.WorkspaceID)
}

func (t tx) UpdateHost(h *catalog.Host) error {
	hours, err := json.Marshal(h.Hours)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE hosts SET email_key = ?, email = ?, name = ?, time_zone = ?, active = ?, hours = ? WHERE id = ? AND workspace_id = ?`,
		fault.EmailKey(h.Email), h.Email, h.Name, h.TimeZone, h.Active, string(hours), h.ID, h.WorkspaceID)
	if err != nil {
		return row.Free(err)
	}
	return t.bumpRevision(h.WorkspaceID)
}

func (t tx) InsertEventType(e *catalog.EventType) error {
	definition, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO event_types (id, workspace_id, slug, position, definition, created_ms) VALUES (?, ?, ?, ?, ?, ?)`,
		e.ID, e.WorkspaceID, e.Slug, e.Position, string(definition), e.CreatedAt)
	if err != nil {
		return row.Free(err)
	}
	return t.bumpRevision(e.WorkspaceID)
}

func (t tx) UpdateEventType(e *catalog.EventType) error {
	definition, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE event_types SET slug = ?, position = ?, definition = ? WHERE id = ? AND workspace_id = ?`,
		e.Slug, e.Position, string(definition), e.ID, e.WorkspaceID)
	if err != nil {
		return row.Free(err)
	}
	return t.bumpRevision(e.WorkspaceID)
}
