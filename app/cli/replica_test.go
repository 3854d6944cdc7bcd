package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/app/apptest"
)

// refused runs the command in dir, wants it to fail, and answers its standard error.
func refused(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("daybook", args...)
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Run(); err == nil {
		t.Fatalf("daybook %s: it was done", strings.Join(args, " "))
	}
	return errs.String()
}

// metric is the value in the text of /metrics, or 0.
func metric(t *testing.T, text []byte, name string) (value float64) {
	t.Helper()
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			if _, err := fmt.Sscan(rest, &value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return value
}

// A machine that is gone comes back in an empty folder with the replica's address and the sheet of keys alone: its
// stored secrets can be opened, and what is kept of customers' health is read. Wrong keys are refused before anything is
// touched.
func TestRestoreFromTheSheetAlone(t *testing.T) {
	old, copies, home := t.TempDir(), t.TempDir(), t.TempDir()
	address := "file://" + copies + "/salon"
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(old, "secret.key", strings.Repeat("a1", 32)+"\n")
	daybook(t, old, "", "replicas", "key", "replica.key")
	keys := []string{"--secret-key-file", "secret.key", "--replica-key-file", "replica.key"}
	daybook(t, old, `workspace: {slug: salon, name: Salon, timeZone: UTC, consents: [{key: allergies, name: Allergies, wording: They are kept., health: true}]}`,
		"workspace", "apply", "-", "--secret-key-file", "secret.key", "--new-database")
	var key struct{ Key string }
	made := daybook(t, old, "", "keys", "create", "--workspace", "salon", "--name", "k", "--areas", "contacts", "--json")
	if err := json.Unmarshal(made, &key); err != nil {
		t.Fatal(err)
	}
	daybook(t, old, "", "webhooks", "create", "--workspace", "salon", "--url", "https://example.com/hook", "--events", "*", "--secret-key-file", "secret.key")
	s := startServer(t, old, append(keys, "--replica", address)...)
	var mia struct{ ID string }
	var none struct{}
	for _, err := range []error{post(s.url, key.Key, "/contacts", `{"name": "Mia", "email": "mia@mail.example"}`, 201, &mia),
		post(s.url, key.Key, "/contacts/"+mia.ID+"/consents", `{"kind": "allergies", "signer": "Mia Zanzibar"}`, 201, &none),
		post(s.url, key.Key, "/contacts/"+mia.ID+"/health", `{"kind": "allergy", "text": "zanzibarine"}`, 201, &none)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	reads := func(url string) {
		t.Helper()
		for path, want := range map[string]string{"/health": `"text":"zanzibarine"`, "/consents": `"signer":"Mia Zanzibar"`} {
			req, err := http.NewRequest("GET", url+"/api/v1/contacts/"+mia.ID+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+key.Key)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			if res.Body.Close(); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s: %d %s, %v", path, res.StatusCode, text, err)
			}
		}
	}
	reads(s.url)
	sheet := struct {
		Replicas              []string
		SecretKey, ReplicaKey string
	}{}
	for len(sheet.Replicas) == 0 { // noted some seconds after the first copy stands
		if err := json.Unmarshal(daybook(t, old, "", append([]string{"keys-sheet", "--json"}, keys...)...), &sheet); err != nil {
			t.Fatal(err)
		}
	}
	since := time.Now().Add(-time.Minute).Unix()
	apptest.Eventually(t, "the metrics tell of the replica", func() bool {
		res, err := http.Get(s.url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		return err == nil && metric(t, text, `daybook_replica_up{replica="`+address+`"}`) == 1 &&
			metric(t, text, `daybook_replica_synced_timestamp_seconds{replica="`+address+`"}`) > float64(since) &&
			metric(t, text, "daybook_replica_verified_timestamp_seconds") > float64(since)
	})
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Fatalf("serve: %v\n%s", err, s.log)
	}
	if text := refused(t, old, "replicas", "forget", address+"/other"); !strings.Contains(text, "no server of this database") {
		t.Errorf("a replica that isn't one is forgotten: %s", text)
	}
	if text := daybook(t, old, "", "replicas", "forget", address); !strings.Contains(string(text), "begins at "+address) {
		t.Errorf("forgotten: %s", text)
	}
	if err := os.RemoveAll(old); err != nil {
		t.Fatal(err)
	}

	restore := []string{"restore", "--from", sheet.Replicas[0]}
	if text := refused(t, home, restore...); !strings.Contains(text, "is encrypted") {
		t.Errorf("without the replica's key: %s", text)
	}
	daybook(t, home, "", "replicas", "key", "other.key")
	if text := refused(t, home, append(restore, "--replica-key-file", "other.key")...); !strings.Contains(text, "does not fit") {
		t.Errorf("with another replica's key: %s", text)
	}
	write(home, "replica.key", sheet.ReplicaKey+"\n")
	restore = append(restore, "--replica-key-file", "replica.key")
	if text := refused(t, home, restore...); !strings.Contains(text, "--secret-key-file") {
		t.Errorf("without the secret key: %s", text)
	}
	write(home, "wrong.key", strings.Repeat("b2", 32))
	if text := refused(t, home, append(restore, "--secret-key-file", "wrong.key")...); !strings.Contains(text, "is not the one") {
		t.Errorf("with another secret key: %s", text)
	}
	if _, err := os.Stat(filepath.Join(home, "daybook.db")); !os.IsNotExist(err) {
		t.Errorf("something was restored with the wrong keys: %v", err)
	}
	write(home, "secret.key", sheet.SecretKey+"\n")
	daybook(t, home, "", append(restore, "--secret-key-file", "secret.key")...)
	var doctor struct {
		Checks []struct{ Name, State, Message string }
	}
	out, _ := exec.Command("sh", "-c", "cd "+home+" && daybook doctor --json --secret-key-file secret.key").Output() // 1 where others fail
	if err := json.Unmarshal(out, &doctor); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	opened := false
	for _, d := range doctor.Checks {
		opened = opened || d.Name == "secrets" && d.State == "ok"
	}
	if !opened {
		t.Errorf("the secrets can't be opened: %s", out)
	}
	for words, with := range map[string][]string{"is not the one": {"--secret-key-file", "wrong.key"}, "start with --secret-key-file": nil} { // a changed key
		if text := refused(t, home, append([]string{"serve", "--addr", "127.0.0.1:0"}, with...)...); !strings.Contains(text, words) {
			t.Errorf("a server with another key: %s", text)
		}
	}
	reads(startServer(t, home, "--secret-key-file", "secret.key").url)

	// A backup has it, too, and neither file has it in the clear.
	daybook(t, home, "", "backup", "copy.db")
	daybook(t, home, "", "restore", "copy.db", "--db", "again.db", "--secret-key-file", "secret.key")
	reads(startServer(t, home, "--db", "again.db", "--secret-key-file", "secret.key").url)
	for _, name := range []string{"daybook.db", "copy.db"} {
		if file, err := os.ReadFile(filepath.Join(home, name)); err != nil || bytes.Contains(file, []byte("zanzibarine")) || bytes.Contains(file, []byte("Mia Zanzibar")) {
			t.Errorf("%s has what should be sealed, or %v", name, err)
		}
	}
}
