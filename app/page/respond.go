package page

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"daybook/app/fault"
	"daybook/views"
)

// buffers reuses the memory of pages; a month takes about 30 KB.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func release(b *bytes.Buffer) {
	if b.Cap() < 1<<20 {
		b.Reset()
		buffers.Put(b)
	}
}

// showMessage sends a page that says one thing.
func (c *call) showMessage(status int, m views.MessagePage) error {
	return c.show(status, views.MessageView(m))
}

// show sends a page.
func (c *call) show(status int, view templ.Component) error {
	page := buffers.Get().(*bytes.Buffer)
	defer release(page)
	if err := view.Render(c.r.Context(), page); err != nil {
		page.Reset()
		return err
	}
	c.headers()
	h := c.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", c.locale.Tag)
	c.send(status, page)
	return nil
}

// headers says who may frame the page, what it may load and how long it may be cached.
func (c *call) headers() {
	h := c.w.Header()
	ancestors := "'none'"
	switch {
	case c.draft != nil:
		ancestors = "'self'"
		h.Set("X-Frame-Options", "SAMEORIGIN")
	case c.framable:
		ancestors = "*"
	default:
		h.Set("X-Frame-Options", "DENY")
	}
	var images []string
	if c.setup != nil && c.setup.Workspace.Settings.LogoURL != "" {
		images = append(images, c.setup.Workspace.Settings.LogoURL)
	}
	h.Set("Content-Security-Policy", views.CSPWithForms(views.CSP(ancestors, images...), c.leads))
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Vary", "Accept-Language")
	if c.r.PathValue("token") != "" || c.own {
		h.Set("X-Robots-Tag", "noindex")
	}
	if c.personal {
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer") // the URL gives access to the booking, or has the invitee's details
		return
	}
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Referrer-Policy", "same-origin")
}

// send writes the body.
func (c *call) send(status int, body *bytes.Buffer) {
	c.w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		c.w.Write(body.Bytes()) // an error means that the visitor has left
	}
}

// redirect sends the browser to another page of this server, with GET.
func (c *call) redirect(path string) error {
	c.headers()
	c.w.Header().Set("Location", path)
	c.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// fail shows the page of an error.
func (c *call) fail(err error) {
	e := fault.As(err)
	var tooLarge *http.MaxBytesError
	status, message := http.StatusInternalServerError, views.Failed
	switch {
	case e != nil && e.Code == fault.NotFound:
		status, message = e.Code.Status(), views.NotFound
	case e != nil && e.Reason == "workspace_suspended":
		status, message = e.Code.Status(), views.Suspended
	case e != nil && e.Code == fault.RateLimited:
		status, message = e.Code.Status(), views.TooMany
		if after, ok := e.Details["retryAfter"].(int); ok {
			c.w.Header().Set("Retry-After", strconv.Itoa(after))
		}
	case e != nil && e.Code == fault.Unavailable:
		status, message = e.Code.Status(), views.Away
		switch e.Reason {
		case "busy":
			message = views.Busy
		case "uncertain": // "nothing was done" would be a guess
			message = views.Failed
		}
		if after, ok := e.Details["retryAfter"].(int); ok {
			c.w.Header().Set("Retry-After", strconv.Itoa(after))
		}
	case c.r.Context().Err() != nil:
		return // the visitor has left
	case errors.As(err, &tooLarge):
		status = http.StatusRequestEntityTooLarge
	case e != nil && (e.Code == fault.Conflict || e.Code == fault.BadRequest):
		status = e.Code.Status()
	default:
		c.log.ErrorContext(c.r.Context(), "a page failed", "route", c.r.Pattern, "error", err.Error())
	}
	if err := c.showMessage(status, message(c.page())); err != nil {
		http.Error(c.w, "That didn't work. Please try again in a moment.", http.StatusInternalServerError)
	}
}
