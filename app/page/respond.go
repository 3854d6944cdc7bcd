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

// show sends a page.
func (v *visit) show(status int, c templ.Component) error {
	page := buffers.Get().(*bytes.Buffer)
	defer release(page)
	if err := c.Render(v.r.Context(), page); err != nil {
		page.Reset()
		return err
	}
	v.headers()
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.locale.Tag)
	v.send(status, page)
	return nil
}

// headers says who may frame the page, what it may load and how long it may be cached.
func (v *visit) headers() {
	h := v.w.Header()
	ancestors := "'none'"
	switch {
	case v.draft != nil:
		ancestors = "'self'"
		h.Set("X-Frame-Options", "SAMEORIGIN")
	case v.framable:
		ancestors = "*"
	default:
		h.Set("X-Frame-Options", "DENY")
	}
	var images []string
	if v.setup != nil && v.setup.Workspace.Settings.LogoURL != "" {
		images = append(images, v.setup.Workspace.Settings.LogoURL)
	}
	h.Set("Content-Security-Policy", views.CSPWithForms(views.CSP(ancestors, images...), v.leads))
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Vary", "Accept-Language")
	if v.r.PathValue("token") != "" {
		h.Set("X-Robots-Tag", "noindex")
	}
	if v.personal {
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer") // the URL gives access to the booking, or has the invitee's details
		return
	}
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Referrer-Policy", "same-origin")
}

// send writes the body.
func (v *visit) send(status int, body *bytes.Buffer) {
	v.w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		v.w.Write(body.Bytes()) // an error means that the visitor has left
	}
}

// redirect sends the browser to another page of this server, with GET.
func (v *visit) redirect(path string) error {
	v.headers()
	v.w.Header().Set("Location", path)
	v.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// fail shows the page of an error.
func (v *visit) fail(err error) {
	e := fault.As(err)
	var tooLarge *http.MaxBytesError
	status, message := http.StatusInternalServerError, views.Failed
	switch {
	case e != nil && e.Code == fault.NotFound:
		status, message = e.Code.Status(), views.NotFound
	case e != nil && e.Code == fault.RateLimited:
		status, message = e.Code.Status(), views.TooMany
		if after, ok := e.Details["retryAfter"].(int); ok {
			v.w.Header().Set("Retry-After", strconv.Itoa(after))
		}
	case e != nil && e.Code == fault.Unavailable:
		status, message = e.Code.Status(), views.Away
		if e.Reason == "busy" {
			message = views.Busy
		}
		if after, ok := e.Details["retryAfter"].(int); ok {
			v.w.Header().Set("Retry-After", strconv.Itoa(after))
		}
	case v.r.Context().Err() != nil:
		return // the visitor has left
	case errors.As(err, &tooLarge):
		status = http.StatusRequestEntityTooLarge
	case e != nil && (e.Code == fault.Conflict || e.Code == fault.BadRequest):
		status = e.Code.Status()
	default:
		v.log.ErrorContext(v.r.Context(), "a page failed", "route", v.r.Pattern, "error", err.Error())
	}
	if err := v.show(status, views.MessageView(message(v.page()))); err != nil {
		http.Error(v.w, "That didn't work. Please try again in a moment.", http.StatusInternalServerError)
	}
}
