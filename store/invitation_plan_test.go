package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/invitation"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// read is a query that grows with the links of all workspaces, and the indexes that it may be read by.
type invitationRead struct {
	name    string
	query   string
	args    []any
	indexes []string
}

func invitationReads() []invitationRead {
	all := []invitationRead{
		{"a link", invitationByHash, []any{[]byte("x")}, []string{"invitation_links_at"}},
		{"the link of a booking", invitationByHash + ` AND workspace_id = ?`, []any{[]byte("x"), 1}, []string{"invitation_links_at"}},
		{"how many there are", countInvitations, []any{1, 3, 0, 5}, []string{"invitation_links_list", "invitation_links_made_id"}},
		{"those to delete", pruneInvitations, []any{9, 5, 9}, []string{"invitation_links_old"}},
	}
	for name, f := range map[string]invitation.Filter{"the list": {Before: 9}, "of a host": {Host: 3, EventType: 3}, "to export": {After: 3, OldestFirst: true}} {
		f.Limit = 5
		query, args := listInvitations(1, f)
		all = append(all, invitationRead{name, query, args, []string{"invitation_links_list", "invitation_links_made_id", "invitation_links_by_host", "invitation_links_of"}})
	}
	return all
}

func (r *invitationRead) by(plan string) bool {
	return slices.ContainsFunc(r.indexes, func(index string) bool { return strings.Contains(plan, index) })
}

// Links are found, listed and deleted by an index.
func TestLinksAreReadByIndex(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t))
	for _, r := range invitationReads() {
		if plan := enginetest.Plan(t, db, r.query, r.args...); !r.by(plan) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", r.name, plan)
		}
	}
}

// PostgreSQL does so, too, once there is so much that it would not rather read all of it.
func TestLinksAreReadByIndexOnPostgres(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnPostgres(t))
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		for _, off := range []string{"enable_seqscan", "enable_bitmapscan", "enable_sort"} {
			if _, err := tx.Exec(`SET LOCAL ` + off + ` = off`); err != nil {
				return err
			}
		}
		for _, r := range invitationReads() {
			var lines []string
			if err := tx.All(&lines, "EXPLAIN "+r.query, r.args...); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			if plan := strings.Join(lines, "\n"); !r.by(plan) || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s: %s", r.name, plan)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
