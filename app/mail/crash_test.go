package mail_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/rooms"
	"daybook/store"
	"daybook/store/enginetest"
)

// TestMain lets a test start this binary again as a process that sends mails until it is killed.
func TestMain(m *testing.M) {
	if place := os.Getenv("DAYBOOK_MAIL_CHILD"); place != "" {
		sendUntilKilled(place, os.Getenv("DAYBOOK_MAIL_SERVER"))
	}
	browser.Main(m)
}

func sendUntilKilled(place, server string) {
	db, err := enginetest.Connect(context.Background(), place)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	to, err := smtp.Parse(server)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	base, _ := url.Parse("https://book.example")
	s := rooms.New(rooms.Config{Config: app.Config{Store: store.New(db), BaseURL: base}})
	if _, err = s.Upkeep.TakeOver(context.Background()); err == nil {
		err = mail.New(mail.Config{Service: s.Mail, Server: &to}).Run(context.Background())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// kill -9 while mails go out: each is sent, and each kill costs at most one that is sent twice, under one Message-ID.
func TestAKillLosesNoMail(t *testing.T) {
	const bookings, kills = 80, 5
	place := seed(t, bookings)
	k := newSink(t, nil, false)
	start := func() *exec.Cmd {
		child := exec.Command(os.Args[0], "-test.run=XXX")
		child.Env = append(os.Environ(), "DAYBOOK_MAIL_CHILD="+place, "DAYBOOK_MAIL_SERVER=smtp://"+k.addr+"?tls=none&from=book@salon.example")
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { child.Process.Kill(); child.Wait() })
		return child
	}
	for range kills {
		before, more := len(k.mails()), 1+rand.IntN(8)
		child := start()
		apptest.Eventually(t, "some are sent", func() bool { return len(k.mails()) >= before+more })
		child.Process.Signal(syscall.SIGKILL)
		child.Wait()
	}
	start()
	times := map[string]int{}
	apptest.Eventually(t, "all are sent", func() bool {
		clear(times)
		for _, m := range k.mails() {
			_, id, _ := strings.Cut(m.body, "Message-ID: <")
			id, _, _ = strings.Cut(id, ">")
			times[id]++
		}
		return len(times) == bookings
	})
	twice := 0
	for id, n := range times {
		if twice += n - 1; n > 2 {
			t.Errorf("%s was sent %d times", id, n)
		}
	}
	if twice > kills {
		t.Errorf("%d kills, %d duplicates", kills, twice)
	}
	t.Logf("%d mails, %d kills, %d duplicates", bookings, kills, twice)
}

// seed is the place of a salon with so many bookings, from the day after tomorrow on.
func seed(t *testing.T, bookings int) (place string) {
	s := apptest.New(t, apptest.Options{Clock: apptest.Running(), TimeZone: "UTC", Hosts: []string{"Ana"}, Hours: "00:00-24:00"})
	defer s.Close()
	s.Offer("cut", 15, haircut)
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
	for i := range bookings {
		s.Booked("cut", first.Add(time.Duration(i)*15*time.Minute).Format(time.RFC3339), fmt.Sprint("p", i))
	}
	return s.Place
}
