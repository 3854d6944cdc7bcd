package store

import (
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
)

// How many terms with one beginning are looked at: more where the contacts must have other words, too.
const (
	beginningTerms = 100
	beginningMost  = 5000
)

// beginning writes the SELECT of ContactsBeginning. Each beginning's terms are read in order: an exact word is first.
func beginning(ws catalog.WorkspaceID, some []string, all [][]string, limit int) (string, []any) {
	var sources []string
	var args []any
	most := beginningTerms
	if len(all) > 0 {
		most = beginningMost
	}
	for i, word := range some {
		// The bound stands within, so that words that few of the terms' contacts have don't make it read on.
		query := `SELECT t.contact_id AS id, ` + strconv.Itoa(i) + ` AS form, t.term AS term FROM
			(SELECT contact_id, term FROM contact_terms WHERE workspace_id = ? AND term >= ? AND term < ?
			ORDER BY term LIMIT ?) t WHERE 1 = 1`
		args = append(args, ws, word, word+"\U0010FFFF", most)
		for _, other := range all {
			begins, ranges := beginsWith(`o`, other)
			query += ` AND EXISTS (SELECT 1 FROM contact_terms o WHERE o.contact_id = t.contact_id AND ` + begins + `)`
			args = append(args, ranges...)
		}
		sources = append(sources, query)
	}
	query := `SELECT ` + contactColumns + ` FROM (SELECT id, MIN(form) AS form, MIN(term) AS term FROM (` +
		strings.Join(sources, ` UNION ALL `) + `) found GROUP BY id ORDER BY form, term, id LIMIT ?) best
		JOIN contacts c ON c.id = best.id WHERE c.workspace_id = ? AND (c.email <> '' OR c.phone <> '')
		ORDER BY best.form, best.term, c.id`
	return query, append(args, limit, ws)
}

// beginsWith writes that a term begins with one of those.
func beginsWith(table string, some []string) (sql string, args []any) {
	for i, word := range some {
		if i > 0 {
			sql += ` OR `
		}
		sql += table + `.term >= ? AND ` + table + `.term < ?`
		args = append(args, word, word+"\U0010FFFF")
	}
	return `(` + sql + `)`, args
}

func (q queries) ContactsBeginning(ws catalog.WorkspaceID, some []string, all [][]string,
	limit int) (found []booking.Contact, err error) {
	query, args := beginning(ws, some, all, limit)
	err = q.Each(query, args, func(scan func(...any) error) error {
		c, err := scanContact(scan)
		found = append(found, c)
		return err
	})
	return found, err
}
