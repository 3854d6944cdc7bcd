package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// What package mail reads and writes is here.
var (
	_ mail.Reader = queries{}
	_ mail.Reader = tx{}
	_ mail.Tx     = tx{}
)

const mailColumns = `id, workspace_id, booking_id, kind, recipient, facts, state, sending, due_ms, until_ms, tries,
	attempts, resends, answer, settled_ms`

func scanMail(scan func(...any) error) (m mail.Mail, err error) {
	var facts []byte
	var state int
	var sending int64
	err = scan(&m.ID, &m.WorkspaceID, engine.OrZero(&m.BookingID), &m.Kind, &m.To, &facts, &state, &sending, &m.DueAt,
		&m.Until,
		&m.Tries, &m.Attempts, &m.Resends, engine.OrZero(&m.Answer), engine.OrZero(&m.SettledAt))
	if err != nil {
		return m, engine.Found(err)
	}
	m.State, m.CreatedAt = mail.States[state], when.At(m.ID.MadeAt())
	if sending != 0 {
		m.Lease = m.DueAt
	}
	if m.State != mail.Waiting {
		m.DueAt = 0
	}
	return m, json.Unmarshal(facts, &m.Facts)
}

func (q queries) Mail(id mail.MailID) (mail.Mail, error) {
	return scanMail(q.One(`SELECT `+mailColumns+` FROM mails WHERE id = ?`, id))
}

// mailStateTerms hold the state as a literal, for the partial indexes; the others keep to the log's.
var mailStateTerms = map[mail.State]string{
	"": ``, mail.Waiting: ` AND +state = 0`, mail.Sent: ` AND +state = 1`, mail.Failed: ` AND state = 2`,
	mail.Dropped: ` AND +state = 3`,
}

func (q queries) Mails(ws catalog.WorkspaceID, f mail.Filter) (all []mail.Mail, err error) {
	query, args := listMails(ws, f)
	err = q.Each(query, args, func(scan func(...any) error) error {
		m, err := scanMail(scan)
		all = append(all, m)
		return err
	})
	return all, err
}

func listMails(ws catalog.WorkspaceID, f mail.Filter) (string, []any) {
	where, args := `workspace_id = ?`, []any{ws}
	if f.Booking != 0 {
		where, args = `booking_id = ? AND +workspace_id = ?`, []any{f.Booking, ws}
	}
	if f.Series != 0 {
		where, args = `booking_id IN (SELECT booking_id FROM series_bookings WHERE workspace_id = ? AND series_id = ?)
			AND +workspace_id = ?`, []any{ws, f.Series, ws}
	}
	if f.After != 0 {
		where, args = where+` AND id < ?`, append(args, f.After)
	}
	return `SELECT ` + mailColumns + ` FROM mails WHERE ` + where + mailStateTerms[f.State] +
		` ORDER BY id DESC LIMIT ?`, append(args, f.Limit)
}

const stuckMails = `SELECT ` + mailColumns + ` FROM mails
	WHERE state = 0 AND due_ms <= ? AND (tries > 0 OR due_ms <= ? AND sending = 0)`

func listStuck(ws catalog.WorkspaceID, due, horizon when.Instant, limit int) (query string, args []any) {
	query, args = stuckMails+` AND `+NoneSilent, []any{horizon, due}
	if ws != 0 {
		query, args = stuckMails+` AND +workspace_id = ?`, append(args, ws)
	}
	return query + ` ORDER BY due_ms, id LIMIT ?`, append(args, limit)
}

func (q queries) StuckMails(ws catalog.WorkspaceID, due, horizon when.Instant, limit int) (all []mail.Mail, err error) {
	query, args := listStuck(ws, due, horizon, limit)
	err = q.Each(query, args, func(scan func(...any) error) error {
		m, err := scanMail(scan)
		all = append(all, m)
		return err
	})
	return all, err
}

// typedSince knows the mark of Facts.Typed by its JSON: within a text its quotation marks would be escaped.
const typedSince = `SELECT COUNT(*) FROM (SELECT id FROM mails WHERE workspace_id = ? AND id >= ? AND kind = 'receipt'
	AND facts LIKE '%"typed":true%' ORDER BY id LIMIT ?) typed`

func (q queries) TypedSince(ws catalog.WorkspaceID, from mail.MailID, most int) (n int, err error) {
	err = q.Scan(typedSince, []any{ws, from, most}, &n)
	return n, err
}

const invitedSince = `SELECT COUNT(*) FROM (SELECT id FROM mails WHERE workspace_id = ? AND id >= ? AND kind = 'member'
	ORDER BY id LIMIT ?) invited`

func (q queries) InvitedSince(ws catalog.WorkspaceID, from mail.MailID, most int) (n int, err error) {
	err = q.Scan(invitedSince, []any{ws, from, most}, &n)
	return n, err
}

// InsertMails needs few statements for many mails, of three lengths, so that they stay prepared.
func (t tx) InsertMails(all ...mail.Mail) error {
	for len(all) > 0 {
		n := 1
		for n < 16 && 4*n <= len(all) {
			n *= 4
		}
		args := make([]any, 0, 8*n)
		for i := range all[:n] {
			m := &all[i]
			t.Show(m)
			facts, err := json.Marshal(m.Facts)
			if err != nil {
				return err
			}
			args = append(args, m.ID, m.WorkspaceID, engine.OrNull(m.BookingID), m.Kind, m.To, string(facts), m.DueAt, m.Until)
		}
		if _, err := t.Exec(insertMails[n], args...); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// insertMails are the statements by how many mails they insert.
var insertMails = func() map[int]string {
	texts := map[int]string{}
	for n := 1; n <= 16; n *= 4 {
		texts[n] = `INSERT INTO mails (id, workspace_id, booking_id, kind, recipient, facts, due_ms, until_ms) VALUES ` +
			strings.Repeat(`(?, ?, ?, ?, ?, ?, ?, ?), `, n-1) + `(?, ?, ?, ?, ?, ?, ?, ?)`
	}
	return texts
}()

func (t tx) DropReminders(id booking.BookingID, why string, now when.Instant) error {
	_, err := t.Exec(`UPDATE mails SET state = 3, answer = ?, settled_ms = ? WHERE booking_id = ? AND kind = 'reminder'
		AND +state = 0 AND sending = 0`, why, now, id)
	return err
}

func (t tx) ClaimMails(by work.Share, ws catalog.WorkspaceID, now, lease when.Instant,
	limit int) (mails []mail.Mail, err error) {
	query, whose := claimMails(by.Buckets, ws)
	args := slices.Concat([]any{by.Server, lease, now}, whose, []any{limit})
	err = t.Each(query, args, func(scan func(...any) error) error {
		m, err := scanMail(scan)
		mails = append(mails, m)
		return err
	})
	slices.SortFunc(mails, func(a, b mail.Mail) int { return int(min(1, max(-1, a.ID-b.ID))) })
	return mails, err
}

func claimMails(of work.Buckets, ws catalog.WorkspaceID) (query string, args []any) {
	whose, args := `+workspace_id = ? AND `+NoneSilent, []any{ws}
	if ws == 0 {
		var mine string
		mine, args = In(of, `workspace_id`)
		whose = NoneSilent + mine + ` AND +workspace_id NOT IN (SELECT workspace_id FROM mail_servers)`
	}
	return `UPDATE mails SET sending = ?, due_ms = ?
		WHERE id IN (SELECT id FROM mails WHERE state = 0 AND due_ms <= ? AND ` + whose + ` ORDER BY due_ms, id
		LIMIT ? /* claim mails */) RETURNING ` + mailColumns, args
}

func (t tx) ClaimMail(server int64, id mail.MailID, now, lease when.Instant) (mail.Mail, bool, error) {
	m, err := scanMail(t.One(`UPDATE mails SET sending = ?, due_ms = ? WHERE id = ? AND state = 0 AND (sending = 0
		OR due_ms <= ?) AND `+NoneSilent+` RETURNING `+mailColumns, server, lease, id, now))
	if errors.Is(err, fault.ErrNotFound) {
		return m, false, nil
	}
	return m, err == nil, err
}

func (t tx) SettleMail(o *mail.Outcome, now when.Instant) (bool, error) {
	if o.Released {
		return mailQueue.release(t, o.ID, o.Lease, o.Next)
	}
	settled, due, tried := any(now), o.Lease, 1
	switch o.State {
	case mail.Waiting:
		settled, due = nil, o.Next
	case mail.Dropped:
		tried = 0
	}
	var told any
	if o.Told != nil {
		facts, err := json.Marshal(o.Told)
		if err != nil {
			return false, err
		}
		told = string(facts)
	}
	n, err := t.Exec(`UPDATE mails SET state = ?, sending = 0, due_ms = ?, tries = tries + ?, attempts = attempts + ?,
		answer = ?, settled_ms = ?, facts = COALESCE(CAST(? AS TEXT), facts) WHERE `+mailQueue.held(),
		slices.Index(mail.States, o.State), due, tried, tried, engine.OrNull(o.Answer), settled, told, o.ID, o.Lease)
	return n == 1, err
}

func (t tx) RequeueMail(m *mail.Mail, now, until when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE mails
		SET state = 0, sending = 0, tries = 0, resends = resends + 1, due_ms = ?, until_ms = ?, settled_ms = NULL
		WHERE id = ? AND state = ? AND attempts = ? AND (state <> 0 OR sending = 0 OR due_ms <= ?)`, now, until, m.ID,
		slices.Index(mail.States, m.State), m.Attempts, now)
	return n == 1, err
}

func (t tx) ExpireMails(now when.Instant, why string, limit int) (int, error) {
	n, err := t.Exec(`UPDATE mails SET state = 2, sending = 0, answer = COALESCE(answer, ?), settled_ms = ?
		WHERE id IN (SELECT id FROM mails WHERE state = 0 AND due_ms <= ? AND until_ms <= ? AND `+NoneSilent+`
		ORDER BY due_ms LIMIT ?) AND state = 0 AND due_ms <= ?`, why, now, now, now, limit, now)
	return int(n), err
}

func (t tx) PruneMails(before mail.MailID, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE id < ? AND +state <> 0 ORDER BY id
		LIMIT ?) AND +state <> 0`, before, limit)
	return int(n), err
}

// refusedMails asks for so many subscriptions; the types of the first are those of all.
func refusedMails(n int) string {
	return `WITH asked (workspace_id, email_key, topic) AS (VALUES (CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT))` +
		strings.Repeat(`, (?, ?, ?)`, n-1) + `)
		SELECT r.workspace_id, r.email_key, r.topic FROM asked a CROSS JOIN mail_refusals r
		WHERE r.workspace_id = a.workspace_id AND r.email_key = a.email_key AND r.topic = a.topic`
}

func (q queries) RefusedMails(of []mail.Subscription) (refused []mail.Subscription, err error) {
	for some := range engine.Few(of) {
		args := make([]any, 0, 3*len(some))
		for _, s := range some {
			args = append(args, s.Workspace, s.EmailKey, s.Topic)
		}
		err := q.Each(refusedMails(len(some)), args, func(scan func(...any) error) error {
			var s mail.Subscription
			err := scan(&s.Workspace, &s.EmailKey, &s.Topic)
			refused = append(refused, s)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return refused, nil
}

const inviteeEmails = `SELECT id, email FROM bookings WHERE id IN `

func (q queries) InviteeEmails(ids []booking.BookingID) (map[booking.BookingID]string, error) {
	emails := make(map[booking.BookingID]string, len(ids))
	err := engine.EachOf(q, inviteeEmails, ids, func(scan func(...any) error) error {
		var id booking.BookingID
		var email string
		err := scan(&id, &email)
		emails[id] = email
		return err
	})
	return emails, err
}

func (t tx) RefuseMail(ws catalog.WorkspaceID, email string, topic catalog.MailTopic, at when.Instant) error {
	_, err := t.Exec(`INSERT INTO mail_refusals (workspace_id, email_key, topic, created_ms) VALUES (?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, ws, fault.EmailKey(email), topic, at)
	return err
}

func (q queries) MailServer(ws catalog.WorkspaceID) (url string, err error) {
	err = q.Scan(`SELECT url FROM mail_servers WHERE workspace_id = ?`, []any{ws}, &url)
	return url, engine.Found(err)
}

// HasDueMails leaves out the mails that DueMailServers is about.
func (q queries) HasDueMails(of work.Buckets, now when.Instant) (bool, error) {
	return mailQueue.anyDue(q, of, now, ` AND +workspace_id NOT IN (SELECT workspace_id FROM mail_servers)`)
}

func (q queries) DueMailServers(of work.Buckets, now when.Instant) (all []catalog.WorkspaceID, err error) {
	mine, args := In(of, `s.workspace_id`)
	const query = `SELECT workspace_id FROM mail_servers s WHERE EXISTS (SELECT 1 FROM mails m WHERE m.state = 0
		AND m.due_ms <= ? AND +m.workspace_id = s.workspace_id) AND ` + NoneSilent
	err = q.Each(query+mine, append([]any{now}, args...), func(scan func(...any) error) error {
		var id catalog.WorkspaceID
		err := scan(&id)
		all = append(all, id)
		return err
	})
	return all, err
}

func (t tx) SetMailServer(ws catalog.WorkspaceID, url string, at when.Instant) error {
	if url == "" {
		_, err := t.Exec(`DELETE FROM mail_servers WHERE workspace_id = ?`, ws)
		return err
	}
	_, err := t.Exec(`INSERT INTO mail_servers (workspace_id, url, updated_ms) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id) DO UPDATE SET url = excluded.url, updated_ms = excluded.updated_ms`, ws, url, at)
	return err
}

func (q queries) MailCheck(ws catalog.WorkspaceID) (c mail.Check, err error) {
	err = q.Scan(`SELECT hash, sent_to, sent_ms, tries FROM mail_checks WHERE workspace_id = ?`, []any{ws}, &c.Hash, &c.To,
		&c.SentAt, &c.Tries)
	return c, engine.Found(err)
}

func (t tx) SetMailCheck(ws catalog.WorkspaceID, c *mail.Check) error {
	if c == nil {
		_, err := t.Exec(`DELETE FROM mail_checks WHERE workspace_id = ?`, ws)
		return err
	}
	_, err := t.Exec(`INSERT INTO mail_checks (workspace_id, hash, sent_to, sent_ms, tries) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id) DO UPDATE SET hash = excluded.hash, sent_to = excluded.sent_to,
		sent_ms = excluded.sent_ms, tries = excluded.tries`, ws, c.Hash, c.To, c.SentAt, c.Tries)
	return err
}
