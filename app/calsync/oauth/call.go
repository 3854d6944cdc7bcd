package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"daybook/app/calsync"
)

// Caller calls the API of one account.
type Caller struct {
	Provider *Provider
	Opening  calsync.Opening
}

// Refusal is an answer other than of success.
type Refusal struct {
	Status int
	Body   []byte // the start of it
	later  error  // of a server that says when to come again
}

func (r *Refusal) Error() string { return (&calsync.Status{Code: r.Status}).Error() }

// Unwrap is what the status alone says.
func (r *Refusal) Unwrap() error {
	if r.later != nil {
		return r.later
	}
	return &calsync.Status{Code: r.Status}
}

const (
	maxRefusal = 64 << 10
	// pause is for a server that is asked too often and does not say how long to wait.
	pause = time.Minute
)

// Do sends a request and reads the answer into answer, unless it is nil. body is sent as JSON unless it is nil. A 401
// renews the access once; a second one is ErrSignIn. Any other status than of success is a *Refusal.
func (c *Caller) Do(ctx context.Context, method, address string, header http.Header, body, answer any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	stale := ""
	for {
		access, err := c.Provider.access(ctx, &c.Opening, stale)
		if err != nil {
			return err
		}
		res, err := c.send(ctx, method, address, header, text, access)
		if err != nil {
			return lawful(err)
		}
		if res.StatusCode != http.StatusUnauthorized {
			return read(res, answer)
		}
		res.Body.Close()
		if stale != "" {
			return calsync.ErrSignIn
		}
		stale = access
	}
}

func (c *Caller) send(ctx context.Context, method, address string, header http.Header, text []byte,
	access string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("Authorization", "Bearer "+access)
	r.Header.Set("Accept", "application/json")
	if text != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return staying(c.Opening.HTTP).Do(r)
}

func read(res *http.Response, answer any) error {
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		text, err := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
		if err != nil {
			return err
		}
		r := &Refusal{Status: res.StatusCode, Body: text}
		if _, plain := statusError(res).(*calsync.Status); !plain {
			r.later = statusError(res)
		}
		return r
	}
	if answer == nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, calsync.MaxResponse+1))
	switch {
	case err != nil:
		return err
	case len(text) > calsync.MaxResponse:
		return calsync.ErrTooMuch
	case json.Unmarshal(text, answer) != nil:
		return calsync.ErrNotOne
	}
	return nil
}

// statusError is the error of an answer of which nothing but the status and Retry-After count.
func statusError(res *http.Response) error {
	after, given := retryAfter(res.Header.Get("Retry-After"))
	switch {
	case res.StatusCode == http.StatusTooManyRequests && !given:
		return &calsync.Later{After: pause}
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusServiceUnavailable && given:
		return &calsync.Later{After: after}
	}
	return &calsync.Status{Code: res.StatusCode}
}

// retryAfter reads the header: seconds, or a time.
func retryAfter(text string) (time.Duration, bool) {
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n <= 7*24*3600 {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}
