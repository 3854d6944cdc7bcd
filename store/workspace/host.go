package workspace

import (
	"encoding/json"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/store/row"
)

func (q Queries) Hosts(ws catalog.WorkspaceID) (all []catalog.Host, err error) {
	const query = `SELECT id, email, name, time_zone, active, hours, created_ms FROM hosts WHERE workspace_id = ?
		ORDER BY id`
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

// The last event is the workspace's. Where one transaction writes at a time, it is that of all: it is found by the key.
const (
	locked = `SELECT revision, COALESCE((SELECT MAX(id) FROM events WHERE workspace_id = ?), 0)
		FROM workspaces WHERE id = ? AND gone_ms IS NULL`
	lockedOfAll = `SELECT revision, COALESCE((SELECT MAX(id) FROM events), 0) FROM workspaces WHERE id = ?
		AND gone_ms IS NULL`
)

func (t Tx) LockHosts(ws catalog.WorkspaceID, ids ...catalog.HostID) (l app.Locked, err error) {
	slices.Sort(ids) // so that two transactions can't wait for each other
	for _, id := range ids {
		if err := t.Later(`UPDATE hosts SET lock = lock + 1 WHERE id = ? AND workspace_id = ?`, id, ws); err != nil {
			return l, err
		}
	}
	query, args := lockedOfAll, []any{ws}
	if !t.Serial() {
		query, args = locked, []any{ws, ws}
	}
	err = t.Scan(query, args, &l.SetupRevision, &l.LastEvent)
	return l, row.Found(err)
}

func (t Tx) InsertHost(h *catalog.Host) error {
	hours, err := json.Marshal(h.Hours)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, created_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID, h.WorkspaceID, fault.EmailKey(h.Email), h.Email, h.Name, h.TimeZone, h.Active, string(hours), h.CreatedAt)
	if err != nil {
		return row.Free(err)
	}
	return Touch(t.Transaction, h.WorkspaceID)
}

func (t Tx) UpdateHost(h *catalog.Host) error {
	hours, err := json.Marshal(h.Hours)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE hosts SET email_key = ?, email = ?, name = ?, time_zone = ?, active = ?, hours = ?
		WHERE id = ? AND workspace_id = ?`,
		fault.EmailKey(h.Email), h.Email, h.Name, h.TimeZone, h.Active, string(hours), h.ID, h.WorkspaceID)
	if err != nil {
		return row.Free(err)
	}
	return Touch(t.Transaction, h.WorkspaceID)
}
