package smtp

import (
	"bytes"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Whatever people and shops are called, their mails can be written, carry the name and nothing else.
func FuzzNames(f *testing.F) {
	for _, name := range []string{
		"Ana", `Eve"`, `Pizza 12" Köln`, `ends in \`, `\"`, `"quoted"`, "<x@evil.example>", "a, b; c: d", "(comment)", "=?utf-8?q?x?=", "李雷 🎉",
		"Bo\r\nBcc: x@evil.example", "\x00\x1b", "a\xffb", " ", strings.Repeat("long ", 60), strings.Repeat("ü", 200), "@", `x" <y@z.example>, "`, "\x00\\", "a\x7f b", "\u0085", `\Ѵ`,
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		m := &Message{
			ID: "ml_1@book.example", From: netmail.Address{Name: name, Address: "book@salon.example"}, To: "bo@mail.example",
			ReplyTo: &netmail.Address{Name: name, Address: "ana@salon.example"}, Subject: "Booked: " + name, Text: name, Date: time.Unix(1e9, 0),
		}
		out, err := m.encode()
		if err != nil {
			t.Fatalf("%q can't be written: %v", name, err)
		}
		var wire bytes.Buffer
		if _, err := out.WriteTo(&wire); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		read, err := netmail.ReadMessage(&wire)
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		want := regexp.MustCompile(`\p{Cc}`).ReplaceAllString(strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " "), "")
		if len([]rune(want)) < len(want) {
			want = strings.ReplaceAll(want, `\`, "∖")
		}
		for header, address := range map[string]string{"From": "book@salon.example", "Reply-To": "ana@salon.example"} {
			all, err := read.Header.AddressList(header)
			if err != nil || len(all) != 1 || all[0].Address != address || all[0].Name != want {
				t.Errorf("%s of %q: %v, %v", header, name, all, err)
			}
		}
		for header := range read.Header {
			switch header {
			case "From", "Reply-To", "To", "Subject", "Message-Id", "Date", "Mime-Version", "Auto-Submitted", "X-Auto-Response-Suppress",
				"Content-Type", "Content-Transfer-Encoding":
			default:
				t.Errorf("%q adds the header %s", name, header)
			}
		}
		if to := read.Header.Get("To"); to != "<bo@mail.example>" || !utf8.ValidString(read.Header.Get("Subject")) {
			t.Errorf("to %q, subject %q", to, read.Header.Get("Subject"))
		}
	})
}

func TestEnvelopePath(t *testing.T) {
	for address, want := range map[string]string{
		"bo@mail.example": "<bo@mail.example>", "bo o@mail.example": `<"bo o"@mail.example>`, "o'neil+x@mail.example": "<o'neil+x@mail.example>",
	} {
		if got := path(address); got != want {
			t.Errorf("%s becomes %s", address, got)
		}
	}
	for _, address := range []string{"", "bo", "bo@mail.example\r\nRCPT TO:<x@evil.example>", "bo@mail.example> x", "a@b@"} {
		if writable(address) {
			t.Errorf("%q is taken for an address", address)
		}
	}
}
