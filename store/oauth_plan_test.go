package store

import (
	"regexp"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/store/enginetest"
)

var scanned = regexp.MustCompile(`(?m)^\s*SCAN (g|u|w|oauth_\w+|users|workspaces)\b`)

// What each request of a program asks, and what a member and the nights ask, is read by an index on either engine.
func TestGrantsAreReadByTheirIndexes(t *testing.T) {
	db := enginetest.Open(t)
	hash := []byte{1, 2, 3}
	listed := func(ws catalog.WorkspaceID, u app.UserID) (string, []any) { return listGrants(ws, u, 1, 50) }
	ofOne, ofOneArgs := listed(1, 2)
	ofWorkspace, ofWorkspaceArgs := listed(1, 0)
	for _, c := range []struct {
		name, query string
		args        []any
		indexes     [2]string // of SQLite, and of PostgreSQL
	}{
		{"a token", byToken, []any{hash}, [2]string{"oauth_grants_access (access_hash=?)", "oauth_grants_access"}},
		{"the token before", byOldToken, []any{hash}, [2]string{"oauth_grants_previous (previous_access_hash=?)", "oauth_grants_previous"}},
		{"a grant", grantByID, []any{1}, [2]string{"SEARCH g USING INTEGER PRIMARY KEY (rowid=?)", "oauth_grants_"}},
		{"a code", grantByHash(`code_hash`), []any{hash}, [2]string{"oauth_grants_code (code_hash=?)", "oauth_grants_code"}},
		{"a family", grantByHash(`family_hash`), []any{hash}, [2]string{"oauth_grants_family (family_hash=?)", "oauth_grants_family"}},
		{"locked by its code", lockBy(`code_hash`), []any{hash}, [2]string{"oauth_grants_code (code_hash=?)", "oauth_grants_code"}},
		{"locked by its family", lockBy(`family_hash`), []any{hash}, [2]string{"oauth_grants_family (family_hash=?)", "oauth_grants_family"}},
		{"a member's", ofOne, ofOneArgs, [2]string{"oauth_grants_", "oauth_grants_"}},
		{"a workspace's", ofWorkspace, ofWorkspaceArgs, [2]string{"oauth_grants_list (workspace_id=?)", "oauth_grants_"}},
		{"those that are over", pruneGrants, []any{1, 2, 1}, [2]string{"oauth_grants_over (over_ms<?)", "oauth_grants_over"}},
		{"clients to be forgotten", pruneClients, []any{1, 2, 1}, [2]string{"oauth_clients_old (forget_ms<?)", "oauth_clients_old"}},
		{"a client", clientByID, []any{1}, [2]string{"SEARCH oauth_clients USING INTEGER PRIMARY KEY (rowid=?)", "oauth_clients_pkey"}},
	} {
		if enginetest.OnPostgres() {
			if got := enginetest.PlanOnPostgres(t, db, c.query, c.args...); !strings.Contains(got, c.indexes[1]) {
				t.Errorf("%s: want %s\n%s", c.name, c.indexes[1], got)
			}
			continue
		}
		if got := enginetest.Plan(t, db, c.query, c.args...); !strings.Contains(got, c.indexes[0]) || scanned.MatchString(got) {
			t.Errorf("%s: want %s\n%s", c.name, c.indexes[0], got)
		}
	}
}
