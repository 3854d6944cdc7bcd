package main

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"time"

	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/id"
)

// write is a booking and its event, to be written if its time is free: with all, also the contact, unless it is there,
// with the terms that find it, the booking's history, and the delivery to a webhook endpoint.
type write struct {
	b     *booking.Booking
	all   bool
	event booking.EventID
	body  []byte
	done  chan error
}

var errTaken = errors.New("the time is taken")

// startWriter starts what writes: one goroutine that takes what waits, at most 256, into one transaction with
// synchronous=FULL, and moves the log into the database on another connection ten times a second. It empties the log
// once that is past 64 MiB.
func startWriter(path string) (chan *write, error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)"+
		"&_pragma=foreign_keys(1)&_pragma=cache_size(-65536)&_pragma=wal_autocheckpoint(0)&_pragma=temp_store(2)")
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	side, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	prepared := map[string]*sql.Stmt{}
	for name, text := range map[string]string{
		"begin": "BEGIN IMMEDIATE", "commit": "COMMIT", "rollback": "ROLLBACK",
		"taken": `SELECT COUNT(*) FROM bookings INDEXED BY bookings_bare WHERE host_id = ? AND ` + bareOnly + `
			AND busy_start_ms < ? AND busy_start_ms > ? AND busy_end_ms > ?`,
		"booking": `INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms,
			busy_start_ms, busy_end_ms, name, email, created_ms) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
		"event": `INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body, number) VALUES (?, ?,
			'booking.created', ?, ?, ?, ?)`,
		"met": "SELECT id FROM contacts WHERE workspace_id = ? AND email_key = ?",
		"contact": `INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms)
			VALUES (?, ?, ?, ?, ?, '', '', '', ?)`,
		"term": "INSERT INTO contact_terms (workspace_id, term, contact_id) VALUES (?, ?, ?)",
		"history": `INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason,
			host_id) VALUES (?, 1, ?, 'api', '1', 'created', 1, ?, '', ?)`,
		"delivery": "INSERT INTO deliveries (id, event_id, endpoint_id, due_ms, created_ms) VALUES (?, ?, ?, ?, ?)",
	} {
		if prepared[name], err = conn.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
	}
	queue, number, full := make(chan *write, 4096), int64(0), make(chan bool, 1)
	if err := conn.QueryRowContext(ctx, "SELECT COALESCE(MAX(number), 0) FROM events").Scan(&number); err != nil {
		return nil, err
	}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			var busy, frames, moved int64
			err := side.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &moved)
			if err == nil && frames > 16<<10 {
				select {
				case full <- true:
				default:
				}
			}
		}
	}()
	var endpoint int64
	if err := conn.QueryRowContext(ctx, "SELECT id FROM webhook_endpoints").Scan(&endpoint); err != nil {
		return nil, err
	}
	// meet finds the contact, or writes it.
	meet := func(b *booking.Booking) error {
		key := fault.EmailKey(b.Invitee.Email)
		err := prepared["met"].QueryRow(b.WorkspaceID, key).Scan(&b.ContactID)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		b.ContactID = id.New[booking.ContactIDKind](time.Now())
		_, err = prepared["contact"].Exec(b.ContactID, b.WorkspaceID, key, b.Invitee.Email, b.Invitee.Name, b.CreatedAt)
		for _, term := range contact.Terms(&booking.Contact{Name: b.Invitee.Name, Email: b.Invitee.Email, Phone: b.Invitee.Phone}) {
			if err == nil {
				_, err = prepared["term"].Exec(b.WorkspaceID, term, b.ContactID)
			}
		}
		return err
	}
	// rest writes what goes with the booking and its event.
	rest := func(w *write) error {
		b := w.b
		if _, err := prepared["history"].Exec(b.ID, b.CreatedAt, b.Start, b.Host.ID); err != nil {
			return err
		}
		_, err := prepared["delivery"].Exec(id.New[booking.DeliveryIDKind](time.Now()), w.event, endpoint, b.CreatedAt, b.CreatedAt)
		return err
	}
	one := func(w *write) error {
		b, n := w.b, 0
		if err := prepared["taken"].QueryRow(b.Host.ID, b.End, b.Start-3_600_000, b.Start).Scan(&n); err != nil || n > 0 {
			return errors.Join(err, errTaken)
		}
		if w.all {
			if err := meet(b); err != nil {
				return err
			}
		}
		if _, err := prepared["booking"].Exec(b.ID, b.WorkspaceID, b.EventTypeID, b.Host.ID, b.ContactID, b.Start, b.End,
			b.Start, b.End, b.Invitee.Name, b.Invitee.Email, b.CreatedAt); err != nil {
			return err
		}
		number++
		if _, err := prepared["event"].Exec(w.event, b.WorkspaceID, b.ID, b.CreatedAt, w.body, number); err != nil || !w.all {
			return err
		}
		return rest(w)
	}
	go func() {
		for first := range queue {
			runtime.Gosched() // who is ready joins the batch
			var batch []*write
			_, err := prepared["begin"].Exec()
			for w := first; w != nil && err == nil; {
				batch = append(batch, w)
				if err = one(w); errors.Is(err, errTaken) {
					w.done, err = answered(w.done, err), nil
				}
				w = nil
				if len(batch) < 256 {
					select {
					case w = <-queue:
					default:
					}
				}
			}
			if err == nil {
				_, err = prepared["commit"].Exec()
			} else {
				prepared["rollback"].Exec()
			}
			for _, w := range batch {
				w.done <- err
			}
			select {
			case <-full:
				side.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
			default:
			}
		}
	}()
	return queue, nil
}

// answered tells err, and returns a channel that nobody reads.
func answered(to chan error, err error) chan error {
	to <- err
	return make(chan error, 1)
}
