package cli_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"daybook/app/apptest"
	"daybook/store/enginetest"
)

// stop ends the server as systemd would, and waits for it.
func (s *served) stop(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// get is the status of a GET.
func get(t testing.TB, url string) int {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

// A server that joins another leaves alone what that one has under way; the first server of a file takes up what a
// killed one left.
func TestOnlyTheFirstServerEndsLeases(t *testing.T) {
	dir := t.TempDir()
	daybook(t, dir, "", "workspace", "create", "Salon", "--timezone", "UTC", "--new-database")
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "daybook.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	leased := func() (n int) {
		t.Helper()
		const far = `= 9000000000000`
		err := db.QueryRow(`SELECT (SELECT COUNT(*) FROM deliveries WHERE sending = 1 AND due_ms ` + far + `)
			+ (SELECT COUNT(*) FROM mails WHERE sending = 1 AND due_ms ` + far + `)
			+ (SELECT COUNT(*) FROM payment_jobs WHERE running = 1 AND due_ms ` + far + `)`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a := startServer(t, dir)
	for _, row := range []string{
		`INSERT INTO deliveries (id, endpoint_id, event_id, state, sending, due_ms, created_ms) VALUES (1, 1, 1, 0, 1, 9000000000000, 0)`,
		`INSERT INTO mails (id, workspace_id, kind, recipient, facts, state, sending, due_ms, until_ms) VALUES (1, 1, 'x', 'a@b.example', '{}', 0, 1, 9000000000000, 9000000000000)`,
		`INSERT INTO payment_jobs (id, workspace_id, booking_id, action, state, running, due_ms, created_ms) VALUES (1, 1, 1, 4, 0, 1, 9000000000000, 0)`,
	} {
		if _, err := db.Exec(row); err != nil {
			t.Fatal(err)
		}
	}
	b := startServer(t, dir)
	if n := leased(); n != 3 {
		t.Errorf("%d of 3 leases are left after a second server has joined", n)
	}
	a.stop(t)
	c := startServer(t, dir) // b still runs
	if n := leased(); n != 3 {
		t.Errorf("%d of 3 leases are left after a third server has joined", n)
	}
	b.stop(t)
	c.stop(t)
	startServer(t, dir)
	if n := leased(); n != 0 {
		t.Errorf("the first server left %d leases", n)
	}
}

// All servers of a file, and the commands beside them, use one secret key or none.
func TestServersAgreeOnTheSecretKey(t *testing.T) {
	dir := t.TempDir()
	key := func(name, digit string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.Repeat(digit, 64)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := key("one", "1"), key("two", "2")
	refused := func(words string, args ...string) {
		t.Helper()
		cmd := exec.Command("daybook", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), words) {
			t.Errorf("%v: %v, want %q\n%s", args, err, words, out)
		}
	}
	const serve, addr, flag = "serve", "--addr=127.0.0.1:0", "--secret-key-file"
	a := startServer(t, dir) // without a key, and without a secret
	refused("stop every server first", serve, addr, flag, one)
	refused("leave out --secret-key-file", "workspace", "create", "Salon", "--timezone", "UTC", flag, one, "--new-database")
	daybook(t, dir, "", "workspace", "create", "Salon", "--timezone", "UTC", "--new-database")
	refused("stop every server first", serve, addr, flag, one)
	if status := get(t, a.url+"/readyz"); status != 200 {
		t.Errorf("readyz of the first: %d", status)
	}
	a.stop(t)

	b := startServer(t, dir, flag, one) // alone: it encrypts
	refused("give --secret-key-file", serve, addr)
	refused("is not the one", serve, addr, flag, two)
	c := startServer(t, dir, flag, one)
	daybook(t, dir, "", "workspace", "create", "Second", "--timezone", "UTC", flag, one, "--new-database")
	d := startServer(t, dir, flag, one)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "daybook.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []*served{b, c} {
		if status := get(t, s.url+"/readyz"); status != 200 {
			t.Errorf("readyz: %d", status)
		}
	}
	if _, err := db.Exec(`UPDATE workspaces SET link_key = 'sealed:AAAA' WHERE slug = 'second'`); err != nil {
		t.Fatal(err)
	}
	if status := get(t, d.url+"/readyz"); status != 503 {
		t.Errorf("readyz with a secret that can't be opened: %d", status)
	}
}

// Servers of one PostgreSQL database share its buckets, which their metrics and doctor show.
func TestServersAreShown(t *testing.T) {
	dir, place := t.TempDir(), enginetest.PlaceOnPostgres(t)
	alone := startServer(t, dir, "--db", filepath.Join(dir, "file.db"))
	a, b := startServer(t, dir, "--db", place), startServer(t, dir, "--db", place)
	for _, c := range []struct {
		s    *served
		want string
	}{
		{alone, "daybook_buckets 64\n;daybook_servers 1\n"}, {a, "daybook_buckets 32\n;daybook_servers 2\n"},
		{b, "daybook_buckets 32\n;daybook_servers 2\n"},
	} {
		apptest.Eventually(t, "the metrics are "+c.want, func() bool {
			res, err := http.Get(c.s.url + "/metrics")
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			buckets, servers, _ := strings.Cut(c.want, ";")
			return err == nil && strings.Contains(string(text), buckets) && strings.Contains(string(text), servers)
		})
	}
	out := string(daybook(t, dir, "", "doctor", "--db", place))
	for _, s := range []*served{a, b} {
		if want := fmt.Sprintf("(process %d): 32 of 64 buckets, lease ends in ", s.cmd.Process.Pid); !strings.Contains(out, want) {
			t.Errorf("doctor does not say %q:\n%s", want, out)
		}
	}
}

// The photographs and files of a workspace's customers have 200 MB, unless the operator says more.
func TestRoomForCustomersFiles(t *testing.T) {
	dir := t.TempDir()
	daybook(t, dir, "", "workspace", "create", "Salon", "--timezone", "UTC", "--new-database")
	var key struct{ Key string }
	err := json.Unmarshal(daybook(t, dir, "", "keys", "create", "--workspace", "salon", "--scope", "full", "--areas", "contacts", "--name", "files", "--json"), &key)
	if err != nil {
		t.Fatal(err)
	}
	s := startServer(t, dir)
	var known struct{ ID string }
	if err := post(s.url, key.Key, "/contacts", `{"name":"Mia","email":"mia@x.example"}`, http.StatusCreated, &known); err != nil {
		t.Fatal(err)
	}
	upload := func() (status int, text string) {
		t.Helper()
		req, err := http.NewRequest("POST", s.url+"/api/v1/contacts/"+known.ID+"/files", strings.NewReader("%PDF-1.7"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key.Key)
		req.Header.Set("Content-Type", "application/pdf")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	if status, text := upload(); status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "daybook.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	holds := func(bytes int) {
		t.Helper()
		if _, err := db.Exec(`UPDATE contact_files SET bytes = ? WHERE id = (SELECT MIN(id) FROM contact_files)`, bytes); err != nil {
			t.Fatal(err)
		}
	}
	holds(200_000_000 - 8)
	if status, text := upload(); status != http.StatusCreated {
		t.Errorf("up to the last byte: %d %s", status, text)
	}
	if status, text := upload(); status != http.StatusConflict || !strings.Contains(text, "too_many_files") || !strings.Contains(text, `"limit":200000000`) {
		t.Errorf("beyond 200 MB: %d %s", status, text)
	}
	s.stop(t)
	s = startServer(t, dir, "--customer-files-mb", "201")
	if status, text := upload(); status != http.StatusCreated {
		t.Errorf("with more room: %d %s", status, text)
	}
	holds(201_000_000)
	if status, text := upload(); status != http.StatusConflict || !strings.Contains(text, `"limit":201000000`) {
		t.Errorf("beyond 201 MB: %d %s", status, text)
	}
}

// A server that is stopped right after a wrong password has logged it.
func TestAStopLogsFailedSignIns(t *testing.T) {
	dir := t.TempDir()
	daybook(t, dir, "", "workspace", "create", "Salon", "--timezone", "UTC", "--new-database")
	daybook(t, dir, "correct horse 1\n", "user", "create", "ana@salon.example", "--workspace", "salon")
	s := startServer(t, dir)
	form := url.Values{"email": {"ana@salon.example"}, "password": {"wrong password"}}
	req, err := http.NewRequest("POST", s.url+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", s.url)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || !strings.Contains(string(text), "password don’t match") && !strings.Contains(string(text), "don't match") {
		t.Fatalf("%d %v: %s", res.StatusCode, err, text)
	}
	s.stop(t)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "daybook.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow(`SELECT COUNT(*) FROM audit_log WHERE action = 'sign_in.failed'`).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d entries, want 1: %v", n, err)
	}
}
