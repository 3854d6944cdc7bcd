package dashboard

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/views/dash"
)

// priced is a booking of today that has just begun and costs something; the clock is moved there.
func (w *world) priced() *booking.Booking {
	w.T.Helper()
	b := w.begun()
	for b.Price == nil {
		w.Clock.Set(b.Start.Time().Add(time.Second))
		b = w.begun()
	}
	return b
}

// A day at the till, on a desktop and on a phone: what is due is taken in cash with one tap and undone, then taken with
// a tip; the receipt is shown, and goes on paper alone; at the end the cash is counted.
func TestDayAtTheTill(t *testing.T) {
	w := newWorld(t)
	k := w.priced()
	id := k.ID.String()
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Tax = &money.Tax{Mode: money.TaxIncluded, Name: "VAT", Number: "DE 123", Rate: 19000}
	})
	w.Must(err)
	row := row(*k)
	axe := browser.Axe(t)
	b := w.browse()
	b.look("light", 1440, 900)
	b.signIn(w)
	paid := func(amount, tip int64) {
		t.Helper()
		now, err := w.Booking(t.Context(), w.Owner, id)
		w.Must(err)
		kept, tips := int64(0), int64(0)
		for i := range now.Payments {
			a, b := now.Payments[i].Left()
			kept, tips = kept+a, tips+b
		}
		if kept != amount || tips != tip || now.Due.Amount != k.Price.Amount-amount {
			t.Errorf("paid %d and %d tip, %d due; want %d and %d", kept, tips, now.Due.Amount, amount, tip)
		}
	}
	for _, width := range []int64{1440, 390} {
		b.look("light", width, 844)
		b.open("/dashboard?host=" + k.Host.ID.String())
		b.click(row + ` .pay button[value=cash]`)
		b.sees(k.Invitee.Name + " paid ")
		paid(k.Price.Amount, 0)
		b.until(`!document.querySelector('` + row + ` .pay') && document.querySelector('` + row + ` .till-settled a')`)
		b.click(`[data-toast] button`)
		b.sees("the payment is taken back")
		paid(0, 0)
		b.until(`location.search=="?host=` + k.Host.ID.String() + `"`)
		b.click(row + ` .pay a`)
		b.until(`document.querySelector(".pay-form")`)
		if width == 390 {
			b.looksRight("till-pay", axe)
		}
		b.fill("tip", "4")
		b.click(`.pay-methods label:nth-of-type(1)`)
		b.click(`.pay-form button[type=submit]`)
		b.sees(k.Invitee.Name + " paid ")
		paid(k.Price.Amount, 400)
		b.click(row + ` .till-settled a`)
		b.sees("VAT 19")
		b.sees("no certified cash register")
		b.looksRight("till-receipt", axe)
		if width == 1440 {
			b.click(`.till-acts form button`) // the other width begins anew
			b.sees("This receipt is reversed by")
			paid(0, 0)
		}
	}
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	w.Must(err)
	b.until(`document.querySelector(".receipt").checkVisibility() && [".head", "header.side", ".receipt-beside"].every((s) =>
		!document.querySelector(s)?.checkVisibility())`)
	shot(b, "till-receipt-print")
	b.look("light", 390, 844)
	b.open("/dashboard/till")
	b.until(`document.querySelector(".till-expected")`)
	b.looksRight("till-day", axe)
	b.open("/dashboard/till/receipts")
	b.until(`document.querySelector(".till-receipts .row-price")?.checkVisibility()`)
	b.open("/dashboard/till")
	b.fill("opening", "100", "counted", "1", "note", "Bank")
	b.click(`.till-close button`)
	b.sees("The day is closed.")
	b.sees(" short")
	b.sees("Bank")
	b.open("/dashboard/bookings/" + id)
	b.until(`document.querySelector(".till-rows li:nth-child(4)")`)
	b.looksRight("till-booking", axe)
	w.Clock.Advance(24 * time.Hour)
	b.look("light", 1440, 900)
	b.open("/dashboard/till")
	b.sees(" short")
	b.looksRight("till-next-day", axe)
}

// looksRight fails where the page that is shown breaks a rule of accessibility or scrolls sideways, in both themes.
func (b *tab) looksRight(name, axe string) {
	b.t.Helper()
	width := browser.Eval[int64](b.t, b.ctx, "innerWidth")
	browser.Accessible(b.t, b.ctx, axe)
	if wide := browser.Eval[int](b.t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
		b.t.Errorf("%s at %d scrolls sideways by %d", name, width, wide)
	}
	for _, theme := range []string{"dark", "light"} {
		browser.Media(b.t, b.ctx, theme)
		shot(b, name+map[bool]string{true: "-phone-", false: "-"}[width < 400]+theme)
	}
}

// Without a script money is taken by forms: too much, nothing, and a second tap are told apart; a part has a receipt
// when somebody asks; staff reach their own host's and only today's, and no sums.
func TestTillWithoutScript(t *testing.T) {
	w := newWorld(t)
	k := w.priced()
	id := k.ID.String()
	pay, page := dash.BookingPayPath(id), dash.BookingPath(id)
	b := w.asOwner()
	due := b.get(page)
	b.wants(due, 200, `action="`+pay+`"`, " due")
	amount := regexp.MustCompile(`name="due" value="([^"]*)"`).FindStringSubmatch(due.body)[1]
	b.wants(b.post(pay, "amount", "100000", "method", "cash"), 422, "More than is due", `value="100000"`)
	b.wants(b.post(pay, "amount", "no number", "method", "cash"), 422, "An amount, such as")
	b.wants(b.post(pay, "amount", "", "method", "cash"), 422, "Enter how much was paid")
	b.wants(b.post(pay, "amount", "1", "method", "gold"), 422)
	calendar := calendarURL + "?booking=" + id
	b.wants(b.post(pay, "amount", "1", "method", "voucher", "note", "No. 7", "back", calendar), 303)
	b.wants(b.get(calendar), 200, "€1 paid", "Voucher", "No. 7", "/receipt", "till-panel")
	made := b.post(page + "/receipt")
	b.wants(made, 303)
	first, err := w.Counter.Receipt(t.Context(), w.Owner, path.Base(made.location))
	w.Must(err)
	number := func(later int64) string { return fmt.Sprintf("2026-%d", first.NumberInYear+later) }
	b.wants(b.get(made.location), 200, number(0), "Voucher", "no certified cash register", k.Invitee.Name)
	b.wants(b.post(page+"/receipt"), 303)
	b.wants(b.get(made.location), 200, "Set up a mail server", "!name=\"email\"")
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	b.wants(b.get(made.location), 200, `name="email"`, `value="`+k.Invitee.Email+`"`)
	b.wants(b.post(made.location+"/mail", "email", "nobody"), 422, `value="nobody"`, number(0))
	b.wants(b.post(made.location+"/mail", "email", "books@firm.example"), 303)
	b.wants(b.get(made.location+"?said=mailed"), 200, "The receipt is on its way.")
	b.wants(b.get(dash.MailPath), 200, "books@firm.example", "Receipt")
	rest := regexp.MustCompile(`name="due" value="([^"]*)"`).FindStringSubmatch(b.get(page).body)[1]
	if rest == amount {
		t.Errorf("%s is due as before", rest)
	}
	for range 2 { // tapped twice
		b.wants(b.post(pay, "amount", rest, "due", rest, "method", "card", "back", "https://elsewhere.example/"), 303)
	}
	b.wants(b.get(page), 200, "Card", "!"+pay, "€1 · Voucher")
	if now, err := w.Booking(t.Context(), w.Owner, id); err != nil || len(now.Payments) != 2 {
		t.Errorf("%d payments, %v", len(now.Payments), err)
	}
	b.wants(b.get("/dashboard"), 200, "<dt>Taken</dt>", "<dt>Still due</dt>")
	b.wants(b.get("/dashboard/till/receipts"), 200, number(0), number(1))
	b.wants(b.get("/dashboard/till"), 200, "Voucher", "Card", "!<th scope=\"row\">Cash</th>")
	b.wants(b.post("/dashboard/till/close", "day", "", "counted", "x"), 422, "An amount, such as")
	b.wants(b.post("/dashboard/till/close", "day", ""), 422, "Enter how much cash")

	staff, other := w.staff(k.Host.ID), (*visitor)(nil)
	staff.wants(staff.get(page), 200, "Undo")
	staff.wants(staff.get("/dashboard"), 200, "!<dt>Taken</dt>", "!<dt>Still due</dt>")
	staff.wants(staff.get("/dashboard/till"), 403)
	staff.wants(staff.post("/dashboard/till/close", "counted", "1"), 403)
	for _, h := range w.setup().Hosts {
		if h.ID != k.Host.ID {
			_, link, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "second@salon.example", Role: app.StaffRole, Host: h.ID})
			w.Must(err)
			other = w.joins(link)
			break
		}
	}
	other.wants(other.get(pay), 404)
	other.wants(other.post(pay, "amount", "1", "method", "cash"), 404)
	other.wants(other.get(made.location), 404)
	other.wants(other.post(made.location+"/mail", "email", "books@firm.example"), 404)
	now, err := w.Booking(t.Context(), w.Owner, id)
	w.Must(err)
	back := dash.GiveBackPath(now.Payments[1].ID.String()) + "?booking=" + id
	other.wants(other.post(back), 404)
	w.Clock.Advance(24 * time.Hour)
	staff.wants(staff.get(page), 200, "!Undo the payment", "!Give back")
	staff.wants(staff.post(back), 403)
	b.wants(b.get(page), 200, "Give back")
	b.wants(b.post(back, "amount", "x"), 422, "an amount such as", `name="danger" open`, `value="x"`, "!pay-form")
	b.wants(b.post(back, "amount", ""), 422, "an amount such as", `name="danger" open`)
	b.wants(b.post(back, "amount", "7000"), 422, "more than is left", `name="danger" open`, `value="7000"`, "!pay-form")
	b.wants(b.post(back, "amount", "2"), 303)
	b.wants(b.get(page), 200, "€2 given back", "€2 due")
	b.wants(b.get(dash.ReceiptPath(now.Payments[1].Receipt.String())), 200, `class="receipt-other">This receipt is reversed by `+number(2))
	b.wants(b.get("/dashboard/till/receipts"), 200, "Reversed", "Reversal", number(3))
	b.wants(b.post(back), 303)
	b.wants(b.post(back), 409, "already given back", "!pay-form")
}

// The settings say how prices are taxed, and an event type may say its own rate, as people write it.
func TestTaxSettings(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	ws := w.setup().Workspace
	form := []string{"name", ws.Name, "slug", ws.Slug, "timeZone", ws.TimeZone, "currency", ws.Currency, "tax.mode", "included", "tax.name", "MwSt.", "tax.number", "DE 9"}
	b.wants(b.post(dash.SettingsPath, append(form, "tax.rate", "nineteen")...), 422, "nineteen")
	b.wants(b.post(dash.SettingsPath, append(form, "tax.rate", "19,5 %")...), 303)
	if tax := w.setup().Workspace.Tax; tax == nil || *tax != (money.Tax{Mode: money.TaxIncluded, Name: "MwSt.", Number: "DE 9", Rate: 19500}) {
		t.Errorf("saved %+v", tax)
	}
	b.wants(b.get(dash.SettingsPath), 200, `value="19.5"`, "MwSt.")
	e := w.setup().EventTypes[0]
	rate := money.Rate(7000)
	e.TaxRate = &rate
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
	w.Must(err)
	shown := b.get(dash.TypePath(e.ID.String()))
	b.wants(shown, 200, `name="taxRate" value="7"`, "19.5%")
	if !strings.Contains(shown.body, `inputmode="decimal"`) {
		t.Error("a phone shows no digits for the rate")
	}
}
