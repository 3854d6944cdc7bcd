// Package caldav reads the busy times of calendars on a CalDAV server (RFC 4791), and writes bookings into them. It
// finds the calendars of an account by RFC 6764, and what has changed in one by RFC 6578, or by comparing ETags where a
// server doesn't have that.
//
// It signs in by HTTP Basic. The password goes to the host of the connection's address, to hosts of the same domain
// that the signed-in server names over HTTPS as the places of its calendars, and never along a redirect to another
// host. Whether http:// may be used at all is the client's law.
package caldav

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"daybook/app/address"
	"daybook/app/calsync"
)

// Open returns the calsync.Opener of CalDAV accounts. What it returns is a calsync.Writer, and asks nothing before a
// method is called.
func Open(o calsync.Opening) calsync.Source {
	client := *o.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	base, err := url.Parse(o.Connection.Address)
	if err != nil {
		base = &url.URL{} // which every request says
	}
	return &source{base: base, user: o.Connection.User, password: o.Credentials.Password, http: &client}
}

type source struct {
	base           *url.URL
	user, password string
	http           *http.Client
}

const maxRedirects = 5

// request is what is asked of a server.
type request struct {
	method string
	to     *url.URL
	depth  string
	header map[string]string
	body   string
	short  bool // the answer is about accounts or calendars, not about their events
}

// refusal is an answer that isn't what was asked for: its status, what calsync calls that, and the conditions that its
// body says were not met (RFC 4918 §16).
type refusal struct {
	code       int
	err        error
	conditions []xml.Name
}

func (r *refusal) Error() string { return fmt.Sprintf("the server answered %d: %v", r.code, r.err) }
func (r *refusal) Unwrap() error { return r.err }

// unmet reports whether a condition was not met.
func (r *refusal) unmet(name string) bool {
	for _, c := range r.conditions {
		if c.Local == name {
			return true
		}
	}
	return false
}

// code returns the status of the answer that an error is about, or 0.
func code(err error) int {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return 0
}

// ask sends a request, and again where it is redirected. It returns an answer of 200 to 299, whose body the caller
// closes, and the address that gave it. Other answers are a *refusal.
func (s *source) ask(ctx context.Context, q request) (*http.Response, *url.URL, error) {
	to := q.to
	for range maxRedirects + 1 {
		a, err := s.send(ctx, q, to)
		if err != nil {
			return nil, nil, err
		}
		if !redirects(a.StatusCode) {
			if a.StatusCode >= 200 && a.StatusCode < 300 {
				return a, to, nil
			}
			defer calsync.DropBody(a)
			return nil, nil, refused(a)
		}
		calsync.DropBody(a)
		next, err := to.Parse(a.Header.Get("Location"))
		if err != nil || a.Header.Get("Location") == "" {
			return nil, nil, &refusal{a.StatusCode, &calsync.Status{Code: a.StatusCode}, nil}
		}
		if address.SameHost(to.Hostname(), next.Hostname()) && to.Scheme == "https" && next.Scheme == "http" {
			next.Scheme, next.Host = to.Scheme, to.Host // a server behind a proxy doesn't know that it is asked by HTTPS
		}
		if !mayRedirect(to, next) {
			return nil, nil, &refusal{a.StatusCode, fmt.Errorf("%w: the server leads to %s, where the password isn't sent",
				calsync.ErrNotFound, next.Host), nil}
		}
		next.Fragment, next.User = "", nil
		to = next
	}
	return nil, nil, &refusal{http.StatusLoopDetected, &calsync.Status{Code: http.StatusLoopDetected}, nil}
}

func (s *source) send(ctx context.Context, q request, to *url.URL) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, q.method, to.String(), strings.NewReader(q.body))
	if err != nil {
		return nil, fmt.Errorf("%w: the address isn't one", calsync.ErrNotFound)
	}
	r.SetBasicAuth(s.user, s.password)
	r.Header.Set("User-Agent", calsync.UserAgent)
	if q.body != "" {
		r.Header.Set("Content-Type", "application/xml; charset=utf-8")
	}
	if q.depth != "" {
		r.Header.Set("Depth", q.depth)
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	a, err := s.http.Do(r)
	if err != nil {
		return nil, calsync.CallFailed(err)
	}
	return a, nil
}

func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		return true
	}
	return false
}

// mayRedirect reports whether a request with the password may go on to an address: on the same host and port, or on the
// same host by HTTPS where it was by HTTP.
func mayRedirect(from, to *url.URL) bool {
	if !address.SameHost(from.Hostname(), to.Hostname()) {
		return false
	}
	return from.Scheme == to.Scheme && port(from) == port(to) || from.Scheme == "http" && to.Scheme == "https"
}

func port(u *url.URL) string {
	if u.Port() == "" && u.Scheme == "https" {
		return "443"
	}
	if u.Port() == "" {
		return "80"
	}
	return u.Port()
}

// refused is the error of an answer.
func refused(a *http.Response) error {
	r := &refusal{code: a.StatusCode, err: calsync.StatusError(a)}
	text, err := io.ReadAll(io.LimitReader(a.Body, 64<<10))
	if err != nil {
		return r // its status says enough
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return r // no XML, or its end
		}
		switch x := token.(type) {
		case xml.StartElement:
			if depth == 0 && x.Name != (xml.Name{Space: "DAV:", Local: "error"}) {
				return r
			}
			if depth++; depth == 2 && len(r.conditions) < 10 {
				r.conditions = append(r.conditions, x.Name)
			}
		case xml.EndElement:
			depth--
		}
	}
}

// follow returns the address that the server means by an href, seen from an address of its own. Its scheme and port are
// those that the host was asked by, as a server behind a proxy may not know them. The error is calsync.ErrForbidden for
// a place that must not get the password.
func (s *source) follow(from *url.URL, href string) (*url.URL, error) {
	to, err := from.Parse(strings.TrimSpace(href))
	if err != nil || to.Opaque != "" {
		return nil, fmt.Errorf("%w: an address of the server isn't one", calsync.ErrNotOne)
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	switch {
	case address.SameHost(to.Hostname(), from.Hostname()):
		to.Scheme, to.Host = from.Scheme, from.Host
	case to.Scheme != "https" || !sameDomain(s.base.Hostname(), to.Hostname()):
		return nil, fmt.Errorf("%w: the server names the calendars of %s", calsync.ErrForbidden, to.Host)
	}
	return to, nil
}

// sameDomain reports whether two hosts belong together: caldav.example.com and p01-caldav.example.com do.
func sameDomain(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSuffix(a, ".")), strings.ToLower(strings.TrimSuffix(b, "."))
	_, domain, _ := strings.Cut(a, ".")
	return strings.Contains(domain, ".") && strings.HasSuffix(b, "."+domain)
}

// calendar returns the address of a calsync.Remote.ID.
func (s *source) calendar(id string) (*url.URL, error) {
	to, err := s.follow(s.base, id)
	if err == nil && !strings.HasSuffix(to.Path, "/") {
		to = to.JoinPath("/")
	}
	return to, err
}

// keyOf returns an event's address as it is kept: its path, in one spelling.
func keyOf(u *url.URL) string {
	if strings.Contains(strings.ToLower(u.EscapedPath()), "%2f") {
		return u.EscapedPath() // which can't be told from a / otherwise
	}
	return (&url.URL{Path: u.Path}).EscapedPath()
}
