package dashboard

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/mail/catch"
	"daybook/app/oauth"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/views"
	"daybook/views/dash"
)

// Options are the settings of a Door.
type Options struct {
	Logger *slog.Logger // nil discards
	Secure bool         // the server is reached by https, so cookies are limited to it

	// Preview shows the booking page of a set-up that is not saved, see page.Door.Preview; nil shows none.
	Preview func(w http.ResponseWriter, r *http.Request, s *catalog.Setup, eventType string)

	// Caught has the mails of a demo, which pages show; nil where mails are sent.
	Caught *catch.Box

	// KeyGuide shows a new key in the commands of the API's documentation; nil shows it on a page of the dashboard.
	KeyGuide func(http.ResponseWriter, *http.Request, account.NewKey)
}

// Door serves the dashboard.
type Door struct {
	*subjects.Set
	log    *slog.Logger
	secure bool
	live   *hub

	preview  func(http.ResponseWriter, *http.Request, *catalog.Setup, string) // may be nil
	keyGuide func(http.ResponseWriter, *http.Request, account.NewKey)         // may be nil
	caught   *catch.Box                                                       // may be nil
}

// New makes the door. Call it before the Service is used, because it registers for commits.
func New(s *subjects.Set, o Options) *Door {
	d := &Door{Set: s, log: o.Logger, secure: o.Secure, live: newHub(), preview: o.Preview,
		keyGuide: o.KeyGuide, caught: o.Caught}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	s.OnCommit(d.live.wake)
	return d
}

// MayMakeKeys reports whether a request, of another door, is of somebody who is signed in here and may make API keys.
func (d *Door) MayMakeKeys(r *http.Request) bool {
	token := (&web.Call{Request: r, Secure: d.secure}).Token()
	if token == "" {
		return false
	}
	s, err := d.Account.SessionOf(r.Context(), token)
	return err == nil && s.User.Actor().May(app.MayManageKeys) == nil
}

// Watch refreshes open pages when another process commits, until ctx ends.
func (d *Door) Watch(ctx context.Context) error { return d.live.watch(ctx, d.DataVersion) }

// Shutdown ends the open streams, for serve.Config.OnShutdown.
func (d *Door) Shutdown(context.Context) { d.live.close() }

// Routes mounts /dashboard, /login, /logout, /setup/ and /invite/.
func (d *Door) Routes(mux *http.ServeMux) {
	own := http.NewServeMux()
	for _, r := range routes {
		own.Handle(r.Pattern, d.handle(r))
	}
	own.Handle("GET /dashboard/live", serve.Stream(http.HandlerFunc(d.serveLive)))
	guard := http.NewCrossOriginProtection()
	if base := d.BaseURL(); base != "" { // a proxy may not pass the Host on
		if err := guard.AddTrustedOrigin(base); err != nil {
			d.log.Warn("forms can't be told from those of other sites by the --base-url", "error", err.Error())
		}
	}
	guard.SetDenyHandler(http.HandlerFunc(d.denied))
	h := guard.Handler(d.headers(own))
	for _, p := range []string{"/dashboard", "/dashboard/", "/login", "/login/", "/logout", "/setup/{token}", "/invite/{token}",
		oauth.AuthorizePath} {
		mux.Handle(p, h)
	}
	// for people who only type the server's name
	mux.Handle("GET /{$}", http.RedirectHandler(dash.TodayPath, http.StatusSeeOther))
}

const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src " +
	"'self'; " +
	"font-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (d *Door) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", csp)
		h.Set("X-Frame-Options", "DENY")
		if !forProgram(r) {
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// forProgram reports whether a page belongs to a program's request for access. Programs on the web open it in a window
// of theirs, and must see when that is back at their own address.
func forProgram(r *http.Request) bool {
	return r.URL.Path == oauth.AuthorizePath ||
		r.URL.Path == dash.LoginPath && strings.HasPrefix(r.URL.Query().Get("next"), oauth.AuthorizePath+"?")
}

// denied answers a form that was sent from another site. If that site is this one under another address, for example
// behind a proxy, sign-in fails for everybody; the log then says what differs and what to do.
func (d *Door) denied(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); origin != "" && r.Header.Get("Sec-Fetch-Site") != "cross-site" {
		d.log.Warn("a form was refused: Origin "+clip(origin)+" is not the --base-url "+d.BaseURL(), "route",
			"POST /"+firstSegment(r.URL.Path),
			"action", "if people reach Daybook at that address, start it with --base-url "+clip(origin)+" and, behind a proxy, --trust-proxy")
	}
	text := views.MatchLocale("", r.Header.Get("Accept-Language")).T("dash_other_site")
	http.Error(w, text, http.StatusForbidden)
}

// clip limits the length of what a stranger can write into the log.
func clip(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
