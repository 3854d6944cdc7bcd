// The SQL of workspaces, hosts and event types: what a business sets up.

package store

import (
	"encoding/json"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const workspaceColumns = `id, slug, name, time_zone, currency, settings, closures, link_key, longest_booking_ms,
	holds, others, waits, texts, revision, assistants, created_ms, suspended_ms`

// stored is what the column settings has.
type stored struct {
	catalog.Settings
	Country string     `json:"country,omitempty"`
	Tax     *money.Tax `json:"tax,omitempty"`
	catalog.Pages
}

func scanWorkspace(scan func(...any) error) (w catalog.Workspace, err error) {
	var settings, closures []byte
	var longest int64
	err = scan(&w.ID, &w.Slug, &w.Name, &w.TimeZone, &w.Currency, &settings, &closures, &w.LinkKey, &longest,
		&w.HasHolds, &w.HasOthers, &w.Waits, &w.Texts, &w.Revision, &w.AssistantsMayBook, &w.CreatedAt, engine.OrZero(&w.SuspendedAt))
	if err != nil {
		return w, engine.Found(err)
	}
	w.LongestBooking = time.Duration(longest) * time.Millisecond
	if err := json.Unmarshal(closures, &w.Closures); err != nil {
		return w, err
	}
	var s stored
	err = json.Unmarshal(settings, &s)
	w.Settings, w.Country, w.Tax, w.Pages = s.Settings, s.Country, s.Tax, s.Pages
	return w, err
}

func (q queries) Workspaces(limit int) (all []catalog.Workspace, err error) {
	err = q.Each(`SELECT `+workspaceColumns+` FROM workspaces WHERE gone_ms IS NULL ORDER BY slug LIMIT ?`, []any{limit},
		func(scan func(...any) error) error {
			w, err := scanWorkspace(scan)
			all = append(all, w)
			return err
		})
	return all, err
}

// OpenToAssistants returns the workspaces with AssistantsMayBook, by slug.
func (q queries) OpenToAssistants(limit int) (all []catalog.WorkspaceID, err error) {
	err = q.Each(`SELECT id FROM workspaces WHERE assistants = 1 AND gone_ms IS NULL AND suspended_ms IS NULL
		ORDER BY slug LIMIT ?`, []any{limit},
		func(scan func(...any) error) error {
			all = append(all, 0)
			return scan(&all[len(all)-1])
		})
	return all, err
}

// Ids grow with time.
var oldestWorkspace = `SELECT id FROM workspaces WHERE gone_ms IS NULL ORDER BY id LIMIT 1`

// OldestWorkspace returns the one that was made first of those that are there. The error is ErrNotFound.
func (q queries) OldestWorkspace() (id catalog.WorkspaceID, err error) {
	err = q.Scan(oldestWorkspace, nil, &id)
	return id, engine.Found(err)
}

func (q queries) Workspace(id catalog.WorkspaceID) (catalog.Workspace, error) {
	return scanWorkspace(q.One(`SELECT `+workspaceColumns+` FROM workspaces WHERE id = ? AND gone_ms IS NULL`, id))
}

func (q queries) WorkspaceBySlug(slug string) (catalog.Workspace, error) {
	return scanWorkspace(q.One(`SELECT `+workspaceColumns+` FROM workspaces WHERE slug = ? AND gone_ms IS NULL`, slug))
}

func (q queries) SetupRevision(id catalog.WorkspaceID) (revision int64, err error) {
	err = q.Scan(`SELECT revision FROM workspaces WHERE id = ? AND gone_ms IS NULL`, []any{id}, &revision)
	return revision, engine.Found(err)
}

func (t tx) InsertWorkspace(w *catalog.Workspace) error {
	settings, err := json.Marshal(stored{w.Settings, w.Country, w.Tax, w.Pages})
	if err != nil {
		return err
	}
	closures, err := json.Marshal(w.Closures)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO workspaces (id, slug, name, time_zone, currency, settings, closures, link_key,
		assistants, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		w.ID, w.Slug, w.Name, w.TimeZone, w.Currency, string(settings), string(closures), w.LinkKey,
		engine.Bit(w.AssistantsMayBook),
		w.CreatedAt)
	if err != nil {
		return engine.Free(err)
	}
	return t.setRetention(w)
}

func (t tx) UpdateWorkspace(w *catalog.Workspace) error {
	settings, err := json.Marshal(stored{w.Settings, w.Country, w.Tax, w.Pages})
	if err != nil {
		return err
	}
	closures, err := json.Marshal(w.Closures)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE workspaces SET slug = ?, name = ?, time_zone = ?, currency = ?, settings = ?, closures = ?,
		link_key = ?, assistants = ?, revision = revision + 1 WHERE id = ?`,
		w.Slug, w.Name, w.TimeZone, w.Currency, string(settings), string(closures), w.LinkKey,
		engine.Bit(w.AssistantsMayBook), w.ID)
	if err != nil {
		return engine.Free(err)
	}
	return t.setRetention(w)
}

// setRetention has the nights begin anew once another rule is chosen: what was young for the old one may be old now.
func (t tx) setRetention(w *catalog.Workspace) error {
	if w.Settings.Retention == nil {
		_, err := t.Exec(`DELETE FROM retentions WHERE workspace_id = ?`, w.ID)
		return err
	}
	_, err := t.Exec(`INSERT INTO retentions (workspace_id, months, tax_years) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id) DO UPDATE SET months = excluded.months, tax_years = excluded.tax_years, next_ms = 0,
		state = '{}' WHERE retentions.months <> excluded.months OR retentions.tax_years <> excluded.tax_years`,
		w.ID, w.Settings.Retention.Months, w.Settings.Retention.TaxYears)
	return err
}

func (t tx) SetLongestBooking(id catalog.WorkspaceID, d time.Duration) error {
	ms := d.Milliseconds() // another host may have been given a longer one meanwhile
	_, err := t.Exec(`UPDATE workspaces SET longest_booking_ms = ?, revision = revision + 1 WHERE id = ?
		AND longest_booking_ms < ?`, ms, id, ms)
	return err
}

func (t tx) SetSuspended(id catalog.WorkspaceID, since, now when.Instant) error {
	if since == 0 {
		// While nothing was sent, nothing failed either.
		_, err := t.Exec(`UPDATE webhook_endpoints SET failing_since_ms = failing_since_ms + CAST(? AS BIGINT) -
			(SELECT w.suspended_ms FROM workspaces w WHERE w.id = webhook_endpoints.workspace_id)
			WHERE workspace_id = ? AND failing_since_ms IS NOT NULL`, now, id)
		if err != nil {
			return err
		}
		// Mails that waited meanwhile have as long as they had, but for reminders.
		_, err = t.Exec(`UPDATE mails SET until_ms = until_ms + CAST(? AS BIGINT) -
			(SELECT w.suspended_ms FROM workspaces w WHERE w.id = mails.workspace_id)
			WHERE state = 0 AND +workspace_id = ? AND until_ms < 9000000000000000000 AND kind <> '`+string(catalog.MailReminder)+`'`, now, id)
		if err != nil {
			return err
		}
	}
	_, err := t.Exec(`UPDATE workspaces SET suspended_ms = ?, revision = revision + 1 WHERE id = ?`, engine.OrNull(since), id)
	return err
}

func (t tx) LockWorkspace(id catalog.WorkspaceID) error {
	n, err := t.Exec(`UPDATE workspaces SET name = name WHERE id = ? AND gone_ms IS NULL`, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// Touch gives the workspace another revision: whoever keeps its set-up reads it again.
func Touch(t *engine.Transaction, id catalog.WorkspaceID) error {
	_, err := t.Exec(`UPDATE workspaces SET revision = revision + 1 WHERE id = ?`, id)
	return err
}

// In returns the term, and its value, for rows of workspaces that are in some of the buckets (see work.BucketOf). For
// all buckets it is empty: the only server reads what it always did.
func In(of work.Buckets, column string) (term string, args []any) {
	if of == work.AllBuckets {
		return "", nil
	}
	return ` AND (CAST(? AS BIGINT) >> CAST((` + column + ` >> 5) & 63 AS INTEGER)) & 1 = 1`, []any{int64(of)}
}

// NoneGone is the term for rows of workspaces that are not deleted.
const NoneGone = `+workspace_id NOT IN (SELECT id FROM workspaces WHERE gone_ms IS NOT NULL)`

// NoneSilent is the term for rows of workspaces that are neither deleted nor suspended.
const NoneSilent = NoneGone + ` AND +workspace_id NOT IN (SELECT id FROM workspaces WHERE suspended_ms IS NOT NULL)`
