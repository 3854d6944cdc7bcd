package store

import (
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
)

func (t tx) InsertCalendarSignIn(i *calsync.BegunSignIn, now when.Instant) error {
	if _, err := t.Exec(`DELETE FROM calendar_sign_ins WHERE workspace_id = ? AND (until_ms < ? OR session = ?
		AND kind = ?)`, i.Workspace, now, i.Session, i.Kind); err != nil {
		return err
	}
	_, err := t.Exec(`INSERT INTO calendar_sign_ins (workspace_id, hash, session, kind, host_id, resource_id, verifier, until_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, i.Workspace, i.Hash, i.Session, i.Kind, i.Of.Host, i.Of.Resource, i.Verifier, i.Until)
	return err
}

func (t tx) TakeCalendarSignIn(ws catalog.WorkspaceID, hash, session []byte) (i calsync.BegunSignIn, err error) {
	i.Workspace, i.Hash, i.Session = ws, hash, session
	err = t.Scan(`DELETE FROM calendar_sign_ins WHERE workspace_id = ? AND hash = ? AND session = ?
		RETURNING kind, host_id, resource_id, verifier, until_ms`, []any{ws, hash, session}, &i.Kind, &i.Of.Host, &i.Of.Resource, &i.Verifier, &i.Until)
	return i, engine.Found(err)
}
