package mail_test

import (
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
)

// bed is a salon whose host Ana is free around the clock, with the loop that a test starts.
type bed struct{ *apptest.Salon }

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

func newBed(t testing.TB) *bed {
	t.Helper()
	x := &bed{apptest.New(t, apptest.Options{
		Name: "Salon Ana", Hosts: []string{"Ana Höst"}, Hours: "00:00-24:00", With: func(c *subjects.Config) { c.Mail = mail.ServerConfig{Allow: loopback} },
	})}
	x.Offer("cut", 45, haircut)
	return x
}

// haircut is the event type of these tests, about which few mails are sent.
func haircut(e *catalog.EventType) {
	e.Title, e.SlotStepMinutes, e.Location = "Haircut", 15, "Oranienstraße 25, Berlin"
	e.MailsOff = []catalog.MailKind{catalog.MailTeamNew, catalog.MailTeamMoved, catalog.MailTeamCancelled, catalog.MailReminder}
}

// event changes the event type.
func (x *bed) event(change func(*catalog.EventType)) { x.T.Helper(); x.Alter("cut", change) }

// run starts a loop, for as long as the test or until stop.
func (x *bed) run(server *smtp.Server, trust *tls.Config) (l *mail.Loop, stop func()) {
	x.T.Helper()
	l = mail.NewLoop(mail.LoopConfig{Service: x.Mail, Server: server, Trust: trust})
	return l, x.Run(l)
}

func (x *bed) book(person string, hour int) booking.Booking {
	x.T.Helper()
	b, err := x.Book(x.T.Context(), x.API, booking.BookInput{
		EventType: "cut", Start: apptest.Monday.Add(time.Duration(hour) * time.Hour).Format(time.RFC3339),
		Invitee: booking.Invitee{Name: person, Email: person + "@mail.example", TimeZone: "America/New_York"},
	})
	x.Must(err)
	return b
}

// log is the log, the oldest first.
func (x *bed) log() []mail.Mail {
	x.T.Helper()
	limit := 100
	page, err := x.Mail.Mails(x.T.Context(), app.Operator(x.Workspace.ID), mail.ListInput{Limit: &limit})
	x.Must(err)
	slices.Reverse(page.Data)
	return page.Data
}

// tried waits until the only mail of a person has been tried so often, and returns it.
func (x *bed) tried(person string, attempts int) (found mail.Mail) {
	x.T.Helper()
	apptest.Eventually(x.T, person+" is tried", func() bool {
		for _, m := range x.log() {
			if strings.HasPrefix(m.To, person+"@") && m.Attempts == attempts && m.Lease == 0 {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// listenForMail is a port of the loopback where a workspace's own mail server may be.
func listenForMail(t testing.TB) net.Listener {
	t.Helper()
	for range 50 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.%d.%d.%d:2525", 1+rand.IntN(250), rand.IntN(250), 1+rand.IntN(250)))
		if err == nil {
			t.Cleanup(func() { l.Close() })
			return l
		}
	}
	t.Fatal("no address of the loopback is free")
	return nil
}

// listen is a port for mails that takes connections and says no more than a banner to them.
func listen(t testing.TB, banner string) string {
	t.Helper()
	l := listenForMail(t)
	var open []net.Conn
	var mu sync.Mutex
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			c.Write([]byte(banner)) //nolint:errcheck // whoever asks may have gone
		}
	}()
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			c.Close()
		}
	})
	return l.Addr().String()
}
