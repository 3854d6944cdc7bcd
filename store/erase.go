package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/store/engine"
)

// The stages of an erasure, in their order.
const (
	eraseBookings = iota
	eraseAnswers
	eraseMails
)

type erasure struct {
	contact   booking.ContactID
	workspace catalog.WorkspaceID
	addresses []string
	stage     int
	afterID   int64
	afterText string
}

// Anonymise leaves the row of the contact, without anything in it, for its bookings to refer to.
func (t tx) Anonymise(c *booking.Contact) error {
	addresses, err := json.Marshal([]string{addressOf(c.Email, c.Phone)})
	if err != nil {
		return err
	}
	if _, err := t.Exec(`INSERT INTO erasures (contact_id, workspace_id, addresses) VALUES (?, ?, ?)`, c.ID, c.WorkspaceID,
		string(addresses)); err != nil {
		return err
	}
	if _, err := t.Exec(`DELETE FROM contact_terms WHERE contact_id = ?`, c.ID); err != nil {
		return err
	}
	if _, err := t.Exec(forgetImported, c.WorkspaceID, c.ID); err != nil {
		return err
	}
	for _, query := range []string{dropTags, dropFields, dropHealth, dropConsents} {
		if _, err := t.Exec(query, c.WorkspaceID, c.ID); err != nil {
			return err
		}
	}
	if err := t.eraseWaits(c); err != nil {
		return err
	}
	if err := t.eraseOwn(c.WorkspaceID, c.ID); err != nil {
		return err
	}
	if err := t.eraseTexts(c); err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE contacts SET email_key = 'deleted:' || id, email = '', name = '', phone = '', time_zone = '', notes = '',
		foreign_id = NULL, birthday = '', tell_by = '' WHERE id = ?`, c.ID)
	return err
}

const (
	dropHealth   = `DELETE FROM contact_health WHERE workspace_id = ? AND contact_id = ?`
	dropConsents = `DELETE FROM contact_consents WHERE workspace_id = ? AND contact_id = ?`
)

const (
	eraseEntries = `DELETE FROM contact_entries WHERE workspace_id = ? AND id IN
		(SELECT id FROM contact_entries WHERE workspace_id = ? AND contact_id = ? LIMIT ?)`
	eraseFiles = `DELETE FROM contact_files WHERE workspace_id = ? AND id IN
		(SELECT id FROM contact_files WHERE workspace_id = ? AND contact_id = ? LIMIT ?)`
)

// eraseCard deletes entries and files of the contact, which nobody finds any more, takes it out of its sales, and reports whether
// there were some.
func (t tx) eraseCard(e *erasure, limit int) (some bool, err error) {
	n, err := t.Exec(eraseEntries, e.workspace, e.workspace, e.contact, limit)
	if err != nil || n > 0 {
		return true, err
	}
	n, err = t.Exec(eraseFiles, e.workspace, e.workspace, e.contact, limit/largeRows+1)
	if err != nil || n > 0 {
		return true, err
	}
	return t.eraseSales(e.workspace, e.contact, limit)
}

// largeRows is how many times as much as a usual row one of pictures and files has.
const largeRows = 20

// addressOf is by what a person is found in answers and mails: the e-mail address, or else the telephone number.
func addressOf(email, phone string) string {
	if email == "" {
		return phone
	}
	return fault.EmailKey(email)
}

// nextErasure begins with those whose bookings still have the name.
const nextErasure = `SELECT contact_id, workspace_id, addresses, stage, after_id, after_text FROM erasures
	ORDER BY workspace_id, stage, contact_id LIMIT 1`

const (
	folded = 100 // erasures that go through answers and mails together
	// lookAt is how many more mails are looked at than rows are changed: few of them are to a contact.
	lookAt = 20
)

// foldErasures adds others that are as far to e, so that the answers and mails of a workspace are read once for all.
func (t tx) foldErasures(e *erasure) error {
	var gone []any
	err := t.Each(`SELECT contact_id, addresses FROM erasures WHERE workspace_id = ? AND stage = ? AND contact_id <> ?
		LIMIT ?`, []any{e.workspace, e.stage, e.contact, folded - 1}, func(scan func(...any) error) error {
		var contact booking.ContactID
		var text []byte
		var addresses []string
		if err := scan(&contact, &text); err != nil {
			return err
		}
		gone = append(gone, contact)
		err := json.Unmarshal(text, &addresses)
		e.addresses = append(e.addresses, addresses...)
		return err
	})
	for i := 0; err == nil && i < len(gone); i++ {
		_, err = t.Exec(`DELETE FROM erasures WHERE contact_id = ? AND workspace_id = ?`, gone[i], e.workspace)
	}
	return err
}

// SweepErasure goes on with an erasure that Anonymise began.
func (t tx) SweepErasure(limit int) (more bool, err error) {
	var e erasure
	var addresses []byte
	err = t.Scan(nextErasure, nil, &e.contact, &e.workspace, &addresses, &e.stage, &e.afterID, &e.afterText)
	if engine.Found(err) == fault.ErrNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(addresses, &e.addresses); err != nil {
		return false, err
	}
	if e.stage == eraseAnswers && e.afterID == 0 && e.afterText == "" {
		if err := t.foldErasures(&e); err != nil {
			return false, err
		}
	}
	if e.stage == eraseBookings {
		if some, err := t.eraseCard(&e, limit); some || err != nil {
			return some, err
		}
	}
	var done bool
	switch e.stage {
	case eraseBookings:
		done, err = t.eraseBookings(&e, limit)
	case eraseAnswers:
		done, err = t.eraseAnswers(&e, limit)
	default:
		done, err = t.eraseMails(&e, limit)
	}
	if err != nil {
		return false, err
	}
	if done && e.stage == eraseMails {
		_, err := t.Exec(`DELETE FROM erasures WHERE contact_id = ?`, e.contact)
		return true, err
	}
	if done {
		e.stage, e.afterID, e.afterText = e.stage+1, 0, ""
	}
	if addresses, err = json.Marshal(e.addresses); err != nil {
		return false, err
	}
	_, err = t.Exec(`UPDATE erasures SET addresses = ?, stage = ?, after_id = ?, after_text = ? WHERE contact_id = ?`,
		string(addresses), e.stage, e.afterID, e.afterText, e.contact)
	return true, err
}

const bookingsToErase = `SELECT id, host_id, email, COALESCE(details, '') FROM bookings WHERE id IN
	(SELECT id FROM bookings WHERE contact_id = ? AND +id > ? ORDER BY +id LIMIT ?) ORDER BY id`

func (t tx) eraseBookings(e *erasure, limit int) (done bool, err error) {
	var bookings []booking.BookingID
	var hosts []catalog.HostID
	err = t.Each(bookingsToErase, []any{e.contact, e.afterID, limit}, func(scan func(...any) error) error {
		var id booking.BookingID
		var host catalog.HostID
		var email, text string
		var d details
		err := scan(&id, &host, &email, &text)
		if err == nil && email == "" && text != "" {
			err = json.Unmarshal([]byte(text), &d)
		}
		bookings = append(bookings, id)
		if !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
		key := addressOf(email, d.Phone) // a merged contact booked with others too
		if key != "" && !slices.Contains(e.addresses, key) {
			e.addresses = append(e.addresses, key)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	// Whoever changes a booking holds its host: behind these locks each is read again, so that neither writes what the
	// other has changed meanwhile. A workspace that is gone has nobody who changes anything.
	if _, err := t.LockHosts(e.workspace, hosts...); err != nil && !errors.Is(err, fault.ErrNotFound) {
		return false, err
	}
	for _, id := range bookings {
		if err := t.anonymiseBooking(id); err != nil {
			return false, err
		}
		e.afterID = int64(id)
	}
	return len(bookings) < limit, nil
}

// eraseAnswers goes from key to key, and through the answers of each.
func (t tx) eraseAnswers(e *erasure, limit int) (done bool, err error) {
	var keys, key int64
	err = t.Scan(`SELECT COUNT(id), COALESCE(MIN(id), 0) FROM api_keys WHERE workspace_id = ? AND id >= ?`,
		[]any{e.workspace, e.afterID}, &keys, &key)
	if err != nil || keys == 0 {
		return true, err
	}
	if key != e.afterID {
		e.afterID, e.afterText = key, ""
	}
	read, naming, others := 0, []string{}, []answered{}
	const query = `SELECT idempotency_key, body FROM answers
		WHERE /* apart workspace_id = */ ? > 0 AND key_id = ? AND idempotency_key > ? ORDER BY idempotency_key LIMIT ?`
	err = t.Each(query, []any{e.workspace, key, e.afterText, limit}, func(scan func(...any) error) error {
		var body []byte
		if err := scan(&e.afterText, &body); err != nil {
			return err
		}
		read++
		text := strings.ToLower(string(body))
		if slices.ContainsFunc(e.addresses, func(address string) bool { return strings.Contains(text, address) }) {
			naming = append(naming, e.afterText)
		} else {
			others = append(others, answered{e.afterText, bookingsIn(text), idsIn[contact.EntryIDKind](text, entryForm)})
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for _, o := range others { // a receipt names the person without an address
		erased, err := t.anyErased(o.bookings)
		gone := false
		if err == nil && !erased { // an entry of a card names nobody
			gone, err = t.anyEntryGone(e.workspace, o.entries)
		}
		if err != nil {
			return false, err
		}
		if erased || gone {
			naming = append(naming, o.name)
		}
	}
	for _, name := range naming {
		if _, err := t.Exec(dropResponse, e.workspace, key, name); err != nil {
			return false, err
		}
	}
	if read < limit {
		e.afterID, e.afterText = key+1, ""
	}
	return false, nil
}

// answered is a stored answer, and the bookings and entries that it tells of.
type answered struct {
	name     string
	bookings []booking.BookingID
	entries  []contact.EntryID
}

var entryForm = regexp.MustCompile(`"` + contact.EntryIDKind{}.Prefix() + `[0-9a-z]+"`)

var bookingForm = regexp.MustCompile(`"` + booking.BookingIDKind{}.Prefix() + `[0-9a-z]+"`)

// bookingsIn returns the bookings whose ids are in the text.
func bookingsIn(text string) []booking.BookingID {
	return idsIn[booking.BookingIDKind](text, bookingForm)
}

// idsIn returns the ids of that form in the text, the first few of them: an answer tells of one thing.
func idsIn[K id.Kind](text string, form *regexp.Regexp) (all []id.ID[K]) {
	for _, found := range form.FindAllString(text, 5) {
		if one, err := id.Parse[K](strings.Trim(found, `"`)); err == nil && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

func (t tx) anyErased(bookings []booking.BookingID) (bool, error) {
	emails, err := t.InviteeEmails(bookings)
	return slices.Contains(slices.Collect(maps.Values(emails)), booking.ErasedEmail), err
}

// anyEntryGone reports whether one of the entries is deleted.
func (t tx) anyEntryGone(ws catalog.WorkspaceID, entries []contact.EntryID) (bool, error) {
	for _, e := range entries {
		var n int
		err := t.Scan(`SELECT COUNT(*) FROM contact_entries WHERE workspace_id = ? AND id = ?`, []any{ws, e}, &n)
		if err != nil || n == 0 {
			return n == 0, err
		}
	}
	return false, nil
}

func (t tx) eraseMails(e *erasure, limit int) (done bool, err error) {
	read, naming := 0, []int64{}
	limit *= lookAt
	const query = `SELECT id, recipient FROM mails WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?`
	err = t.Each(query, []any{e.workspace, e.afterID, limit}, func(scan func(...any) error) error {
		var to string
		if err := scan(&e.afterID, &to); err != nil {
			return err
		}
		read++
		if slices.Contains(e.addresses, fault.EmailKey(to)) {
			naming = append(naming, e.afterID)
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for _, id := range naming {
		if _, err := t.Exec(`DELETE FROM mails WHERE id = ? AND workspace_id = ?`, id, e.workspace); err != nil {
			return false, err
		}
	}
	if read == limit {
		return false, nil
	}
	for _, address := range e.addresses {
		for _, query := range []string{
			`DELETE FROM mail_refusals WHERE workspace_id = ? AND email_key = ?`,
			`DELETE FROM invitation_links WHERE workspace_id = ? AND email_key = ?`,
			`DELETE FROM guest_requests WHERE workspace_id = ? AND email_key = ?`,
			dropWaitsOf,
		} {
			if _, err := t.Exec(query, e.workspace, address); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// AnonymiseBooking implements privacy.Writes.
func (t tx) AnonymiseBooking(ws catalog.WorkspaceID, id booking.BookingID, to booking.ContactID) error {
	if err := t.anonymiseBooking(id); err != nil {
		return err
	}
	_, err := t.Exec(`UPDATE bookings SET contact_id = ? WHERE id = ? AND workspace_id = ?`, to, id, ws)
	return err
}

func (t tx) anonymiseBooking(id booking.BookingID) error {
	b, err := t.BookingByID(id)
	if err != nil {
		return err
	}
	b.Invitee = booking.Invitee{Name: "Deleted contact", Email: booking.ErasedEmail}
	b.Notes, b.InternalNote, b.Answers, b.Metadata = "", "", nil, nil
	b.Rare.Erase()
	b.HideVideoRoom()
	if b.Cancellation != nil {
		b.Cancellation.Reason = ""
	}
	for i := range b.Payments {
		b.Payments[i].Note = ""
	}
	if err := t.updateBooking(&b); err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE bookings SET name = ?, email = ? WHERE id = ? AND workspace_id = ?`, b.Invitee.Name,
		b.Invitee.Email, id, b.WorkspaceID); err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE booking_history SET reason = ''
		WHERE booking_id = ? AND /* apart workspace_id = */ ? > 0`, id, b.WorkspaceID); err != nil {
		return err
	}
	if _, err := t.Exec(dropWritten, b.WorkspaceID, id); err != nil {
		return err
	}
	sold, err := engine.List(t.queries, scanSale, salesOfBooking, b.WorkspaceID, id, b.WorkspaceID)
	if err != nil {
		return err
	}
	if err := t.eraseFrom(sold, b.ContactID); err != nil {
		return err
	}
	for _, query := range []string{
		`DELETE FROM mails WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE payment_cards SET customer = NULL, source = NULL, consent_ms = NULL
			WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE receipts SET customer = NULL WHERE booking_id = ? AND workspace_id = ? AND sale_id IS NULL`,
		// Else they would tell whose visit it was.
		`UPDATE contact_entries SET booking_id = NULL WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE contact_files SET booking_id = NULL WHERE booking_id = ? AND workspace_id = ?`,
		// The provider may have named the person in these.
		`UPDATE payments SET error = NULL WHERE booking_id = ? AND workspace_id = ? AND error IS NOT NULL`,
		`UPDATE payment_jobs SET error = NULL WHERE booking_id = ? AND workspace_id = ? AND error IS NOT NULL`,
		`UPDATE checkouts SET url = NULL WHERE booking_id = ? AND workspace_id = ? AND state > 2`,
		// What was written into other calendars is written again, without the person.
		`UPDATE calendar_copies SET due_ms = 1, writing = 0, wish = NULL, problem = NULL
			WHERE booking_id = ? AND workspace_id = ? AND (wish IS NULL OR wish <> 'deleted')`,
	} {
		if _, err := t.Exec(query, id, b.WorkspaceID); err != nil {
			return err
		}
	}
	if err := t.AnonymiseCheckouts(id); err != nil {
		return err
	}
	return t.anonymiseEvents(b.WorkspaceID, id)
}

// anonymiseEvents takes the person out of what receivers were told, so that it can still be sent again.
func (t tx) anonymiseEvents(ws catalog.WorkspaceID, id booking.BookingID) error {
	bodies := map[booking.EventID][]byte{}
	const query = `SELECT id, body FROM events WHERE booking_id = ? AND workspace_id = ?`
	err := t.Each(query, []any{id, ws}, func(scan func(...any) error) error {
		var e booking.EventID
		var body []byte
		err := scan(&e, &body)
		bodies[e] = body
		return err
	})
	if err != nil {
		return err
	}
	for e, body := range bodies {
		var told map[string]any
		if err := json.Unmarshal(body, &told); err != nil {
			return fmt.Errorf("event %s: %w", e, err)
		}
		if data, ok := told["data"].(map[string]any); ok {
			data["invitee"] = map[string]any{"name": "Deleted contact", "email": booking.ErasedEmail}
			for key, empty := range map[string]any{"notes": "", "note": "", "reason": "", "answers": map[string]any{},
				"metadata": map[string]any{}} {
				if _, has := data[key]; has {
					data[key] = empty
				}
			}
			delete(data, "manageUrl") // as for keys that may not see it
			delete(data, "contact")
			booking.EraseRare(data)
			if where, ok := data["where"].(map[string]any); ok {
				delete(where, "url")
			}
			if c, ok := data["cancellation"].(map[string]any); ok {
				c["reason"] = ""
			}
			payments, _ := data["payments"].([]any)
			for _, p := range payments {
				if p, ok := p.(map[string]any); ok {
					p["note"] = ""
				}
			}
		}
		clean, err := json.Marshal(told)
		if err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE events SET body = ? WHERE id = ? AND workspace_id = ?`, clean, e, ws); err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE deliveries SET response = NULL WHERE event_id = ? AND response IS NOT NULL
			AND /* apart workspace_id = */ ? > 0`, e, ws); err != nil {
			return err
		}
	}
	return nil
}
