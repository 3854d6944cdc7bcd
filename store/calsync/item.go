package calsync

import (
	"encoding/binary"
	"errors"
	"slices"

	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/row"
)

// pack writes spans as pairs of 64 bits, big-endian.
func pack(spans []calsync.Span) []byte {
	text := make([]byte, 0, 16*len(spans))
	for _, s := range spans {
		text = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(text, uint64(s.Start)), uint64(s.End))
	}
	return text
}

func unpack(dst []calsync.Span, text []byte) ([]calsync.Span, error) {
	if len(text)%16 != 0 {
		return nil, errors.New("store: the spans of a calendar's item are damaged")
	}
	for ; len(text) > 0; text = text[16:] {
		start, end := binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])
		dst = append(dst, calsync.Span{Start: int64(start), End: int64(end)})
	}
	return dst, nil
}

func (q Queries) CalendarItems(ws catalog.WorkspaceID, c calsync.CalendarID) (all []calsync.Item, err error) {
	err = q.Each(`SELECT item, etag, uid, spans, start_ms, end_ms FROM calendar_items
		WHERE workspace_id = ? AND calendar_id = ? ORDER BY item`, []any{ws, c}, func(scan func(...any) error) error {
		var i calsync.Item
		var spans []byte
		if err := scan(&i.Key, &i.ETag, &i.UID, &spans, row.OrZero(&i.Start), row.OrZero(&i.End)); err != nil {
			return err
		}
		var err error
		i.Spans, err = unpack(nil, spans)
		all = append(all, i)
		return err
	})
	return all, err
}

func (q Queries) BlockingSpans(host catalog.HostID) (all []calsync.Span, err error) {
	err = q.Each(`SELECT i.spans FROM calendar_connections n JOIN calendars c ON c.connection_id = n.id
		JOIN calendar_items i ON i.calendar_id = c.id WHERE n.host_id = ? AND c.blocks = 1`, []any{host},
		func(scan func(...any) error) error {
			var spans []byte
			err := scan(&spans)
			if err == nil {
				all, err = unpack(all, spans)
			}
			return err
		})
	return all, err
}

func (t Tx) SaveCalendarItems(ws catalog.WorkspaceID, c calsync.CalendarID, items []calsync.Item) error {
	for i := range items {
		x := &items[i]
		if _, err := t.Exec(`INSERT INTO calendar_items (workspace_id, calendar_id, item, etag, uid, spans, start_ms, end_ms)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, calendar_id, item) DO UPDATE SET etag = excluded.etag,
				uid = excluded.uid, spans = excluded.spans, start_ms = excluded.start_ms, end_ms = excluded.end_ms`,
			ws, c, x.Key, x.ETag, x.UID, pack(x.Spans), row.OrNull(x.Start), row.OrNull(x.End)); err != nil {
			return err
		}
	}
	return nil
}

func (t Tx) DeleteCalendarItems(ws catalog.WorkspaceID, c calsync.CalendarID, keys []string) error {
	for _, key := range keys {
		if _, err := t.Exec(`DELETE FROM calendar_items WHERE workspace_id = ? AND calendar_id = ? AND item = ?`, ws,
			c, key); err != nil {
			return err
		}
	}
	return nil
}

func (q Queries) BusyTimes(host catalog.HostID, from, to when.Instant) (all []calsync.Span, err error) {
	err = q.Each(`SELECT busy_start_ms, busy_end_ms FROM busy_times WHERE host_id = ? AND busy_start_ms < ?
		AND busy_end_ms > ? ORDER BY busy_start_ms`, []any{host, to, from}, func(scan func(...any) error) error {
		var s calsync.Span
		err := scan(&s.Start, &s.End)
		all = append(all, s)
		return err
	})
	return all, err
}

func (t Tx) SetBusyTimes(ws catalog.WorkspaceID, host catalog.HostID, all []calsync.Span) error {
	was, err := Queries{t.Querier()}.BusyTimes(host, -1<<62, 1<<62)
	if err != nil {
		return err
	}
	for _, s := range missing(was, all) {
		if _, err := t.Exec(`DELETE FROM busy_times WHERE workspace_id = ? AND host_id = ? AND busy_start_ms = ?`, ws,
			host, s.Start); err != nil {
			return err
		}
	}
	for _, s := range missing(all, was) {
		if _, err := t.Exec(`INSERT INTO busy_times (workspace_id, host_id, busy_start_ms, busy_end_ms)
			VALUES (?, ?, ?, ?)`, ws, host, s.Start, s.End); err != nil {
			return err
		}
	}
	return nil
}

// missing are those of all, by start, that others, by start, has not.
func missing(all, others []calsync.Span) (left []calsync.Span) {
	for _, s := range all {
		i, _ := slices.BinarySearchFunc(others, s, func(a, b calsync.Span) int {
			return int(max(-1, min(1, a.Start-b.Start)))
		})
		if i == len(others) || others[i] != s {
			left = append(left, s)
		}
	}
	return left
}
