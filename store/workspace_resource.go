package store

import (
	"cmp"
	"encoding/json"

	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
)

// Resources returns the resources of a workspace, by id.
func (q queries) Resources(ws catalog.WorkspaceID) (all []catalog.Resource, err error) {
	const query = `SELECT id, name, definition, created_ms,
		EXISTS (SELECT 1 FROM calendar_connections c WHERE c.resource_id = resources.id) FROM resources
		WHERE workspace_id = ? ORDER BY id`
	err = q.Each(query, []any{ws}, func(scan func(...any) error) error {
		var r catalog.Resource
		var id catalog.ResourceID
		var name string
		var definition []byte
		var created when.Instant
		var connected bool
		if err := scan(&id, &name, &definition, &created, &connected); err != nil {
			return err
		}
		err := json.Unmarshal(definition, &r)
		r.ID, r.WorkspaceID, r.Name, r.CreatedAt, r.Connected = id, ws, name, created, connected
		r.WhenCalendarUnknown = cmp.Or(r.WhenCalendarUnknown, catalog.BookAnyway)
		all = append(all, r)
		return err
	})
	return all, err
}

func (t tx) InsertResource(r *catalog.Resource) error {
	definition, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO resources (id, workspace_id, name_key, name, definition, created_ms)
		VALUES (?, ?, ?, ?, ?, ?)`, r.ID, r.WorkspaceID, catalog.ResourceKey(r.Name), r.Name, string(definition), r.CreatedAt)
	if err != nil {
		return engine.Free(err)
	}
	return Touch(t.Transaction, r.WorkspaceID)
}

func (t tx) UpdateResource(r *catalog.Resource) error {
	definition, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE resources SET name_key = ?, name = ?, definition = ? WHERE id = ? AND workspace_id = ?`,
		catalog.ResourceKey(r.Name), r.Name, string(definition), r.ID, r.WorkspaceID)
	if err != nil {
		return engine.Free(err)
	}
	return Touch(t.Transaction, r.WorkspaceID)
}
