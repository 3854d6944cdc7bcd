package store

import (
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/record"
	"daybook/store/row"
	"daybook/store/workspace"
)

func (q queries) History(id record.BookingID) (all []record.HistoryEntry, err error) {
	const query = `SELECT at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, amount, currency FROM booking_history WHERE booking_id = ? ORDER BY seq LIMIT 1000`
	err = q.Each(query, []any{id}, func(scan func(...any) error) error {
		var h record.HistoryEntry
		var from *int
		var to int
		var amount *int64
		var currency *string
		if err := scan(&h.At, &h.Actor, &h.By, &h.Action, &from, &to, &h.Start, &h.Reason, &amount, &currency); err != nil {
			return err
		}
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

func (q queries) Unmailed(limit int) (all []mail.Unmailed, err error) {
	const query = `SELECT h.booking_id, h.seq, h.at_ms, h.actor, h.actor_id, h.action, h.from_status, h.to_status, h.start_ms, h.reason, h.amount, h.currency,
			h.host_id, p.start_ms, p.host_id
		FROM booking_history h LEFT JOIN booking_history p ON p.booking_id = h.booking_id AND p.seq = h.seq - 1
		WHERE h.told = 0 AND (SELECT ` + workspace.NoneGone + ` FROM bookings b WHERE b.id = h.booking_id) ORDER BY h.at_ms, h.booking_id, h.seq LIMIT ?`
	err = q.Each(query, []any{limit}, func(scan func(...any) error) error {
		var u mail.Unmailed
		var from *int
		var to int
		var amount *int64
		var currency *string
		if err := scan(&u.Booking, &u.Seq, &u.At, &u.Actor, &u.By, &u.Action, &from, &to, &u.Start, &u.Reason, &amount, &currency,
			row.OrZero(&u.Host), row.OrZero(&u.PreviousStart), row.OrZero(&u.PreviousHost)); err != nil {
			return err
		}
		if from != nil {
			u.From = statuses[*from]
		}
		u.To, u.Amount = statuses[to], amountOf(amount, currency)
		all = append(all, u)
		return nil
	})
	return all, err
}

func (t tx) MarkMailed(u *mail.Unmailed) (bool, error) {
	n, err := t.Exec(`UPDATE booking_history SET told = 1 WHERE booking_id = ? AND seq = ? AND told = 0`, u.Booking, u.Seq)
	return n == 1, err
}

func (t tx) insertHistory(id record.BookingID, first bool, h record.HistoryEntry) error {
	if first {
		_, err := t.Exec(`INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason, host_id, told) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, h.At, h.Actor, h.By, h.Action, statusCode(h.To), h.Start, h.Reason, row.OrNull(h.Host), told(h))
		return err
	}
	var amount, currency any
	if h.Amount != nil {
		amount, currency = h.Amount.Amount, h.Amount.Currency
	}
	_, err := t.Exec(`INSERT INTO booking_history
		(booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, told, amount, currency)
		SELECT ?, COALESCE(MAX(seq), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM booking_history WHERE booking_id = ?`,
		id, h.At, h.Actor, h.By, h.Action, statusCode(h.From), statusCode(h.To), h.Start, h.Reason, row.OrNull(h.Host), told(h), amount, currency, id)
	return err
}

// amountOf is the amount of two columns, or nil.
func amountOf(amount *int64, currency *string) *catalog.Money {
	if amount == nil || currency == nil {
		return nil
	}
	return &catalog.Money{Amount: *amount, Currency: *currency}
}

// told is the column of whether mails have been written of a change.
func told(h record.HistoryEntry) any {
	if h.WriteMails {
		return 0
	}
	return nil
}
