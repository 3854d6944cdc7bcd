package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/text"
)

// newMailing is a world whose salon can send mails.
func newMailing(t testing.TB) *world {
	w := newWorld(t, page.Options{})
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	return w
}

// asks asks for the page of who has the address.
func (w *world) asks(address string, headers ...string) answer {
	w.T.Helper()
	return w.send("POST", "/salon/_me", url.Values{"address": {address}}, headers...)
}

// ownMails are the mails with links to customers' pages, the latest first.
func (w *world) ownMails() (all []mail.Mail) {
	w.T.Helper()
	page, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	for _, m := range page.Data {
		if m.Kind == catalog.MailOwn {
			all = append(all, m)
		}
	}
	return all
}

// ownLink asks for a page and returns the path of the link in the mail, as it was sent.
func (w *world) ownLink(address string) string {
	w.T.Helper()
	if a := w.asks(address); a.StatusCode != http.StatusAccepted {
		w.T.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	m := w.ownMails()[0]
	about, err := w.Mail.MailSubject(w.T.Context(), &m)
	w.Must(err)
	about.Sends = true
	sent, err := mail.ComposeAbout(w.T.Context(), w.Mail, &m, &about, netmail.Address{})
	w.Must(err)
	_, link, found := strings.Cut(sent.Text, "https://book.example.com")
	if !found {
		w.T.Fatalf("no link: %s", sent.Text)
	}
	return strings.Fields(link)[0]
}

// opens opens the page of who has the address, and returns the headers with the device's cookie.
func (w *world) opens(address string) []string {
	w.T.Helper()
	a := w.send("POST", w.ownLink(address), url.Values{})
	if a.StatusCode != http.StatusSeeOther || len(a.Cookies()) != 1 {
		w.T.Fatalf("%d, %v: %s", a.StatusCode, a.Cookies(), a.text)
	}
	c := a.Cookies()[0]
	return []string{"Cookie", c.Name + "=" + c.Value}
}

// Whoever is asked for, the page answers the same, to the byte.
func TestAskingForOnesPageSaysNothing(t *testing.T) {
	w := newMailing(t)
	w.book("cut", "2026-12-02T09:00:00Z", "bo")
	none := w.asks("nobody@mail.example")
	if none.StatusCode != http.StatusAccepted || !strings.Contains(none.text, "Please look at your mail") {
		t.Fatalf("%d: %s", none.StatusCode, none.text)
	}
	for _, address := range []string{"bo@mail.example", "BO@mail.example", "+49 30 901820", "bo@mail.example", "bo@mail.example"} {
		if a := w.asks(address); a.StatusCode != none.StatusCode || a.text != none.text || len(a.Header) != len(none.Header) {
			t.Errorf("%s: %d: %s", address, a.StatusCode, a.text)
		}
	}
	if n := len(w.ownMails()); n != 3 {
		t.Errorf("%d mails, want three in an hour", n)
	}
	if a := w.asks("neither"); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, `value="neither"`) {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
	w.Clock.Advance(2 * time.Hour)
	if a := w.asks("bo@mail.example", "Sec-Fetch-Site", "cross-site"); a.StatusCode != http.StatusForbidden {
		t.Errorf("a form of another site: %d", a.StatusCode)
	}
	for i := range 11 {
		want := http.StatusAccepted
		if i == 10 {
			want = http.StatusTooManyRequests
		}
		if a := w.asks("nobody@mail.example", "X-Forwarded-For", "203.0.113.9"); a.StatusCode != want {
			t.Errorf("asked for the %d. time from an address: %d, want %d", i+1, a.StatusCode, want)
		}
	}
	_, err := w.Shop.SuspendWorkspace(t.Context(), app.Operator(w.Workspace.ID))
	w.Must(err)
	known, unknown := w.asks("bo@mail.example"), w.asks("nobody@mail.example")
	if known.StatusCode != http.StatusForbidden || unknown.StatusCode != http.StatusForbidden || known.text != unknown.text {
		t.Errorf("while the salon is suspended: %d and %d", known.StatusCode, unknown.StatusCode)
	}
	if n := len(w.ownMails()); n != 3 {
		t.Errorf("%d mails, want no more", n)
	}
}

// Where no mail goes out the page says so, and has no form.
func TestNoLinkIsPromisedWithoutMail(t *testing.T) {
	w := newWorld(t, page.Options{})
	if a := w.get("/salon/_me"); !strings.Contains(a.text, "can’t send e-mails") || strings.Contains(a.text, "<form") {
		t.Error(a.text)
	}
}

// The whole way: the link is opened by a button and once, the page shows what is one's own and nobody's else, and closes by
// its button.
func TestOnesOwnPage(t *testing.T) {
	w := newMailing(t)
	b := w.book("cut", "2026-12-02T09:00:00Z", "bo")
	if a := w.send("POST", "/salon/bridal", bookingForm("3T10:00", "bo")); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	cancelled := w.book("either", "2026-12-01T09:00:00Z", "bo")
	_, err := w.Cancel(t.Context(), w.Owner, cancelled.ID.String(), app.CancelInput{})
	w.Must(err)
	theirs := w.book("cut", "2026-12-02T11:00:00Z", "tom")
	note := "pays late"
	_, err = w.Edit(t.Context(), w.Owner, b.ID.String(), booking.EditInput{InternalNote: &note}, "")
	w.Must(err)
	link := w.ownLink("bo@mail.example")
	for range 3 { // programs that look into mails
		if a := w.get(link); a.StatusCode != http.StatusOK || !strings.Contains(a.text, "Open my page") || len(a.Cookies()) > 0 {
			t.Fatalf("%d: %s", a.StatusCode, a.text)
		}
	}
	if a := w.send("POST", link, url.Values{}, "Sec-Fetch-Site", "cross-site"); a.StatusCode != http.StatusForbidden || len(a.Cookies()) > 0 {
		t.Errorf("a button of another site: %d", a.StatusCode)
	}
	a := w.send("POST", link, url.Values{})
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/salon/_me" || len(a.Cookies()) != 1 {
		t.Fatalf("%d %v", a.StatusCode, a.Header)
	}
	c := a.Cookies()[0]
	if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/salon" || c.MaxAge != 30*24*3600 || c.Domain != "" {
		t.Errorf("the cookie: %s", c)
	}
	device := []string{"Cookie", c.Name + "=" + c.Value}
	if a := w.send("POST", link, url.Values{}); a.StatusCode != http.StatusNotFound || len(a.Cookies()) > 0 || !strings.Contains(a.text, "opened already") {
		t.Errorf("the link opens twice: %d", a.StatusCode)
	}
	if a := w.send("POST", link, url.Values{}, device...); a.StatusCode != http.StatusSeeOther {
		t.Errorf("who has opened it a moment ago: %d", a.StatusCode)
	}

	mine := w.get("/salon/_me", device...)
	for _, want := range []string{"bo@mail.example", path(b.ManageURL), path(cancelled.ManageURL), `data-status="cancelled"`, "Move or cancel",
		"/salon/cut\"", "Dec 30", "Not confirmed yet"} {
		if !strings.Contains(mine.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{path(theirs.ManageURL), "tom@mail.example", note} {
		if strings.Contains(mine.text, not) {
			t.Errorf("the page has %q", not)
		}
	}
	if all := slices.Compact(mine.all(`<form[^>]*method="post"[^>]*action="([^"?]+)`)); fmt.Sprint(all) != "[/salon/_me/leave]" { // nothing is edited there
		t.Errorf("its forms lead to %s", all)
	}
	for _, at := range []string{"data.json", "receipt/rc_1"} {
		if a := w.send("POST", "/salon/_me/"+at, url.Values{"name": {"Bo"}, "phone": {"030 1234"}}, device...); a.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("posted to %s: %d", at, a.StatusCode)
		}
	}
	for name, want := range map[string]string{"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer",
		"X-Frame-Options": "DENY"} {
		if got := mine.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if csp := mine.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Error(csp)
	}
	if strings.Contains(w.get("/salon/_me").text, path(b.ManageURL)) {
		t.Error("the page is open without the cookie")
	}
	if strings.Contains(w.get("/salon/_me", append(device, "Sec-Fetch-Dest", "iframe")...).text, path(b.ManageURL)) {
		t.Error("the page is open in a frame")
	}

	var receipts []counter.Receipt
	for _, b := range []booking.Booking{b, theirs} {
		_, err := w.Counter.Record(t.Context(), w.Owner, b.ID.String(), counter.Input{Amount: 4500, Method: "cash"})
		w.Must(err)
		page, err := w.Counter.Receipts(t.Context(), w.Owner, counter.ReceiptQuery{Booking: b.ID.String()})
		w.Must(err)
		receipts = append(receipts, page.Data...)
	}
	at := "/salon/_me/receipt/" + receipts[0].ID.String()
	if !strings.Contains(w.get("/salon/_me", device...).text, at) {
		t.Error("the page lacks the receipt")
	}
	if a := w.get(at, device...); a.StatusCode != http.StatusOK || !strings.Contains(a.text, "€45.00") || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
	if a := w.get(at); strings.Contains(a.text, "45.00") {
		t.Error("the receipt is open without the cookie")
	}
	if a := w.get("/salon/_me/receipt/"+receipts[1].ID.String(), device...); a.StatusCode != http.StatusNotFound {
		t.Errorf("another's receipt: %d", a.StatusCode)
	}
	file := w.get("/salon/_me/data.json", device...)
	if !json.Valid([]byte(file.text)) || !strings.Contains(file.text, b.ID.String()) || strings.Contains(file.text, theirs.ID.String()) ||
		strings.Contains(file.text, note) || !strings.HasPrefix(file.Header.Get("Content-Disposition"), "attachment") ||
		file.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v: %s", file.Header, file.text)
	}
	if a := w.get("/salon/_me/data.json"); strings.Contains(a.text, b.ID.String()) {
		t.Error("the file is open without the cookie")
	}

	if a := w.send("POST", "/salon/_me/leave", url.Values{}, append(device, "Sec-Fetch-Site", "same-site")...); a.StatusCode != http.StatusForbidden {
		t.Errorf("a button of a neighbour site: %d", a.StatusCode)
	}
	a = w.send("POST", "/salon/_me/leave", url.Values{}, device...)
	if a.StatusCode != http.StatusSeeOther || len(a.Cookies()) != 1 || a.Cookies()[0].MaxAge >= 0 {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	if strings.Contains(w.get("/salon/_me", device...).text, path(b.ManageURL)) {
		t.Error("the page is open after its button")
	}
	one, two := w.opens("bo@mail.example"), w.opens("bo@mail.example")
	w.send("POST", "/salon/_me/leave", url.Values{"all": {"1"}}, one...)
	if strings.Contains(w.get("/salon/_me", two...).text, path(b.ManageURL)) {
		t.Error("the page is open on another device after the button for all")
	}
}

// While a page is open the booking form comes filled in, but never in a frame, to who was led by another site's form, or at
// another business; and what the address says goes first.
func TestTheFormKnowsWhoseDeviceItIs(t *testing.T) {
	w := newMailing(t)
	_, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Bo Berg", Email: "bo@mail.example", Phone: "+49 30 901820"})
	w.Must(err)
	device := w.opens("bo@mail.example")
	const at, named = "/salon/cut?start=2026-12-02T09:00:00Z", `value="Bo Berg"`
	a := w.get(at, device...)
	if !strings.Contains(a.text, named) || !strings.Contains(a.text, `value="bo@mail.example"`) {
		t.Errorf("the form isn't filled in: %s", a.text)
	}
	if a.Header.Get("Cache-Control") != "no-store" || !strings.Contains(a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("the form may be kept or framed: %v", a.Header)
	}
	if strings.Contains(a.text, "?lang=de&amp;name") || strings.Contains(a.text, "name=Bo") {
		t.Error("an address has the name")
	}
	for what, got := range map[string]answer{
		"another":           w.get(at),
		"embedded":          w.get(at+"&embed=inline", device...),
		"in a frame":        w.get(at, append(device, "Sec-Fetch-Dest", "iframe")...),
		"somebody's cookie": w.get(at, "Cookie", "__Secure-daybook-me=AAAAAAAAAAAAAAAAAAAAAAAAAA"),
	} {
		if strings.Contains(got.text, named) || !strings.Contains(got.Header.Get("Content-Security-Policy"), "frame-ancestors *") {
			t.Errorf("%s: the form is filled in, or may not be framed", what)
		}
	}
	if a := w.get(at+"&name=Zoe", device...); strings.Contains(a.text, named) || !strings.Contains(a.text, `value="Zoe"`) {
		t.Error("what the address says isn't first")
	}
	basket := w.get("/salon/cut?with=either&start=2026-12-02T09:00:00Z", device...)
	if !strings.Contains(basket.text, named) {
		t.Error("the form of a visit isn't filled in")
	}
	booked := w.send("POST", "/salon/cut", bookingForm("2T10:00", "zoe"), device...)
	if booked.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %s", booked.StatusCode, booked.text)
	}
	page, err := w.People.ContactsWith(t.Context(), w.Owner, "zoe@mail.example", "")
	w.Must(err)
	if len(page.Data) != 1 || page.Data[0].Bookings != 1 {
		t.Errorf("a booking for somebody else isn't theirs: %+v", page.Data)
	}
}

// The shop's page and that of a booking lead to one's own, but not within another site.
func TestWhereOnesPageIsFound(t *testing.T) {
	w := newMailing(t)
	b := w.book("cut", "2026-12-02T09:00:00Z", "bo")
	for _, at := range []string{"/salon", path(b.ManageURL)} {
		if !strings.Contains(w.get(at).text, `href="/salon/_me"`) || strings.Contains(w.get(at+"?embed=inline").text, "/salon/_me") {
			t.Errorf("%s leads there in a frame, or doesn't otherwise", at)
		}
	}
	if a := w.get("/salon/_me?lang=de"); !strings.Contains(a.text, "Meine Termine") || !strings.Contains(a.text, "Link zusenden") {
		t.Error(a.text)
	}
}

// What a service requires is said as it will be: on a device with an open page it is booked at once by who has a consent that
// is valid on that day, and elsewhere, and by who hasn't, it is a request.
func TestWhatIsRequiredIsSaidAsItWillBe(t *testing.T) {
	w := newMailing(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = []catalog.ConsentKind{{Key: "patch-test", Name: "Patch test", Wording: "I had one."}}
	})
	w.Must(err)
	_, err = w.Shop.ChangeEventType(t.Context(), w.Owner, "cut", func(_ *catalog.Setup, e *catalog.EventType) error {
		e.Requires = []catalog.Requirement{{Consent: "patch-test", Within: 10}}
		return nil
	})
	w.Must(err)
	mia, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Mia", Email: "mia@mail.example"})
	w.Must(err)
	_, _, err = w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Bo", Email: "bo@mail.example"})
	w.Must(err)
	_, err = w.People.RecordConsent(t.Context(), w.Owner, mia.ID.String(), contact.ConsentInput{Kind: "patch-test", Date: "2026-11-24"})
	w.Must(err)
	const (
		month, form, late = "/salon/cut", "/salon/cut?start=2026-12-03T09:00:00Z", "/salon/cut?start=2026-12-10T09:00:00Z"
		asks, waits       = "If you have it, we check and confirm", "Confirmed by us after your request"
		perhaps, has      = "your appointment is booked at once. If not", "We have it from you"
	)
	at := func(path string, device []string, texts ...string) {
		t.Helper()
		a := w.get(path, device...)
		for _, text := range []string{asks, waits, perhaps, has} {
			if strings.Contains(a.text, text) != slices.Contains(texts, text) {
				t.Errorf("%s: has %q: %t", path, text, strings.Contains(a.text, text))
			}
		}
	}
	mias, bos := w.opens("mia@mail.example"), w.opens("bo@mail.example")
	at(month, nil, asks, waits)
	at(form, nil, asks, waits)
	at(month, mias, perhaps)
	at(form, mias, has)
	at(late, mias, asks, waits)
	at(form, bos, asks, waits)
	booked := w.send("POST", "/salon/cut", bookingForm("3T10:00", "mia"), mias...)
	all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
	w.Must(err)
	if booked.StatusCode != http.StatusSeeOther || len(all.Data) != 1 || all.Data[0].Status != booking.Confirmed {
		t.Errorf("%d: %+v", booked.StatusCode, all.Data)
	}
}

// Who has a telephone alone gets the link by text; the page answers the same, to the byte, whoever is asked for, and says that
// it may be a text. It is bounded as mails are, and by what visitors' texts may cost.
func TestOnesOwnPageByTelephone(t *testing.T) {
	w, phone := newTexting(t)
	w.Run(text.NewLoop(text.LoopConfig{Service: w.Text}))
	knows := func(name, number string) {
		_, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: name, Phone: number})
		w.Must(err)
	}
	knows("Mia", "+4915112345678")
	knows("Ida", "+4930901820")
	knows("Al", "+12025550123") // of a country that isn't ticked
	w.book("cut", "2026-12-02T09:00:00Z", "bo")
	if a := w.get("/salon/_me"); !strings.Contains(a.text, "we send you a link") || !strings.Contains(a.text, "by text") {
		t.Error(a.text)
	}
	none := w.asks("+49 151 99999999")
	if none.StatusCode != http.StatusAccepted || !strings.Contains(none.text, "Please look at your mail or your texts") {
		t.Fatalf("%d: %s", none.StatusCode, none.text)
	}
	for _, address := range []string{"0151 12345678", "+49 30 901820", "+1 202 555 0123", "bo@mail.example"} {
		if a := w.asks(address); a.StatusCode != none.StatusCode || a.text != none.text || len(a.Header) != len(none.Header) {
			t.Errorf("%s: %d: %s", address, a.StatusCode, a.text)
		}
	}
	apptest.Eventually(t, "the text is sent", func() bool { return len(phone.Sent()) == 1 })
	sent := phone.Sent()[0]
	if sent.To != "+4915112345678" || !strings.HasPrefix(sent.Text, "Salon Ana: the link to your page. https://book.example.com/salon/_me/") || len(w.ownMails()) != 1 {
		t.Fatalf("%+v, %d mails", sent, len(w.ownMails()))
	}
	link := sent.Text[strings.Index(sent.Text, "/salon/_me/"):]
	a := w.send("POST", link, url.Values{})
	if a.StatusCode != http.StatusSeeOther || len(a.Cookies()) != 1 {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	if mine := w.get("/salon/_me", "Cookie", a.Cookies()[0].Name+"="+a.Cookies()[0].Value); !strings.Contains(mine.text, "Mia") {
		t.Error(mine.text)
	}
	asks := func(from string, texts int) {
		t.Helper()
		w.asks("0151 12345678", "X-Forwarded-For", from)
		apptest.Eventually(t, "nothing waits", func() bool {
			all, err := w.Text.Texts(t.Context(), w.Owner, text.ListInput{})
			w.Must(err)
			return !slices.ContainsFunc(all.Data, func(x text.Text) bool { return x.State == text.Waiting })
		})
		if n := len(phone.Sent()); n != texts {
			t.Errorf("asked for from %s: %d texts, want %d", from, n, texts)
		}
	}
	asks("203.0.113.4", 2)
	w.Clock.Advance(2 * time.Hour)
	asks("203.0.113.5", 3)
	asks("203.0.113.6", 3) // three a day
	w.Clock.Advance(25 * time.Hour)
	for n := range 4 { // three an hour
		asks("203.0.113.7", 3+min(n+1, 3))
	}
	// The salon has no mail server.
	_, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Eve", Email: "eve@mail.example", Phone: "+4915112345699"})
	w.Must(err)
	w.asks("eve@mail.example", "X-Forwarded-For", "203.0.113.8")
	apptest.Eventually(t, "who has an address is texted", func() bool { return phone.Sent()[len(phone.Sent())-1].To == "+4915112345699" })
}
