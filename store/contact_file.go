// The SQL of photographs and files of contacts, and of their parts.

package store

import (
	"math"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	contactFile = `SELECT id, media_type, name, kind, booking_id, width, height, bytes - small, actor, actor_id FROM contact_files
		WHERE workspace_id = ? AND contact_id = ? AND complete = 1`
	contactFiles    = contactFile + ` AND id < ? ORDER BY id DESC LIMIT ?`
	contactFileData = `SELECT data FROM contact_file_parts WHERE workspace_id = ? AND file_id = ? AND part >= ? AND part <= ?
		ORDER BY part`
	filesOfContact   = `SELECT COUNT(*) FROM contact_files WHERE workspace_id = ? AND contact_id = ?`
	filesOfWorkspace = `SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM contact_files WHERE workspace_id = ?`
	incompleteFiles  = `SELECT workspace_id, id FROM contact_files WHERE complete = 0 AND id < ? ORDER BY id LIMIT ?`
)

func scanContactFile(scan func(...any) error) (f contact.File, err error) {
	err = scan(&f.ID, &f.MediaType, &f.Name, &f.Kind, engine.OrZero(&f.Booking), &f.Width, &f.Height, &f.Bytes, &f.Author.Actor,
		&f.Author.By)
	f.TakenAt = when.At(f.ID.MadeAt())
	return f, engine.Found(err)
}

// Files implements contact.CardReads, as the methods below do.
func (q queries) Files(ws catalog.WorkspaceID, c booking.ContactID, before contact.FileID, limit int) ([]contact.File, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return engine.List(q, scanContactFile, contactFiles, ws, c, before, limit)
}

func (q queries) File(ws catalog.WorkspaceID, c booking.ContactID, id contact.FileID) (contact.File, error) {
	return scanContactFile(q.One(contactFile+` AND id = ?`, ws, c, id))
}

func (q queries) FileData(ws catalog.WorkspaceID, id contact.FileID, room int) ([]byte, error) {
	return q.fileParts(ws, id, 1, math.MaxInt32, room)
}

func (q queries) SmallFileData(ws catalog.WorkspaceID, id contact.FileID) ([]byte, error) {
	return q.fileParts(ws, id, 0, 0, 0)
}

func (q queries) fileParts(ws catalog.WorkspaceID, id contact.FileID, first, last, room int) (all []byte, err error) {
	all = make([]byte, 0, room)
	err = q.Each(contactFileData, []any{ws, id, first, last}, func(scan func(...any) error) error {
		var part []byte
		err := scan(&part)
		all = append(all, part...)
		return err
	})
	return all, err
}

func (q queries) FilesTotal(ws catalog.WorkspaceID, c booking.ContactID) (count, bytes int, err error) {
	if err := q.Scan(filesOfContact, []any{ws, c}, &count); err != nil {
		return 0, 0, err
	}
	err = q.Scan(filesOfWorkspace, []any{ws}, &bytes)
	return count, bytes, err
}

func (q queries) IncompleteFiles(before contact.FileID, limit int) ([]contact.IncompleteFile, error) {
	return engine.List(q, func(scan func(...any) error) (f contact.IncompleteFile, err error) {
		err = scan(&f.Workspace, &f.ID)
		return f, err
	}, incompleteFiles, before, limit)
}

// InsertFile implements contact.CardWrites, as the methods below do.
func (t tx) InsertFile(ws catalog.WorkspaceID, c booking.ContactID, f *contact.File, small int) error {
	_, err := t.Exec(`INSERT INTO contact_files (id, workspace_id, contact_id, media_type, name, kind, booking_id, width, height,
		bytes, small, complete, actor, actor_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`, f.ID, ws, c,
		f.MediaType, f.Name, f.Kind, engine.OrNull(f.Booking), f.Width, f.Height, f.Bytes+small, small,
		f.Author.Actor, f.Author.By)
	return err
}

func (t tx) InsertFilePart(ws catalog.WorkspaceID, id contact.FileID, part int, data []byte) error {
	_, err := t.Exec(`INSERT INTO contact_file_parts (workspace_id, file_id, part, data)
		SELECT workspace_id, id, CAST(? AS BIGINT), ? FROM contact_files WHERE workspace_id = ? AND id = ?`, part, data, ws, id)
	return err
}

func (t tx) CompleteFile(ws catalog.WorkspaceID, id contact.FileID) error {
	n, err := t.Exec(`UPDATE contact_files SET complete = 1 WHERE workspace_id = ? AND id = ?`, ws, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

func (t tx) DeleteFile(ws catalog.WorkspaceID, id contact.FileID) error {
	_, err := t.Exec(`DELETE FROM contact_files WHERE workspace_id = ? AND id = ?`, ws, id)
	return err
}

func (t tx) DropIncompleteFile(of contact.IncompleteFile) error {
	_, err := t.Exec(`DELETE FROM contact_files WHERE workspace_id = ? AND id = ? AND complete = 0`, of.Workspace, of.ID)
	return err
}
