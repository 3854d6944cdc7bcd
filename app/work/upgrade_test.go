package work_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/push"
	"daybook/app/subjects"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// heard counts what arrived, by what it was.
type heard struct {
	mu    sync.Mutex
	times map[string]int
}

func (h *heard) note(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.times[what]++
}

func (h *heard) all() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.times)
}

// mailbox is a mail server that counts who gets the mails that waited.
type mailbox struct {
	*heard
	to string
}

func (m mailbox) NewSession(*gosmtp.Conn) (gosmtp.Session, error) { return &m, nil }
func (m *mailbox) Mail(string, *gosmtp.MailOptions) error         { return nil }
func (m *mailbox) Rcpt(to string, _ *gosmtp.RcptOptions) error    { m.to = to; return nil }
func (m *mailbox) Reset()                                         {}
func (m *mailbox) Logout() error                                  { return nil }
func (m *mailbox) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	if strings.HasPrefix(m.to, "waits") {
		m.note(m.to)
	}
	return err
}

// A thousand mails, notifications and deliveries that an older program has queued, some of them claimed when it was
// killed, all arrive once. An endpoint and a push service that hang all the while delay no mail, and no other endpoint.
func TestWhatAnOlderProgramQueuedArrivesOnce(t *testing.T) {
	const each = 1000
	mails, notes, posts := &heard{times: map[string]int{}}, &heard{times: map[string]int{}}, &heard{times: map[string]int{}}
	hang := make(chan struct{})
	goOn := sync.OnceFunc(func() { close(hang) })
	// held reports whether the sender was still there in the end. One whose time was up sends again.
	held := func(r *http.Request) bool {
		io.Copy(io.Discard, r.Body) // that a sender has gone is only noticed behind its body
		select {
		case <-hang:
		case <-r.Context().Done():
		}
		return r.Context().Err() == nil
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" && !held(r) {
			return
		}
		posts.note(r.URL.Path + " " + r.Header.Get("Webhook-Id"))
	}))
	t.Cleanup(receiver.Close)
	pushes := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !held(r) {
			return
		}
		notes.note("device")
		w.WriteHeader(http.StatusCreated)
	}))
	t.Cleanup(pushes.Close)
	t.Cleanup(goOn) // before the servers wait for their answers
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	box := gosmtp.NewServer(mailbox{heard: mails})
	go box.Serve(at)
	t.Cleanup(func() { box.Close() })

	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	s := apptest.New(t, apptest.Options{Clock: apptest.Running(), TimeZone: "UTC", Hours: "00:00-24:00",
		With: func(c *subjects.Config) {
			c.Webhook, c.Push = webhook.Config{Allow: loopback}, push.Config{Allow: loopback}
		}})
	s.Offer("cut", 15, func(e *catalog.EventType) { e.BookingWindowDays = 60 })
	queue(t, s, each, receiver.URL, pushes.URL)
	_, err = s.Upkeep.TakeOver(t.Context()) // the server is started
	s.Must(err)
	roots := x509.NewCertPool()
	roots.AddCert(pushes.Certificate())
	server := &smtp.Server{Host: "127.0.0.1", Port: at.Addr().(*net.TCPAddr).Port, TLS: smtp.NoTLS}
	server.From.Address = "book@salon.example"
	stops := []func(){s.Run(webhook.New(s.Webhook, webhook.Options{Allow: loopback})),
		s.Run(push.NewLoop(push.LoopConfig{Service: s.Push, Trust: &tls.Config{RootCAs: roots}})),
		s.Run(mail.NewLoop(mail.LoopConfig{Service: s.Mail, Server: server}))}

	apptest.Eventually(t, "the mails and the posts to the quick endpoint arrive", func() bool {
		return len(mails.all()) >= each && len(posts.all()) >= each
	})
	goOn()
	apptest.EventuallyWithin(t, 10*time.Minute, "the rest arrives", func() bool { return notes.all()["device"] >= each && len(posts.all()) == 2*each })
	raw := enginetest.Raw(t, s.Store.Engine)
	for what, query := range map[string]string{"mails": `SELECT COUNT(*) = 0 FROM mails WHERE state = 0 AND kind <> 'reminder'`,
		"notifications": `SELECT COUNT(*) = 0 FROM push_queue`, "deliveries": `SELECT COUNT(*) = 0 FROM deliveries WHERE state = 0`} {
		apptest.Eventually(t, "no "+what+" wait", func() (none bool) {
			s.Must(raw.QueryRow(query).Scan(&none))
			return none
		})
	}
	for _, stop := range stops {
		stop()
	}
	for what, h := range map[string]*heard{"mail to": mails, "post to": posts} {
		for which, n := range h.all() {
			if n != 1 {
				t.Errorf("%s %s arrived %d times", what, which, n)
			}
		}
	}
	if n := len(mails.all()); n != each {
		t.Errorf("%d mails, want %d", n, each)
	}
	if n := notes.all()["device"]; n != each {
		t.Errorf("%d notifications, want %d", n, each)
	}
}

// queue fills the queues as a program leaves them that is killed: of each kind a tenth is claimed. The slow endpoint has
// as many deliveries as the quick one.
func queue(t *testing.T, s *apptest.Salon, each int, hooks, pushes string) {
	t.Helper()
	now := s.Clock.Now().UTC()
	b := s.Booked("cut", now.Truncate(24*time.Hour).AddDate(0, 0, 2).Format(time.RFC3339), "ida")
	var endpoints []catalog.EndpointID
	for _, path := range []string{"/quick", "/slow"} {
		e, err := s.Webhook.CreateEndpoint(t.Context(), s.API, webhook.EndpointInput{URL: hooks + path, Events: []string{"*"}})
		s.Must(err)
		endpoints = append(endpoints, e.ID)
	}
	member := account.UserInput{Email: "owner@mail.example", Password: "a long enough password", Role: app.OwnerRole}
	_, err := s.Account.CreateUser(t.Context(), app.Operator(s.Workspace.ID), member)
	s.Must(err)
	token, _, err := s.Account.SignIn(t.Context(), account.SignInInput{Email: member.Email, Password: member.Password})
	s.Must(err)
	session, err := s.Account.SessionOf(t.Context(), token)
	s.Must(err)
	owner := session.User.Actor()
	_, err = s.Push.PublicKey(t.Context(), owner)
	s.Must(err)
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	s.Must(err)
	text := base64.RawURLEncoding.EncodeToString
	s.Must(s.Push.Subscribe(t.Context(), owner, session.Hash, push.Input{Endpoint: pushes + "/device", Locale: "de",
		P256dh: text(key.PublicKey().Bytes()), Auth: text(make([]byte, 16)), Wishes: push.Wishes{Kinds: push.Kinds}}))
	// PostgreSQL numbers history after its commit, so the booking above may come after the subscription.
	_, err = s.Push.WriteMessages(t.Context(), 100)
	s.Must(err)
	s.Must(s.SQL(`DELETE FROM push_queue`))
	devices, err := s.Push.Subscriptions(t.Context(), owner)
	s.Must(err)

	at := when.At(now)
	for first := 0; first < each; first += 100 {
		s.Must(s.Store.Write(t.Context(), func(tx app.Tx) error {
			last, err := tx.(webhook.Tx).LastEvent(s.Workspace.ID)
			for n := first; n < first+100 && err == nil; n++ {
				err = tx.(mail.Tx).InsertMails(mail.Mail{ID: id.New[mail.MailIDKind](now), WorkspaceID: s.Workspace.ID,
					Kind: catalog.MailTeamEndpoint, To: fmt.Sprintf("waits%d@mail.example", n), DueAt: at, Until: at.Add(when.Day),
					Facts: mail.Facts{For: mail.ToOwner, URL: "https://x.example", Reason: "gone"}})
				if err == nil {
					err = tx.(push.Tx).QueuePushMessage(&push.Message{ID: id.New[push.MessageIDKind](now), Subscription: devices[0],
						Booking: b.ID, Kind: push.New, Start: b.Start, DueAt: at, Until: at.Add(time.Hour)})
				}
				if err == nil {
					last = id.After(now, last)
					e := booking.Event{ID: last, WorkspaceID: s.Workspace.ID, Kind: catalog.BookingCreated, BookingID: b.ID, CreatedAt: at,
						Body: []byte(`{}`)}
					for _, to := range endpoints {
						e.To = append(e.To, booking.Recipient{Delivery: id.New[booking.DeliveryIDKind](now), Endpoint: to})
					}
					err = tx.(webhook.Tx).InsertEvent(&e)
				}
			}
			return err
		}))
	}
	lease := at.Add(time.Hour)
	for _, table := range []string{"mails", "push_queue", "deliveries"} {
		s.Must(s.SQL(fmt.Sprintf(`UPDATE %s SET sending = 77, due_ms = %d WHERE id IN (SELECT id FROM %s ORDER BY id LIMIT %d)`,
			table, lease, table, each/10)))
	}
}
