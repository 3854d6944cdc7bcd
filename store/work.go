package store

import (
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

// queue is the table of a durable queue, in the words that its statements share. A row waits until due_ms. A claim puts
// the end of its lease there, and its server's number into the column named by claimed, which is 0 otherwise.
type queue struct {
	name           string // that metrics call it by
	table, claimed string
	waits          string // the term for rows that are not settled, where settled ones stay
	hastens        string // the term for those whose time nobody knows
	sends          bool   // to people and programs outside: nothing of suspended workspaces
}

var (
	mailQueue = queue{`mail`, `mails`, `sending`, ` AND state = 0`, ` AND (tries > 0 OR kind <> '` + string(catalog.MailReminder) +
		`')`, true}
	pushQueue     = queue{name: `push`, table: `push_queue`, claimed: `sending`, sends: true}
	deliveryQueue = queue{name: `webhooks`, table: `deliveries`, claimed: `sending`, waits: ` AND state = 0`, sends: true}
	jobQueue      = queue{name: `payments`, table: `payment_jobs`, claimed: `running`, waits: ` AND state = 0`}
	readingQueue  = queue{name: `calendars_read`, table: `calendar_connections`, claimed: `reading`}

	queues = []queue{mailQueue, textQueue, pushQueue, deliveryQueue, jobQueue, readingQueue,
		{name: `calendars_write`, table: `calendar_copies`, claimed: `writing`}, {name: `calendar_watches`, table: `calendar_watches`, claimed: `making`}}
)

// whose returns the term for rows of the workspaces that the queue works for.
func (q queue) whose() string {
	if q.sends {
		return NoneSilent
	}
	return NoneGone
}

// held returns the term for a row whose claim stands. Its parameters are the row's id and the claim's lease.
func (q queue) held() string {
	return `id = ?` + q.waits + ` AND ` + q.claimed + ` <> 0 AND due_ms = ?`
}

// claim claims at most limit due rows for a server until lease and returns their ids, in any order. Where more are due,
// it claims those that have been due for longest.
func (q queue) claim(t tx, by work.Share, now, lease when.Instant, limit int) (ids []int64, err error) {
	mine, args := In(by.Buckets, `workspace_id`)
	args = append(append([]any{by.Server, lease, now}, args...), limit)
	err = t.Each(`UPDATE `+q.table+` SET `+q.claimed+` = ?, due_ms = ? WHERE id IN (SELECT id FROM `+q.table+
		` WHERE due_ms <= ?`+q.waits+` AND `+q.whose()+mine+` ORDER BY due_ms, id LIMIT ? /* claim `+q.table+` */) RETURNING id`,
		args, func(scan func(...any) error) error {
			var id int64
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, err
}

// drop deletes a row while its claim stands.
func (q queue) drop(t tx, id any, lease when.Instant) error {
	_, err := t.Exec(`DELETE FROM `+q.table+` WHERE `+q.held(), id, lease)
	return err
}

// delay makes a row wait until next while its claim stands, and counts the attempt.
func (q queue) delay(t tx, id any, lease, next when.Instant) error {
	_, err := t.Exec(`UPDATE `+q.table+` SET `+q.claimed+` = 0, due_ms = ?, tries = tries + 1 WHERE `+q.held(),
		next, id, lease)
	return err
}

// free gives rows back, due at a time, which is the first parameter of its statements.
func (q queue) free() string {
	return `UPDATE ` + q.table + ` SET ` + q.claimed + ` = 0, due_ms = ? WHERE `
}

// release gives back a claim that stands.
func (q queue) release(t tx, id any, lease, due when.Instant) (bool, error) {
	n, err := t.Exec(q.free()+q.held(), due, id, lease)
	return n == 1, err
}

// anyDue reports whether a row is due of workspaces in those buckets that the queue works for. The term also narrows them.
func (q queue) anyDue(r queries, of work.Buckets, now when.Instant, term string) (due bool, err error) {
	mine, args := In(of, `workspace_id`)
	err = r.Scan(`SELECT EXISTS (SELECT 1 FROM `+q.table+` WHERE due_ms <= ?`+q.waits+` AND `+q.whose()+mine+term+`)`,
		append([]any{now}, args...), &due)
	return due, err
}

func (t tx) ReleaseWork(server int64, now when.Instant) (released int, err error) {
	for _, q := range queues {
		n, err := t.Exec(q.free()+q.claimed+` <> 0`+q.waits+` AND CAST(? AS BIGINT) IN (0, `+q.claimed+`)`, now, server)
		if err != nil {
			return 0, err
		}
		released += int(n)
	}
	return released, nil
}

func (t tx) ReleaseLostWork(now, beyond when.Instant) error {
	for _, q := range queues {
		if _, err := t.Exec(q.free()+q.claimed+` <> 0`+q.waits+` AND due_ms > ?`, now, beyond); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) HastenWork(now when.Instant, by time.Duration) error {
	for _, q := range queues {
		if _, err := t.Exec(`UPDATE `+q.table+` SET due_ms = CASE WHEN due_ms > ? THEN due_ms - ? ELSE ? END
			WHERE `+q.claimed+` = 0`+q.waits+` AND due_ms > ?`+q.hastens, now.Add(by), by.Milliseconds(), now, now); err != nil {
			return err
		}
	}
	return nil
}
