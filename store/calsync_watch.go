package store

import (
	"strings"
	"time"

	"daybook/app/calsync"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// watches are rows with the calendar and the kind of the account.
const watches = `SELECT w.calendar_id, w.workspace_id, k.connection_id, k.remote, k.blocks + k.target > 0, w.remote,
	w.resource, w.hash, w.ends_ms, w.due_ms, w.tries FROM calendar_watches w
	JOIN calendars k ON k.id = w.calendar_id JOIN calendar_connections c ON c.id = k.connection_id `

func scanWatch(scan func(...any) error) (w calsync.CalendarWatch, err error) {
	err = scan(&w.Calendar, &w.WorkspaceID, &w.Connection, &w.Name, &w.Used, engine.OrZero(&w.Remote),
		engine.OrZero(&w.Resource), &w.Hash, engine.OrZero(&w.Ends), &w.DueAt, &w.Tries)
	return w, engine.Found(err)
}

func (q queries) HasDueCalendarWatches(of work.Buckets, now when.Instant) (due bool, err error) {
	mine, args := In(of, `workspace_id`)
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM calendar_watches WHERE due_ms <= ? AND `+NoneGone+mine+`)`,
		append([]any{now}, args...), &due)
	return due, err
}

func (q queries) CalendarWatch(k calsync.Kind, remote string) (calsync.CalendarWatch, error) {
	all, err := engine.List(q, scanWatch, watches+`WHERE w.remote = ? AND c.kind = ?`, remote, k)
	if err == nil && len(all) != 1 { // two accounts that call theirs the same are none
		err = fault.ErrNotFound
	}
	if err != nil {
		return calsync.CalendarWatch{}, err
	}
	return all[0], nil
}

func (q queries) CalendarWatches(c calsync.ConnectionID) ([]calsync.CalendarWatch, error) {
	return engine.List(q, scanWatch, watches+`WHERE c.id = ? ORDER BY w.calendar_id`, c)
}

func (t tx) PlanCalendarWatches(kinds []calsync.Kind, now when.Instant, limit int) error {
	args := []any{now}
	for _, k := range kinds {
		args = append(args, k)
	}
	_, err := t.Exec(`INSERT INTO calendar_watches (workspace_id, calendar_id, due_ms)
		SELECT k.workspace_id, k.id, CAST(? AS BIGINT) FROM calendars k JOIN calendar_connections c ON c.id = k.connection_id
		WHERE c.kind IN (?`+strings.Repeat(`, ?`, len(kinds)-1)+`) AND c.state = 'ok' AND k.read_ms IS NOT NULL
			AND k.blocks + k.target > 0 AND NOT EXISTS (SELECT 1 FROM calendar_watches w WHERE w.calendar_id = k.id)
		ORDER BY k.id LIMIT ?`, append(args, limit)...)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE calendar_watches SET due_ms = ? WHERE making = 0 AND due_ms > ? AND calendar_id IN
		(SELECT id FROM calendars WHERE blocks + target = 0)`, now, now)
	return err
}

func (t tx) ClaimCalendarWatches(by work.Share, now, lease when.Instant, limit int) (all []calsync.CalendarWatch, err error) {
	mine, args := In(by.Buckets, `workspace_id`)
	args = append(append([]any{by.Server, lease, now}, args...), limit)
	var ids []calsync.CalendarID
	err = t.Each(`UPDATE calendar_watches SET making = ?, due_ms = ? WHERE (workspace_id, calendar_id) IN
		(SELECT workspace_id, calendar_id FROM calendar_watches WHERE due_ms <= ? AND `+NoneGone+mine+`
		ORDER BY due_ms, calendar_id LIMIT ? /* claim calendar_watches */) RETURNING calendar_id`, args,
		func(scan func(...any) error) error {
			var id calsync.CalendarID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	for _, id := range ids {
		if err != nil {
			return nil, err
		}
		var w calsync.CalendarWatch
		w, err = scanWatch(t.queries.One(watches+`WHERE w.calendar_id = ?`, id))
		all = append(all, w)
	}
	return all, err
}

func (t tx) SettleCalendarWatch(w *calsync.CalendarWatch, lease when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE calendar_watches SET making = 0, remote = ?, resource = ?, hash = ?, ends_ms = ?, due_ms = ?,
		tries = ? WHERE workspace_id = ? AND calendar_id = ? AND making <> 0 AND due_ms = ?`, engine.OrNull(w.Remote),
		engine.OrNull(w.Resource), w.Hash, engine.OrNull(w.Ends), w.DueAt, w.Tries, w.WorkspaceID, w.Calendar, lease)
	return n > 0, err
}

func (t tx) HastenCalendarWatch(w *calsync.CalendarWatch, now when.Instant, gone bool) error {
	ends := w.Ends
	if gone {
		ends = min(ends, now)
	}
	_, err := t.Exec(`UPDATE calendar_watches SET due_ms = ?, ends_ms = ? WHERE workspace_id = ? AND calendar_id = ?
		AND making = 0 AND due_ms > ? AND remote = ?`, now, engine.OrNull(ends), w.WorkspaceID, w.Calendar, now, w.Remote)
	return err
}

func (t tx) DeleteCalendarWatch(w *calsync.CalendarWatch) error {
	_, err := t.Exec(`DELETE FROM calendar_watches WHERE workspace_id = ? AND calendar_id = ?`, w.WorkspaceID, w.Calendar)
	return err
}

func (t tx) HintCalendarConnection(c calsync.ConnectionID, now when.Instant, pause time.Duration) (bool, error) {
	after := pause.Milliseconds()
	_, err := t.Exec(`UPDATE calendar_connections SET due_ms = CASE WHEN read_ms + ? > ? THEN read_ms + ? ELSE ? END
		WHERE id = ? AND reading = 0 AND state = 'ok' AND due_ms > ? AND due_ms > read_ms + ?`, after, now, after, now, c,
		now, after)
	if err != nil {
		return false, err
	}
	reads := false
	err = t.Scan(`SELECT EXISTS (SELECT 1 FROM calendar_connections WHERE id = ? AND reading <> 0)`, []any{c}, &reads)
	return !reads, err
}
