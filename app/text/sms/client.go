package sms

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"daybook/app/address"
	"daybook/app/fault"
)

const (
	attemptTime = 10 * time.Second
	maxRead     = 64 << 10 // bytes of an answer that are read
	maxAnswer   = 200      // characters of what is wrong, for the log
	maxID       = 200      // bytes of an id; a longer one is none
	maxAfter    = 24 * time.Hour
)

// State is what became of a text.
type State string

const (
	Taken     State = "taken"     // the service has it, and it is on its way
	Delivered State = "delivered" // the phone has it
	Refused   State = "refused"   // for good: it wasn't sent, and won't be
	Failed    State = "failed"    // for good: the service had it and couldn't deliver it
	Again     State = "again"     // nothing happened; the same call may be made again, after Result.After at least
	Unknown   State = "unknown"   // it may have been sent: what was written had no answer that can be read
	Missing   State = "missing"   // of Ask: the service doesn't have it, so that it may be sent again
)

// Result is how a call ended.
type Result struct {
	State   State
	ID      string        // the service's, where it gave one
	Code    string        // the service's code of the outcome, where it gave one
	Answer  string        // why, in one short line for the log, without secrets
	After   time.Duration // of Again: what the service asks to wait, at most a day; 0 if it doesn't say
	Stopped bool          // the service says that this number wants no more texts
}

// Client hands texts to services. Each connection is checked by the law, no redirect is followed, and each call takes 10
// seconds at most. It is safe for use by several goroutines.
type Client struct {
	law       *address.Law
	transport http.RoundTripper
	agent     string
	timeout   time.Duration
	now       func() time.Time
}

// NewClient returns a client that obeys the law; version is that of the program, for User-Agent.
func NewClient(law *address.Law, version string) *Client {
	return &Client{law: law, transport: law.Transport(), agent: "Daybook/" + version, timeout: attemptTime, now: time.Now}
}

// CheckHost returns bad_request for a sender whose host can't, or mustn't, be connected to. It asks DNS, so it must run
// outside of transactions.
func (c *Client) CheckHost(ctx context.Context, s *Sender) error {
	host, secure := s.Host()
	if _, err := c.law.CheckHost(ctx, host, secure); err != nil {
		return fault.Invalid("url", "%v", err)
	}
	return nil
}

// Send hands a text to the service once. Its State is Taken, Refused, Again or Unknown.
func (c *Client) Send(ctx context.Context, s *Sender, m Message) Result {
	t := s.Template()
	if t == nil {
		return Result{State: Refused, Answer: "the sender is not set up"}
	}
	if err := m.Check(); err != nil {
		return Result{State: Refused, Answer: err.Error()}
	}
	r, err := s.request(t, m)
	if err != nil {
		return Result{State: Refused, Answer: err.Error()}
	}
	a := c.call(ctx, s, r)
	if a.err != nil {
		return a.failed()
	}
	return t.Answer.read(a)
}

// answer is what came of a request.
type answer struct {
	sender  *Sender
	err     error
	written bool // the request may have reached the service
	status  int
	after   time.Duration
	doc     document
	valid   bool // the body was read whole, and is JSON
}

func (c *Client) call(ctx context.Context, s *Sender, r *http.Request) answer {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var began, broke atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders: func() { began.Store(true) },
		WroteRequest: func(i httptrace.WroteRequestInfo) { broke.Store(i.Err != nil) },
	})
	r.Header.Set("User-Agent", c.agent)
	resp, err := c.transport.RoundTrip(r.WithContext(ctx)) // no http.Client: it would follow redirects
	if err != nil {
		// Where the time was over first, that writing broke says nothing of what had arrived before.
		return answer{sender: s, err: err, written: began.Load() && (!broke.Load() || ctx.Err() != nil)}
	}
	defer resp.Body.Close()
	a := answer{sender: s, status: resp.StatusCode, after: c.retryAfter(resp.Header.Get("Retry-After"))}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxRead+1))
	if err == nil && len(body) <= maxRead {
		a.doc, a.valid = readJSON(body)
	}
	return a
}

// retryAfter reads seconds or a date.
func (c *Client) retryAfter(text string) time.Duration {
	var after time.Duration
	if n, err := strconv.Atoi(text); err == nil {
		after = time.Duration(min(n, int(maxAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		after = at.Sub(c.now())
	}
	return max(0, min(after, maxAfter))
}

// failed is the result of a request that got no answer. Nothing of the error itself stands in it, as that may have the
// address.
func (a answer) failed() Result {
	if a.written {
		return Result{State: Unknown, Answer: "it was sent, and no answer came"}
	}
	var law *address.Refused
	var cert *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	var dns *net.DNSError
	var lost *net.OpError
	r := Result{State: Again, Answer: "the connection failed"}
	switch {
	case errors.As(a.err, &law):
		r.State, r.Answer = Refused, law.Error()
	case errors.As(a.err, &cert):
		r.Answer = "its certificate is not valid for this name"
	case errors.As(a.err, &plain):
		r.Answer = "it speaks no TLS at this port"
	case errors.As(a.err, &dns):
		r.Answer = "its name has no address"
	case errors.Is(a.err, context.DeadlineExceeded), errors.Is(a.err, os.ErrDeadlineExceeded):
		r.Answer = "it does not answer"
	case errors.As(a.err, &lost) && lost.Op == "dial":
		r.Answer = "it can't be reached"
	}
	return r
}

// later reports whether the status means: not now.
func later(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500
}

// read says what the service's answer to a text means.
func (w *Answer) read(a answer) Result {
	r := Result{ID: a.id(w.ID), Code: a.doc.text(w.Code)}
	if code := scalar(a.doc.value); code != "" && w.Code != "" { // of nothing but a number
		r.Code = code
	}
	r.Code = short(r.Code, 40)
	good := a.status >= 200 && a.status <= 299
	r.Answer = a.said(r.Code, a.doc.text(w.Text))
	switch {
	case slices.Contains(w.Known, a.status), good && len(w.Taken) == 0, good && slices.Contains(w.Taken, r.Code):
		r.State, r.Answer = Taken, ""
	case good && !a.valid:
		r.State, r.Answer = Unknown, fmt.Sprintf("%d, with an answer that can't be read", a.status)
	case later(a.status), slices.Contains(w.Again, r.Code):
		r.State, r.After = Again, a.after
	case a.status >= 300 && a.status <= 399:
		r.State, r.Answer = Refused, fmt.Sprintf("%d: it is at another address", a.status)
	default:
		r.State, r.Stopped = Refused, slices.Contains(w.Stopped, r.Code)
	}
	return r
}

func (a answer) id(path string) string {
	id := a.doc.text(path)
	if len(id) > maxID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return id
}

// said returns what is wrong in one short line, in which no secret of the sender stands.
func (a answer) said(code, text string) string {
	all := strconv.Itoa(a.status)
	if code != "" {
		all += " " + code
	}
	if text != "" {
		all += ": " + text
	}
	return short(a.sender.redact(all), maxAnswer)
}

// redact takes the secrets out of a text, in the forms in which they are sent.
func (s *Sender) redact(text string) string {
	for _, secret := range []string{string(s.Secret), string(s.SigningKey)} {
		if secret == "" {
			continue
		}
		basic := base64.StdEncoding.EncodeToString([]byte(s.user() + ":" + secret))
		for _, form := range []string{basic, secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			text = strings.ReplaceAll(text, form, "…")
		}
	}
	return text
}

// short returns a text in one line of at most so many characters.
func short(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "?"), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if all := []rune(text); len(all) > most {
		text = string(all[:most-1]) + "…"
	}
	return text
}
