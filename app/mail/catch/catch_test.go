package catch_test

import (
	"fmt"
	"net/mail"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"daybook/app/calendar"
	"daybook/app/mail/catch"
	own "daybook/app/mail/smtp"
)

func open(t *testing.T) *catch.Box {
	t.Helper()
	b, err := catch.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func send(t *testing.T, b *catch.Box, m *own.Message) {
	t.Helper()
	server := b.Server("hello@salon.example")
	body, err := own.Written(m)
	if err != nil {
		t.Fatal(err)
	}
	c, err := own.Connect(t.Context(), server, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Quit()
	if err := c.Send(t.Context(), m, body); err != nil {
		t.Fatal(err)
	}
}

// What is sent as mails are sent is read as it was written, with the entries of the reader's calendar.
func TestAMailIsRead(t *testing.T) {
	b := open(t)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 12, 1, 9, 0, 0, 0, berlin)
	i := calendar.Invitation{UID: "1@salon.example", Title: "Haarschnitt, groß · Salon Ž", Start: start, End: start.Add(time.Hour), Zone: berlin,
		Stamp: start, Organizer: calendar.Person{Name: "Salon", Email: "hello@salon.example"},
		Attendees: []calendar.Person{{Name: "Zoë", Email: "zoe@mail.example"}}}
	gone := i
	gone.UID, gone.Cancel = "2@salon.example", true
	send(t, b, &own.Message{ID: "1@salon.example", From: mail.Address{Name: "Salon Ž", Address: "hello@salon.example"}, To: "zoe@mail.example",
		Subject: "Bestätigt: Haarschnitt für Zoë", Text: "Plain", HTML: "<html><head></head><body>" + strings.Repeat("Grüße ", 40) + "</body></html>",
		Invitation: i.Text(), Method: i.Method(), Further: []own.Invitation{{Text: gone.Text(), Method: gone.Method()}}, Date: start})
	m, ok := b.Mail(1)
	if !ok || m.To != "zoe@mail.example" || m.From != "Salon Ž <hello@salon.example>" || m.Subject != "Bestätigt: Haarschnitt für Zoë" ||
		!strings.Contains(m.HTML, "Grüße Grüße") || time.Since(m.At) > time.Minute {
		t.Errorf("%v: %+v", ok, m)
	}
	if len(m.Invitations) != 2 {
		t.Fatalf("%d invitations", len(m.Invitations))
	}
	for n, want := range []string{"REQUEST", "CANCEL"} {
		got := m.Invitations[n]
		if got.Method != want || got.Title != i.Title || !got.Start.Equal(start) || !strings.Contains(got.Text, "BEGIN:VEVENT") {
			t.Errorf("%d: %+v", n, got)
		}
	}
}

// The last 200 stay, the newest first; the others are gone.
func TestTheBoxIsBounded(t *testing.T) {
	b := open(t)
	for n := range 203 {
		send(t, b, &own.Message{ID: fmt.Sprintf("%d@salon.example", n), From: mail.Address{Address: "hello@salon.example"}, To: "zoe@mail.example",
			Subject: fmt.Sprint("Mail ", n+1), Text: "Plain", HTML: "<p>HTML</p>", Date: time.Now()})
	}
	all := b.Mails()
	if len(all) != 200 || all[0].Subject != "Mail 203" || all[199].ID != 4 {
		t.Errorf("%d, from %+v to %+v", len(all), all[0], all[len(all)-1])
	}
	if _, ok := b.Mail(3); ok {
		t.Error("the third is still there")
	}
}

// What is no mail is refused in words, and nothing is kept.
func TestWhatIsNoMailIsRefused(t *testing.T) {
	b := open(t)
	server := b.Server("hello@salon.example")
	for name, text := range map[string]string{
		"no type":   "From: a@b.example\r\nSubject: x\r\n\r\nHello\r\n",
		"no sender": "Subject: x\r\nContent-Type: text/html\r\n\r\nHello\r\n",
		"cut off":   "From: a@b.example\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\nContent-Type: text/html\r\n\r\nHello\r\n",
		"an invitation without an event": "From: a@b.example\r\nSubject: x\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n" +
			"END:VCALENDAR\r\n",
	} {
		err := smtp.SendMail(server.Address(), nil, "a@b.example", []string{"zoe@mail.example"}, []byte(text))
		if err == nil || !strings.Contains(err.Error(), "can't read this mail") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := b.Mails(); len(all) != 0 {
		t.Errorf("kept: %+v", all)
	}
}
