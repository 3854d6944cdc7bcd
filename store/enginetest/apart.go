package enginetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"daybook/store/migrations"
	"daybook/store/pgtest"
)

// With DAYBOOK_TEST_APART=1 on PostgreSQL, a transaction that writes may read and write the rows of one workspace only:
// the statement that touches a row of a second one fails, and its error names both. A database that is divided by
// workspace (package postgres tells of those) does such a transaction slowly or not at all. What may look across
// workspaces all the same is listed here, each with its reason.
//
// It is done by policies on the rows of every table, so it sees what each statement reads, whatever the statement is.
// Reads outside of transactions may look at many workspaces: they keep nothing together.

// Crossing is a statement that may touch the rows of many workspaces in a transaction.
type Crossing struct {
	Part string // of its text, as it stands in the sources on one line
	Rest bool   // so may all that come after it in the transaction
	Why  string
}

// Crossings are all such statements.
var Crossings = []Crossing{
	{"UPDATE followers SET", true, "whoever follows or numbers the history of all bookings keeps how far it came"},
	{"FROM webhook_endpoints WHERE id = ", false, "those whose deliveries are claimed or settled together"},
	{"ORDER BY d.due_ms, d.id LIMIT ", false, "claims; each delivery stands for itself"},
	{"UPDATE deliveries SET", false, "claims, outcomes and leases; each delivery stands for itself"},
	{"UPDATE webhook_endpoints SET failing_since_ms", false, "outcomes that are saved together"},
	{"UPDATE mails SET sending", false, "claims and leases; each mail stands for itself"},
	{" SET due_ms = CASE WHEN due_ms", false, "work is due earlier when the clock was set back"},
	{"UPDATE mails SET state = 2", false, "mails that are given up, some at a time"},
	{"UPDATE payment_jobs SET running", false, "claims and leases; each job stands for itself"},
	{"UPDATE cancellations SET due_ms", false, "cancellations are due earlier when the clock was set back"},
	{"UPDATE api_keys SET last_used_ms", false, "the last uses of many keys are noted once a minute"},
	{"UPDATE oauth_grants SET used_ms", false, "the last uses of many grants are noted once a minute"},
	{"DELETE FROM oauth_grants WHERE id IN", false, upkeep},
	{"DELETE FROM deliveries WHERE id IN", false, upkeep},
	{"DELETE FROM events WHERE id IN", false, upkeep},
	{"DELETE FROM webhook_endpoints WHERE id IN", false, upkeep},
	{"DELETE FROM mails WHERE id IN", false, upkeep},
	{"DELETE FROM texts WHERE id IN", false, upkeep},
	{"DELETE FROM text_calls WHERE id IN", false, upkeep},
	{"DELETE FROM text_messages WHERE id IN", false, upkeep},
	{"DELETE FROM text_links WHERE (", false, upkeep},
	{"DELETE FROM text_visits WHERE (", false, upkeep},
	{"UPDATE texts SET state = CASE", false, "texts that are given up, some at a time"},
	{"DELETE FROM payment_jobs WHERE id IN", false, upkeep},
	{"DELETE FROM provider_events WHERE", false, upkeep},
	{"DELETE FROM sessions WHERE hash IN", false, upkeep},
	{"DELETE FROM holds WHERE id IN", false, upkeep},
	{"DELETE FROM holds WHERE expires_ms", false, upkeep},
	{"DELETE FROM invitation_links WHERE id IN", false, upkeep},
	{"DELETE FROM guest_requests WHERE id IN", false, upkeep},
	{"UPDATE guest_requests SET input = NULL WHERE id IN", false, upkeep},
	{"DELETE FROM answers WHERE (", false, upkeep},
	{"DELETE FROM own_links WHERE (", false, upkeep},
	{"DELETE FROM own_devices WHERE (", false, upkeep},
	{"DELETE FROM waitlist_entries WHERE id IN", false, upkeep},
	{"UPDATE waitlist_queue SET due_ms = CASE", false, "work is due earlier when the clock was set back"},
}

const upkeep = "what is old is deleted, some rows at a time"

// Shared are the tables whose rows belong to no workspace. A divided database keeps them in one place, or a copy of
// them everywhere.
var Shared = map[string]string{
	"attempts":           "who tries to sign in has no workspace yet",
	"certificate_orders": "the server's names",
	"certificates":       "the server's names",
	"factor_challenges":  "who signs in by a passkey is nobody's member yet",
	"form_addresses":     "a network address books at many workspaces",
	"form_proofs":        "a form's key is used once, wherever",
	"forms_sent":         "by a hash of the form, before its workspace is read",
	"key_uses":           "a key's rate, by the key",
	"key_windows":        "a key's rate, by the key",
	"oauth_clients":      "a program registers before anybody of a workspace allows it something",
	"rate_servers":       "servers",
	"schema_migrations":  "the schema",
	"server_leases":      "servers",
	"server_values":      "the server's own values",
	"setup_links":        "there is no workspace yet",
	"uid_domains":        "a few names that bookings of all workspaces end in",
}

// owners tell the workspace of a row in tables that have no column for it.
var owners = map[string]string{
	"workspaces":  "id",
	"followers":   "0", // nobody's, but who writes to it may go on to all
	"sessions":    "(SELECT o.workspace_id FROM users o WHERE o.id = user_id)",
	"invitations": "(SELECT o.workspace_id FROM users o WHERE o.id = user_id)",
}

// apartRole is who tests connect as then: policies don't bind the owner of a table.
const apartRole = "daybook_apart"

func keptApart() bool { return OnPostgres() && os.Getenv("DAYBOOK_TEST_APART") != "" }

// ErrApart is in the text of the error that a statement fails with.
const ErrApart = "one transaction touches two workspaces"

const apartFunction = `CREATE FUNCTION apart(workspace BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql COST 10000 AS $$
	DECLARE
		seen TEXT;
		crossing TEXT;
	BEGIN
		IF workspace IS NULL OR current_setting('transaction_read_only') = 'on' THEN
			RETURN TRUE;
		END IF;
		seen := COALESCE(current_setting('daybook.workspace', TRUE), '');
		IF seen = CAST(workspace AS TEXT) OR seen = 'all' THEN
			RETURN TRUE;
		END IF;
		FOREACH crossing IN ARRAY %s LOOP
			IF strpos(current_query(), crossing) > 0 THEN
				PERFORM set_config('daybook.workspace', 'all', TRUE);
				RETURN TRUE;
			END IF;
		END LOOP;
		FOREACH crossing IN ARRAY %s LOOP
			IF strpos(current_query(), crossing) > 0 THEN
				RETURN TRUE;
			END IF;
		END LOOP;
		IF workspace = 0 THEN
			RETURN TRUE;
		END IF;
		IF seen <> '' THEN
			RAISE EXCEPTION '` + ErrApart + `: %% and %%, the second in: %%', seen, workspace, current_query();
		END IF;
		PERFORM set_config('daybook.workspace', CAST(workspace AS TEXT), TRUE);
		RETURN TRUE;
	END $$`

// migratedApart is migrated with the policies.
var migratedApart = onceEach(func(ctx context.Context, server string) (string, error) {
	err := execute(ctx, server, `DO $$ BEGIN
		IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '`+apartRole+`') THEN
			CREATE ROLE `+apartRole+` LOGIN;
		END IF;
	END $$`,
		// Else a scan of a whole small table touches rows that nobody asked for.
		"ALTER ROLE "+apartRole+" SET enable_seqscan = off", "ALTER ROLE "+apartRole+" SET enable_hashjoin = off",
		"ALTER ROLE "+apartRole+" SET enable_mergejoin = off")
	if err != nil {
		return "", err
	}
	files := fstest.MapFS{"policies": {Data: []byte(strings.Join(apartStatements(), ";"))}}
	set, err := migrations.Load(migrations.Postgres())
	if err != nil {
		return "", err
	}
	for _, m := range set {
		files[m.Name] = &fstest.MapFile{Data: []byte(m.SQL)}
	}
	return pgtest.Template(ctx, server, files, func(ctx context.Context, url string) error {
		if err := migrate(ctx, url); err != nil {
			return err
		}
		return execute(ctx, url, apartStatements()...)
	})
})

// apartStatements fail in a database with a table that is neither a workspace's nor in Shared.
func apartStatements() []string {
	var rest, parts, shared, tables []string
	for _, c := range Crossings {
		if c.Rest {
			rest = append(rest, literal(c.Part))
		} else {
			parts = append(parts, literal(c.Part))
		}
	}
	array := func(of []string) string { return "CAST(ARRAY[" + strings.Join(of, ", ") + "] AS TEXT[])" }
	for table := range Shared {
		shared = append(shared, literal(table))
	}
	for table, owner := range owners {
		tables = append(tables, "WHEN "+literal(table)+" THEN "+literal(owner))
	}
	slices.Sort(shared)
	slices.Sort(tables)
	const policies = `DO $$
		DECLARE
			r RECORD;
			owner TEXT;
		BEGIN
			FOR r IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN (%s) LOOP
				owner := CASE r.tablename %s ELSE 'workspace_id' END;
				EXECUTE format('ALTER TABLE %%I ENABLE ROW LEVEL SECURITY', r.tablename);
				EXECUTE format('CREATE POLICY apart ON %%I USING (apart(%%s)) WITH CHECK (apart(%%2$s))', r.tablename, owner);
			END LOOP;
		END $$`
	return []string{
		fmt.Sprintf(apartFunction, array(rest), array(parts)),
		fmt.Sprintf(policies, strings.Join(shared, ", "), strings.Join(tables, " ")),
		"GRANT ALL ON ALL TABLES IN SCHEMA public TO " + apartRole,
		"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO " + apartRole,
	}
}

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func execute(ctx context.Context, server string, statements ...string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// as returns the place for another user.
func as(place, user string) (string, error) {
	u, err := url.Parse(place)
	if err != nil {
		return "", err
	}
	u.User = url.User(user)
	return u.String(), nil
}

// KeepApart has the databases that the test makes from now on be on PostgreSQL, whose transactions touch one workspace
// each. Without PostgreSQL on this machine the test is skipped.
func KeepApart(t *testing.T) {
	t.Helper()
	pgtest.Shared(t)
	if !OnPostgres() {
		t.Setenv("DAYBOOK_TEST_DB", "postgres")
	}
	t.Setenv("DAYBOOK_TEST_APART", "1")
}
