// The SQL of the private calendar addresses.

package store

import (
	"daybook/app/catalog"
	"daybook/app/feed"
	"daybook/store/engine"
)

// What package feed reads and writes is here.
var (
	_ feed.Reader = queries{}
	_ feed.Reader = tx{}
	_ feed.Tx     = tx{}
)

const feedColumns = `id, workspace_id, host_id, created_ms`

func scanFeed(scan func(...any) error) (f feed.Feed, err error) {
	err = scan(&f.ID, &f.WorkspaceID, &f.HostID, &f.CreatedAt)
	return f, engine.Found(err)
}

func (q queries) Feed(id feed.FeedID) (feed.Feed, error) {
	return scanFeed(q.One(`SELECT `+feedColumns+` FROM calendar_feeds WHERE id = ?`, id))
}

func (q queries) FeedOf(ws catalog.WorkspaceID, host catalog.HostID) (feed.Feed, error) {
	return scanFeed(q.One(`SELECT `+feedColumns+` FROM calendar_feeds WHERE workspace_id = ? AND host_id = ?`, ws, host))
}

func (t tx) ReplaceFeed(f *feed.Feed) error {
	_, err := t.Exec(`INSERT INTO calendar_feeds (id, workspace_id, host_id, created_ms) VALUES (?, ?, ?, ?)
		ON CONFLICT (workspace_id, host_id) DO UPDATE
		SET id = excluded.id, created_ms = excluded.created_ms`, f.ID, f.WorkspaceID, f.HostID, f.CreatedAt)
	return err
}

func (t tx) DeleteFeed(ws catalog.WorkspaceID, host catalog.HostID) error {
	_, err := t.Exec(`DELETE FROM calendar_feeds WHERE workspace_id = ? AND host_id = ?`, ws, host)
	return err
}
