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
	"daybook/app/booking"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
	"daybook/store"
	"daybook/store/enginetest"
)

// TestMain lets a test start this binary again as a process that sends mails until it is killed.
func TestMain(m *testing.M) {
	if place := os.Getenv("DAYBOOK_MAIL_CHILD"); place != "" {
		sendUntilKilled(place, os.Getenv("DAYBOOK_MAIL_SERVER"), os.Getenv("DAYBOOK_MAIL_AHEAD"))
	}
	browser.Main(m)
}

// sendUntilKilled sends with a clock that is so far ahead of the machine's.
func sendUntilKilled(place, server, ahead string) {
	clock := apptest.Running()
	if by, err := time.ParseDuration(ahead); err == nil {
		clock.Advance(by)
	}
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
	s := subjects.New(subjects.Config{Config: app.Config{Store: store.New(db), BaseURL: base, Clock: clock.Now}})
	if _, err = s.Upkeep.TakeOver(context.Background()); err == nil {
		err = mail.NewLoop(mail.LoopConfig{Service: s.Mail, Server: &to}).Run(context.Background())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// kill -9 while mails go out: each is sent, and each kill costs at most one that is sent twice, under one Message-ID.
func TestAKillLosesNoMail(t *testing.T) {
	const bookings, kills = 80, 5
	place := seed(t, bookings)
	k := newSink(t, nil, false)
	start := func() *exec.Cmd { return startSending(t, place, k, 0) }
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

// startSending starts a process that sends to the sink, with a clock that is so far ahead of the machine's.
func startSending(t *testing.T, place string, k *sink, ahead time.Duration) *exec.Cmd {
	child := exec.Command(os.Args[0], "-test.run=XXX")
	child.Env = append(os.Environ(), "DAYBOOK_MAIL_CHILD="+place, "DAYBOOK_MAIL_AHEAD="+ahead.String(),
		"DAYBOOK_MAIL_SERVER=smtp://"+k.addr+"?tls=none&from=book@salon.example")
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	return child
}

// kill -9 while mails are held: after a restart each change is told once, and what was taken back never, whether that
// was before the kill, after it, or all of it after it.
func TestAKillWithHeldMails(t *testing.T) {
	const each = 3
	s := apptest.New(t, apptest.Options{Clock: apptest.Running(), TimeZone: "UTC", Hosts: []string{"Ana"}, Hours: "00:00-24:00"})
	s.Offer("cut", 15, haircut)
	k := newSink(t, nil, false)
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
	var all []booking.Booking
	for i := range 4 * each {
		all = append(all, s.Booked("cut", first.Add(time.Duration(i)*15*time.Minute).Format(time.RFC3339), fmt.Sprint("p", i)))
	}
	stay, before, after, late := all[:each], all[each:2*each], all[2*each:3*each], all[3*each:]
	move := func(all []booking.Booking, days int) {
		t.Helper()
		for _, b := range all {
			to := b.Start.Add(time.Duration(days) * 24 * time.Hour).String()
			_, err := s.Reschedule(t.Context(), s.Owner, b.ID.String(), app.RescheduleInput{Start: to})
			s.Must(err)
		}
	}
	in := func(state mail.State) int {
		limit := 100
		page, err := s.Mail.Mails(t.Context(), app.Operator(s.Workspace.ID), mail.ListInput{Limit: &limit, State: string(state)})
		s.Must(err)
		return len(page.Data)
	}
	child := startSending(t, s.Place, k, 0)
	apptest.Eventually(t, "the bookings are confirmed", func() bool { return in(mail.Sent) == len(all) })
	s.Clock.Advance(time.Hour) // so that the child, whose clock stays behind, holds the mails for as long as this takes
	move(stay, 7)
	move(before, 7)
	move(after, 7)
	move(before, 0)
	apptest.Eventually(t, "the mails are held", func() bool { return in(mail.Waiting) == 4*each })
	child.Process.Signal(syscall.SIGKILL)
	child.Wait()
	move(after, 0)
	move(late, 7)
	move(late, 0)
	startSending(t, s.Place, k, 2*time.Hour)
	apptest.Eventually(t, "nothing is held", func() bool { return in(mail.Waiting) == 0 && in(mail.Dropped) == 6*each })
	got := map[string]int{}
	for _, m := range k.mails() {
		got[m.to]++
	}
	for i, b := range all {
		want := 1 // the confirmation
		if i < each {
			want = 2
		}
		if got[b.Invitee.Email] != want {
			t.Errorf("%s got %d mails, want %d", b.Invitee.Email, got[b.Invitee.Email], want)
		}
	}
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
