package mail_test

import (
	"net"
	"sync"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"

	"daybook/app/apptest"
	"daybook/app/mail/smtp"
)

// A workspace that is deleted while its mails are under way ends them, and not the loop, which sends those of others.
func TestDeletedWorkspaceEndsItsMailsOnly(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	for hour := range 4 { // one claim
		x.book("bo", 30+hour)
	}
	var once sync.Once
	gone := make(chan error, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	x.Must(err)
	s := gosmtp.NewServer(gosmtp.BackendFunc(func(c *gosmtp.Conn) (gosmtp.Session, error) {
		once.Do(func() { gone <- x.Shop.DeleteWorkspace(t.Context(), x.Owner, "salon") })
		return k.NewSession(c)
	}))
	s.Domain, s.ErrorLog, s.ReadTimeout = "sink.example", quiet{}, 20*time.Second
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	server := k.server(smtp.NoTLS)
	server.Port = l.Addr().(*net.TCPAddr).Port
	other := &bed{x.Beside("barber", "dan")}
	_, stop := other.run(server, nil)
	x.Must(<-gone)
	other.Offer("cut", 45, haircut)
	other.book("eva", 40)
	apptest.Eventually(t, "the other's mail is taken", func() bool {
		all := k.mails()
		return len(all) > 0 && all[len(all)-1].to == "eva@mail.example"
	})
	stop() // whose error would be the loop's
}
