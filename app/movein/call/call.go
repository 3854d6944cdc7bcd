// Package call reads from the APIs of other programs: with a key, bounds and patience. What the answers mean is the readers'.
package call

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daybook/app/address"
	"daybook/app/fault"
)

const (
	callTime   = 30 * time.Second
	mostAnswer = 16 << 20 // bytes
	mostTries  = 6        // of a call that is to be made again
	longest    = 2 * time.Minute
)

// ErrAbsent means that the key doesn't reach something, or that the server is too old for it.
var ErrAbsent = errors.New("is not there")

// absent is an ErrAbsent that says what to do.
type absent struct{ text fault.Text }

func (a *absent) Error() string        { return a.text.String() }
func (a *absent) Text() fault.Text     { return a.text }
func (a *absent) Is(target error) bool { return target == ErrAbsent }

// Server is the API of a program. Its errors have a fault.Text.
type Server struct {
	Program string     // for errors
	Base    string     // its address: https, or this machine; with a Client what that may call
	Key     string     // a bearer token
	Refused fault.Text // what is said where the key is refused
	Client  *http.Client
	Pause   func(context.Context, time.Duration) error // nil waits
}

// LawfulClient returns a Client for addresses that somebody other than the operator names.
func LawfulClient(law *address.Law) *http.Client { return newClient(law.Transport()) }

// newClient follows no redirect, which could take the key elsewhere.
func newClient(by http.RoundTripper) *http.Client {
	return &http.Client{Timeout: callTime, Transport: by,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Check returns an error unless the address is one.
func (s *Server) Check() error {
	u, err := url.Parse(s.Base)
	plain := err == nil && u.Scheme == "http" && (s.Client != nil || u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1")
	if err != nil || u.Host == "" || u.Scheme != "https" && !plain {
		return fault.Errorf("%q is no address of %s: it must begin with https://", s.Base, s.Program)
	}
	return nil
}

// NotIt is the error of a server that answers otherwise than the program does.
func (s *Server) NotIt() error {
	return fault.Errorf("%s doesn't answer as %s does: is that its address?", s.Base, s.Program)
}

// Unreadable is the error of an answer, to what is at the path, that can't be read.
func (s *Server) Unreadable(path string, err error) error {
	return fault.Errorf("the answer of %s to %s can't be read: %v", s.Program, nameOf(path), err)
}

// TooMany is the error of a list that is longer than anything that was thought of.
func (s *Server) TooMany(path string, most int) error {
	return fault.Errorf("%s has more than %d entries in %s", s.Program, most, nameOf(path))
}

func nameOf(path string) string {
	name, _, _ := strings.Cut(path, "?")
	return name
}

// Get returns what is at a path. A call that comes too often, or meets a server that is down, is made again; in between it waits
// as long as it is asked to, two minutes at most. Errors say what to do, and never the key: ErrAbsent.
func (s *Server) Get(ctx context.Context, path string, header map[string]string) ([]byte, error) {
	wait := s.Pause
	if wait == nil {
		wait = pause
	}
	for try := 1; ; try++ {
		after, body, err := s.once(ctx, path, header)
		if after == 0 || try == mostTries {
			return body, err
		}
		if err := wait(ctx, min(after, longest)); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// once makes a call. after is not 0 if it is worth another one after that time.
func (s *Server) once(ctx context.Context, path string, header map[string]string) (after time.Duration, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(s.Base, "/")+path, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.Key)
	req.Header.Set("Accept", "application/json")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	client := s.Client
	if client == nil {
		client = newClient(address.Outward{RoundTripper: http.DefaultTransport})
	}
	resp, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		if refused := (*address.Refused)(nil); errors.As(err, &refused) { // it would be again
			return 0, nil, refused
		}
		return time.Second, nil, fault.Errorf("can't reach %s at %s: %v", s.Program, s.Base, errors.Unwrap(err))
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	name := nameOf(path)
	switch {
	case err != nil:
		return time.Second, nil, fault.Errorf("the answer of %s to %s broke off: %v", s.Program, name, err)
	case len(body) > mostAnswer:
		return 0, nil, fault.Errorf("the answer of %s to %s is larger than %d MB", s.Program, name, mostAnswer>>20)
	case resp.StatusCode == http.StatusTooManyRequests:
		return patience(resp.Header, time.Now()), nil, fault.Errorf("it is called too often, says %s again and again: try again in an hour", s.Program)
	case resp.StatusCode >= 500:
		return 2 * time.Second, nil, fault.Errorf("the server of %s is out of order (%s at %s): try again later", s.Program, resp.Status, name)
	case resp.StatusCode == http.StatusUnauthorized:
		return 0, nil, fault.Errorf("%s", s.Refused)
	case resp.StatusCode == http.StatusForbidden || resp.StatusCode == http.StatusNotFound:
		return 0, nil, &absent{fault.Textf("%s is not there (%s): is %s the address of %s?", name, resp.Status, s.Base, s.Program)}
	case resp.StatusCode != http.StatusOK:
		return 0, nil, fault.Errorf("%s answered %s to %s: is it the address of %s?", s.Base, resp.Status, name, s.Program)
	}
	return 0, body, nil
}

// patience returns how long the answer asks to wait.
func patience(h http.Header, now time.Time) time.Duration {
	if n, err := strconv.Atoi(h.Get("Retry-After")); err == nil && n > 0 {
		return time.Duration(n) * time.Second
	}
	for name := range h {
		if strings.HasPrefix(name, "X-Ratelimit-Reset") {
			if n, err := strconv.ParseInt(h.Get(name), 10, 64); err == nil {
				at := time.Unix(n, 0)
				if n < 1_000_000_000 { // it is in seconds
					at = now.Add(time.Duration(n) * time.Second)
				}
				return max(time.Second, at.Sub(now))
			}
		}
	}
	return 10 * time.Second
}
