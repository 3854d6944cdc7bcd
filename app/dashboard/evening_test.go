package dashboard

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/mail"
	"daybook/app/subjects"
)

// screen counts the pages that somebody sees.
func (h *hand) screen(path string) {
	h.t.Helper()
	h.until(fmt.Sprintf("location.pathname == %q && document.readyState == 'complete'", path))
	h.screens = append(h.screens, path)
}

// shows counts what replaces a page in place.
func (h *hand) shows(name, js string) {
	h.t.Helper()
	h.until(js)
	h.screens = append(h.screens, name)
}

// imports gives a file to the page of that path, which is one tap and the dialog of the system, and imports what is found.
func (h *hand) imports(path, text string) {
	h.t.Helper()
	h.open(path)
	h.screen(path)
	file := filepath.Join(h.t.TempDir(), "file.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.taps++
	h.until("document.querySelector('#file')")
	h.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file}))
	h.tap("form[enctype] button[type=submit]")
	h.shows("what becomes of it", "document.querySelector('#columns-h')")
	h.tap("button[value=import]")
	h.until("document.querySelector('.notice-good')")
}

// The evening of a newcomer, with a mouse and with a finger, from an empty database to a printed poster: a live page with
// services of the trade, the customers and appointments of the program before, mail by one address that is found by
// itself, and the code on the poster, which leads to the page. A customer who books then gets a mail through that server.
func TestFirstEvening(t *testing.T) {
	const customers = "Vorname;Nachname;Handy;E-Mail;Notizen\nErika;Mustermann;0170 5556671;;Allergie PPD\nDora;Müller-Groß;;dora@mail.example;\n"
	const appointments = "Datum;Uhrzeit;Dauer;Leistung;Mitarbeiter;Name;E-Mail;Preis\n" +
		"12.01.2027;09:00;45;Damenhaarschnitt;Ana;Dora Müller-Groß;dora@mail.example;45,00\n02.11.2026;10:00;45;Damenhaarschnitt;Ana;Erik;erik@mail.example;45,00\n"
	for _, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			in, server := mailInternet(t)
			var trust *tls.Config
			w := newWorldAt(t, "", in, func(c *subjects.Config) { trust = c.Mail.Trust })
			link, err := w.Account.NewSetupLink(t.Context())
			w.Must(err)
			b := w.browse()
			browser.Language(t, b.ctx, "de")
			h := b.hand(width)
			h.open(strings.TrimPrefix(link, w.server.URL))
			h.until("document.querySelector('[name=slug]')")
			h.screens = append(h.screens, "/setup")
			h.types("email", "info@salon.example", "password", "correct horse battery", "name", "Salon Ana", "slug", "salon")
			h.tap("form button.button-main")
			h.screen("/dashboard/start/hours")
			h.types("name", "Ana")
			h.tap("form button.button-main")
			h.screen("/dashboard/start/trade")
			h.tap("a[href$='trade=hair']")
			h.screen("/dashboard/start/services")
			h.tap("form button.button-main")
			h.screen("/dashboard/start/shop")
			h.types("address", "Oranienstraße 25, 10999 Berlin", "phone", "030 901820")
			h.tap("form button.button-main")
			h.screen("/dashboard/start/done")
			t.Logf("%d: a live page after %d screens, %d taps and %d fields", width, len(h.screens), h.taps, h.fields)

			h.imports("/dashboard/contacts/import", customers)
			h.imports("/dashboard/contacts/import/appointments", appointments)

			h.open("/dashboard/settings/mail")
			h.screen("/dashboard/settings/mail")
			h.types("address", "info@salon.example")
			h.tap(`form[action$="/find"] button`)
			h.shows("its password", `document.querySelector("[name=server]")`)
			// The file of salon.example names a server first that does not answer: the next is tried by a second tap.
			h.types("password", "s3cret")
			h.tap(`form[action$="/connect"] button`)
			h.shows("another server", `document.querySelector("[name=password]") && document.body.innerText.includes("salon.example:1 ")`)
			h.types("password", "s3cret")
			h.tap(`form[action$="/connect"] button`)
			h.shows("the digits", `document.querySelector("[name=code]")`)
			apptest.Eventually(t, "the test mail arrives", func() bool { return server.Digits() != "" })
			h.types("code", server.Digits())
			h.tap(`form[action$="/code"] button`)
			h.sees("Ihre Mails kommen an")
			t.Logf("%d: the evening takes %d screens, %d taps and %d fields: %s", width, len(h.screens), h.taps, h.fields,
				strings.Join(h.screens, " "))

			h.open("/dashboard/poster")
			h.screen("/dashboard/poster")
			printed, err := chromedp.Call(h.ctx, page.PrintToPDF, page.PrintToPDFParams{})
			w.Must(err)
			if n := len(regexp.MustCompile(`/Type /Page\b`).FindAll(printed.Data, -1)); n != 1 || !bytes.HasPrefix(printed.Data, []byte("%PDF-")) {
				t.Errorf("the poster is printed on %d pages", n)
			}
			_, err = chromedp.Call(h.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
			w.Must(err)
			png, err := chromedp.Run(h.ctx, chromedp.FullScreenshot(100))
			w.Must(err)
			if got, want := browser.Scanned(t, h.ctx, png), w.server.URL+"/salon"; got != want {
				t.Errorf("the code on the poster leads to %q, want %q", got, want)
			}

			w.Workspace, err = w.WorkspaceBySlug(t.Context(), "salon")
			w.Must(err)
			w.Actors()
			all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Scope: "all"})
			w.Must(err)
			if len(all.Data) != 2 {
				t.Errorf("%d appointments came along", len(all.Data))
			}
			before := len(server.Mails())
			e := w.setup().EventTypes[0]
			made, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: e.Slug, Start: "2026-11-24T09:00:00Z",
				Invitee: booking.Invitee{Name: "Nora Neu", Email: "nora@mail.example"}})
			w.Must(err)
			w.Run(mail.NewLoop(mail.LoopConfig{Service: w.Mail, Trust: trust}))
			apptest.Eventually(t, "the customer is told of "+made.ID.String(), func() bool {
				return slices.ContainsFunc(server.Mails()[before:], func(m string) bool { return strings.Contains(m, "nora@mail.example") })
			})
		})
	}
}
