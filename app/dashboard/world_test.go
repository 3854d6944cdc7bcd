package dashboard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/demo"
	"daybook/app/page"
	"daybook/app/push"
	"daybook/app/rooms"
	"daybook/app/serve"
)

// world is the demo's salon behind a real server.
type world struct {
	*apptest.Salon
	door   *Door
	server *httptest.Server
	salon  demo.Result
}

// saturday is when the tests begin: 10:12 in Berlin.
var saturday = time.Date(2026, 11, 21, 9, 12, 0, 0, time.UTC)

// newEmptyWorld has no workspace yet.
func newEmptyWorld(t testing.TB) *world {
	t.Helper()
	w := &world{server: httptest.NewUnstartedServer(nil)}
	w.Salon = apptest.New(t, apptest.Options{Empty: true, Clock: apptest.Standing(saturday), With: func(c *rooms.Config) {
		c.BaseURL = &url.URL{Scheme: "http", Host: w.server.Listener.Addr().String()}
		c.Push = push.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	}})
	pages := page.New(w.Set, page.Options{})
	w.door = New(w.Set, Options{Preview: pages.Preview})
	var err error
	w.server.Config.Handler, err = serve.Handler(serve.Config{
		Routes: func(mux *http.ServeMux) { w.door.Routes(mux); pages.Routes(mux) },
		Pages:  pages.Pages,
	})
	w.Must(err)
	w.server.Start()
	t.Cleanup(func() { w.door.Shutdown(context.Background()); w.server.Close() })
	return w
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := newEmptyWorld(t)
	var err error
	w.salon, err = demo.Fill(t.Context(), w.Set, w.Config, w.Clock.Now())
	w.Must(err)
	w.Workspace, err = w.WorkspaceBySlug(t.Context(), w.salon.Workspace)
	w.Must(err)
	w.Actors()
	return w
}
