package webhook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"daybook/app/catalog"
)

const (
	maxRead = 64 << 10 // bytes of an answer that are read
	maxKept = 1 << 10  // bytes of it that are kept for the log
)

// sender makes single attempts.
type sender struct {
	secure, plain http.RoundTripper
	timeout       time.Duration
	agent         []string
	now           func() time.Time
}

func newSender(o *Options, now func() time.Time) *sender {
	return &sender{
		secure: newTransport(o, true), plain: newTransport(o, false),
		timeout: o.Timeout, agent: []string{"Daybook/" + o.Version}, now: now,
	}
}

// target is where a batch is sent.
type target struct {
	endpoint catalog.EndpointID
	url      *url.URL
	secrets  []string
	err      error // set when nothing can be sent
}

func newTarget(b *Batch) *target {
	t := &target{endpoint: b.Endpoint, secrets: b.Secrets, err: b.Err}
	var err error
	if t.url, err = url.Parse(b.URL); err != nil && t.err == nil {
		t.err = err
	}
	return t
}

// response is the result of an attempt.
type response struct {
	status     int
	retryAfter time.Duration
	body       []byte // the first bytes of the body
	err        error
}

func (a *response) ok() bool { return a.err == nil && a.status >= 200 && a.status <= 299 }

var (
	jsonType     = []string{"application/json"}
	errForgotten = errors.New("the event is too old: it is kept no longer")
)

// send makes one attempt, signed with the current time.
func (s *sender) send(ctx context.Context, to *target, d *Claimed) response {
	switch {
	case to.err != nil:
		return response{err: to.err}
	case d.Body == nil:
		return response{err: errForgotten}
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	h := make(http.Header, 7)
	h["Content-Type"], h["User-Agent"] = jsonType, s.agent
	sign(h, to.secrets, d.Event.String(), s.now(), d.Body)
	req := (&http.Request{
		Method: http.MethodPost, URL: to.url, Host: to.url.Host, Header: h, ContentLength: int64(len(d.Body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body:    io.NopCloser(bytes.NewReader(d.Body)),
		GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(d.Body)), nil },
	}).WithContext(ctx)
	way := s.secure
	if to.url.Scheme == "http" {
		way = s.plain
	}
	resp, err := way.RoundTrip(req) // no http.Client: it would follow redirects
	if err != nil {
		return response{err: err}
	}
	defer resp.Body.Close()
	a := response{status: resp.StatusCode, retryAfter: retryAfter(resp.Header.Get("Retry-After"), s.now())}
	if resp.ContentLength != 0 {
		a.body = readStart(resp.Body)
	}
	return a
}

// readStart reads the body to its end, so that the connection can be reused, unless the body is long. An error does not
// matter here: the status has already decided.
func readStart(body io.Reader) []byte {
	kept := make([]byte, maxKept)
	n, err := io.ReadFull(body, kept)
	if err == nil {
		io.CopyN(io.Discard, body, maxRead-maxKept)
	}
	if n == 0 {
		return nil
	}
	return bytes.Clone(kept[:n])
}
