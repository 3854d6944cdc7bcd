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
	"daybook/app/calsync"
	"daybook/app/demo"
	"daybook/app/page"
	"daybook/app/push"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/store/enginetest"
)

// world is the demo's salon behind a real server.
type world struct {
	*apptest.Salon
	door   *Door
	server *httptest.Server
	salon  demo.Result
	other  *otherCalendars
}

// saturday is when the tests begin: 10:12 in Berlin.
var saturday = time.Date(2026, 11, 21, 9, 12, 0, 0, time.UTC)

// newEmptyWorld has no workspace yet.
func newEmptyWorld(t testing.TB) *world {
	t.Helper()
	return newWorldAt(t, "")
}

// newWorldAt serves the database at place, or a fresh one.
func newWorldAt(t testing.TB, place string, with ...func(*subjects.Config)) *world {
	t.Helper()
	w := &world{server: httptest.NewUnstartedServer(nil), other: newOtherCalendars()}
	clock := apptest.Standing(saturday)
	w.Salon = apptest.New(t, apptest.Options{Empty: true, Place: place, Clock: clock, With: func(c *subjects.Config) {
		c.BaseURL = &url.URL{Scheme: "http", Host: w.server.Listener.Addr().String()}
		c.Calendars.Sources = map[calsync.Kind]calsync.Opener{calsync.CalDAV: func(calsync.Opening) calsync.Source { return w.other },
			calsync.ICS: func(calsync.Opening) calsync.Source { return w.other }}
		c.Calendars.Providers = map[calsync.Kind]calsync.Provider{} // tests add theirs
		c.Calendars.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		c.Push = push.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
		for _, change := range with {
			change(c)
		}
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

// demoSalon is the demo's.
var demoSalon = enginetest.Filled[demo.Result]{Fill: func(t testing.TB, place string) demo.Result {
	s := apptest.New(t, apptest.Options{Empty: true, Place: place, Clock: apptest.Standing(saturday)})
	defer s.Close()
	r, err := demo.Fill(t.Context(), s.Set, s.Config, s.Clock.Now())
	s.Must(err)
	return r
}}

func newWorld(t testing.TB, with ...func(*subjects.Config)) *world {
	t.Helper()
	place, salon := demoSalon.Place(t)
	w := newWorldAt(t, place, with...)
	w.salon = salon
	var err error
	w.Workspace, err = w.WorkspaceBySlug(t.Context(), w.salon.Workspace)
	w.Must(err)
	w.Actors()
	return w
}
