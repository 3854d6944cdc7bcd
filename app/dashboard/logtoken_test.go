package dashboard

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/feed"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/store"
	"daybook/store/enginetest"
)

type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// tokenPaths are all paths of the doors that people open without an account, and of the dashboard.
var tokenPaths = []string{
	"/booking/{token}", "/booking/{token}/reschedule", "/booking/{token}/cancel", "/booking/{token}/calendar.ics", "/booking/{token}/pay",
	"/visit/{token}", "/visit/{token}/calendar.ics", "/booking/{token}/decide", "/mail/{token}/stop", "/calendar/{token}", "/_i/{token}", "/_i/{token}/more", "/setup/{token}", "/invite/{token}",
	"/setup/{token}/more", "/Invite/{token}", "/salon/booking/{token}", "/salon/_me/{token}", "/salon/_me/{token}/more",
	"/api/texts/" + catalog.WorkspaceID(1).String() + "/{token}",
}

// Whatever becomes of a request, no line of the log has a token of its path: neither the access log nor what a door
// says when the database fails below it.
func TestNoTokenInTheLog(t *testing.T) {
	db := enginetest.Open(t)
	var out logBuffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	base := &url.URL{Scheme: "http", Host: "book.test"}
	s := subjects.New(subjects.Config{Config: app.Config{Store: store.New(db), BaseURL: base, Logger: log}})
	door, pages := New(s, Options{Logger: log}), page.New(s, page.Options{Logger: log})
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- serve.Run(ctx, serve.Config{
			Logger: log, BaseURL: base, Pages: pages.Pages,
			Routes: func(mux *http.ServeMux) {
				door.Routes(mux)
				pages.Routes(mux)
				page.NewDecisions(s, log).Routes(mux)
				feed.New(s.Feed, log).Routes(mux)
				text.NewDoor(s.Text, log).Routes(mux)
				mux.Handle("/booking/{token}/pay", payment.Pay(s.Payment, log, nil))
			},
			OnShutdown: []func(context.Context){door.Shutdown},
		}, func(at net.Addr) { ready <- at.String() })
	}()
	at := "http://" + <-ready
	if err := db.Close(); err != nil { // everything that asks the database fails
		t.Fatal(err)
	}
	all := append([]string{}, tokenPaths...)
	for _, r := range routes {
		_, path, _ := strings.Cut(r.Pattern, " ")
		all = append(all, path)
	}
	// tokens as they are made, and a short one, which no rule about lengths finds.
	tokens := []string{"38hbez40088ckb3eyd8pnte71bevwhjr9b45k8c", "H_ct92zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "sh0rt-t0ken"}
	wild := regexp.MustCompile(`\{[a-z]+\}`)
	asked := 0
	for _, path := range all {
		for _, token := range tokens {
			if token == tokens[2] && !strings.HasPrefix(path, "/_i/") && !strings.HasPrefix(path, "/booking/") && !strings.HasPrefix(path, "/mail/") && !strings.HasPrefix(path, "/setup/") {
				continue // an id of the dashboard opens nothing
			}
			for _, method := range []string{"GET", "POST", "DELETE"} {
				r, err := http.NewRequestWithContext(ctx, method, at+wild.ReplaceAllString(path, token), strings.NewReader("password=long+enough+here"))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				res, err := http.DefaultTransport.RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				res.Body.Close()
				asked++
			}
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	lines := out.String()
	for _, token := range tokens {
		for line := range strings.Lines(lines) {
			if strings.Contains(line, token) {
				t.Errorf("a token in the log: %s", line)
			}
		}
	}
	if n := strings.Count(lines, "msg=request"); n != asked {
		t.Errorf("%d access lines, want %d", n, asked)
	}
	for _, want := range []string{"msg=dashboard", "route=\"POST /invite/{token}\"", "a page failed"} {
		if !strings.Contains(lines, want) {
			t.Errorf("the log has no line with %s, so nothing failed", want)
		}
	}
}
