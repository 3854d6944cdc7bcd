package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/app/serve"
	"daybook/app/table"
	"daybook/views"
	"daybook/views/dash"
)

const (
	maxBody     = 1 << 20
	maxOpenBody = 16 << 10 // of forms that are open to everybody
)

func (d *Door) handle(rt web.Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyOf(r, rt))
		c := &web.Call{ResponseWriter: w, Request: r, Subjects: d.Set, Log: d.log, Secure: d.secure, Preview: d.preview,
			KeyGuide: d.keyGuide, Caught: d.caught,
			Seen: d.live.seen(), Locale: views.MatchLocale("", r.Header.Get("Accept-Language"))}
		err := d.admit(c, rt)
		if err == nil && uploads(r) {
			var leave func()
			leave, err = d.Upload(c.Context(), c.Actor.Workspace)
			if busy := fault.As(err); busy != nil && pictureForm(r) {
				c.PictureWrong, err = busy, nil // the form comes back with what was typed
			} else if err == nil {
				defer leave()
				longer, done := serve.Upload(w, r)
				defer done()
				c.Request = longer
			}
		}
		if err == nil {
			err = rt.Handle(c)
		}
		if err != nil {
			d.fail(c, err)
		}
	})
}

func maxBodyOf(r *http.Request, rt web.Route) int64 {
	switch {
	case rt.Open || rt.Half:
		return maxOpenBody
	case imports(r):
		return table.MaxBytes*4/3 + 1<<20 // in base64 the second time, and the form around it
	case pictureForm(r):
		return picture.MaxFile + maxBody
	case uploads(r):
		return picture.MaxFile + formAround
	}
	return maxBody
}

// formAround is how long the form around a file may be.
const formAround = 64 << 10

// uploads reports whether the request has a file.
func uploads(r *http.Request) bool {
	return r.Method == http.MethodPost && (imports(r) || strings.HasSuffix(r.URL.Path, "/picture") || strings.HasSuffix(r.URL.Path, "/files") || pictureForm(r))
}

// pictureForm reports whether the request is the form of a service, or of a new person, with its picture.
func pictureForm(r *http.Request) bool {
	which, service := strings.CutPrefix(r.URL.Path, dash.TypesPath+"/")
	return (service && !strings.Contains(which, "/") || r.URL.Path == dash.NewHostPath) && r.Method == http.MethodPost &&
		strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/")
}

// imports reports whether the file is a list of contacts.
func imports(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/import") }

// admit finds the member of the session. It refuses the request unless the route is open to all, or the member may use
// it.
func (d *Door) admit(c *web.Call, rt web.Route) error {
	session, err := d.Account.AnySession(c.Context(), c.Token())
	if fault.Is(err, fault.Forbidden) && (rt.Open || rt.Pattern == "POST /logout") {
		return nil // a suspended workspace: they sign out, or in at another one
	}
	if err != nil && !fault.Is(err, fault.Unauthorized) {
		return err
	}
	half := err == nil && session.Half()
	if half && !rt.Half {
		if rt.Open {
			return nil
		}
		return &halfSession{session.HasFactor}
	}
	if err == nil {
		c.Session = session
		if !half {
			c.Actor = session.Actor()
		}
		if chosen := session.User.Locale; chosen != c.Locale.Language() { // "en" is that of the browser's country
			c.Locale = views.MatchLocale(chosen, c.Request.Header.Get("Accept-Language"))
		}
		if c.Setup, err = d.Setup(session.User.WorkspaceID); err != nil {
			return err
		}
	}
	if rt.Open {
		return nil
	}
	if c.Session.Hash == nil {
		return errSignInFirst
	}
	if rt.Half {
		return nil
	}
	return c.Actor.May(rt.Needs)
}

var errSignInFirst = errors.New("sign in first")

// halfSession is why a request is refused whose member has yet to show their second factor, or to set one up.
type halfSession struct{ has bool }

func (*halfSession) Error() string { return "show the second factor first" }

func (h *halfSession) path() string {
	if h.has {
		return dash.SecondPath
	}
	return dash.SecurityPath
}

// fail shows an error that no form handles.
func (d *Door) fail(c *web.Call, err error) {
	half := new(halfSession)
	if errors.Is(err, errSignInFirst) || errors.As(err, &half) {
		to := dash.LoginPath
		if half = nil; errors.As(err, &half) {
			to = half.path()
		}
		if c.Method == http.MethodGet && c.URL.Path != dash.TodayPath {
			to += "?next=" + url.QueryEscape(c.URL.RequestURI())
		}
		http.Redirect(c.ResponseWriter, c.Request, to, http.StatusSeeOther)
		return
	}
	if c.Context().Err() != nil {
		return // the client has left, or the server has already answered after a timeout
	}
	title, text, status := c.T("dash_wrong_title"), c.T("dash_wrong_text"), http.StatusInternalServerError
	if e := fault.As(err); e != nil {
		title, text = c.T("dash_failed_title"), c.Sentence(e)
		status = web.StatusOf(e.Code)
		switch e.Code {
		case fault.NotFound:
			title = c.T("dash_missing_title")
		case fault.Forbidden:
			title = c.T("dash_forbidden_title")
		case fault.Unavailable:
			title = c.T("dash_moment_title")
			if after, ok := e.Details["retryAfter"].(int); ok {
				c.Header().Set("Retry-After", strconv.Itoa(after))
			}
			if !fault.IsLogged(err) {
				d.log.Warn("dashboard", "error", err, "route", c.Pattern, "requestId", serve.RequestID(c.Context()))
			}
		}
	} else {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) { // the browser closed the connection
			level = slog.LevelDebug
		}
		d.log.Log(c.Context(), level, "dashboard", "error", err, "route", c.Pattern, "requestId",
			serve.RequestID(c.Context()))
	}
	page := dash.NoticePage{Frame: c.Frame(title, ""), Text: text, URL: dash.TodayPath, Label: c.T("dash_back_dashboard")}
	if c.Session.Hash == nil {
		page.URL, page.Label = dash.LoginPath, c.T("dash_sign_in")
	}
	c.Show(status, dash.Notice(page))
}
