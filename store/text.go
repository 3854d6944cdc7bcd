// The SQL of texts to telephones: the queue and its log, senders, numbers and months.

package store

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/text"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// What package text reads and writes is here and in text_consent.go.
var (
	_ text.Reader = queries{}
	_ text.Reader = tx{}
	_ text.Tx     = tx{}
)

const (
	textColumns = `id, workspace_id, booking_id, contact_id, kind, phone, facts, visitor, state, sending, due_ms, until_ms, begun_ms,
	tries, attempts, resends, segments, answer, sender_id, settled_ms`
	// That the state is 0 tells SQLite which index it is.
	dueTexts = `SELECT DISTINCT workspace_id FROM texts WHERE state = 0 AND due_ms <= ? AND ` + NoneSilent
	textKind = `SELECT COUNT(*) FROM texts WHERE workspace_id = ? AND id >= ? AND kind = ?`
	// visitorTexts counts within the newest texts of the number.
	visitorTexts = `SELECT COUNT(*) FROM texts WHERE workspace_id = ? AND phone = ? AND visitor = 1 AND begun_ms > ?`
	laterTexts   = `SELECT ` + textColumns + ` FROM texts WHERE booking_id = ? AND id > ? AND +workspace_id = ?
		AND kind IN ('confirmed', 'moved', 'cancelled') AND state < 4 ORDER BY id LIMIT 100`
	textReach = `SELECT c.tell_by, CASE WHEN CAST(? AS TEXT) = '' THEN c.phone ELSE CAST(? AS TEXT) END,
		COALESCE((SELECT x.state FROM contact_texts x WHERE x.workspace_id = c.workspace_id AND x.contact_id = c.id
			AND x.phone = CASE WHEN CAST(? AS TEXT) = '' THEN c.phone ELSE CAST(? AS TEXT) END), 0),
		COALESCE((SELECT n.stopped_ms FROM text_numbers n WHERE n.workspace_id = c.workspace_id
			AND n.phone = CASE WHEN CAST(? AS TEXT) = '' THEN c.phone ELSE CAST(? AS TEXT) END), 0)
		FROM contacts c WHERE c.id = ? AND c.workspace_id = ?`
	numberStopped = `SELECT COALESCE(stopped_ms, 0) FROM text_numbers WHERE workspace_id = ? AND phone = ?`
	visitsFrom    = `SELECT COUNT(*) FROM text_visits WHERE workspace_id = ? AND source = ? AND at_ms > ?`
	visitsLike    = `SELECT COUNT(*) FROM text_visits WHERE workspace_id = ? AND source = (SELECT v.source FROM text_visits v WHERE v.workspace_id = ?
		AND v.of_id = ? ORDER BY v.at_ms DESC LIMIT 1) AND at_ms > ?`
	textMonth  = `SELECT segments, visitors, told FROM text_months WHERE workspace_id = ? AND month = ?`
	textByLink = `SELECT text_id FROM text_links WHERE hash = ? AND until_ms > ?`
	openCalls  = `SELECT id, workspace_id, booking_id, contact_id, kind, phone, name, start_ms, why FROM text_calls
		WHERE workspace_id = ? AND done_ms IS NULL ORDER BY id LIMIT ?`
)

var textQueue = queue{`texts`, `texts`, `sending`, ` AND state = 0`, ` AND (tries > 0 OR kind <> '` + string(catalog.TextReminder) + `')`, true}

func scanText(scan func(...any) error) (t text.Text, err error) {
	var facts []byte
	var state, visitor int
	var sending int64
	err = scan(&t.ID, &t.WorkspaceID, engine.OrZero(&t.BookingID), engine.OrZero(&t.ContactID), &t.Kind, &t.To, &facts, &visitor, &state,
		&sending, &t.DueAt, &t.Until, engine.OrZero(&t.Begun), &t.Tries, &t.Attempts, &t.Resends, &t.Segments, engine.OrZero(&t.Answer),
		engine.OrZero(&t.SenderID), engine.OrZero(&t.SettledAt))
	if err != nil {
		return t, engine.Found(err)
	}
	t.State, t.Visitor, t.CreatedAt = text.States[state], visitor == 1, when.At(t.ID.MadeAt())
	if sending != 0 {
		t.Lease = t.DueAt
	}
	if t.State != text.Waiting {
		t.DueAt = 0
	}
	return t, json.Unmarshal(facts, &t.Facts)
}

// Text implements text.Reads, as the methods below do.
func (q queries) Text(id text.TextID) (text.Text, error) {
	return scanText(q.One(`SELECT `+textColumns+` FROM texts WHERE id = ?`, id))
}

// textStateTerms hold the state as a literal, for the partial index; the others keep to the log's.
var textStateTerms = map[text.State]string{"": ``, text.Waiting: ` AND +state = 0`, text.Sent: ` AND +state = 1`,
	text.Delivered: ` AND +state = 2`, text.Perhaps: ` AND +state = 3`, text.Failed: ` AND state = 4`, text.Dropped: ` AND +state = 5`}

func (q queries) Texts(ws catalog.WorkspaceID, f text.Filter) ([]text.Text, error) {
	query, args := listTexts(ws, f)
	return engine.List(q, scanText, query, args...)
}

func listTexts(ws catalog.WorkspaceID, f text.Filter) (string, []any) {
	where, args := `workspace_id = ?`, []any{ws}
	switch {
	case f.Booking != 0:
		where, args = `booking_id = ? AND +workspace_id = ?`, []any{f.Booking, ws}
	case f.Series != 0:
		where, args = `booking_id IN (SELECT booking_id FROM series_bookings WHERE workspace_id = ? AND series_id = ?)
			AND +workspace_id = ?`, []any{ws, f.Series, ws}
	case f.Contact != 0:
		where, args = `contact_id = ? AND +workspace_id = ?`, []any{f.Contact, ws}
	case f.Phone != "":
		where, args = `workspace_id = ? AND phone = ?`, []any{ws, f.Phone}
	}
	if f.Kind != "" {
		where, args = where+` AND kind = ?`, append(args, f.Kind)
	}
	if f.After != 0 {
		where, args = where+` AND id < ?`, append(args, f.After)
	}
	return `SELECT ` + textColumns + ` FROM texts WHERE ` + where + textStateTerms[f.State] + ` ORDER BY id DESC LIMIT ?`, append(args, f.Limit)
}

func (q queries) DueTexts(of work.Buckets, now when.Instant) ([]catalog.WorkspaceID, error) {
	mine, args := In(of, `workspace_id`)
	return engine.List(q, func(scan func(...any) error) (ws catalog.WorkspaceID, err error) {
		err = scan(&ws)
		return ws, err
	}, dueTexts+mine, append([]any{now}, args...)...)
}

func (q queries) TextsOfKind(ws catalog.WorkspaceID, k catalog.TextKind, from text.TextID) (n int, err error) {
	err = q.Scan(textKind, []any{ws, from, k}, &n)
	return n, err
}

func (q queries) VisitorTexts(ws catalog.WorkspaceID, phone string, since when.Instant) (n int, err error) {
	err = q.Scan(visitorTexts, []any{ws, phone, since}, &n)
	return n, err
}

func (q queries) LaterTexts(t *text.Text) ([]text.Text, error) {
	return engine.List(q, scanText, laterTexts, t.BookingID, t.ID, t.WorkspaceID)
}

func (q queries) Reach(ws catalog.WorkspaceID, c booking.ContactID, phone string) (r text.Reach, err error) {
	var state int
	var stopped when.Instant
	var by string
	if c == 0 {
		err = q.Scan(numberStopped, []any{ws, phone}, &stopped)
		if r.Phone = phone; errors.Is(engine.Found(err), fault.ErrNotFound) {
			err = nil
		}
	} else {
		err = q.Scan(textReach, []any{phone, phone, phone, phone, phone, phone, c, ws}, &by, &r.Phone, &state, &stopped)
		if errors.Is(engine.Found(err), fault.ErrNotFound) { // deleted meanwhile
			err = nil
		}
	}
	r.TellBy, r.State = contact.TellBy(by), booking.TextsStates[state]
	if stopped != 0 {
		r.State = booking.TextsStopped
	}
	return r, err
}

func (q queries) VisitsLike(ws catalog.WorkspaceID, of int64, since when.Instant) (n int, err error) {
	err = q.Scan(visitsLike, []any{ws, ws, of, since}, &n)
	return n, err
}

func (q queries) VisitsFrom(ws catalog.WorkspaceID, source []byte, since when.Instant) (n int, err error) {
	err = q.Scan(visitsFrom, []any{ws, source, since}, &n)
	return n, err
}

func (q queries) TextSender(ws catalog.WorkspaceID) (sealed string, err error) {
	err = q.Scan(`SELECT sender FROM text_senders WHERE workspace_id = ?`, []any{ws}, &sealed)
	return sealed, engine.Found(err)
}

func (q queries) ListedTextSender(ws catalog.WorkspaceID) (l *text.ListedSender, err error) {
	var listed string
	err = engine.Found(q.Scan(`SELECT listed FROM text_senders WHERE workspace_id = ?`, []any{ws}, engine.OrZero(&listed)))
	if errors.Is(err, fault.ErrNotFound) || err == nil && listed == "" {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(listed), &l)
	}
	return l, err
}

func (q queries) TextMonth(ws catalog.WorkspaceID, month string) (m text.Month, err error) {
	err = engine.Found(q.Scan(textMonth, []any{ws, month}, &m.Segments, &m.Visitors, &m.Told))
	if errors.Is(err, fault.ErrNotFound) {
		err = nil
	}
	return m, err
}

func (q queries) TextByLink(hash []byte, now when.Instant) (t text.Text, err error) {
	var id text.TextID
	if err := engine.Found(q.Scan(textByLink, []any{hash, now}, &id)); err != nil {
		return t, err
	}
	return q.Text(id)
}

func (q queries) Calls(ws catalog.WorkspaceID, limit int) ([]text.Call, error) {
	return engine.List(q, func(scan func(...any) error) (c text.Call, err error) {
		err = scan(&c.ID, &c.WorkspaceID, engine.OrZero(&c.BookingID), engine.OrZero(&c.ContactID), &c.Kind, &c.Phone, &c.Name, &c.Start, &c.Why)
		return c, err
	}, openCalls, ws, limit)
}

// InsertTexts implements text.Writes, as the methods below do.
func (t tx) InsertTexts(all ...text.Text) error {
	for i := range all {
		x := &all[i]
		facts, err := json.Marshal(x.Facts)
		if err != nil {
			return err
		}
		if err := t.Later(`INSERT INTO texts (id, workspace_id, booking_id, contact_id, kind, phone, facts, visitor, due_ms, until_ms)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, x.ID, x.WorkspaceID, engine.OrNull(x.BookingID), engine.OrNull(x.ContactID), x.Kind, x.To,
			string(facts), engine.Bit(x.Visitor), x.DueAt, x.Until); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) DropTextReminders(b booking.BookingID, why string, now when.Instant) error {
	_, err := t.Exec(`UPDATE texts SET state = 5, answer = ?, settled_ms = ? WHERE booking_id = ? AND kind = 'reminder' AND +state = 0
		AND sending = 0 AND begun_ms IS NULL`, why, now, b)
	return err
}

func (t tx) DropTexts(all []text.TextID, why string, now when.Instant) error {
	for _, id := range all {
		if _, err := t.Exec(`UPDATE texts SET state = 5, sending = 0, answer = ?, settled_ms = ? WHERE id = ? AND state = 0 AND begun_ms IS NULL`,
			why, now, id); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) ClaimTexts(by work.Share, ws catalog.WorkspaceID, now, lease when.Instant, limit int) (all []text.Text, err error) {
	all, err = engine.List(t, scanText, `UPDATE texts SET sending = ?, due_ms = ? WHERE id IN (SELECT id FROM texts WHERE state = 0
		AND due_ms <= ? AND +workspace_id = ? AND `+NoneSilent+` ORDER BY due_ms, id LIMIT ? /* claim texts */) RETURNING `+textColumns,
		by.Server, lease, now, ws, limit)
	slices.SortFunc(all, func(a, b text.Text) int { return int(min(1, max(-1, a.ID-b.ID))) })
	return all, err
}

func (t tx) TextHeld(x *text.Text) (held bool, err error) {
	err = t.Scan(`SELECT EXISTS (SELECT 1 FROM texts WHERE `+textQueue.held()+`)`, []any{x.ID, x.Lease}, &held)
	return held, err
}

func (t tx) BeginText(x *text.Text, segments int, now when.Instant) error {
	_, err := t.Exec(`UPDATE texts SET begun_ms = ?, segments = ? WHERE `+textQueue.held(), now, segments, x.ID, x.Lease)
	return err
}

func (t tx) CountSegments(ws catalog.WorkspaceID, month string, n int, visitor bool, most, mostVisitors int) (bool, error) {
	visitors := 0
	if visitor {
		visitors = n
	}
	if _, err := t.Exec(`INSERT INTO text_months (workspace_id, month, segments, visitors) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING`,
		ws, month); err != nil {
		return false, err
	}
	changed, err := t.Exec(`UPDATE text_months SET segments = segments + ?, visitors = visitors + ? WHERE workspace_id = ? AND month = ?
		AND segments + ? <= ? AND (visitors + ? <= ? OR CAST(? AS BIGINT) = 0)`, n, visitors, ws, month, n, most, visitors, mostVisitors, visitors)
	return changed == 1, err
}

func (t tx) SetTextMonthTold(ws catalog.WorkspaceID, month string, percent int) error {
	_, err := t.Exec(`UPDATE text_months SET told = ? WHERE workspace_id = ? AND month = ?`, percent, ws, month)
	return err
}

func (t tx) ReturnSegments(x *text.Text, month string) error {
	visitors := 0
	if x.Visitor {
		visitors = x.Segments
	}
	_, err := t.Exec(`UPDATE text_months SET segments = segments - ?, visitors = visitors - ? WHERE workspace_id = ? AND month = ?`,
		x.Segments, visitors, x.WorkspaceID, month)
	return err
}

func (t tx) SettleText(o *text.Outcome, now when.Instant) (bool, error) {
	x := o.Text
	if o.Released {
		if o.Until == 0 {
			return textQueue.release(t, x.ID, x.Lease, o.Next)
		}
		n, err := t.Exec(`UPDATE texts SET sending = 0, due_ms = ?, until_ms = ? WHERE `+textQueue.held(), o.Next, o.Until, x.ID, x.Lease)
		return n == 1, err
	}
	settled, due, tried := any(now), x.Lease, 1
	switch o.State {
	case text.Waiting:
		settled, due = nil, o.Next
	case text.Dropped:
		tried = 0
	}
	var told any
	if o.Told != nil || x.Facts.Asks {
		facts := x.Facts
		if o.Told != nil {
			facts.Told = *o.Told
		}
		all, err := json.Marshal(facts)
		if err != nil {
			return false, err
		}
		told = string(all)
	}
	begun, segments := `begun_ms`, `segments`
	if o.Back {
		begun, segments = `NULL`, `0`
	}
	n, err := t.Exec(`UPDATE texts SET state = ?, sending = 0, due_ms = ?, tries = tries + ?, attempts = attempts + ?, answer = ?,
		settled_ms = ?, sender_id = COALESCE(CAST(? AS TEXT), sender_id), facts = COALESCE(CAST(? AS TEXT), facts), begun_ms = `+begun+`,
		segments = `+segments+` WHERE `+textQueue.held(), slices.Index(text.States, o.State), due, tried, tried, engine.OrNull(o.Answer), settled,
		engine.OrNull(o.SenderID), told, x.ID, x.Lease)
	return n == 1, err
}

func (t tx) ReportText(ws catalog.WorkspaceID, id text.TextID, senderID string, state text.State, why string, now when.Instant) (
	x text.Text, changed bool, err error) {
	find, args := `id = ?`, []any{id}
	if id == 0 {
		find, args = `sender_id = ?`, []any{senderID}
	}
	x, err = scanText(t.One(`SELECT `+textColumns+` FROM texts WHERE workspace_id = ? AND `+find+` ORDER BY id DESC LIMIT 1`, append([]any{ws}, args...)...))
	if err != nil {
		return x, false, err
	}
	n, err := t.Exec(`UPDATE texts SET state = ?, sending = 0, answer = COALESCE(CAST(? AS TEXT), answer), sender_id = COALESCE(sender_id, CAST(? AS TEXT)),
		settled_ms = COALESCE(settled_ms, ?) WHERE id = ? AND workspace_id = ? AND begun_ms IS NOT NULL AND state IN (0, 1, 3)`,
		slices.Index(text.States, state), engine.OrNull(why), engine.OrNull(senderID), now, x.ID, ws)
	x.State = state
	return x, n == 1, err
}

func (t tx) RequeueText(x *text.Text, now, until when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE texts SET state = 0, sending = 0, tries = 0, resends = resends + 1, begun_ms = NULL, segments = 0, sender_id = NULL,
		due_ms = ?, until_ms = ?, settled_ms = NULL WHERE id = ? AND state = ? AND attempts = ? AND (state <> 0 OR sending = 0 OR due_ms <= ?)`,
		now, until, x.ID, slices.Index(text.States, x.State), x.Attempts, now)
	return n == 1, err
}

func (t tx) ExpireTexts(now when.Instant, why string, limit int) (all []text.Text, err error) {
	return engine.List(t, scanText, `UPDATE texts SET state = CASE WHEN begun_ms IS NULL THEN 4 ELSE 3 END, sending = 0,
		answer = COALESCE(answer, CAST(? AS TEXT)), settled_ms = ? WHERE id IN (SELECT id FROM texts WHERE state = 0 AND due_ms <= ? AND until_ms <= ?
		AND `+NoneSilent+` ORDER BY due_ms LIMIT ?) AND state = 0 AND due_ms <= ? RETURNING `+textColumns, why, now, now, now, limit, now)
}

func (t tx) PruneTexts(before text.TextID, now when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM texts WHERE id IN (SELECT id FROM texts WHERE id < ? AND +state <> 0 ORDER BY id LIMIT ?) AND +state <> 0`,
		before, limit)
	if err != nil {
		return 0, err
	}
	m, err := t.Exec(`DELETE FROM text_calls WHERE id IN (SELECT id FROM text_calls WHERE id < ? ORDER BY id LIMIT ?)`, before, limit)
	if err != nil {
		return 0, err
	}
	n = max(n, m)
	for query, until := range map[string]when.Instant{
		`DELETE FROM text_links WHERE (workspace_id, hash) IN (SELECT workspace_id, hash FROM text_links WHERE until_ms <= ? LIMIT ?)`: now,
		`DELETE FROM text_visits WHERE (workspace_id, of_id, at_ms) IN (SELECT workspace_id, of_id, at_ms FROM text_visits
			WHERE at_ms <= ? LIMIT ?)`: now.Add(-time.Hour),
	} {
		m, err := t.Exec(query, until, limit)
		if err != nil {
			return 0, err
		}
		n = max(n, m)
	}
	return int(n), nil
}

func (t tx) NoteVisit(ws catalog.WorkspaceID, of int64, source []byte, at when.Instant) error {
	return t.Later(`INSERT INTO text_visits (workspace_id, of_id, source, at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, ws, of, source, at)
}

func (t tx) SetTextSender(ws catalog.WorkspaceID, sealed string, l *text.ListedSender, at when.Instant) error {
	var err error
	if sealed == "" {
		_, err = t.Exec(`DELETE FROM text_senders WHERE workspace_id = ?`, ws)
	} else {
		listed := ""
		if l != nil {
			text, err := json.Marshal(l)
			if err != nil {
				return err
			}
			listed = string(text)
		}
		_, err = t.Exec(`INSERT INTO text_senders (workspace_id, sender, listed, updated_ms) VALUES (?, ?, ?, ?)
			ON CONFLICT (workspace_id) DO UPDATE SET sender = excluded.sender, listed = excluded.listed, updated_ms = excluded.updated_ms`,
			ws, sealed, engine.OrNull(listed), at)
	}
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE workspaces SET texts = ?, revision = revision + 1 WHERE id = ?`, engine.Bit(sealed != ""), ws)
	return err
}

func (t tx) ResealTextSender(ws catalog.WorkspaceID, sealed string) error {
	_, err := t.Exec(`UPDATE text_senders SET sender = ? WHERE workspace_id = ?`, sealed, ws)
	return err
}

func (t tx) SaveTextLink(ws catalog.WorkspaceID, hash []byte, x text.TextID, until when.Instant) error {
	_, err := t.Exec(`INSERT INTO text_links (workspace_id, hash, text_id, until_ms) VALUES (?, ?, ?, ?)
		ON CONFLICT (workspace_id, hash) DO UPDATE SET until_ms = excluded.until_ms`, ws, hash, x, until)
	return err
}

func (t tx) InsertCall(c *text.Call) error {
	return t.Later(`INSERT INTO text_calls (id, workspace_id, booking_id, contact_id, kind, phone, name, start_ms, why)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, c.ID, c.WorkspaceID, engine.OrNull(c.BookingID), engine.OrNull(c.ContactID), c.Kind, c.Phone,
		c.Name, c.Start, c.Why)
}

func (t tx) CallDone(ws catalog.WorkspaceID, id text.CallID, by string, now when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE text_calls SET done_ms = ?, done_by = ? WHERE id = ? AND workspace_id = ? AND done_ms IS NULL`, now, by, id, ws)
	return n == 1, err
}

// eraseTexts deletes what was sent to a contact and what they wrote, and what is known of their number, unless it has sent
// STOP: then nothing but that is kept, so that it still holds.
func (t tx) eraseTexts(c *booking.Contact) error {
	for _, query := range []string{
		`DELETE FROM text_links WHERE workspace_id = ? AND text_id IN (SELECT id FROM texts WHERE contact_id = ?)`,
		`DELETE FROM texts WHERE workspace_id = ? AND contact_id = ?`, `DELETE FROM text_messages WHERE workspace_id = ? AND contact_id = ?`,
		`DELETE FROM text_calls WHERE workspace_id = ? AND contact_id = ?`, `DELETE FROM contact_texts WHERE workspace_id = ? AND contact_id = ?`,
	} {
		if _, err := t.Exec(query, c.WorkspaceID, c.ID); err != nil {
			return err
		}
	}
	if c.Phone == "" {
		return nil
	}
	for _, query := range []string{ // of nobody, such as to who has asked to wait
		`DELETE FROM text_links WHERE workspace_id = ? AND text_id IN (SELECT id FROM texts WHERE workspace_id = text_links.workspace_id
			AND phone = ? AND contact_id IS NULL)`,
		`DELETE FROM texts WHERE workspace_id = ? AND phone = ? AND contact_id IS NULL`,
		`DELETE FROM text_calls WHERE workspace_id = ? AND phone = ? AND contact_id IS NULL`,
		`DELETE FROM text_numbers WHERE workspace_id = ? AND phone = ? AND stopped_ms IS NULL`,
	} {
		if _, err := t.Exec(query, c.WorkspaceID, c.Phone); err != nil {
			return err
		}
	}
	return nil
}

// FirstDueText implements health.Reads.
func (q queries) FirstDueText(ws catalog.WorkspaceID) (due when.Instant, err error) {
	query, args := `SELECT COALESCE(MIN(due_ms), 0) FROM texts WHERE state = 0 AND `+NoneSilent, []any(nil)
	if ws != 0 {
		query, args = query+` AND +workspace_id = ?`, []any{ws}
	}
	err = q.Scan(query, args, &due)
	return due, err
}
