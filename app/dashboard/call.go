package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views"
	"daybook/views/dash"
)

// call is one request, with who asks.
type call struct {
	http.ResponseWriter
	*http.Request
	door    *Door
	session account.Session
	actor   app.Actor
	setup   *app.Setup // nil before somebody is signed in
	locale  *views.Locale
}

const maxBody = 1 << 20

func (d *Door) handle(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyOf(r))
		c := &call{ResponseWriter: w, Request: r, door: d, locale: views.MatchLocale("", "en-US")}
		if l := views.MatchLocale("", r.Header.Get("Accept-Language")); l.Language() == "en" {
			c.locale = l
		} else {
			c.locale = views.MatchLocale("en-GB", "") // a language of its own is still to come; its clock is not American
		}
		err := d.admit(c, rt.least)
		if err == nil {
			err = rt.handle(d, c)
		}
		if err != nil {
			d.fail(c, err)
		}
	})
}

func maxBodyOf(r *http.Request) int64 {
	if strings.HasSuffix(r.URL.Path, "/import") {
		return 8 << 20
	}
	return maxBody
}

// admit finds who asks and whether they may.
func (d *Door) admit(c *call, least app.Role) error {
	session, err := d.Account.SessionOf(c.Context(), c.token())
	if err != nil && !fault.Is(err, fault.Unauthorized) {
		return err
	}
	if err == nil {
		c.session, c.actor = session, session.Actor()
		if c.setup, err = d.Setup(c.actor.Workspace); err != nil {
			return err
		}
	}
	if least == "" {
		return nil
	}
	if c.session.Hash == nil {
		return errSignInFirst
	}
	if !c.actor.Role.AtLeast(least) {
		return &fault.Error{Code: fault.Forbidden, Reason: "role", Message: "Your role does not allow this. Ask an owner of the workspace."}
	}
	return nil
}

var errSignInFirst = errors.New("sign in first")

var statusOf = map[fault.Code]int{
	fault.BadRequest: http.StatusUnprocessableEntity, fault.Unauthorized: http.StatusUnauthorized, fault.Forbidden: http.StatusForbidden,
	fault.NotFound: http.StatusNotFound, fault.Conflict: http.StatusConflict, fault.RateLimited: http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable,
}

// fail answers an error that no form took.
func (d *Door) fail(c *call, err error) {
	if errors.Is(err, errSignInFirst) {
		to := dash.LoginPath
		if c.Method == http.MethodGet && c.URL.Path != dash.TodayPath {
			to += "?next=" + url.QueryEscape(c.URL.RequestURI())
		}
		http.Redirect(c.ResponseWriter, c.Request, to, http.StatusSeeOther)
		return
	}
	if c.Context().Err() != nil {
		return // the client is gone, or the server answers for what took too long
	}
	title, text, status := "Something went wrong", "This is our fault. Please try again.", http.StatusInternalServerError
	if e := fault.As(err); e != nil {
		title, text = "That did not work", sentence(e)
		if status = statusOf[e.Code]; status == 0 {
			status = http.StatusInternalServerError
		}
		switch e.Code {
		case fault.NotFound:
			title = "Not found"
		case fault.Forbidden:
			title = "Not allowed"
		}
	} else {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) { // the browser hung up
			level = slog.LevelDebug
		}
		d.log.Log(c.Context(), level, "dashboard", "error", err, "route", c.Pattern, "requestId", serve.RequestID(c.Context()))
	}
	page := dash.NoticePage{Frame: c.frame(title, ""), Text: text, URL: dash.TodayPath, Label: "Back to the dashboard"}
	if c.session.Hash == nil {
		page.URL, page.Label = dash.LoginPath, "Sign in"
	}
	c.show(status, dash.Notice(page))
}

// show answers with a page.
func (c *call) show(status int, page templ.Component) error {
	c.Header().Set("Content-Type", "text/html; charset=utf-8")
	c.WriteHeader(status)
	if c.Method == http.MethodHead {
		return nil
	}
	return page.Render(context.WithoutCancel(c.Context()), c.ResponseWriter)
}

func (c *call) Header() http.Header { return c.ResponseWriter.Header() }

// redirect leads on after a change; said is a key of sayings.
func (c *call) redirect(to, said string) error {
	if said != "" {
		to += map[bool]string{true: "&", false: "?"}[strings.Contains(to, "?")] + "said=" + said
	}
	http.Redirect(c.ResponseWriter, c.Request, to, http.StatusSeeOther)
	return nil
}

// zone is the workspace's.
func (c *call) zone() *time.Location { return c.setup.Zone }

func (c *call) now() time.Time { return c.door.Now().In(c.zone()) }
