package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/report"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const (
	hostDayColumns = `SELECT host_id, day, from_ms, to_ms, spans, COALESCE(booked_ms, -1), COALESCE(outside_ms, -1) FROM host_days
		WHERE workspace_id = ?`
	hostDays      = hostDayColumns + ` AND host_id = ? AND day >= ? AND day <= ? ORDER BY day`
	allHostDays   = hostDayColumns + ` AND (host_id, day) > (?, ?) ORDER BY host_id, day LIMIT ?`
	changedDays   = hostDayColumns + ` AND spans IS NOT NULL AND booked_ms IS NULL ORDER BY host_id, day`
	changedDaysOf = hostDayColumns + ` AND host_id = ? AND spans IS NOT NULL AND booked_ms IS NULL ORDER BY day LIMIT ?`
	hostDaySums   = `SELECT host_id, MIN(day), CAST(SUM(open_ms) AS BIGINT), CAST(SUM(booked_ms) AS BIGINT), CAST(SUM(outside_ms) AS BIGINT)
		FROM host_days WHERE workspace_id = ? AND day >= ? AND day <= ? AND spans IS NOT NULL AND booked_ms IS NOT NULL
		GROUP BY host_id`
	lastHostDay = `SELECT day FROM host_days WHERE workspace_id = ? AND host_id = ? ORDER BY day DESC LIMIT 1`

	insertHostDay = `INSERT INTO host_days (workspace_id, host_id, day, from_ms, to_ms, spans, open_ms, booked_ms, outside_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, host_id, day) DO NOTHING`
	countHostDay = `UPDATE host_days SET booked_ms = ?, outside_ms = ? WHERE workspace_id = ? AND host_id = ? AND day = ?`
	nextHostDay  = `UPDATE hosts SET days_ms = ? WHERE id = ? AND workspace_id = ?`

	hostsDue      = `SELECT workspace_id, id FROM hosts WHERE days_ms <= ? AND ` + NoneGone
	hostsDueOrder = ` ORDER BY days_ms LIMIT ?`
	hostsChanged  = `SELECT DISTINCT workspace_id, host_id FROM host_days WHERE spans IS NOT NULL AND booked_ms IS NULL`

	partsOnly = `CASE WHEN details LIKE '%"parts":%' THEN details END`
)

// The work of those who lead a booking, and of those who do it beside them.
var (
	ledWork = `SELECT start_ms, end_ms, ` + partsOnly + ` FROM bookings WHERE host_id = ? AND start_ms >= ? AND start_ms < ?
		AND +workspace_id = ? AND end_ms > ? AND ` + Any(booking.StandingStatuses)
	helpedWork = `SELECT b.start_ms, b.end_ms, ` + partsOnly + ` FROM booking_others o JOIN bookings b ON b.id = o.booking_id
		WHERE o.host_id = ? AND o.start_ms >= ? AND o.start_ms < ? AND +o.workspace_id = ? AND b.end_ms > ? AND b.` + Any(booking.StandingStatuses)
)

func scanHostDay(scan func(...any) error) (d report.HostDay, err error) {
	var spans *string
	if err = scan(&d.Host, &d.Day, &d.From, &d.To, &spans, &d.Booked, &d.Outside); err != nil || spans == nil {
		return d, engine.Found(err)
	}
	d.Known, d.Counted = true, d.Booked >= 0
	if d.Open, err = readSpans(*spans, int64(d.From)); err != nil {
		err = fmt.Errorf("day %d of host %s: %w", d.Day, d.Host, err)
	}
	return d, err
}

// writeSpans is the column spans of host_days.
func writeSpans(spans []slot.Span, from int64) string {
	var b strings.Builder
	for i, s := range spans {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d-%d", s.Start-from, s.End-from)
	}
	return b.String()
}

func readSpans(text string, from int64) (spans []slot.Span, err error) {
	for text != "" {
		var one string
		one, text, _ = strings.Cut(text, ",")
		start, end, _ := strings.Cut(one, "-")
		a, err1 := strconv.ParseInt(start, 10, 64)
		z, err2 := strconv.ParseInt(end, 10, 64)
		if err := cmp.Or(err1, err2); err != nil {
			return nil, err
		}
		spans = append(spans, slot.Span{Start: from + a, End: from + z})
	}
	return spans, nil
}

// HostDays implements report.HostDayReader, as the methods below do.
func (q queries) HostDays(ws catalog.WorkspaceID, host catalog.HostID, from, to int64) ([]report.HostDay, error) {
	return engine.List(q, scanHostDay, hostDays, ws, host, from, to)
}

func (q queries) AllHostDays(ws catalog.WorkspaceID, host catalog.HostID, after int64, limit int) ([]report.HostDay, error) {
	return engine.List(q, scanHostDay, allHostDays, ws, host, after, limit)
}

func (q queries) ChangedHostDays(ws catalog.WorkspaceID) ([]report.HostDay, error) {
	return engine.List(q, scanHostDay, changedDays, ws)
}

func (q queries) ChangedHostDaysOf(ws catalog.WorkspaceID, host catalog.HostID, limit int) ([]report.HostDay, error) {
	return engine.List(q, scanHostDay, changedDaysOf, ws, host, limit)
}

func (q queries) HostDaySums(ws catalog.WorkspaceID, from, to int64, add func(host catalog.HostID, first, open, booked, outside int64)) error {
	return q.Each(hostDaySums, []any{ws, from, to}, func(scan func(...any) error) error {
		var host catalog.HostID
		var first, open, booked, outside int64
		err := scan(&host, &first, &open, &booked, &outside)
		add(host, first, open, booked, outside)
		return err
	})
}

func (q queries) LastHostDay(ws catalog.WorkspaceID, host catalog.HostID) (day int64, err error) {
	err = engine.Found(q.Scan(lastHostDay, []any{ws, host}, &day))
	return day, err
}

func (q queries) HostWork(ws catalog.WorkspaceID, host catalog.HostID, since, from, to when.Instant) (works []slot.Span, err error) {
	for _, query := range []string{ledWork, helpedWork} {
		err := q.Each(query, []any{host, since, to, ws, from}, func(scan func(...any) error) error {
			var b booking.Booking
			var text *string
			if err := scan(&b.Start, &b.End, &text); err != nil {
				return err
			}
			if text != nil {
				var d details
				if err := json.Unmarshal([]byte(*text), &d); err != nil {
					return err
				}
				restoreParts(d.Parts, &b)
			}
			for _, w := range b.Works() {
				works = append(works, w.Own)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return works, nil
}

func (q queries) HostsDue(of work.Buckets, now when.Instant, limit int) ([]report.HostOf, error) {
	mine, buckets := In(of, `workspace_id`)
	due, err := engine.List(q, scanHostOf, hostsDue+mine+hostsDueOrder, append(append([]any{now}, buckets...), limit)...)
	if err != nil || len(due) > 0 {
		return due, err
	}
	return engine.List(q, scanHostOf, hostsChanged+mine+` LIMIT ?`, append(buckets, limit)...)
}

func scanHostOf(scan func(...any) error) (h report.HostOf, err error) {
	err = scan(&h.Workspace, &h.Host)
	return h, err
}

// InsertHostDay implements report.HostDayWriter, as the methods below do.
func (t tx) InsertHostDay(ws catalog.WorkspaceID, d report.HostDay) error {
	var spans, open, booked, outside any
	if d.Known {
		spans, open, booked, outside = writeSpans(d.Open, int64(d.From)), d.OpenFor(), d.Booked, d.Outside
	}
	return t.Later(insertHostDay, ws, d.Host, d.Day, d.From, d.To, spans, open, booked, outside)
}

func (t tx) CountHostDay(ws catalog.WorkspaceID, d report.HostDay) error {
	return t.Later(countHostDay, d.Booked, d.Outside, ws, d.Host, d.Day)
}

func (t tx) NextHostDay(ws catalog.WorkspaceID, host catalog.HostID, at when.Instant) error {
	return t.Later(nextHostDay, at, host, ws)
}
