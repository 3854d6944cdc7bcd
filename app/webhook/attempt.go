package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"daybook/app/address"
	"daybook/app/when"
)

// attempt sends a delivery and returns its outcome.
func (q *queue) attempt(ctx context.Context, j *job) Outcome {
	began := time.Now()
	a := q.sender.send(ctx, j.to, &j.d)
	o := Outcome{ID: j.d.ID, Workspace: j.d.Workspace, Endpoint: j.to.endpoint, Lease: j.d.Lease,
		Duration: time.Since(began)}
	if a.err != nil && ctx.Err() != nil {
		o.Released = true // the loop is ending: this does not count as an attempt
		return o
	}
	o.Status, o.Response = a.status, a.body
	if a.ok() {
		o.State = DeliveryDelivered
		return o
	}
	o.Error = q.explain(&a)
	o.Gone = a.status == http.StatusGone
	o.State = DeliveryFailed
	if !o.Gone && j.d.Tries < len(q.o.Retry) && j.d.Body != nil {
		o.State = DeliveryPending
		o.Next = when.At(q.Now().Add(pause(q.o.Retry[j.d.Tries], a.retryAfter, rand.Float64())))
	}
	return o
}

// explain says in one line what went wrong, for the delivery log.
func (q *queue) explain(a *response) string {
	if a.err == nil {
		text := fmt.Sprintf("the endpoint answered %d %s", a.status, http.StatusText(a.status))
		if a.status >= 300 && a.status <= 399 {
			text += "; redirects are not followed"
		}
		return strings.TrimSpace(text)
	}
	var law *address.Refused
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var dial *net.OpError
	switch isDial := errors.As(a.err, &dial) && dial.Op == "dial"; {
	case errors.As(a.err, &law):
		return "refused: " + law.Error()
	case errors.As(a.err, &dns):
		return "DNS: " + dns.Err + ": " + dns.Name
	case errors.As(a.err, &cert):
		return "TLS: " + cert.Err.Error()
	case errors.Is(a.err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %v", q.o.Timeout)
	case isDial && dial.Timeout():
		return fmt.Sprintf("no connection within %v", q.o.Connect)
	case isDial:
		return "can't connect: " + dial.Err.Error()
	case errors.Is(a.err, io.EOF), errors.Is(a.err, io.ErrUnexpectedEOF), errors.Is(a.err,
		syscall.ECONNRESET), errors.Is(a.err, syscall.EPIPE):
		return "the connection was closed without an answer"
	}
	return cut(a.err.Error(), 300)
}

func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "?")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
