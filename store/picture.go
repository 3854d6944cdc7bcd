// The SQL of uploaded pictures and their widths.

package store

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package picture reads and writes is here.
var (
	_ picture.Reader = queries{}
	_ picture.Reader = tx{}
	_ picture.Tx     = tx{}
)

const pictureColumns = `id, workspace_id, hash, format, sizes, bytes, uploaded_ms`

func scanPicture(scan func(...any) error) (p catalog.Picture, err error) {
	var sizes string
	err = scan(&p.ID, &p.WorkspaceID, &p.Hash, &p.Format, &sizes, &p.Bytes, &p.UploadedAt)
	if err != nil {
		return p, engine.Found(err)
	}
	for size := range strings.FieldsSeq(sizes) {
		var one catalog.PictureSize
		if _, err := fmt.Sscanf(size, "%dx%d", &one.Width, &one.Height); err != nil {
			return p, fmt.Errorf("the sizes %q of %s: %w", sizes, p.ID, err)
		}
		p.Sizes = append(p.Sizes, one)
	}
	return p, nil
}

func (q queries) PicturesWithin(ws catalog.WorkspaceID, ids []catalog.PictureID) (all []catalog.Picture, err error) {
	all, err = engine.List(q, scanPicture, `SELECT `+pictureColumns+` FROM pictures WHERE workspace_id = ? AND complete = 1`, ws)
	return slices.DeleteFunc(all, func(p catalog.Picture) bool { return !slices.Contains(ids, p.ID) }), err
}

func (q queries) Picture(ws catalog.WorkspaceID, id catalog.PictureID) (catalog.Picture, error) {
	return scanPicture(q.One(`SELECT `+pictureColumns+` FROM pictures WHERE workspace_id = ? AND id = ? AND complete = 1`, ws, id))
}

func (q queries) PictureByHash(ws catalog.WorkspaceID, hash string) (catalog.Picture, bool, error) {
	var complete bool
	p, err := scanPicture(func(dest ...any) error {
		return q.Scan(`SELECT `+pictureColumns+`, complete FROM pictures WHERE workspace_id = ? AND hash = ?`, []any{ws, hash},
			append(dest, &complete)...)
	})
	return p, complete, err
}

func (q queries) Pictures(ws catalog.WorkspaceID, before catalog.PictureID, limit int) ([]catalog.Picture, error) {
	const list = `SELECT ` + pictureColumns + ` FROM pictures WHERE workspace_id = ? AND complete = 1 AND id < ?
		ORDER BY id DESC LIMIT ?`
	if before == 0 {
		before = math.MaxInt64
	}
	return engine.List(q, scanPicture, list, ws, before, limit)
}

func (q queries) PictureData(hash string, width int) (format catalog.PictureFormat, data []byte, err error) {
	err = q.Scan(`SELECT p.format, w.data FROM pictures p JOIN picture_widths w ON w.workspace_id = p.workspace_id
			AND w.picture_id = p.id AND w.width = ? JOIN workspaces o ON o.id = p.workspace_id
		WHERE p.hash = ? AND p.complete = 1 AND o.gone_ms IS NULL LIMIT 1`, []any{width, hash}, &format, &data)
	return format, data, engine.Found(err)
}

func (q queries) PicturesTotal(ws catalog.WorkspaceID) (bytes, count int, err error) {
	const total = `SELECT COALESCE(SUM(bytes), 0), COUNT(*) FROM pictures WHERE workspace_id = ?`
	err = q.Scan(total, []any{ws}, &bytes, &count)
	return bytes, count, err
}

func (q queries) OldPictures(before when.Instant, after picture.Old, limit int) ([]picture.Old, error) {
	return engine.List(q, func(scan func(...any) error) (o picture.Old, err error) {
		err = scan(&o.WorkspaceID, &o.Hash, &o.ID, &o.Complete)
		return o, err
	}, `SELECT workspace_id, hash, id, complete FROM pictures WHERE (workspace_id, hash) > (?, ?) AND uploaded_ms < ?
		ORDER BY workspace_id, hash LIMIT ?`, after.WorkspaceID, after.Hash, before, limit)
}

func (t tx) InsertPicture(p *catalog.Picture) error {
	sizes := make([]string, len(p.Sizes))
	for i, size := range p.Sizes {
		sizes[i] = fmt.Sprintf("%dx%d", size.Width, size.Height)
	}
	_, err := t.Exec(`INSERT INTO pictures (id, workspace_id, hash, format, sizes, bytes, complete, uploaded_ms)
		VALUES (?, ?, ?, ?, ?, ?, 0, ?)`, p.ID, p.WorkspaceID, p.Hash, p.Format, strings.Join(sizes, " "), p.Bytes,
		p.UploadedAt)
	return engine.Free(err)
}

func (t tx) InsertPictureWidth(p *catalog.Picture, width int, data []byte) error {
	_, err := t.Exec(`INSERT INTO picture_widths (workspace_id, picture_id, width, data)
		SELECT workspace_id, id, CAST(? AS BIGINT), ? FROM pictures WHERE workspace_id = ? AND id = ?
		ON CONFLICT (workspace_id, picture_id, width) DO NOTHING`, width, data, p.WorkspaceID, p.ID)
	return err
}

func (t tx) CompletePicture(p *catalog.Picture) error {
	n, err := t.Exec(`UPDATE pictures SET complete = 1 WHERE workspace_id = ? AND id = ?`, p.WorkspaceID, p.ID)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

func (t tx) TouchPicture(p *catalog.Picture) error {
	_, err := t.Exec(`UPDATE pictures SET uploaded_ms = ? WHERE workspace_id = ? AND id = ?`, p.UploadedAt, p.WorkspaceID,
		p.ID)
	return err
}

func (t tx) DeletePicture(ws catalog.WorkspaceID, id catalog.PictureID, before when.Instant) (bool, error) {
	n, err := t.Exec(`DELETE FROM pictures WHERE workspace_id = ? AND id = ? AND uploaded_ms < ?`, ws, id, before)
	return n > 0, err
}
