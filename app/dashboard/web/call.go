package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/catch"
	"daybook/app/subjects"
	"daybook/views"
	"daybook/views/dash"
)

// Call is one request, with the member who sent it.
type Call struct {
	http.ResponseWriter
	*http.Request
	Subjects *subjects.Set
	Log      *slog.Logger
	Secure   bool // cookies are limited to https
	Session  account.Session
	Actor    app.Actor
	Setup    *catalog.Setup // nil before sign-in
	Locale   *views.Locale
	Seen     string                             // what was committed before the request, for the stream of a live page
	waiting  map[booking.BookingID]bulk.Waiting // see Cancelling
	// PictureWrong is why an uploaded picture was refused; nil if none was.
	PictureWrong *fault.Error
	Preview      func(http.ResponseWriter, *http.Request, *catalog.Setup, string) // of a booking page; nil shows none
	Caught       *catch.Box                                                       // the mails of a demo; nil elsewhere
	KeyGuide     func(http.ResponseWriter, *http.Request, account.NewKey)         // see dashboard.Options
}

// StatusOf returns the HTTP status of the code, but 422 for a form with errors.
func StatusOf(c fault.Code) int {
	if c == fault.BadRequest {
		return http.StatusUnprocessableEntity
	}
	return c.Status()
}

// Show sends a page.
func (c *Call) Show(status int, page templ.Component) error {
	c.Header().Set("Content-Type", "text/html; charset=utf-8")
	c.WriteHeader(status)
	if c.Method == http.MethodHead {
		return nil
	}
	return page.Render(dash.In(context.WithoutCancel(c.Context()), c.Locale), c.ResponseWriter)
}

// T returns the text of a message in the member's language; see views.Locale.T.
func (c *Call) T(key string, args ...any) string { return c.Locale.T(key, args...) }

// Header returns the header of the response.
func (c *Call) Header() http.Header { return c.ResponseWriter.Header() }

// Redirect goes to another page after a change; said names what it says, see sayings, or is "".
func (c *Call) Redirect(to, said string) error {
	if said != "" {
		to += map[bool]string{true: "&", false: "?"}[strings.Contains(to, "?")] + "said=" + said
	}
	http.Redirect(c.ResponseWriter, c.Request, to, http.StatusSeeOther)
	return nil
}

// Zone returns the workspace's time zone.
func (c *Call) Zone() *time.Location { return c.Setup.Zone }

// Now returns the time in the workspace's zone.
func (c *Call) Now() time.Time { return c.Subjects.Now().In(c.Zone()) }

// Attach makes the response a file to download.
func (c *Call) Attach(name, kind string) {
	c.Header().Set("Content-Type", kind)
	c.Header().Set("Content-Disposition",
		fmt.Sprintf(`attachment; filename="%s-%s-%s"`, c.Setup.Workspace.Slug, c.Now().Format("2006-01-02"), name))
}
