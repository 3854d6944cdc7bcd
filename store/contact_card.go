// The SQL of what stands on the cards of contacts besides entries and files: tags, birthdays, sums.

package store

import (
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	cards = `SELECT c.id, c.birthday, c.tell_by, COALESCE(t.tag, ''), '', ` + textsColumns + ` FROM contacts c
		LEFT JOIN contact_tags t ON t.workspace_id = c.workspace_id AND t.contact_id = c.id
		LEFT JOIN contact_texts x ON x.workspace_id = c.workspace_id AND x.contact_id = c.id AND x.phone = c.phone
		LEFT JOIN text_numbers n ON n.workspace_id = c.workspace_id AND n.phone = c.phone
		WHERE c.workspace_id = ? AND c.id IN `
	cardFields = ` UNION ALL SELECT f.contact_id, f.field_key, f.value, '', 'field', 0, 0, '', '', '', 0 FROM contact_fields f
		WHERE f.workspace_id = ?` + notRemoved + ` AND f.contact_id IN `
	tagCounts = `SELECT MAX(tag), COUNT(*) FROM contact_tags WHERE workspace_id = ? GROUP BY tag_key
		ORDER BY 2 DESC, tag_key LIMIT ?`
	spent = `SELECT currency, CAST(SUM(amount) AS BIGINT) FROM (
		SELECT e.currency, e.amount + e.tip AS amount FROM bookings b CROSS JOIN counter_entries e
			WHERE b.contact_id = ? AND +b.workspace_id = ? AND e.booking_id = b.id AND +e.workspace_id = b.workspace_id
		UNION ALL
		SELECT p.currency, p.amount - p.refunded FROM bookings b CROSS JOIN payments p
			WHERE b.contact_id = ? AND +b.workspace_id = ? AND p.booking_id = b.id AND +p.workspace_id = b.workspace_id
			AND p.status = 2
		UNION ALL
		SELECT e.currency, e.amount + e.tip FROM sales s CROSS JOIN counter_entries e
			WHERE s.contact_id = ? AND +s.workspace_id = ? AND e.sale_id = s.id AND +e.workspace_id = s.workspace_id
			AND e.booking_id IS NULL) received GROUP BY currency ORDER BY 2 DESC, currency`
)

// ReadCards implements booking.CardReader.
func (q queries) ReadCards(ws catalog.WorkspaceID, of []booking.Contact) error {
	at := make(map[booking.ContactID]*booking.Contact, len(of))
	ids := make([]booking.ContactID, len(of))
	for i := range of {
		ids[i], at[of[i].ID] = of[i].ID, &of[i]
		of[i].Tags, of[i].Fields = []string{}, map[string]string{}
	}
	for part := range engine.Few(ids) {
		args := []any{ws}
		for _, c := range part {
			args = append(args, c)
		}
		query := cards + engine.Placeholders(len(part)) + cardFields + engine.Placeholders(len(part))
		err := q.Each(query, append(args, args...), func(scan func(...any) error) error {
			var one booking.ContactID
			var first, second, tag, field string // of a field its key and value, else the birthday and how they are told
			var texts textsRow
			err := scan(append([]any{&one, &first, &second, &tag, &field}, texts.into()...)...)
			c := at[one]
			switch {
			case c == nil:
			case field != "":
				c.Fields[first] = second
			default:
				wants := texts.read()
				c.Birthday, c.TellBy, c.Texts = &first, &second, &wants
				if tag != "" {
					c.Tags = append(c.Tags, tag)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for i := range of {
		contact.SortTags(of[i].Tags)
	}
	return nil
}

// SaveCard implements contact.CardWrites.
func (t tx) SaveCard(c *booking.Contact) error {
	if c.Birthday != nil {
		if _, err := t.Exec(`UPDATE contacts SET birthday = ? WHERE id = ? AND workspace_id = ?`, *c.Birthday, c.ID,
			c.WorkspaceID); err != nil {
			return err
		}
	}
	if c.TellBy != nil {
		if _, err := t.Exec(`UPDATE contacts SET tell_by = ? WHERE id = ? AND workspace_id = ?`, *c.TellBy, c.ID,
			c.WorkspaceID); err != nil {
			return err
		}
	}
	if c.Tags == nil {
		return nil
	}
	if _, err := t.Exec(dropTags, c.WorkspaceID, c.ID); err != nil {
		return err
	}
	for _, tag := range c.Tags {
		if err := t.Later(`INSERT INTO contact_tags (workspace_id, tag_key, contact_id, tag) VALUES (?, ?, ?, ?)`, c.WorkspaceID,
			contact.FoldTag(tag), c.ID, tag); err != nil {
			return err
		}
	}
	return nil
}

const dropTags = `DELETE FROM contact_tags WHERE workspace_id = ? AND contact_id = ?`

// TouchContact implements contact.CardWrites.
func (t tx) TouchContact(ws catalog.WorkspaceID, c booking.ContactID, at when.Instant) error {
	_, err := t.Exec(`UPDATE contacts SET changed_ms = ? WHERE id = ? AND workspace_id = ?`, at, c, ws)
	return err
}

// TaggedContacts implements contact.CardReads.
func (q queries) TaggedContacts(ws catalog.WorkspaceID, search string, tags []string, missed contact.Missing,
	after booking.ContactID, limit int) ([]booking.Contact, error) {
	query, args := listContacts(ws, search, tags, missed, after, limit)
	return engine.List(q, scanContact, query, args...)
}

// TagCounts implements contact.CardReads.
func (q queries) TagCounts(ws catalog.WorkspaceID, limit int) ([]contact.TagCount, error) {
	return engine.List(q, func(scan func(...any) error) (n contact.TagCount, err error) {
		err = scan(&n.Tag, &n.Contacts)
		return n, err
	}, tagCounts, ws, limit)
}

// Spent implements contact.CardReads.
func (q queries) Spent(ws catalog.WorkspaceID, c booking.ContactID) ([]money.Money, error) {
	return engine.List(q, func(scan func(...any) error) (m money.Money, err error) {
		err = scan(&m.Currency, &m.Amount)
		return m, err
	}, spent, c, ws, c, ws, c, ws)
}

// AuthorNames implements contact.CardReads.
func (q queries) AuthorNames(ws catalog.WorkspaceID, by []string) (map[string]string, error) {
	names := map[string]string{}
	var users, keys []int64
	for _, one := range by {
		if user, err := id.Parse[app.UserIDKind](one); err == nil {
			users = append(users, int64(user))
		} else if key, err := id.Parse[app.KeyIDKind](one); err == nil {
			keys = append(keys, int64(key))
		}
	}
	for _, read := range []struct {
		query string
		ids   []int64
		text  func(int64) string
	}{
		{`SELECT u.id, COALESCE(h.name, u.email) FROM users u LEFT JOIN hosts h ON h.id = u.host_id
			AND h.workspace_id = u.workspace_id WHERE u.workspace_id = ? AND u.id IN `, users,
			func(n int64) string { return app.UserID(n).String() }},
		{`SELECT id, name FROM api_keys WHERE workspace_id = ? AND id IN `, keys,
			func(n int64) string { return app.KeyID(n).String() }},
	} {
		for part := range engine.Few(read.ids) {
			args := []any{ws}
			for _, n := range part {
				args = append(args, n)
			}
			err := q.Each(read.query+engine.Placeholders(len(part)), args, func(scan func(...any) error) error {
				var n int64
				var name string
				err := scan(&n, &name)
				names[read.text(n)] = name
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}

// MoveCard implements contact.CardWrites.
func (t tx) MoveCard(ws catalog.WorkspaceID, from, to booking.ContactID) error {
	for _, table := range []string{`contact_entries`, `contact_files`, `contact_consents`, `contact_health`, `texts`, `text_messages`,
		`text_calls`, `sales`, `passes`} {
		if _, err := t.Exec(`UPDATE `+table+` SET contact_id = ? WHERE workspace_id = ? AND contact_id = ?`, to, ws,
			from); err != nil {
			return err
		}
	}
	return nil
}

// tagged writes that a contact has all the tags.
func tagged(ws catalog.WorkspaceID, tags []string) (sql string, args []any) {
	var b strings.Builder
	for i, tag := range tags {
		if i == 0 {
			b.WriteString(` AND c.id IN (SELECT contact_id FROM contact_tags WHERE workspace_id = ? AND tag_key = ?)`)
		} else {
			b.WriteString(` AND EXISTS (SELECT 1 FROM contact_tags WHERE workspace_id = ? AND tag_key = ? AND contact_id = c.id)`)
		}
		args = append(args, ws, tag)
	}
	return b.String(), args
}
