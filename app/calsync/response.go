package calsync

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"daybook/app/address"
	"daybook/app/calendar/busy"
)

// UserAgent is the User-Agent of all requests.
const UserAgent = "Daybook"

// maxRedirects is how many redirects a request follows.
const maxRedirects = 5

// CallFailed returns the error of a request that got no response, without the address, which may be a secret. It is
// ErrForbidden if the address is one that must not be called.
func CallFailed(err error) error {
	if e, ok := err.(*url.Error); ok {
		err = e.Err
	}
	var refused *address.Refused
	if errors.As(err, &refused) {
		return fmt.Errorf("%w: %w", ErrForbidden, err)
	}
	return err
}

// StatusError returns the error for a response's status, nil for 200 to 299.
func StatusError(r *http.Response) error {
	switch code := r.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusUnauthorized && digestOnly(r.Header.Values("WWW-Authenticate")):
		return ErrDigest
	case code == http.StatusUnauthorized:
		return ErrSignIn
	case code == http.StatusForbidden:
		return fmt.Errorf("%w: the server answered 403", ErrSignIn)
	case code == http.StatusNotFound || code == http.StatusGone:
		return ErrNotFound
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "":
		return &Later{After: retryAfter(r)}
	default:
		return &Status{Code: code}
	}
}

// digestOnly reports whether a server offers HTTP Digest (RFC 7616) and not Basic (RFC 7617). A header may hold several
// challenges; a realm that has such a name in it makes no difference to who can't sign in.
func digestOnly(challenges []string) bool {
	offers := func(scheme string) bool {
		for _, c := range strings.Split(strings.ToLower(strings.Join(challenges, ",")), ",") {
			if name, _, _ := strings.Cut(strings.TrimSpace(c), " "); name == scheme {
				return true
			}
		}
		return false
	}
	return offers("digest") && !offers("basic")
}

// longestRest is the longest time that a server may ask to be left alone for.
const longestRest = 24 * time.Hour

// retryAfter returns what the answer's Retry-After says, in seconds or as a date; 0 if it says nothing.
func retryAfter(r *http.Response) time.Duration {
	text := strings.TrimSpace(r.Header.Get("Retry-After"))
	if n, err := strconv.Atoi(text); err == nil {
		return min(time.Duration(max(0, min(n, int(longestRest/time.Second))))*time.Second, longestRest)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(r.Header.Get("Date")) // the server's clock, as its date is by that
	if err != nil {
		now = time.Now()
	}
	return max(0, min(at.Sub(now), longestRest))
}

// Following returns a client that follows at most 5 redirects, each of which check allows.
func Following(c *http.Client, check func(to, from *http.Request) error) *http.Client {
	mine := *c
	mine.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("%w: more than %d redirects", &Status{Code: http.StatusLoopDetected}, maxRedirects)
		}
		from := via[len(via)-1]
		if from.URL.Scheme == "https" && to.URL.Scheme != "https" {
			return fmt.Errorf("%w: a redirect to %s://", ErrForbidden, to.URL.Scheme)
		}
		to.Header.Del("Referer") // the address that it came from may be a secret
		return check(to, from)
	}
	return &mine
}

// BoundedBody returns the body of a response, of which at most that many bytes can be read, after unpacking. Reading
// more fails with ErrTooMuch.
func BoundedBody(r *http.Response, most int) io.Reader { return &bounded{r.Body, most, most} }

type bounded struct {
	r          io.Reader
	left, most int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, fmt.Errorf("%w: an answer of more than %d bytes", ErrTooMuch, b.most)
	}
	n, err := b.r.Read(p[:min(len(p), b.left+1)]) // one more, to tell the end from too much
	if b.left -= n; b.left < 0 {
		return n - 1, fmt.Errorf("%w: an answer of more than %d bytes", ErrTooMuch, b.most)
	}
	return n, err
}

// DropBody reads the little that may be left of a response, so that its connection can be used again, and closes it.
func DropBody(r *http.Response) {
	_, _ = io.CopyN(io.Discard, r.Body, 64<<10) // whatever is wrong with it, nobody needs it
	r.Body.Close()
}

// Unread returns the error of this package for an error of busy.Read.
func Unread(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, busy.ErrTooMuch):
		return fmt.Errorf("%w: %w", ErrTooMuch, err)
	case errors.Is(err, busy.ErrMalformed):
		return fmt.Errorf("%w: %w", ErrUnclear, err)
	}
	return err
}

// OneLine returns a text from a server as one line of at most max bytes, without characters that can't be stored.
func OneLine(text string, max int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > max {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:max], ""))
	}
	return text
}
