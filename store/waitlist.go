// The SQL of the waitlist.

package store

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// What package waitlist reads and writes is here.
var (
	_ waitlist.Reader = queries{}
	_ waitlist.Reader = tx{}
	_ waitlist.Tx     = tx{}
)

const (
	waitColumns = `id, workspace_id, contact_id, email_key, state, details, until_ms, silences, confirmed_ms, ended_ms`
	waitByID    = `SELECT ` + waitColumns + ` FROM waitlist_entries WHERE id = ?`
	waitsOf     = `SELECT COUNT(*) FROM waitlist_entries WHERE workspace_id = ? AND email_key = ?
		AND (state > 0 OR until_ms > CAST(? AS BIGINT))`
	liveWaits = `SELECT COUNT(*) FROM (SELECT id FROM waitlist_entries WHERE workspace_id = ? AND state > 0 AND state < 3 LIMIT ?) live`
	// That the state is less than 3 tells SQLite which index it is.
	overWaits = `SELECT ` + waitColumns + ` FROM waitlist_entries WHERE until_ms <= ? AND state < 2 AND state < 3 AND ` + NoneGone + `
		ORDER BY until_ms LIMIT ?`
	pruneWaits = `DELETE FROM waitlist_entries WHERE id IN (SELECT id FROM waitlist_entries WHERE ended_ms < ? AND state >= 3
		ORDER BY ended_ms LIMIT ?) AND ended_ms < ?`
	contactWaits = `SELECT EXISTS (SELECT 1 FROM waitlist_entries WHERE contact_id = ? AND state < 3 AND until_ms > ?)
		OR EXISTS (SELECT 1 FROM waitlist_entries WHERE workspace_id = ? AND email_key IN (?, ?) AND email_key <> '' AND state < 3 AND until_ms > ?)`
	dropWaits   = `DELETE FROM waitlist_entries WHERE workspace_id = ? AND contact_id = ?`
	dropWaitsOf = `DELETE FROM waitlist_entries WHERE workspace_id = ? AND email_key = ?`
	// Several contacts may have a number: of those who wait by it without an address, each has theirs.
	ofNumber    = ` AND (contact_id IS NULL OR contact_id = ?)`
	moveWaits   = `UPDATE waitlist_entries SET contact_id = ? WHERE contact_id = ? AND +workspace_id = ?`
	moveWaitsOf = `UPDATE waitlist_entries SET contact_id = ? WHERE workspace_id = ? AND email_key = ?`
	keepWaits   = `UPDATE workspaces SET waits = 1 - waits, holds = 1, revision = revision + 1 WHERE id = ? AND waits <>
		CASE WHEN EXISTS (SELECT 1 FROM waitlist_entries e WHERE e.workspace_id = workspaces.id AND e.state > 0 AND e.state < 3) THEN 1 ELSE 0 END`
)

// storedWait is what the column details has.
type storedWait struct {
	EndedBy waitlist.EndedBy   `json:"endedBy,omitempty"`
	Items   []waitlist.Item    `json:"items"`
	Order   booking.VisitOrder `json:"order,omitempty"`
	Wishes  []waitlist.Wish    `json:"wishes"`
	Seats   int                `json:"seats,omitempty"`
	Until   string             `json:"until"`
	Ends    when.Instant       `json:"ends"`
	Invitee booking.Invitee    `json:"invitee"`
	Made    when.Instant       `json:"made"`
	Offer   *waitlist.Offer    `json:"offer,omitempty"`
	Hold    booking.HoldID     `json:"hold,omitzero"` // of the offer
	Job     booking.WaitJobID  `json:"job,omitzero"`  // likewise
	Refused []when.Instant     `json:"refused,omitempty"`
	Told    []waitlist.Opening `json:"told,omitempty"`
	Agreed  string             `json:"agreed,omitempty"`
	Booking booking.BookingID  `json:"booking,omitzero"`
	Visit   booking.VisitID    `json:"visit,omitzero"`
}

func scanWait(scan func(...any) error) (e waitlist.Entry, err error) {
	var details []byte
	var key string
	var until when.Instant
	err = scan(&e.ID, &e.WorkspaceID, engine.OrZero(&e.Contact), &key, &e.Status, &details, &until, &e.Silences,
		engine.OrZero(&e.ConfirmedAt), engine.OrZero(&e.EndedAt))
	if err != nil {
		return e, engine.Found(err)
	}
	var s storedWait
	err = json.Unmarshal(details, &s)
	e.EndedBy, e.Items, e.Order, e.Wishes, e.Seats, e.Until, e.EndsAt = s.EndedBy, s.Items, s.Order, s.Wishes, s.Seats, s.Until, s.Ends
	e.Invitee, e.BookingID, e.VisitID, e.Refused, e.Told = s.Invitee, s.Booking, s.Visit, s.Refused, s.Told
	if e.Offer = s.Offer; e.Offer != nil {
		e.Offer.Hold, e.Offer.Job = s.Hold, s.Job
	}
	e.CreatedAt, e.Agreed = s.Made, s.Agreed
	return e, err
}

func storedWaitOf(e *waitlist.Entry) (string, error) {
	s := storedWait{EndedBy: e.EndedBy, Items: e.Items, Order: e.Order, Wishes: e.Wishes, Seats: e.Seats, Until: e.Until, Ends: e.EndsAt,
		Invitee: e.Invitee, Made: e.CreatedAt, Offer: e.Offer, Refused: e.Refused, Told: e.Told, Booking: e.BookingID, Visit: e.VisitID,
		Agreed: e.Agreed}
	if e.Offer != nil {
		s.Hold, s.Job = e.Offer.Hold, e.Offer.Job
	}
	text, err := json.Marshal(s)
	return string(text), err
}

// WaitEntry implements waitlist.Reads, as the methods below do.
func (q queries) WaitEntry(ws catalog.WorkspaceID, id booking.WaitID) (waitlist.Entry, error) {
	if ws == 0 {
		return scanWait(q.One(waitByID, id))
	}
	return scanWait(q.One(waitByID+` AND workspace_id = ?`, id, ws))
}

func (q queries) WaitEntries(ws catalog.WorkspaceID, f waitlist.Filter) ([]waitlist.Entry, error) {
	query, args := listWaits(ws, f)
	return engine.List(q, scanWait, query, args...)
}

func listWaits(ws catalog.WorkspaceID, f waitlist.Filter) (query string, args []any) {
	query, args = `SELECT `+waitColumns+` FROM waitlist_entries WHERE workspace_id = ?`, []any{ws}
	if len(f.States) > 0 {
		query += ` AND state IN ` + engine.Placeholders(len(f.States))
		for _, s := range f.States {
			args = append(args, int(s))
		}
	}
	var whose []string
	if f.Contact != 0 {
		whose, args = append(whose, `contact_id = ?`), append(args, f.Contact)
	}
	if len(f.Persons) > 0 {
		whose = append(whose, `email_key IN `+engine.Placeholders(len(f.Persons)))
		for _, person := range f.Persons {
			args = append(args, person)
		}
	}
	if len(whose) > 0 {
		query += ` AND (` + strings.Join(whose, ` OR `) + `)`
	}
	if f.Before != 0 {
		query, args = query+` AND id < ?`, append(args, f.Before)
	}
	return query + ` ORDER BY id DESC LIMIT ?`, append(args, f.Limit)
}

func (q queries) WaitsOf(ws catalog.WorkspaceID, person string, now when.Instant, of ...waitlist.State) (n int, err error) {
	args := []any{ws, person, now}
	for _, s := range of {
		args = append(args, int(s))
	}
	err = q.Scan(waitsOf+` AND state IN `+engine.Placeholders(len(of)), args, &n)
	return n, err
}

func (q queries) LiveWaits(ws catalog.WorkspaceID, most int) (n int, err error) {
	err = q.Scan(liveWaits, []any{ws, most}, &n)
	return n, err
}

func (q queries) OverWaits(now when.Instant, limit int) ([]waitlist.Entry, error) {
	return engine.List(q, scanWait, overWaits, now, limit)
}

// InsertWaitEntry implements waitlist.Tx, as the methods below do.
func (t tx) InsertWaitEntry(e *waitlist.Entry) error {
	details, err := storedWaitOf(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO waitlist_entries (id, workspace_id, contact_id, email_key, state, details, until_ms, silences, confirmed_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.ID, e.WorkspaceID, engine.OrNull(e.Contact), e.Person(), int(e.Status), details,
		e.OverAt(), e.Silences, engine.OrNull(e.ConfirmedAt))
	if err != nil {
		return err
	}
	return t.keepWaits(e.WorkspaceID)
}

func (t tx) UpdateWaitEntry(e *waitlist.Entry) error {
	details, err := storedWaitOf(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE waitlist_entries SET state = ?, details = ?, until_ms = ?, silences = ?, confirmed_ms = ?, ended_ms = ?
		WHERE id = ? AND workspace_id = ?`, int(e.Status), details, e.OverAt(), e.Silences,
		engine.OrNull(e.ConfirmedAt), engine.OrNull(e.EndedAt), e.ID, e.WorkspaceID)
	if err != nil {
		return err
	}
	return t.keepWaits(e.WorkspaceID)
}

// keepWaits sets catalog.Workspace.Waits by who waits now. The workspace is locked.
func (t tx) keepWaits(ws catalog.WorkspaceID) error {
	_, err := t.Exec(keepWaits, ws)
	return err
}

func (t tx) DeleteWaitEntry(ws catalog.WorkspaceID, id booking.WaitID) error {
	_, err := t.Exec(`DELETE FROM waitlist_entries WHERE id = ? AND workspace_id = ? AND state = 0`, id, ws)
	return err
}

func (t tx) PruneWaits(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(pruneWaits, before, limit, before)
	return int(n), err
}

func (t tx) SetWaitContact(ws catalog.WorkspaceID, id booking.WaitID, c booking.ContactID) error {
	_, err := t.Exec(`UPDATE waitlist_entries SET contact_id = ? WHERE id = ? AND workspace_id = ?`, engine.OrNull(c), id, ws)
	return err
}

// ContactWaits implements privacy.Reads.
func (q queries) ContactWaits(c *booking.Contact, now when.Instant) (waits bool, err error) {
	err = q.Scan(contactWaits, []any{c.ID, now, c.WorkspaceID, fault.EmailKey(c.Email), c.Phone, now}, &waits)
	return waits, err
}

// MergeWaits implements contact.Tx.
func (t tx) MergeWaits(from *booking.Contact, into booking.ContactID) error {
	if _, err := t.Exec(moveWaits, into, from.ID, from.WorkspaceID); err != nil {
		return err
	}
	if from.Email != "" {
		if _, err := t.Exec(moveWaitsOf, into, from.WorkspaceID, fault.EmailKey(from.Email)); err != nil {
			return err
		}
	}
	if from.Phone == "" {
		return nil
	}
	_, err := t.Exec(moveWaitsOf+ofNumber, into, from.WorkspaceID, from.Phone, from.ID)
	return err
}

// OffersOf implements contact.Tx.
func (t tx) OffersOf(ws catalog.WorkspaceID, c booking.ContactID) ([]booking.WaitID, error) {
	all, err := t.WaitEntries(ws, waitlist.Filter{States: []waitlist.State{waitlist.Offered}, Contact: c, Limit: app.Every})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b waitlist.Entry) int {
		return cmp.Or(cmp.Compare(a.Offer.Until, b.Offer.Until), cmp.Compare(a.Offer.Job, b.Offer.Job))
	})
	var offers []booking.WaitID
	for i := range all {
		if !all[i].Taken() {
			offers = append(offers, all[i].ID)
		}
	}
	return offers, nil
}

// eraseWaits deletes the entries of a contact, those of its address, and those of its number that are nobody else's. What they
// were offered is offered to who comes next. The workspace is locked.
func (t tx) eraseWaits(of *booking.Contact) error {
	ws, c, email := of.WorkspaceID, of.ID, fault.EmailKey(of.Email)
	f := waitlist.Filter{States: []waitlist.State{waitlist.Offered}, Contact: c, Limit: app.Every}
	for _, person := range []string{email, of.Phone} {
		if person != "" {
			f.Persons = append(f.Persons, person)
		}
	}
	offered, err := t.WaitEntries(ws, f)
	if err != nil {
		return err
	}
	for i := range offered {
		if e := &offered[i]; e.Person() == of.Phone && e.Contact != 0 && e.Contact != c {
			continue
		}
		if err := t.EndHeldFor(ws, offered[i].ID.String(), 0); err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE waitlist_queue SET due_ms = 0 WHERE id = ? AND workspace_id = ?`, offered[i].Offer.Job, ws); err != nil {
			return err
		}
	}
	if _, err := t.Exec(dropWaits, ws, c); err != nil {
		return err
	}
	if email != "" {
		if _, err := t.Exec(dropWaitsOf, ws, email); err != nil {
			return err
		}
	}
	if of.Phone != "" {
		if _, err := t.Exec(dropWaitsOf+ofNumber, ws, of.Phone, c); err != nil {
			return err
		}
	}
	return t.keepWaits(ws)
}

const (
	waitJobColumns = `id, workspace_id, kind, booking_id, host_id, start_ms, end_ms, hold_id, details, due_ms`
	letGoBy        = `SELECT ` + waitJobColumns + ` FROM waitlist_queue WHERE workspace_id = ? AND booking_id = ? AND kind = 0
		AND start_ms < ? AND end_ms > ? ORDER BY id LIMIT 100`
	waitHoldsOfHost = `SELECT maker, id, waits FROM holds WHERE host_id = ? AND busy_start_ms < ? AND busy_end_ms > ? AND expires_ms > ?
		AND waits IS NOT NULL`
	waitHoldsOfSpans = `SELECT h.maker, h.id, h.waits FROM hold_spans s JOIN holds h ON h.id = s.hold_id WHERE s.kind = ? AND s.subject_id = ?
		AND s.busy_start_ms < ? AND s.busy_end_ms > ? AND s.expires_ms > ? AND s.waits IS NOT NULL`
	endHeldFor  = `DELETE FROM holds WHERE workspace_id = ? AND expires_ms > ? AND maker = ? AND waits IS NOT NULL`
	lapsedHolds = `SELECT ` + holdColumns + ` FROM holds WHERE expires_ms <= ? AND waits IS NULL AND
		workspace_id IN (SELECT id FROM workspaces WHERE waits = 1 AND gone_ms IS NULL) ORDER BY expires_ms LIMIT ?`
)

// letting is what a transaction has let go so far.
type letting struct{ all []*app.Freed }

// Let implements app.WaitKeeper, as the methods below do.
func (t tx) Let(f *app.Freed) { t.let.all = append(t.let.all, f) }

func (t tx) LetGo() []*app.Freed { return t.let.all }

func (t tx) InsertWaitJob(j *app.WaitJob) error {
	details, err := json.Marshal(&j.WaitState)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO waitlist_queue (`+waitJobColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, j.ID, j.Workspace, int(j.Kind),
		engine.OrNull(j.Booking), engine.OrNull(j.Host), j.Start, j.End, engine.OrNull(j.Hold), string(details), j.Due)
	return err
}

func (t tx) TakeBack(ws catalog.WorkspaceID, b booking.BookingID, hosts []catalog.HostID, from, to, now when.Instant) (again []app.WaitJob, err error) {
	all, err := engine.List(t, scanWaitJob, letGoBy, ws, b, to, from)
	if err != nil {
		return nil, err
	}
	for i := range all {
		j := &all[i]
		if j.Entry != 0 || !slices.Contains(hosts, j.Host) { // it is offered, or stays free
			continue
		}
		if j.Hold != 0 {
			if _, err := t.DropHold(ws, j.Hold); err != nil {
				return nil, err
			}
		}
		if err := t.DeleteWaitJob(ws, j.ID); err != nil {
			return nil, err
		}
		again = append(again, *j)
	}
	return again, nil
}

func (t tx) EndWaitHolds(b *booking.Booking, now when.Instant) (entries []booking.WaitID, err error) {
	var ids []int64
	var makers []string
	meeting := func(query string, args ...any) error {
		return t.Each(query, args, func(scan func(...any) error) error {
			var maker string
			var id int64
			var held booking.HeldFor
			err := scan(&maker, &id, &held)
			if held == booking.HeldForHouse {
				ids = append(ids, id)
			} else if !slices.Contains(makers, maker) {
				makers = append(makers, maker)
			}
			return err
		})
	}
	for _, w := range b.Works() {
		if err := meeting(waitHoldsOfHost, b.Host.ID, w.Occupied.End, w.Occupied.Start, now); err != nil {
			return nil, err
		}
		if err := meeting(waitHoldsOfSpans, catalog.SubjectHost, b.Host.ID, w.Occupied.End, w.Occupied.Start, now); err != nil {
			return nil, err
		}
	}
	err = eachSpan(b.Host.ID, &b.Taken, func(of catalog.Subject, w slot.Work) error {
		if of.Kind == catalog.SubjectHost {
			if err := meeting(waitHoldsOfHost, of.ID, w.Occupied.End, w.Occupied.Start, now); err != nil {
				return err
			}
		}
		return meeting(waitHoldsOfSpans, of.Kind, of.ID, w.Occupied.End, w.Occupied.Start, now)
	})
	if err != nil {
		return nil, err
	}
	for _, held := range ids {
		if _, err := t.Exec(`DELETE FROM holds WHERE id = ? AND workspace_id = ?`, held, b.WorkspaceID); err != nil {
			return nil, err
		}
	}
	for _, maker := range makers {
		if err := t.EndHeldFor(b.WorkspaceID, maker, now); err != nil {
			return nil, err
		}
		entry, err := id.Parse[booking.WaitIDKind](maker)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func (t tx) EndHeldFor(ws catalog.WorkspaceID, maker string, now when.Instant) error {
	_, err := t.Exec(endHeldFor, ws, now, maker)
	return err
}

func (t tx) DropHold(ws catalog.WorkspaceID, id booking.HoldID) (bool, error) {
	n, err := t.Exec(`DELETE FROM holds WHERE id = ? AND workspace_id = ?`, id, ws)
	return n == 1, err
}

// LapsedHolds implements app.Reader.
func (q queries) LapsedHolds(now when.Instant, limit int) ([]app.Hold, error) {
	return engine.List(q, scanHold, lapsedHolds, now, limit)
}

const (
	waitJob    = `SELECT ` + waitJobColumns + ` FROM waitlist_queue WHERE id = ? AND workspace_id = ?`
	freedTimes = `SELECT ` + waitJobColumns + ` FROM waitlist_queue WHERE workspace_id = ? AND kind = 0 ORDER BY start_ms, id LIMIT ?`
	waiters    = `SELECT ` + waitColumns + ` FROM waitlist_entries WHERE workspace_id = ? AND state > 0 AND state < 3 ORDER BY confirmed_ms, id LIMIT ?`
)

func scanWaitJob(scan func(...any) error) (j app.WaitJob, err error) {
	var details []byte
	err = scan(&j.ID, &j.Workspace, &j.Kind, engine.OrZero(&j.Booking), engine.OrZero(&j.Host), &j.Start, &j.End, engine.OrZero(&j.Hold), &details, &j.Due)
	if err != nil {
		return j, engine.Found(err)
	}
	return j, json.Unmarshal(details, &j.WaitState)
}

// WaitJob implements waitlist.Reads, as the methods below do.
func (q queries) WaitJob(ws catalog.WorkspaceID, id booking.WaitJobID) (app.WaitJob, error) {
	return scanWaitJob(q.One(waitJob, id, ws))
}

func (q queries) FreedTimes(ws catalog.WorkspaceID, limit int) ([]app.WaitJob, error) {
	return engine.List(q, scanWaitJob, freedTimes, ws, limit)
}

func (q queries) Waiters(ws catalog.WorkspaceID, limit int) ([]waitlist.Entry, error) {
	return engine.List(q, scanWait, waiters, ws, limit)
}

func dueWaitJobs(of work.Buckets, now when.Instant, limit int) (query string, args []any) {
	mine, more := In(of, `workspace_id`)
	return `SELECT ` + waitJobColumns + ` FROM waitlist_queue WHERE due_ms <= ? AND kind < 3 AND ` + NoneSilent + mine + ` ORDER BY due_ms, id LIMIT ?`,
		append(append([]any{now}, more...), limit)
}

func (q queries) DueWaitJobs(of work.Buckets, now when.Instant, limit int) ([]app.WaitJob, error) {
	query, args := dueWaitJobs(of, now, limit)
	return engine.List(q, scanWaitJob, query, args...)
}

// hourMS is waitlist.HoursAgain: so long before they are due hours were looked at.
var hourMS = strconv.FormatInt(waitlist.HoursAgain.Milliseconds(), 10)

func hoursToLook(of work.Buckets, now when.Instant, limit int) (query string, args []any) {
	mine, more := In(of, `w.id`)
	return `SELECT w.id, w.revision, COALESCE(j.id, 0) FROM workspaces w LEFT JOIN waitlist_queue j ON j.workspace_id = w.id AND j.kind = 3
		WHERE w.waits = 1 AND w.gone_ms IS NULL AND w.suspended_ms IS NULL AND (j.id IS NULL OR j.start_ms <> w.revision OR j.due_ms <= ?
		OR EXISTS (SELECT 1 FROM waitlist_entries e WHERE e.workspace_id = w.id AND e.state > 0 AND e.state < 3 AND e.confirmed_ms > j.due_ms - ` + hourMS + `))` + mine + ` LIMIT ?`,
		append(append([]any{now}, more...), limit)
}

func (q queries) HoursToLook(of work.Buckets, now when.Instant, limit int) ([]waitlist.HoursLook, error) {
	query, args := hoursToLook(of, now, limit)
	return engine.List(q, func(scan func(...any) error) (l waitlist.HoursLook, err error) {
		err = scan(&l.Workspace, &l.Revision, &l.Job)
		return l, err
	}, query, args...)
}

// UpdateWaitJob implements waitlist.Tx, as the methods below do.
func (t tx) UpdateWaitJob(j *app.WaitJob) error {
	details, err := json.Marshal(&j.WaitState)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE waitlist_queue SET host_id = ?, start_ms = ?, end_ms = ?, hold_id = ?, details = ?, due_ms = ? WHERE id = ? AND workspace_id = ?`,
		engine.OrNull(j.Host), j.Start, j.End, engine.OrNull(j.Hold), string(details), j.Due, j.ID, j.Workspace)
	return err
}

func (t tx) DeleteWaitJob(ws catalog.WorkspaceID, id booking.WaitJobID) error {
	_, err := t.Exec(`DELETE FROM waitlist_queue WHERE id = ? AND workspace_id = ?`, id, ws)
	return err
}

func (t tx) HastenWaits(now when.Instant, byMS int64) error {
	_, err := t.Exec(`UPDATE waitlist_queue SET due_ms = CASE WHEN due_ms > ? THEN due_ms - ? ELSE ? END WHERE due_ms > ?`,
		now+when.Instant(byMS), byMS, now, now)
	return err
}
