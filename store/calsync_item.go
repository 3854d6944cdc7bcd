package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
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

func (q queries) CalendarItems(ws catalog.WorkspaceID, c calsync.CalendarID) (all []calsync.Item, err error) {
	err = q.Each(`SELECT item, etag, uid, spans, start_ms, end_ms FROM calendar_items
		WHERE workspace_id = ? AND calendar_id = ? ORDER BY item`, []any{ws, c}, func(scan func(...any) error) error {
		var i calsync.Item
		var spans []byte
		if err := scan(&i.Key, &i.ETag, &i.UID, &spans, engine.OrZero(&i.Start), engine.OrZero(&i.End)); err != nil {
			return err
		}
		var err error
		i.Spans, err = unpack(nil, spans)
		all = append(all, i)
		return err
	})
	return all, err
}

func (q queries) BlockingSpans(of catalog.CalendarOwner) (all []calsync.Span, err error) {
	column, owner := busyOwner(of)
	err = q.Each(`SELECT i.spans FROM calendar_connections n JOIN calendars c ON c.connection_id = n.id
		JOIN calendar_items i ON i.calendar_id = c.id WHERE n.`+column+` = ? AND c.blocks = 1`, []any{owner},
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

func (t tx) SaveCalendarItems(ws catalog.WorkspaceID, c calsync.CalendarID, items []calsync.Item) error {
	for i := range items {
		x := &items[i]
		if _, err := t.Exec(`INSERT INTO calendar_items (workspace_id, calendar_id, item, etag, uid, spans, start_ms, end_ms)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, calendar_id, item) DO UPDATE SET etag = excluded.etag,
				uid = excluded.uid, spans = excluded.spans, start_ms = excluded.start_ms, end_ms = excluded.end_ms`,
			ws, c, x.Key, x.ETag, x.UID, pack(x.Spans), engine.OrNull(x.Start), engine.OrNull(x.End)); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) DeleteCalendarItems(ws catalog.WorkspaceID, c calsync.CalendarID, keys []string) error {
	for _, key := range keys {
		if _, err := t.Exec(`DELETE FROM calendar_items WHERE workspace_id = ? AND calendar_id = ? AND item = ?`, ws,
			c, key); err != nil {
			return err
		}
	}
	return nil
}

// busyTimes selects what meets a span, of one host or of all. As a host's are disjoint, the one that begins last before
// the span bounds the reading from below.
const (
	foreignBusyTimes = `SELECT t.host_id, t.busy_start_ms, t.busy_end_ms FROM hosts h CROSS JOIN busy_times t
		WHERE h.workspace_id = ? AND t.host_id = h.id AND t.busy_start_ms < ? AND t.busy_start_ms >= COALESCE(
			(SELECT x.busy_start_ms FROM busy_times x WHERE x.host_id = h.id AND x.busy_start_ms <= ?
			ORDER BY x.busy_start_ms DESC LIMIT 1), 0) AND t.busy_end_ms > ?`
	busyOrder = ` ORDER BY t.host_id, t.busy_start_ms LIMIT ?`
)

func (q queries) BusyTimes(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant,
	limit int) ([]calsync.Busy, error) {
	query, args := foreignBusyTimes+busyOrder, []int64{int64(ws), int64(to), int64(from), int64(from), int64(limit)}
	if host != 0 {
		query, args = foreignBusyTimes+` AND h.id = ?`+busyOrder, append(args[:4], int64(host), int64(limit))
	}
	var all []calsync.Busy
	err := q.Integers(query, [][]int64{args}, func(_ int, v []int64) {
		all = append(all, calsync.Busy{Host: catalog.HostID(v[0]), Span: calsync.Span{Start: v[1], End: v[2]}})
	})
	return all, err
}

const resourceBusyTimes = `SELECT t.resource_id, t.busy_start_ms, t.busy_end_ms FROM resources r
	CROSS JOIN resource_busy_times t WHERE r.workspace_id = ? AND t.resource_id = r.id AND t.busy_start_ms < ?
	AND t.busy_start_ms >= COALESCE((SELECT x.busy_start_ms FROM resource_busy_times x WHERE x.resource_id = r.id
		AND x.busy_start_ms <= ? ORDER BY x.busy_start_ms DESC LIMIT 1), 0) AND t.busy_end_ms > ?
	ORDER BY t.resource_id, t.busy_start_ms LIMIT ?`

func (q queries) ResourceBusyTimes(ws catalog.WorkspaceID, from, to when.Instant, limit int) (all []calsync.ResourceBusy, err error) {
	args := []int64{int64(ws), int64(to), int64(from), int64(from), int64(limit)}
	err = q.Integers(resourceBusyTimes, [][]int64{args}, func(_ int, v []int64) {
		all = append(all, calsync.ResourceBusy{Resource: catalog.ResourceID(v[0]), Span: calsync.Span{Start: v[1], End: v[2]}})
	})
	return all, err
}

// clashing is whose busy times bookings meet, and where the time is that they take of them.
type clashing struct {
	owners, busy  string // tables: of whom, and of their busy times
	key           string // of the owner in the latter
	table, of     string // of bookings' times, and the terms for those that take the owner's
	host, id      string // columns: the host whom a clash is shown with, and the booking
	start, filter string // of the booking; the column by which one host's are found
}

var (
	ownClash = clashing{`hosts`, `busy_times`, `host_id`, `bookings`,
		`%[1]s.host_id = t.host_id AND %[1]s.status < 3 AND %[1]s.` + ownTime, `t.host_id`, `b.id`, `b.start_ms`, `h.id`}
	partClash = clashing{`hosts`, `busy_times`, `host_id`, `booking_spans`,
		`%[1]s.kind = 0 AND %[1]s.subject_id = t.host_id`, `t.host_id`, `b.booking_id`, spansStart, `h.id`}
	resourceClash = clashing{`resources`, `resource_busy_times`, `resource_id`, `booking_spans`,
		`%[1]s.kind = 1 AND %[1]s.subject_id = t.resource_id`, `b.host_id`, `b.booking_id`, spansStart, `b.host_id`}
)

const spansStart = `(SELECT o.start_ms FROM bookings o WHERE o.id = b.booking_id)`

// bookings selects the live bookings of one kind (as package store divides them: those with buffers, and those without)
// that meet a busy time themselves, not with their buffers only. Of those in parts, whose time is in spans, only the
// work counts.
func (c clashing) bookings(kind string) string {
	term := func(alias string) string {
		return fmt.Sprintf(c.of+" AND %[1]s.busy_end_ms - %[1]s.busy_start_ms "+kind+" %[1]s.end_ms - %[1]s.start_ms", alias)
	}
	return `SELECT ` + c.host + `, ` + c.start + `, ` + c.id + ` FROM ` + c.owners + ` h CROSS JOIN ` + c.busy + ` t CROSS JOIN ` +
		c.table + ` b WHERE h.workspace_id = ? AND (? = 0 OR ` + c.filter + ` = ?) AND t.` + c.key + ` = h.id
		AND t.busy_start_ms < ? AND t.busy_end_ms > ? AND ` + term("b") + ` AND b.busy_start_ms < t.busy_end_ms
		AND b.busy_start_ms >= COALESCE((SELECT x.busy_start_ms FROM ` + c.table + ` x WHERE ` + term("x") + `
			AND x.busy_start_ms <= t.busy_start_ms ORDER BY x.busy_start_ms DESC LIMIT 1), 0)
		AND b.start_ms < t.busy_end_ms AND b.end_ms > t.busy_start_ms AND b.start_ms < ? AND b.end_ms > ?`
}

// allClashes has each booking once, though it meets several busy times.
var allClashes = func() string {
	var kinds []string
	for _, c := range []clashing{ownClash, partClash, resourceClash} {
		kinds = append(kinds, c.bookings(">"), c.bookings("="))
	}
	return strings.Join(kinds, ` UNION `) + ` ORDER BY 1, 2, 3 LIMIT ?`
}()

func (q queries) CalendarClashes(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant,
	limit int) ([]calsync.Clash, error) {
	var args []int64
	for range 6 {
		args = append(args, int64(ws), int64(host), int64(host), int64(to), int64(from), int64(to), int64(from))
	}
	var all []calsync.Clash
	err := q.Integers(allClashes, [][]int64{append(args, int64(limit))}, func(_ int, v []int64) {
		all = append(all, calsync.Clash{Host: catalog.HostID(v[0]), Start: when.Instant(v[1]),
			Booking: booking.BookingID(v[2])})
	})
	return all, err
}

// busyOwner returns the column that names the owner, in connections and in their busy times.
func busyOwner(of catalog.CalendarOwner) (column string, owner any) {
	if of.Resource != 0 {
		return `resource_id`, of.Resource
	}
	return `host_id`, of.Host
}

func (t tx) SetBusyTimes(ws catalog.WorkspaceID, of catalog.CalendarOwner, all []calsync.Span) error {
	table := `busy_times`
	if of.Resource != 0 {
		table = `resource_busy_times`
	}
	column, owner := busyOwner(of)
	var was []calsync.Span
	err := t.Each(`SELECT busy_start_ms, busy_end_ms FROM `+table+` WHERE `+column+` = ? ORDER BY busy_start_ms`,
		[]any{owner}, func(scan func(...any) error) error {
			var s calsync.Span
			err := scan(&s.Start, &s.End)
			was = append(was, s)
			return err
		})
	if err != nil {
		return err
	}
	if slices.Equal(was, all) {
		return nil
	}
	for _, s := range missing(was, all) {
		if _, err := t.Exec(`DELETE FROM `+table+` WHERE workspace_id = ? AND `+column+` = ? AND busy_start_ms = ?`, ws,
			owner, s.Start); err != nil {
			return err
		}
	}
	for _, s := range missing(all, was) {
		if _, err := t.Exec(`INSERT INTO `+table+` (workspace_id, `+column+`, busy_start_ms, busy_end_ms)
			VALUES (?, ?, ?, ?)`, ws, owner, s.Start, s.End); err != nil {
			return err
		}
	}
	return Touch(t.Transaction, ws)
}

// missing returns those of all, by start, that others, by start, has not.
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
