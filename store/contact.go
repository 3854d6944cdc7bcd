package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/phone"
	"daybook/store/engine"
)

// What package contact reads and writes is here.
var (
	_ contact.Reader = queries{}
	_ contact.Reader = tx{}
	_ contact.Tx     = tx{}
)

// A contact's figures are counted from its bookings' index when it is read, so that they can't be wrong.
var contactColumns = `c.id, c.workspace_id, c.name, c.email, c.phone, c.time_zone, c.notes, c.created_ms, c.changed_ms,
	(SELECT COUNT(*) FROM bookings WHERE contact_id = c.id),
	(SELECT COUNT(*) FROM bookings WHERE contact_id = c.id AND ` + is(booking.NoShow) + `),
	(SELECT MAX(start_ms) FROM bookings WHERE contact_id = c.id)`

func scanContact(scan func(...any) error) (c booking.Contact, err error) {
	err = scan(&c.ID, &c.WorkspaceID, &c.Name, &c.Email, &c.Phone, &c.TimeZone, &c.Notes, &c.CreatedAt,
		engine.OrZero(&c.ChangedAt), &c.Bookings, &c.NoShows, engine.OrZero(&c.LastBookingAt))
	return c, engine.Found(err)
}

func (q queries) Contact(ws catalog.WorkspaceID, id booking.ContactID) (booking.Contact, error) {
	return scanContact(q.One(`SELECT `+contactColumns+` FROM contacts c WHERE c.id = ? AND c.workspace_id = ?`, id, ws))
}

func (q queries) ContactOf(ws catalog.WorkspaceID, r booking.Identity) (booking.Contact, error) {
	if key := r.Key(); key != "" {
		c, err := scanContact(q.One(`SELECT `+contactColumns+` FROM contacts c WHERE c.workspace_id = ? AND c.email_key = ?`,
			ws, key))
		if !errors.Is(err, fault.ErrNotFound) || !r.ByPhone() {
			return c, err
		}
	}
	found, err := q.ContactsOf(ws, r, 1)
	if err == nil && len(found) == 0 {
		err = fault.ErrNotFound
	}
	if err != nil {
		return booking.Contact{}, err
	}
	return found[0], nil
}

// byForms selects contacts that may have one of the forms of a telephone number.
const byForms = `SELECT contact_id FROM contact_terms WHERE workspace_id = ? AND term IN (?, ?, ?, ?, ?)
	ORDER BY contact_id LIMIT ?`

// samePhones is how many contacts with one telephone number are looked at.
const samePhones = 200

// formsOf returns the arguments of byForms.
func formsOf(ws catalog.WorkspaceID, r booking.Identity) []any {
	forms := phone.Forms(r.Phone)
	args := []any{ws}
	for i := range 5 {
		args = append(args, forms[min(i, len(forms)-1)])
	}
	return append(args, samePhones)
}

func (q queries) ContactsOf(ws catalog.WorkspaceID, r booking.Identity, limit int) (all []booking.Contact, err error) {
	query, args := contactsWithEmail, []any{ws, r.Key()}
	if r.ByPhone() {
		query, args = contactsWithPhone, append([]any{ws}, formsOf(ws, r)...)
	}
	err = q.Each(query, args, func(scan func(...any) error) error {
		c, err := scanContact(scan)
		if err == nil && len(all) < limit && (!r.ByPhone() || r.HasPhone(c.Phone)) {
			all = append(all, c)
		}
		return err
	})
	return all, err
}

var (
	contactsWithEmail = `SELECT ` + contactColumns + ` FROM contacts c WHERE c.workspace_id = ? AND c.email_key = ?
		AND c.email <> ''`
	contactsWithPhone = `SELECT ` + contactColumns + ` FROM contacts c WHERE c.workspace_id = ? AND
		c.id IN (` + byForms + `) ORDER BY c.id`
)

func (q queries) Contacts(ws catalog.WorkspaceID, search string, after booking.ContactID,
	limit int) (all []booking.Contact, err error) {
	query, args := listContacts(ws, search, nil, contact.Missing{}, after, limit)
	err = q.Each(query, args, func(scan func(...any) error) error {
		c, err := scanContact(scan)
		all = append(all, c)
		return err
	})
	return all, err
}

// listContacts writes the SELECT of a list. The first word of a search is looked up by its ranges of terms, the others
// in the terms of each contact that this finds.
func listContacts(ws catalog.WorkspaceID, search string, tags []string, missed contact.Missing, after booking.ContactID,
	limit int) (string, []any) {
	query := `SELECT ` + contactColumns + ` FROM contacts c WHERE c.workspace_id = ?`
	args := []any{ws}
	words := searchWords(search)
	if search != "" && len(words) == 0 { // it is nothing but accents
		query += ` AND 1 = 0`
	}
	for i, word := range words {
		if i == 0 {
			var found []string
			for _, beginning := range word {
				found = append(found, `SELECT contact_id FROM contact_terms WHERE workspace_id = ? AND term >= ? AND term < ?`)
				args = append(args, ws, beginning, beginning+"\U0010FFFF")
			}
			query += ` AND c.id IN (` + strings.Join(found, ` UNION ALL `) + `)`
			continue
		}
		begins, ranges := beginsWith(`t`, word)
		query += ` AND EXISTS (SELECT 1 FROM contact_terms t WHERE t.contact_id = c.id AND ` + begins + `)`
		args = append(args, ranges...)
	}
	withTags, tagArgs := tagged(ws, tags)
	query, args = query+withTags, append(args, tagArgs...)
	if missed.Least > 0 {
		query += ` AND c.id IN (SELECT contact_id FROM bookings WHERE workspace_id = ? AND start_ms >= ? AND ` +
			is(booking.NoShow) + ` GROUP BY contact_id HAVING COUNT(*) >= ?)`
		args = append(args, ws, missed.Since, missed.Least)
	}
	if after != 0 {
		query += ` AND c.id < ?`
		args = append(args, after)
	}
	query += ` AND (c.email <> '' OR c.phone <> '')` // those deleted are kept for their bookings only
	return query + ` ORDER BY c.id DESC LIMIT ?`, append(args, limit)
}

const maxSearchWords = 8

// searchWords cuts a search into its words, and says with what a term may begin for each. What looks like a telephone number
// is one word.
func searchWords(search string) (words [][]string) {
	digits := contact.DigitsOf(search)
	international := strings.HasPrefix(search, "+") && digits != ""
	if (international || len(digits) >= 3) && !strings.ContainsFunc(search, unicode.IsLetter) &&
		!strings.Contains(search, "@") {
		words = [][]string{{digits}}
		if end := contact.EndOf(digits); end != "" && !international {
			words[0] = append(words[0], end)
		}
		return words
	}
	for _, word := range strings.Fields(contact.FoldSearch(search)) {
		if len(words) < maxSearchWords {
			words = append(words, contact.Beginnings(word))
		}
	}
	return words
}

// contactKey returns what the column email_key has: no two contacts of a workspace have the same.
func contactKey(c *booking.Contact) string {
	r := c.Identity("")
	return r.Key()
}

func (t tx) InsertContact(c *booking.Contact) error {
	n, err := t.Exec(`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes,
		created_ms, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, email_key) DO NOTHING`,
		c.ID, c.WorkspaceID, contactKey(c), c.Email, c.Name, c.Phone, c.TimeZone, c.Notes, c.CreatedAt, contact.TermsVersion)
	if err == nil && n == 0 {
		err = fmt.Errorf("%w: %w", engine.ErrMet, fault.ErrTaken)
	}
	if err != nil {
		return err
	}
	return t.insertTerms(c)
}

func (t tx) insertTerms(c *booking.Contact) error {
	for _, term := range contact.Terms(c) {
		if err := t.Later(`INSERT INTO contact_terms (workspace_id, term, contact_id) VALUES (?, ?, ?)`, c.WorkspaceID, term,
			c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) UpdateContact(c *booking.Contact) error {
	if err := t.closeOwnIfMoved(c); err != nil {
		return err
	}
	_, err := t.Exec(`UPDATE contacts SET email_key = ?, email = ?, name = ?, phone = ?, time_zone = ?, notes = ?,
		changed_ms = ?, terms = ? WHERE id = ? AND workspace_id = ?`,
		contactKey(c), c.Email, c.Name, c.Phone, c.TimeZone, c.Notes, engine.OrNull(c.ChangedAt), contact.TermsVersion, c.ID,
		c.WorkspaceID)
	if err != nil {
		return engine.Free(err)
	}
	return t.replaceTerms(c)
}

const contactsForeign = ` FROM contacts c WHERE c.workspace_id = ? AND c.foreign_id = ? LIMIT ?`

func (q queries) ForeignContacts(ws catalog.WorkspaceID, foreign string, limit int) ([]booking.Contact, error) {
	all, err := engine.List(q, scanContact, `SELECT `+contactColumns+contactsForeign, ws, foreign, limit)
	slices.SortFunc(all, func(a, b booking.Contact) int { return cmp.Compare(a.ID, b.ID) }) // in SQL another index is taken
	return all, err
}

func (q queries) Foreign(ws catalog.WorkspaceID, c booking.ContactID) (foreign string, err error) {
	err = engine.Found(q.Scan(`SELECT COALESCE(foreign_id, '') FROM contacts WHERE id = ? AND workspace_id = ?`, []any{c, ws}, &foreign))
	return foreign, err
}

func (t tx) SetForeign(ws catalog.WorkspaceID, c booking.ContactID, foreign string) error {
	_, err := t.Exec(`UPDATE contacts SET foreign_id = ? WHERE id = ? AND workspace_id = ? AND foreign_id IS NULL`, foreign, c,
		ws)
	return err
}

func (t tx) MoveForeign(from, to booking.ContactID) error {
	_, err := t.Exec(`UPDATE contacts SET foreign_id = (SELECT f.foreign_id FROM contacts f WHERE f.id = ?)
		WHERE id = ? AND foreign_id IS NULL`, from, to)
	return err
}

func (t tx) replaceTerms(c *booking.Contact) error {
	if _, err := t.Exec(`DELETE FROM contact_terms WHERE contact_id = ?`, c.ID); err != nil {
		return err
	}
	return t.insertTerms(c)
}

// toRenew is about contacts.terms below contact.TermsVersion, as the index says it.
const toRenew = `SELECT id, workspace_id FROM contacts WHERE terms < 1 ORDER BY id LIMIT ?`

// RenewTerms implements contact.Tx.
func (t tx) RenewTerms(limit int) (renewed int, err error) {
	type one struct {
		id booking.ContactID
		ws catalog.WorkspaceID
	}
	old, err := engine.List(t.queries, func(scan func(...any) error) (x one, err error) {
		err = scan(&x.id, &x.ws)
		return x, err
	}, toRenew, limit)
	for _, x := range old {
		renewed++
		n, err := t.Exec(`UPDATE contacts SET terms = ? WHERE id = ? AND workspace_id = ?`, contact.TermsVersion, x.id, x.ws)
		if err != nil {
			return renewed, err
		}
		if n == 0 { // it is gone meanwhile
			continue
		}
		c, err := t.Contact(x.ws, x.id)
		if err != nil {
			return renewed, err
		}
		if err := t.replaceTerms(&c); err != nil {
			return renewed, err
		}
	}
	return renewed, err
}

func (t tx) LockContact(id booking.ContactID) error {
	_, err := t.Exec(`UPDATE contacts SET name = name WHERE id = ?`, id)
	return err
}

func (t tx) MoveBookings(from, to booking.ContactID, limit int) (int, error) {
	n, err := t.Exec(`UPDATE bookings SET contact_id = ? WHERE id IN (SELECT id FROM bookings WHERE contact_id = ?
		LIMIT ?) AND contact_id = ?`, to, from, limit, from)
	return int(n), err
}

func (t tx) ForgetContact(id booking.ContactID) error {
	if _, err := t.Exec(`DELETE FROM contact_terms WHERE contact_id = ?`, id); err != nil {
		return err
	}
	const imported = `UPDATE import_contacts SET changes = '' WHERE contact_id = ? AND outcome = 0
		AND +workspace_id = (SELECT workspace_id FROM contacts WHERE id = ?)`
	if _, err := t.Exec(imported, id, id); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM contacts WHERE id = ?`, id)
	return err
}
