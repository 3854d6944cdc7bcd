package store

import (
	"encoding/json"

	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
)

func (q queries) EventTypes(ws catalog.WorkspaceID) (all []catalog.EventType, err error) {
	const query = `SELECT id, slug, position, definition, created_ms FROM event_types WHERE workspace_id = ?
		ORDER BY position, id`
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

func (t tx) InsertEventType(e *catalog.EventType) error {
	definition, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO event_types (id, workspace_id, slug, position, definition, created_ms)
		VALUES (?, ?, ?, ?, ?, ?)`,
		e.ID, e.WorkspaceID, e.Slug, e.Position, string(definition), e.CreatedAt)
	if err != nil {
		return engine.Free(err)
	}
	return t.touchEventType(e)
}

func (t tx) UpdateEventType(e *catalog.EventType) error {
	definition, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE event_types SET slug = ?, position = ?, definition = ? WHERE id = ? AND workspace_id = ?`,
		e.Slug, e.Position, string(definition), e.ID, e.WorkspaceID)
	if err != nil {
		return engine.Free(err)
	}
	return t.touchEventType(e)
}

// touchEventType gives the workspace a new revision, and remembers that an event type needs several hosts.
func (t tx) touchEventType(e *catalog.EventType) error {
	if n, _ := e.Others(); n > 0 {
		if _, err := t.Exec(markOthers, e.WorkspaceID); err != nil {
			return err
		}
	}
	return Touch(t.Transaction, e.WorkspaceID)
}
