package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views"
)

const (
	attemptTime = 10 * time.Second
	maxRead     = 4 << 10 // bytes of an answer that are read
)

// newClient reaches push services: each connection is checked by the law, and no redirect is followed.
func newClient(law *address.Law, base *http.Transport) *http.Client {
	dialer := &net.Dialer{Timeout: attemptTime, Control: law.Control(true)}
	base.DialContext = dialer.DialContext
	base.TLSHandshakeTimeout = attemptTime
	base.ResponseHeaderTimeout = attemptTime
	base.MaxResponseHeaderBytes = 16 << 10
	base.MaxIdleConns, base.IdleConnTimeout = 16, 30*time.Second
	return &http.Client{Transport: address.Outward{RoundTripper: base}, Timeout: attemptTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// send makes one attempt. Its error is the database's.
func (s *sender) send(ctx context.Context, m *Message) (Outcome, error) {
	note, err := s.note(ctx, m)
	if errors.Is(err, fault.ErrNotFound) { // the booking or the workspace is gone
		return Outcome{}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	body, err := json.Marshal(note)
	if err != nil {
		return Outcome{}, err
	}
	k, err := s.Reader(ctx).PushKey(m.Subscription.WorkspaceID)
	if err != nil {
		return Outcome{}, err
	}
	private, err := s.Core.Vault().Open(k.Private)
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	sub := &webpush.Subscription{Endpoint: m.Subscription.Endpoint,
		Keys: webpush.Keys{P256dh: m.Subscription.P256dh, Auth: m.Subscription.Auth}}
	now := when.At(s.Core.Now())
	answer, err := webpush.SendNotificationWithContext(ctx, body, sub, &webpush.Options{
		HTTPClient: s.client, Subscriber: subject(s.Core.BaseURL()), TTL: int(max(0, m.Until-now) / 1000),
		Urgency: webpush.UrgencyHigh, VAPIDPublicKey: k.Public, VAPIDPrivateKey: string(private),
	})
	if err != nil {
		var refused *address.Refused
		return Outcome{Again: !errors.As(err, &refused), Why: "unreachable"}, nil
	}
	defer answer.Body.Close()
	io.CopyN(io.Discard, answer.Body, maxRead) // so that the connection is used again; the status says enough
	o := outcomeOf(answer)
	if o.Why != "" {
		s.log.Warn("notification refused", "subscription", m.Subscription.ID.String(),
			"host", hostOf(m.Subscription.Endpoint), "status", answer.StatusCode)
	}
	return o, nil
}

// outcomeOf reads the answer of a push service, see RFC 8030 sections 5 to 7.
func outcomeOf(answer *http.Response) Outcome {
	switch code := answer.StatusCode; {
	case code >= 200 && code <= 299:
		return Outcome{Sent: true}
	case code == http.StatusNotFound, code == http.StatusGone:
		return Outcome{Gone: true}
	case code == http.StatusTooManyRequests, code >= 500:
		return Outcome{Again: true, After: retryAfter(answer.Header.Get("Retry-After")), Why: fmt.Sprint(code)}
	}
	return Outcome{Why: fmt.Sprint(answer.StatusCode)}
}

// retryAfter reads seconds; a date is not used by push services and counts as none.
func retryAfter(text string) time.Duration {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, life)
}

// subject says whom a push service can turn to about these messages: the server, by its address.
func subject(baseURL string) string {
	if strings.HasPrefix(baseURL, "https:") {
		return baseURL
	}
	return "noreply@" + hostOf(baseURL)
}

// hostOf returns what may be logged of an endpoint: the rest of its address is known to the device only.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// note writes what a device shows: service and time, and the customer's name only where the member wants it.
func (s *Service) note(ctx context.Context, m *Message) (n Note, err error) {
	l := views.MatchLocale(m.Subscription.Locale, "")
	n = Note{URL: "/dashboard/account", Tag: "test", Lang: l.Tag}
	setup, err := s.Core.Setup(m.Subscription.WorkspaceID)
	if err != nil {
		return n, err
	}
	if m.Kind == Test {
		n.Title, n.Body = setup.Workspace.Name, l.T("push_test")
		return n, nil
	}
	if m.Kind == Wrote { // on a locked phone others can read what stands here
		n.Title, n.Body, n.URL, n.Tag = l.T("push_title_message"), l.T("push_message"), "/dashboard/messages", "message"
		return n, nil
	}
	if m.Kind == Call { // Today says whom, and of what
		n.Title, n.Body, n.URL, n.Tag = l.T("push_title_call"), l.T("push_call"), "/dashboard", "call"
		return n, nil
	}
	b, err := s.Reader(ctx).BookingByID(m.Booking)
	if err != nil {
		return n, err
	}
	zone := setup.Zone
	if h := setup.Host(m.Subscription.User.HostID); h != nil && h.TimeZone != "" {
		if zone, err = time.LoadLocation(h.TimeZone); err != nil {
			return n, err
		}
	}
	start := m.Start.Time().In(zone)
	n.Title, n.URL, n.Tag = l.T("push_title_"+string(m.Kind)), "/dashboard/bookings/"+b.ID.String(), b.ID.String()
	services, err := s.services(ctx, m, setup, &b)
	if err != nil {
		return n, err
	}
	n.Body = views.Counted(services) + " · " + l.ShortDay(start) + ", " + l.Time(start, "")
	if m.Subscription.Names {
		n.Body += "\n" + b.Invitee.Name
	}
	return n, nil
}

// services returns the names of those that the message is about: of a change of a whole visit, of all that concern the
// member, by their starts. The history says which, so the queue need not.
func (s *Service) services(ctx context.Context, m *Message, setup *catalog.Setup, b *booking.Booking) (all []string, err error) {
	told := []*booking.Booking{b}
	if b.InVisit() || b.Series != nil {
		history, err := s.Reader(ctx).History(b.WorkspaceID, b.ID)
		if err != nil {
			return nil, err
		}
		for i := range history {
			c := app.FollowedIn(b, history, i)
			if c.At.Add(life) != m.Until || kinds[c.News()] != m.Kind {
				continue
			}
			notice, err := s.notice(ctx, &c, b, app.Memo{})
			if err != nil {
				return nil, err
			}
			news := notice.Of(m.Subscription.concerns)
			if len(news) > 0 {
				told = nil
			}
			for _, one := range news {
				told = append(told, one.Booking)
			}
			break
		}
	}
	for _, b := range told {
		service := b.EventType
		if e := setup.EventTypeByID(b.EventTypeID); e != nil {
			service = e.Title
		}
		all = append(all, service)
	}
	return all, nil
}
