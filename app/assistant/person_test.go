package assistant_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/bits"
	"net/http"
	"regexp"
	"strings"
	"testing"

	netmail "net/mail"

	"daybook/app/mail"
)

// work finds a proof of work of so many bits, at most eight.
func work(key string, zeros int) string {
	for i := 0; ; i++ {
		if proof := fmt.Sprint(i); bits.LeadingZeros8(sha256.Sum256([]byte(key + ":" + proof))[0]) >= zeros {
			return proof
		}
	}
}

var codeInMail = regexp.MustCompile(`\b(\d{3} \d{3})\b`)

// read is the text of a guest's mail as it is sent.
func (w *world) read(ctx context.Context, m *mail.Mail) string {
	about, err := w.Mail.MailSubject(ctx, m)
	w.Must(err)
	about.Sends = true
	sent, err := mail.ComposeAbout(ctx, w.Mail, m, &about, netmail.Address{})
	w.Must(err)
	return sent.Subject + "\n" + sent.Text
}

// personReads answers the code of the latest mail.
func personReads(w *world) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		all := w.mails()
		if len(all) == 0 {
			http.Error(rw, "no mail", http.StatusNotFound)
			return
		}
		fmt.Fprint(rw, codeInMail.FindString(w.read(r.Context(), &all[0])))
	})
}

func TestTheMailHasLinkAndCode(t *testing.T) {
	w := newWorld(t)
	a := w.wants(w.asks(ip, "cut", "1T10", "mia"), "")
	all := w.mails()
	code := w.code(a.get("request"))
	text := w.read(t.Context(), &all[0])
	for _, part := range []string{"Bitte bestätigen: Haircut", "https://book.example.com" + w.link(a.get("request")), code[:3] + " " + code[3:], "noch nicht gebucht"} {
		if !strings.Contains(text, part) {
			t.Errorf("the mail lacks %q:\n%s", part, text)
		}
	}
	log, err := mail.Compose(t.Context(), w.Mail, &all[0], netmail.Address{})
	w.Must(err)
	if strings.Contains(log.Text, code[:3]+" "+code[3:]) || strings.Contains(log.Text+log.HTML, "/confirm") {
		t.Errorf("who reads the log sees the code or the link:\n%s", log.Text)
	}
	w.Clock.Advance(11 * 60e9)
	about, err := w.Mail.MailSubject(t.Context(), &all[0])
	w.Must(err)
	if about.Dropped == "" {
		t.Error("the mail goes out after its request is over")
	}
}
