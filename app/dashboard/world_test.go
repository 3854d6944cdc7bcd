package dashboard

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/demo"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/app/serve"
	"daybook/assets"
	"daybook/store"
	"daybook/store/enginetest"
	"daybook/views"
	"daybook/views/dash"
)

// world is the demo's salon behind a real server, with a clock that stands still until it is moved.
type world struct {
	*rooms.Set
	t      testing.TB
	door   *Door
	server *httptest.Server
	store  *store.Store
	salon  demo.Result
	owner  app.Actor

	mu  sync.Mutex
	now time.Time
}

// saturday is when the tests begin: 10:12 in Berlin.
var saturday = time.Date(2026, 11, 21, 9, 12, 0, 0, time.UTC)

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// newEmptyWorld has no workspace yet.
func newEmptyWorld(t testing.TB) (*world, rooms.Config) {
	t.Helper()
	w := &world{t: t, store: store.New(enginetest.Open(t)), now: saturday}
	w.server = httptest.NewUnstartedServer(nil)
	base := &url.URL{Scheme: "http", Host: w.server.Listener.Addr().String()}
	config := rooms.Config{Config: app.Config{Store: w.store, Clock: w.clock, BaseURL: base}}
	w.Set = rooms.New(config)
	w.door = New(w.Set, Options{})
	var err error
	w.server.Config.Handler, err = serve.Handler(serve.Config{
		Routes: func(mux *http.ServeMux) {
			w.door.Routes(mux)
			mux.Handle("/assets/", assets.Handler(views.BrandCSS))
		},
		Pages: func(mux *http.ServeMux) {
			mux.HandleFunc("GET /{workspace}", func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "booking page") })
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.server.Start()
	t.Cleanup(func() { w.door.Shutdown(context.Background()); w.server.Close() })
	return w, config
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w, config := newEmptyWorld(t)
	var err error
	if w.salon, err = demo.Fill(t.Context(), w.Set, config, w.now); err != nil {
		t.Fatal(err)
	}
	ws, err := w.WorkspaceBySlug(t.Context(), w.salon.Workspace)
	w.must(err)
	w.owner = app.Actor{Kind: record.ByOwner, Workspace: ws.ID, Role: app.OwnerRole}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// visitor is a client that keeps its cookies and follows nothing.
type visitor struct {
	w      *world
	client *http.Client
}

func (w *world) browser() *visitor {
	jar, _ := cookiejar.New(nil)
	return &visitor{w, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// as is a browser in which the user of that address is signed in.
func (w *world) as(email, password string) *visitor {
	w.t.Helper()
	b := w.browser()
	if r := b.post("/login", "email", email, "password", password); r.status != http.StatusSeeOther {
		w.t.Fatalf("sign in %s: %d %s", email, r.status, r.body)
	}
	return b
}

func (w *world) asOwner() *visitor { w.t.Helper(); return w.as(w.salon.Email, w.salon.Password) }

type response struct {
	status   int
	location string
	body     string
	header   http.Header
}

func (b *visitor) do(r *http.Request) response {
	b.w.t.Helper()
	res, err := b.client.Do(r)
	b.w.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	b.w.must(err)
	return response{res.StatusCode, res.Header.Get("Location"), string(body), res.Header}
}

func (b *visitor) get(path string) response {
	b.w.t.Helper()
	r, err := http.NewRequest("GET", b.w.server.URL+path, nil)
	b.w.must(err)
	return b.do(r)
}

func (b *visitor) post(path string, form ...string) response {
	b.w.t.Helper()
	values := url.Values{}
	for i := 0; i+1 < len(form); i += 2 {
		values.Add(form[i], form[i+1])
	}
	r, err := http.NewRequest("POST", b.w.server.URL+path, bytes.NewReader([]byte(values.Encode())))
	b.w.must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// wants fails unless the answer has the status and every text; a text that begins with ! must be missing.
func (b *visitor) wants(r response, status int, texts ...string) {
	b.w.t.Helper()
	if r.status != status {
		b.w.t.Fatalf("status %d, want %d: %s %.600s", r.status, status, r.location, mainOf(r.body))
	}
	for _, text := range texts {
		if without, not := strings.CutPrefix(text, "!"); not && strings.Contains(r.body, without) {
			b.w.t.Errorf("has %q", without)
		} else if !not && !strings.Contains(r.body, text) {
			b.w.t.Errorf("lacks %q in %.1500s", text, mainOf(r.body))
		}
	}
}

func mainOf(body string) string {
	if _, rest, ok := strings.Cut(body, "<main"); ok {
		return rest
	}
	return body
}

func hostURL(h *catalog.Host) string { return dash.HostPath(h.ID.String()) }

func contactURL(id record.ContactID) string { return dash.ContactPath(id.String()) }
