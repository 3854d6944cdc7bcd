package store

import (
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

const copyColumns = `booking_id, calendar_id, workspace_id, uid, item, etag, start_ms, end_ms, remove, due_ms, tries,
	problem, wish, wish_start_ms, wish_end_ms`

func scanCopy(scan func(...any) error) (c calsync.Copy, err error) {
	err = scan(&c.Booking, &c.Calendar, &c.WorkspaceID, &c.UID, &c.Key, &c.ETag, engine.OrZero(&c.Start), engine.OrZero(&c.End),
		&c.Remove, engine.OrZero(&c.DueAt), &c.Tries, engine.OrZero(&c.Problem), engine.OrZero(&c.Wish), engine.OrZero(&c.WishStart),
		engine.OrZero(&c.WishEnd))
	return c, engine.Found(err)
}

func (q queries) CalendarCopies(ws catalog.WorkspaceID, b booking.BookingID) ([]calsync.Copy, error) {
	return engine.List(q, scanCopy, `SELECT `+copyColumns+` FROM calendar_copies WHERE workspace_id = ? AND booking_id = ?
		ORDER BY calendar_id`, ws, b)
}

func (q queries) CalendarCopiesIn(c calsync.CalendarID, after booking.BookingID, limit int) ([]calsync.Copy, error) {
	return engine.List(q, scanCopy, `SELECT `+copyColumns+` FROM calendar_copies WHERE calendar_id = ? AND booking_id > ?
		ORDER BY booking_id LIMIT ?`, c, after, limit)
}

func (q queries) CalendarWishes(ws catalog.WorkspaceID, limit int) ([]calsync.Copy, error) {
	return engine.List(q, scanCopy, `SELECT `+copyColumns+` FROM calendar_copies WHERE workspace_id = ? AND wish IS NOT NULL
		ORDER BY booking_id DESC LIMIT ?`, ws, limit)
}

func (q queries) HasDueCalendarCopies(of work.Buckets, now when.Instant) (due bool, err error) {
	mine, args := In(of, `workspace_id`)
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM calendar_copies WHERE due_ms <= ? AND `+NoneGone+mine+`)`,
		append([]any{now}, args...), &due)
	return due, err
}

func (t tx) SaveCalendarCopy(c *calsync.Copy) error {
	_, err := t.Exec(`INSERT INTO calendar_copies (`+copyColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, booking_id, calendar_id) DO UPDATE SET uid = excluded.uid, item = excluded.item,
			etag = excluded.etag, start_ms = excluded.start_ms, end_ms = excluded.end_ms, remove = excluded.remove,
			due_ms = excluded.due_ms, tries = excluded.tries, problem = excluded.problem,
			wish = excluded.wish, wish_start_ms = excluded.wish_start_ms, wish_end_ms = excluded.wish_end_ms, writing = 0`,
		c.Booking, c.Calendar, c.WorkspaceID, c.UID, c.Key, c.ETag, engine.OrNull(c.Start), engine.OrNull(c.End), engine.Bit(c.Remove),
		engine.OrNull(c.DueAt), c.Tries, engine.OrNull(c.Problem), engine.OrNull(c.Wish), engine.OrNull(c.WishStart),
		engine.OrNull(c.WishEnd))
	return err
}

func (t tx) DeleteCalendarCopy(ws catalog.WorkspaceID, b booking.BookingID, c calsync.CalendarID) error {
	_, err := t.Exec(`DELETE FROM calendar_copies WHERE workspace_id = ? AND booking_id = ? AND calendar_id = ?`, ws, b, c)
	return err
}

func (t tx) ClaimCalendarCopies(by work.Share, now, lease when.Instant, limit int) (all []calsync.Copy, err error) {
	mine, args := In(by.Buckets, `workspace_id`)
	args = append(append([]any{by.Server, lease, now}, args...), limit)
	err = t.Each(`UPDATE calendar_copies SET writing = ?, due_ms = ? WHERE (workspace_id, booking_id, calendar_id) IN
		(SELECT workspace_id, booking_id, calendar_id FROM calendar_copies WHERE due_ms <= ? AND `+NoneGone+mine+`
		ORDER BY due_ms, booking_id LIMIT ? /* claim calendar_copies */) RETURNING `+copyColumns, args,
		func(scan func(...any) error) error {
			c, err := scanCopy(scan)
			all = append(all, c)
			return err
		})
	return all, err
}

func (t tx) SettleCalendarCopy(c *calsync.Copy, lease when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE calendar_copies SET writing = 0, uid = ?, item = ?, etag = ?, start_ms = ?, end_ms = ?,
			remove = ?, due_ms = ?, tries = ?, problem = ?, wish = ?, wish_start_ms = ?, wish_end_ms = ?
		WHERE workspace_id = ? AND booking_id = ? AND calendar_id = ? AND writing <> 0 AND due_ms = ?`,
		c.UID, c.Key, c.ETag, engine.OrNull(c.Start), engine.OrNull(c.End), engine.Bit(c.Remove), engine.OrNull(c.DueAt), c.Tries,
		engine.OrNull(c.Problem), engine.OrNull(c.Wish), engine.OrNull(c.WishStart), engine.OrNull(c.WishEnd), c.WorkspaceID,
		c.Booking, c.Calendar, lease)
	return n > 0, err
}

func (t tx) PostponeCalendarCopies(p *calsync.Copy, now when.Instant) error {
	_, err := t.Exec(`UPDATE calendar_copies SET due_ms = ?, problem = ?, tries = CASE WHEN tries < ? THEN ? ELSE tries END
		WHERE workspace_id = ? AND calendar_id = ? AND writing = 0 AND due_ms <= ?`,
		p.DueAt, engine.OrNull(p.Problem), p.Tries, p.Tries, p.WorkspaceID, p.Calendar, now)
	return err
}
