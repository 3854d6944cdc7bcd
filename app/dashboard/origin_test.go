package dashboard

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Behind a proxy whose address is not the base URL, the log says what differs and what to do.
func TestWrongBaseURLIsLogged(t *testing.T) {
	w := newEmptyWorld(t)
	var out logBuffer
	mux := http.NewServeMux()
	New(w.Set, Options{Logger: slog.New(slog.NewTextHandler(&out, nil))}).Routes(mux)
	post := func(origin string) int {
		r := httptest.NewRequest("POST", "http://inside:8080/login", strings.NewReader("email=a@b.example&password=x"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", origin)
		rec := httptest.NewRecorder()
		mux.ServeHTTP(rec, r)
		return rec.Code
	}
	if got := post("https://book.example"); got != http.StatusForbidden {
		t.Errorf("a form of another address: %d", got)
	}
	for _, want := range []string{"Origin https://book.example is not the --base-url " + w.server.URL, "--base-url https://book.example", "--trust-proxy"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %q: %s", want, out.String())
		}
	}
	if got := post(w.server.URL); got != http.StatusUnauthorized {
		t.Errorf("a form of the base URL through a proxy with another Host: %d, want 401", got)
	}
}
