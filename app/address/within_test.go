package address

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// No request of work within a transaction leaves, over an open connection neither, and no name is looked up: the
// question is kept, answered outside, and then known.
func TestNothingLeavesFromWithin(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	looked := 0
	law := Law{Option: "--allow", Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Resolve: func(ctx context.Context, host string) ([]netip.Addr, error) {
			looked++
			if Leave(ctx) != nil {
				t.Error("a name is looked up from within")
			}
			if host == "gone.example" {
				return nil, errors.New("no such host")
			}
			return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
		}}
	client := &http.Client{Transport: law.Transport()}
	get := func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, "POST", server.URL, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err == nil {
			res.Body.Close()
		}
		return err
	}
	if err := get(t.Context()); err != nil || asked != 1 { // its connection stays open
		t.Fatal(err)
	}
	inside, questions := Within(t.Context())
	if questions.Left() {
		t.Error("left before it began")
	}
	if err := get(inside); !errors.Is(err, ErrWithin) || asked != 1 || !questions.Left() {
		t.Errorf("%v, %d requests", err, asked)
	}
	want, wantErr := law.CheckHost(t.Context(), "inner.example", true)
	if wantErr == nil || looked != 1 {
		t.Fatal(want, wantErr, looked)
	}
	check := func(host string) error { _, err := law.CheckHost(inside, host, true); return err }
	check("inner.example")
	check("gone.example")
	if looked != 1 || !questions.Ask(t.Context()) || looked != 3 || questions.Ask(t.Context()) {
		t.Errorf("%d look-ups", looked)
	}
	if err := check("inner.example"); err == nil || err.Error() != wantErr.Error() || looked != 3 {
		t.Errorf("%v, outside %v", err, wantErr)
	}
	if err := check("gone.example"); err != nil || questions.Ask(t.Context()) { // a public name may come to resolve
		t.Error(err)
	}
}

var (
	waysOut = regexp.MustCompile(`http\.Transport\{|http\.DefaultTransport|http\.DefaultClient|net\.Dialer\{|net\.Dial\(|net\.Lookup|LookupNetIP|tls\.Dial`)
	guards  = regexp.MustCompile(`\bOutward\{|\bLeave\(ctx\)|\bwithin\(ctx\)`)
	// unguarded are no ways of a command that somebody gives to the subjects.
	unguarded = map[string]string{
		"rest/docs/samples.go": "a text that is shown",
		"cli/doctor_alive.go":  "the command doctor, which has no transaction",
		"serve/tls.go":         "certificates, by no command",
		"push/queue.go":        "gives the transport to send.go, which guards it",
	}
)

// Every place in the program that makes connections refuses those of work within a transaction.
func TestEveryWayOutIsGuarded(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !waysOut.Match(text) {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if found++; unguarded[name] == "" && !guards.Match(text) {
			t.Errorf("%s makes connections (%s) that nothing refuses within a transaction: wrap the transport in address.Outward, or call address.Leave", name, waysOut.Find(text))
		}
		return nil
	})
	if err != nil || found < 8 {
		t.Errorf("%d files, %v", found, err)
	}
}
