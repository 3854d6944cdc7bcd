package store

import (
	"fmt"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/store/engine"
)

func (q queries) History(ws catalog.WorkspaceID, id booking.BookingID) (all []booking.HistoryEntry, err error) {
	const query = `SELECT at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, amount, currency,
		host_id, waived, previous_end_ms, previous_event_type_id, with_visit, others, with_series FROM booking_history
		WHERE booking_id = ? AND /* apart workspace_id = */ ? > 0 ORDER BY seq LIMIT 1000`
	err = q.Each(query, []any{id, ws}, func(scan func(...any) error) error {
		var h booking.HistoryEntry
		var from *int
		var to int
		var amount *int64
		var currency *string
		var waived, others string
		var visit, series int
		if err := scan(&h.At, &h.Actor, &h.By, &h.Action, &from, &to, &h.Start, &h.Reason, &amount, &currency,
			engine.OrZero(&h.Host), engine.OrZero(&waived), engine.OrZero(&h.PreviousEnd),
			engine.OrZero(&h.PreviousEventType), engine.OrZero(&visit), engine.OrZero(&others),
			engine.OrZero(&series)); err != nil {
			return err
		}
		h.WithVisit, h.WithSeries = visit != 0, series != 0
		if waived != "" {
			h.Waived = strings.Split(waived, ",")
		}
		h.Others = readOthers(others)
		h.Amount = amountOf(amount, currency)
		if from != nil {
			h.From = statuses[*from]
		}
		h.To = statuses[to]
		all = append(all, h)
		return nil
	})
	return all, err
}

const historyAfter = `SELECT h.number, h.booking_id, b.workspace_id, w.gone_ms, h.seq, h.at_ms, h.actor,
	h.actor_id, h.action,
		h.from_status, h.to_status, h.start_ms, h.reason, h.amount, h.currency, h.host_id,
		h.previous_end_ms, h.previous_event_type_id, p.start_ms, p.host_id, h.with_visit, h.others, p.others, h.with_series
	FROM booking_history h JOIN bookings b ON b.id = h.booking_id /* apart AND b.workspace_id = h.workspace_id */
	JOIN workspaces w ON w.id = b.workspace_id
	LEFT JOIN booking_history p ON p.booking_id = h.booking_id AND p.seq = h.seq - 1
		/* apart AND p.workspace_id = h.workspace_id */
	WHERE h.number > ? ORDER BY h.number LIMIT ?`

// HistoryAfter implements app.FollowReader.
func (q queries) HistoryAfter(number int64, limit int) (all []app.Followed, err error) {
	if err := q.numbered(); err != nil {
		return nil, err
	}
	v := engine.NewValues(24)
	err = q.Each(historyAfter, []any{number, limit}, func(scan func(...any) error) error {
		if err := v.Read(scan); err != nil {
			return err
		}
		e := app.Followed{
			Number: v.Int(0), Booking: booking.BookingID(v.Int(1)), Workspace: catalog.WorkspaceID(v.Int(2)), Gone: v.Has(3),
			Seq: int(v.Int(4)), PreviousStart: when.Instant(v.Int(18)), PreviousHost: catalog.HostID(v.Int(19)),
			PreviousOthers: readOthers(v.Text(22)),
			HistoryEntry: booking.HistoryEntry{
				At: when.Instant(v.Int(5)), Actor: booking.ActorKind(v.Text(6)), By: v.Text(7), Action: booking.Action(v.Text(8)),
				To: statuses[v.Int(10)], Start: when.Instant(v.Int(11)), Reason: v.Text(12), Host: catalog.HostID(v.Int(15)),
				PreviousEnd: when.Instant(v.Int(16)), PreviousEventType: catalog.EventTypeID(v.Int(17)),
				WithVisit: v.Int(20) != 0, WithSeries: v.Has(23), Others: readOthers(v.Text(21)),
			},
		}
		if v.Has(9) {
			e.From = statuses[v.Int(9)]
		}
		if v.Has(13) && v.Has(14) {
			e.Amount = &money.Money{Amount: v.Int(13), Currency: v.Text(14)}
		}
		all = append(all, e)
		return nil
	})
	return all, err
}

func (q queries) LastFollowed(follower string) (number int64, err error) {
	err = q.Scan(`SELECT last_number FROM followers WHERE name = ?`, []any{follower}, &number)
	if err != nil {
		return 0, fmt.Errorf("how far %q has read the history: %w", follower, err)
	}
	return number, nil
}

func (t tx) MoveFollower(follower string, from, number int64) (bool, error) {
	n, err := t.Exec(`UPDATE followers SET last_number = ? WHERE name = ? AND last_number = ?`, number, follower, from)
	return n == 1, err
}

const (
	firstHistory = `INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms,
		reason, host_id, waived, with_visit, others) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	firstHistoryApart = `INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms,
		reason, host_id, waived, with_visit, others, workspace_id) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	// The last parameter is the workspace.
	nextHistory = `INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status,
		start_ms, reason, host_id, waived, amount, currency, previous_end_ms, previous_event_type_id, with_visit,
		others /* apart , workspace_id */)
		SELECT ?, COALESCE(MAX(seq), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? /* apart , $19 */
		FROM booking_history WHERE booking_id = ? AND /* apart workspace_id = */ ? > 0`
)

func (t tx) insertHistory(b *booking.Booking, first bool, h booking.HistoryEntry) error {
	if err := t.insertHistoryAlone(b, first, h); err != nil || !h.WithSeries {
		return err
	}
	return t.Later(lastWithSeries, b.ID, b.WorkspaceID, b.ID, b.WorkspaceID)
}

// lastWithSeries is a statement of its own, since few changes are of a series.
const lastWithSeries = `UPDATE booking_history SET with_series = 1 WHERE booking_id = ? AND /* apart workspace_id = */ ? > 0
	AND seq = (SELECT MAX(seq) FROM booking_history WHERE booking_id = ? AND /* apart workspace_id = */ ? > 0)`

func (t tx) insertHistoryAlone(b *booking.Booking, first bool, h booking.HistoryEntry) error {
	if first {
		query, args := firstHistory, []any{b.ID, h.At, h.Actor, h.By, h.Action, statusCode(h.To), h.Start, h.Reason,
			engine.OrNull(h.Host), engine.OrNull(strings.Join(h.Waived, ",")), withVisit(h), writeOthers(h.Others)}
		if !t.Serial() {
			query, args = firstHistoryApart, append(args, b.WorkspaceID)
		}
		return t.Later(query, args...)
	}
	var amount, currency any
	if h.Amount != nil {
		amount, currency = h.Amount.Amount, h.Amount.Currency
	}
	return t.Later(nextHistory, b.ID, h.At, h.Actor, h.By, h.Action, statusCode(h.From), statusCode(h.To), h.Start,
		h.Reason, engine.OrNull(h.Host), engine.OrNull(strings.Join(h.Waived, ",")), amount, currency, engine.OrNull(h.PreviousEnd),
		engine.OrNull(h.PreviousEventType), withVisit(h), writeOthers(h.Others), b.ID, b.WorkspaceID)
}

// withVisit returns the column of HistoryEntry.WithVisit: 1 or null.
func withVisit(h booking.HistoryEntry) any {
	if !h.WithVisit {
		return nil
	}
	return 1
}

// writeOthers returns the column of HistoryEntry.Others: ids joined by commas, or null.
func writeOthers(ids []catalog.HostID) any {
	if len(ids) == 0 {
		return nil
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(int64(id), 10)
	}
	return strings.Join(texts, ",")
}

// readOthers reads it; a number that is none is left out.
func readOthers(text string) (ids []catalog.HostID) {
	if text == "" {
		return nil
	}
	for one := range strings.SplitSeq(text, ",") {
		if id, err := strconv.ParseInt(one, 10, 64); err == nil {
			ids = append(ids, catalog.HostID(id))
		}
	}
	return ids
}

// amountOf returns the amount of two columns, or nil.
func amountOf(amount *int64, currency *string) *money.Money {
	if amount == nil || currency == nil {
		return nil
	}
	return &money.Money{Amount: *amount, Currency: *currency}
}
