package page_test

import (
	"net/http"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/payment/stripetest"
)

// seller is a salon that sells vouchers on its page.
func seller(t testing.TB) (*world, *stripetest.Server) {
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	w.Apply("workspace: {slug: salon, sellsVouchers: true}\n")
	return w, w.takesCards(t, &takes)
}

func (w *world) orders(more ...string) answer {
	w.T.Helper()
	form := url.Values{"amount": {"50"}, "buyer": {"mia@mail.example"}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return w.send("POST", "/salon/voucher?lang=en", form)
}

// composed are the mails of the kind as they are sent, the latest first.
func (w *world) composed(kind catalog.MailKind) (all []mail.Mail, sent []*smtp.Message, dropped []string) {
	w.T.Helper()
	page, err := w.Store.Mails(w.Workspace.ID, mail.Filter{Limit: 100})
	w.Must(err)
	for i := range page {
		m := &page[i]
		if m.Kind != kind {
			continue
		}
		about, err := w.Mail.MailSubject(w.T.Context(), m)
		w.Must(err)
		about.Sends = true
		s, err := mail.ComposeAbout(w.T.Context(), w.Mail, m, &about, netmail.Address{})
		w.Must(err)
		all, sent, dropped = append(all, *m), append(sent, s), append(dropped, about.Dropped)
	}
	return all, sent, dropped
}

// sales are the sales there are, the latest first.
func (w *world) sales() []counter.Sale {
	w.T.Helper()
	all, err := w.Counter.Sales(w.T.Context(), w.Owner, counter.SaleQuery{})
	w.Must(err)
	return all.Data
}

var codeForm = regexp.MustCompile(`[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}`)

// paid orders a voucher, pays for it, and returns the page to which the buyer comes back.
func (w *world) paid(s *stripetest.Server, more ...string) (at string) {
	w.T.Helper()
	a := w.orders(more...)
	if a.StatusCode != http.StatusSeeOther {
		w.T.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	session := s.Session(w.T, -1)
	if got := a.Header.Get("Location"); !strings.Contains(got, session) {
		w.T.Errorf("leads to %s", got)
	}
	s.Pay(w.T, session, stripetest.Good)
	return path(s.Field(session, "success_url").(string))
}

// A voucher that is bought on the page is a sale once it is paid, with its receipt and a mail to the buyer, who prints it; its
// code is shown once, and pays. What isn't paid in half an hour never was.
func TestVoucherIsBought(t *testing.T) {
	w, s := seller(t)
	shop := w.get("/salon?lang=en")
	if !strings.Contains(shop.text, `href="/salon/voucher?lang=en"`) {
		t.Error("the salon's page doesn't lead there")
	}
	for field, c := range map[string]struct{ value, want string }{
		"other": {"1000.01", "Between €5 and €1,000"}, "buyer": {"nobody", "Please enter"}, "to": {"x@", "Please enter"},
	} {
		if a := w.orders(field, c.value); a.StatusCode != 422 || !strings.Contains(plain(a.text), c.want) || !strings.Contains(a.text, `value="`+c.value+`"`) {
			t.Errorf("%s %s: %d: %s", field, c.value, a.StatusCode, a.text)
		}
	}
	for _, day := range []string{"2026-11-29", "2027-12-24", "soon"} {
		if a := w.orders("to", "leo@mail.example", "day", day); a.StatusCode != 422 || !strings.Contains(a.text, "within a year") {
			t.Errorf("%s: %d", day, a.StatusCode)
		}
	}
	if a := w.orders(); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	unpaid := path(s.Field(s.Session(t, -1), "success_url").(string))
	w.wantPage(unpaid, 200, "The payment is on its way", "!Voucher for")
	if len(w.sales()) != 0 {
		t.Error("it was sold before it was paid")
	}
	at := w.paid(s, "other", "35.50", "for", "Leo <b>")
	w.wantPage(at, 200, "Thank you for your purchase", "Voucher for €35.50", "For Leo &lt;b&gt;", "Show the voucher to print")
	w.wantPage(at, 200, "Thank you") // asked again, nothing is sold again
	all := w.sales()
	if len(all) != 1 || all[0].Status != counter.SalePaid || all[0].Total != 3550 || all[0].ReceiptID == nil || all[0].Payments[0].Method != booking.ByCard {
		t.Fatalf("%+v", all)
	}
	mails, sent, _ := w.composed(catalog.MailBought)
	if len(mails) != 1 || mails[0].To != "mia@mail.example" || !strings.Contains(sent[0].Text, "https://book.example.com"+at) || !strings.Contains(sent[0].Text, "Receipt") {
		t.Fatalf("%+v %+v", mails, sent)
	}
	seen, err := mail.Compose(t.Context(), w.Mail, &mails[0], netmail.Address{})
	w.Must(err)
	if strings.Contains(seen.Text, "/voucher/") || codeForm.MatchString(sent[0].Text) {
		t.Errorf("the log shows the link, or the mail a code: %s", seen.Text)
	}
	code := codeForm.FindString(w.send("POST", at, url.Values{}).text)
	if code == "" || codeForm.MatchString(w.get(at).text) {
		t.Fatal("the code is not shown, or again")
	}
	again := codeForm.FindString(w.send("POST", at, url.Values{}).text)
	if again == "" || again == code {
		t.Errorf("printed again: %q", again)
	}
	action, form := w.formFor("/salon/cut?timeZone=Europe/Berlin&lang=en&start=2026-12-02T09:00:00Z", "leo")
	for code, want := range map[string]int{code: 422, again: 303} {
		form.Set("pass", code)
		if a := w.send("POST", action, form); a.StatusCode != want {
			t.Errorf("%s: %d, want %d", code, a.StatusCode, want)
		}
	}
	w.wantPage(at, 200, "used already", "!<form")
	w.Clock.Advance(40 * time.Minute)
	w.Must(w.Upkeep.Tend(t.Context()))
	w.wantPage(unpaid, 404)
	w.wantPage(at[:len(at)-1]+map[bool]string{true: "1", false: "0"}[strings.HasSuffix(at, "0")], 404)
	if len(w.sales()) != 1 {
		t.Error("what wasn't paid was sold")
	}
}

func (w *world) wantPage(at string, status int, want ...string) {
	w.T.Helper()
	a := w.get(at, "Accept-Language", "en")
	if a.StatusCode != status {
		w.T.Errorf("%s: %d, want %d", at, a.StatusCode, status)
	}
	for _, text := range want {
		if strings.Contains(plain(a.text), strings.TrimPrefix(text, "!")) == strings.HasPrefix(text, "!") {
			w.T.Errorf("%s: %s: %s", at, text, a.text)
		}
	}
}

// On the chosen day at nine the voucher is mailed to whom it is for, with its code, which nobody else sees; not once it is
// given back or disputed. Money that goes back goes back by the provider.
func TestVoucherIsMailedOnItsDay(t *testing.T) {
	w, s := seller(t)
	at := w.paid(s, "to", "leo@mail.example", "day", "2026-12-24", "for", "Leo")
	w.wantPage(at, 200, "goes by e-mail", "!<form")
	if code := codeForm.FindString(w.send("POST", at, url.Values{}).text); code != "" {
		t.Error("the buyer sees the code of what is mailed to somebody else")
	}
	mails, sent, _ := w.composed(catalog.MailVoucher)
	if len(mails) != 1 || mails[0].To != "leo@mail.example" || mails[0].DueAt.String() != "2026-12-24T08:00:00Z" || !codeForm.MatchString(sent[0].Text) ||
		!strings.Contains(plain(sent[0].Text), "€50") {
		t.Fatalf("%+v %+v", mails, sent)
	}
	if seen, err := mail.Compose(t.Context(), w.Mail, &mails[0], netmail.Address{}); err != nil || codeForm.MatchString(seen.Text) {
		t.Errorf("the log shows the code: %v %s", err, seen.Text)
	}
	_, bought, _ := w.composed(catalog.MailBought)
	if !strings.Contains(bought[0].Text, "leo@mail.example on Thursday, December 24") {
		t.Error(bought[0].Text)
	}

	tend := func() {
		t.Helper()
		w.Clock.Advance(10 * time.Minute)
		w.Must(w.Payment.ReconcilePayments(t.Context(), w.Payment.Share().Buckets))
		w.Must(w.Upkeep.Tend(t.Context()))
	}
	drops := func(want string) {
		t.Helper()
		if _, _, dropped := w.composed(catalog.MailVoucher); dropped[0] != want {
			t.Errorf("dropped: %q, want %q", dropped[0], want)
		}
	}
	intent := s.Intents("succeeded")[0]
	s.Dispute(intent, "needs_response")
	tend()
	drops("the voucher was given back")
	w.wantPage(at, 200, "given back")
	s.Dispute(intent, "won")
	tend()
	drops("")
	sale := w.sales()[0]
	_, err := w.Counter.RefundSale(t.Context(), w.Owner, sale.ID.String(), counter.SaleRefundInput{})
	w.Must(err)
	tend()
	drops("the voucher was given back")
	if got := s.Refunds(); len(got) != 1 || got[0] != 5000 {
		t.Errorf("refunded %v", got)
	}
	tend()
	if got := s.Refunds(); len(got) != 1 {
		t.Errorf("refunded %v", got)
	}
	order, err := w.Counter.SaleOrder(t.Context(), w.Owner, sale.ID.String())
	w.Must(err)
	if len(order.Refunds) != 1 || !order.Refunds[0].Done || order.Buyer != "" || order.To != "" || order.DueAt != 0 {
		t.Errorf("%+v", order)
	}

	// Refunded in Stripe's own dashboard, it can't be used either.
	w.paid(s, "to", "eva@mail.example", "day", "2026-12-24")
	w.Must(w.Payment.ReconcilePayments(t.Context(), w.Payment.Share().Buckets))
	all := s.Intents("succeeded")
	s.RefundByHand(t, all[len(all)-1], 5000)
	tend()
	drops("the voucher was given back")
}

// A page that doesn't sell vouchers has no such page, and a service of that name keeps its own.
func TestPageThatSellsNoVouchers(t *testing.T) {
	w := newWorld(t, page.Options{})
	if a := w.get("/salon/voucher"); a.StatusCode != 404 {
		t.Errorf("%d", a.StatusCode)
	}
	if a := w.orders(); a.StatusCode != 404 {
		t.Errorf("%d", a.StatusCode)
	}
	sells, _ := seller(t)
	sells.Mail.ShareMailServer(nil)
	sells.wantPage("/salon/voucher", 404) // the buyer would have no receipt, and nobody the voucher
	sells.wantPage("/salon", 200, "!/salon/voucher")
	sells.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	sells.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: voucher, title: Ask about vouchers, durationMinutes: 30, hosts: [ana@salon.example]}\n")
	sells.wantPage("/salon/voucher?lang=en", 200, "Ask about vouchers")
}

// Orders are bounded: ten an hour from one address.
func TestOrdersAreBounded(t *testing.T) {
	w, _ := seller(t)
	for i := range 11 {
		want := http.StatusSeeOther
		if i == 10 {
			want = http.StatusTooManyRequests
		}
		if a := w.orders(); a.StatusCode != want {
			t.Errorf("order %d: %d, want %d", i+1, a.StatusCode, want)
		}
	}
}

// What was paid for while the salon's currency became another one goes back.
func TestVoucherThatCantBeSoldAnyMore(t *testing.T) {
	w, s := seller(t)
	w.orders()
	_, err := w.Shop.UpdateWorkspace(t.Context(), app.Operator(w.Workspace.ID), func(x *catalog.Workspace) { x.Currency = "CHF" })
	w.Must(err)
	session := s.Session(t, -1)
	s.Pay(t, session, stripetest.Good)
	w.Must(w.Payment.ReconcilePayments(t.Context(), w.Payment.Share().Buckets))
	w.Must(w.Upkeep.Tend(t.Context()))
	if got := s.Refunds(); len(got) != 1 || got[0] != 5000 || len(w.sales()) != 0 {
		t.Errorf("refunded %v, sold %+v", got, w.sales())
	}
}

// On a telephone a voucher is ordered with a thumb, and its page is accessible.
func TestVoucherPageOnATelephone(t *testing.T) {
	ctx := browser.Open(t)
	w, s := seller(t)
	base, axe := w.open(), browser.Axe(t)
	browser.Resize(t, ctx, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/voucher?lang=de"))
	browser.Accessible(t, ctx, axe)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[name=amount][value="100"]`)), chromedp.SendKeys(browser.CSS(`[name=for]`), "Leo"),
		chromedp.SendKeys(browser.CSS(`[name=other]`), "3"), chromedp.SendKeys(browser.CSS(`[name=buyer]`), "mia@mail.example"))
	browser.Follow(t, ctx, `.actions button`)
	if text := browser.Text(ctx); !strings.Contains(text, "Bitte prüfen Sie ein Feld") {
		t.Error(text)
	}
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`details.repeat summary`)))
	for _, name := range []string{"other", "for", "buyer", "to", "day"} {
		browser.Uncovered(t, ctx, name)
	}
	at := w.paid(s, "amount", "100")
	browser.Do(t, ctx, chromedp.Navigate(base+at+"?lang=de"))
	browser.Accessible(t, ctx, axe)
	browser.Follow(t, ctx, `.actions button`)
	if text := browser.Text(ctx); !codeForm.MatchString(text) {
		t.Error(text)
	}
	browser.Accessible(t, ctx, axe)
}
