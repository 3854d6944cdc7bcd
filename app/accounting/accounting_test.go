package accounting_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"daybook/app"
	"daybook/app/accounting"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/when"
)

// chart names all accounts but those in without.
func chart(w *apptest.Salon, without ...string) {
	w.T.Helper()
	low, usual := money.Rate(7000), money.Rate(19000)
	x := catalog.Accounts{Consultant: 1001, Client: 42, Length: 4, YearBegins: "07-01", Cash: "1000", Card: "1360", Transfer: "1200",
		Online: "1370", Tips: "1375", Fees: "2700", Difference: "2720", Clearing: "1590",
		Revenue: []catalog.RevenueAccount{{Rate: &usual, Account: "8400"}, {Rate: &low, Account: "8300", TaxKey: "2"}}}
	for _, name := range without {
		*x.Named()[name] = ""
	}
	_, err := w.Shop.UpdateWorkspace(w.T.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.Accounts = &x })
	w.Must(err)
}

// taken is a salon with receipts at two rates, paid in one way and in several, a reversal, online payments with a refund and a
// fee, and a day's cash that didn't fit.
func taken(t *testing.T) *apptest.Salon {
	w := apptest.New(t, apptest.Options{})
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	w.Offer("lesson", 60, func(e *catalog.EventType) {
		rate := money.Rate(7000)
		e.Title, e.Price, e.TaxRate = "Über „Färben“; Łódź 頭", &money.Money{Amount: 3000, Currency: "EUR"}, &rate
	})
	take := func(b booking.Booking, amount, tip int64, method booking.Method) booking.Booking {
		t.Helper()
		b, err := w.Counter.Record(t.Context(), w.Owner, b.ID.String(), counter.Input{Amount: amount, Tip: tip, Method: method})
		w.Must(err)
		return b
	}
	take(w.Booked("cut", "1T09", "bo"), 4500, 500, booking.ByCash)
	split := w.Booked("cut", "1T10", "eva")
	take(split, 2000, 0, booking.ByCash)
	split = take(split, 2500, 300, booking.ByCard)
	part := int64(1000)
	_, err := w.Counter.GiveBack(t.Context(), w.Owner, split.Payments[1].ID.String(), &part)
	w.Must(err)
	take(w.Booked("lesson", "1T11", "flo"), 3000, 0, booking.ByTransfer)
	online := w.Booked("cut", "1T12", "gus")
	paid := payment.Record{ID: id.New[booking.PaymentIDKind](w.Now()), WorkspaceID: w.Workspace.ID, BookingID: online.ID, Kind: payment.PaysBooking,
		Attempt: 1, Status: booking.PaymentPaid, Amount: 4500, Currency: "EUR", PaidAt: when.At(w.Now()), CreatedAt: when.At(w.Now()), RefundedAmount: 1500}
	fee := paid
	fee.ID, fee.Kind, fee.Amount, fee.RefundedAmount = id.New[booking.PaymentIDKind](w.Now()), payment.PaysFee, 2000, 0
	_, err = w.Change(t.Context(), w.Owner, online.ID.String(), func(ch *app.Change) error {
		ch.NoteAmount(booking.ActRefunded, money.Money{Amount: 1500, Currency: "EUR"})
		for _, p := range []payment.Record{paid, fee} {
			if err := ch.Tx.(payment.Tx).InsertPayment(&p); err != nil {
				return err
			}
			if err := ch.Tx.(payment.Tx).UpdatePayment(&p); err != nil {
				return err
			}
		}
		return nil
	})
	w.Must(err)
	counted := int64(5000)
	_, err = w.Counter.Close(t.Context(), w.Owner, counter.CloseInput{Counted: &counted})
	w.Must(err)
	counted = 6850
	_, err = w.Counter.Close(t.Context(), w.Owner, counter.CloseInput{Counted: &counted}) // 7,000 are expected
	w.Must(err)
	return w
}

var november = accounting.Asked{From: "2026-11-01", To: "2026-11-30"}

// Every document adds up to zero, with and without its tax; what is posted is what receipts, payments and counts say.
func TestDocumentsAddUp(t *testing.T) {
	w := taken(t)
	chart(w)
	b, err := w.Accounting.Books(t.Context(), w.Owner, november)
	w.Must(err)
	if len(b.Missing) != 0 || len(b.MissingForDATEV()) != 0 || len(b.Currencies) != 0 {
		t.Error(b.Missing, b.MissingForDATEV(), b.Currencies)
	}
	posted := map[string]accounting.Document{}
	by := map[string]int64{}
	for _, d := range b.Documents {
		sum := int64(0)
		for _, p := range d.Postings {
			if sum += p.Gross; p.Net+p.Tax != p.Gross {
				t.Errorf("%s: %+v", d.Number, p)
			}
			by[p.Account] += p.Gross
		}
		if sum != 0 || d.Day != "2026-11-30" {
			t.Errorf("%s of %s adds up to %d", d.Number, d.Day, sum)
		}
		posted[d.Number] = d
	}
	page, err := w.Counter.Receipts(t.Context(), w.Owner, counter.ReceiptQuery{})
	w.Must(err)
	for _, r := range page.Data {
		d, is := posted[r.Number]
		if !is {
			t.Errorf("%s is not posted", r.Number)
		}
		taxes, came := map[money.Rate]int64{}, int64(0)
		for _, p := range d.Postings {
			if p.Rate != nil {
				taxes[*p.Rate] -= p.Tax
			}
			if p.Way {
				came += p.Gross
			}
		}
		for _, x := range r.Taxes {
			taxes[x.Rate] -= x.Tax
		}
		for rate, left := range taxes {
			if left != 0 {
				t.Errorf("%s: the tax of %s differs by %d", r.Number, rate, left)
			}
		}
		if came != r.Total {
			t.Errorf("%s: %d came in, the receipt says %d", r.Number, came, r.Total)
		}
	}
	// 2 × 45 less 10, 45 online less 15; 5 and 3 of tips, of which the reversal takes nothing.
	want := map[string]int64{"1000": 7000 - 150, "1360": 1800, "1200": 3000, "1370": 4500 - 1500 + 2000, "2700": -2000, "2720": 150, "1375": -800,
		"8400": -(9000 - 1000 + 3000), "8300": -3000}
	for account, n := range want {
		if by[account] != n {
			t.Errorf("%s has %d, want %d", account, by[account], n)
		}
	}
	if len(by) != len(want) {
		t.Error(by)
	}
	early, err := w.Accounting.Books(t.Context(), w.Owner, accounting.Asked{From: "2026-11-01", To: "2026-11-29"})
	w.Must(err)
	if len(early.Documents) != 0 {
		t.Errorf("%d documents on other days", len(early.Documents))
	}
}

// What is missing is named, and no file is written.
func TestMissingAccounts(t *testing.T) {
	w := taken(t)
	var out bytes.Buffer
	names := func(all []accounting.Missing) (text string) {
		for _, m := range all {
			if text += " " + m.Name; m.Rate != nil {
				text += " " + m.Rate.String()
			}
		}
		return text
	}
	b, err := w.Accounting.Books(t.Context(), w.Owner, november)
	w.Must(err)
	if got := names(b.Missing); got != " card cash difference fees online revenue 7 revenue 19 tips transfer" {
		t.Error(got)
	}
	e := w.Refused(w.Accounting.WriteTable(t.Context(), w.Owner, november, &out), fault.Conflict, "accounts_missing")
	if !strings.Contains(e.Error(), "revenue 19%") {
		t.Error(e)
	}
	chart(w, "clearing", "tips")
	b, err = w.Accounting.Books(t.Context(), w.Owner, november)
	w.Must(err)
	if got := names(b.Missing); got != " tips" {
		t.Error(got)
	}
	if got := names(b.MissingForDATEV()); got != " tips clearing" {
		t.Error(got)
	}
	w.Refused(w.Accounting.WriteDATEV(t.Context(), w.Owner, november, &out), fault.Conflict, "accounts_missing")
	chart(w)
	for _, in := range []accounting.Asked{{From: "x", To: "2026-11-30"}, {From: "2026-11-30", To: "2026-11-01"}, {From: "2024-01-01", To: "2026-11-01"}} {
		w.Refused(w.Accounting.WriteTable(t.Context(), w.Owner, in, &out), fault.BadRequest, "invalid")
	}
	w.Refused(w.Accounting.WriteDATEV(t.Context(), w.Owner, accounting.Asked{From: "2026-06-01", To: "2026-11-30"}, &out), fault.BadRequest, "invalid")
	w.Refused(w.Accounting.WriteDATEV(t.Context(), app.Actor{Kind: booking.ByOwner, User: 9, Role: app.StaffRole, Workspace: w.Workspace.ID}, november, &out), fault.Forbidden, "role")
	if out.Len() != 0 {
		t.Error(out.String())
	}
}

// The plain table has a line for each posting, and each document's add up to zero.
func TestTable(t *testing.T) {
	w := taken(t)
	chart(w)
	var out bytes.Buffer
	w.Must(w.Accounting.WriteTable(t.Context(), w.Owner, november, &out))
	rows, err := csv.NewReader(&out).ReadAll()
	w.Must(err)
	if !slices.Equal(rows[0], accounting.Columns) {
		t.Error(rows[0])
	}
	sums := map[string]int64{}
	for _, r := range rows[1:] {
		cents := func(text string) int64 {
			n, err := strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
			w.Must(err)
			return n
		}
		if cents(r[5])+cents(r[6]) != cents(r[7]) || r[2] == "" || r[8] != "EUR" {
			t.Error(r)
		}
		sums[r[1]] += cents(r[7])
	}
	for document, sum := range sums {
		if sum != 0 {
			t.Errorf("%s adds up to %d", document, sum)
		}
	}
	if len(sums) != 9 {
		t.Error(sums)
	}
}

// The forms of the fields as DATEV's description of its format has them (developer.datev.de, "Header" and "Buchungsstapel",
// version 13): every field that we fill, all others are empty.
var (
	headerForms = []string{`"EXTF"`, `700`, `21`, `"Buchungsstapel"`, `13`, `20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d\d{3}`, ``,
		`"\w{0,2}"`, `"\w{0,25}"`, `"\w{0,25}"`, `\d{4,7}`, `\d{1,5}`, `20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])`, `[4-8]`,
		`20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])`, `20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])`, `"[\w.\-/ ]{0,30}"`, `"([A-Z]{2}){0,2}"`, `[12]`,
		`0|30|40|50|64`, `[01]`, `"[A-Z]{3}"`, ``, `""`, ``, ``, `"(\d{2}){0,2}"`, `\d{0,4}`, ``, `""`, `".{0,16}"`}
	lineForms = map[int]string{1: `(?:[1-9]\d{0,9}|0),\d{2}`, 2: `"[SH]"`, 3: `"[A-Z]{3}"`, 7: `\d{1,9}`, 8: `\d{1,9}`, 9: `"(\d{4})?"`,
		10: `(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])`, 11: `"[\w$%\-/&*+]{0,36}"`, 14: `".{0,60}"`}
	texts = []int{6, 12, 16, 20, 37, 38, 40, 42, 91, 95, 96, 98, 102, 103, 105, 107, 109, 110, 112, 118, 120, 121, 123}
)

// fields divides a line at the semicolons that are not within quotation marks.
func fields(line string) (all []string) {
	within, from := false, 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			within = !within
		case line[i] == ';' && !within:
			all, from = append(all, line[from:i]), i+1
		}
	}
	return append(all, line[from:])
}

// The booking batch is read by a reader that knows only the description of its fields; what it books is what the documents say.
func TestDATEV(t *testing.T) {
	w := taken(t)
	chart(w)
	var out bytes.Buffer
	w.Must(w.Accounting.WriteDATEV(t.Context(), w.Owner, november, &out))
	raw := out.Bytes()
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	w.Must(err)
	text := string(decoded)
	if !bytes.Contains(raw, []byte{0xDC, 'b', 'e', 'r'}) || !strings.Contains(text, `Über „Färben“; ?ód? ?`) || strings.Count(text, "\n") != strings.Count(text, "\r\n") ||
		!strings.HasSuffix(text, "\r\n") {
		t.Error(text)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n")
	head := fields(lines[0])
	if len(head) != 31 {
		t.Fatalf("the header has %d fields", len(head))
	}
	for i, form := range headerForms {
		if !regexp.MustCompile("^(?:" + form + ")$").MatchString(head[i]) {
			t.Errorf("field %d of the header: %s is no %s", i+1, head[i], form)
		}
	}
	if got := strings.Join(slices.Concat(head[10:16], head[20:22]), " "); got != `1001 42 20260701 4 20261101 20261130 0 "EUR"` {
		t.Error(got)
	}
	columns := fields(lines[1])
	for n, name := range map[int]string{1: "Umsatz (ohne Soll/Haben-Kz)", 7: "Konto", 8: "Gegenkonto (ohne BU-Schlüssel)", 9: "BU-Schlüssel", 10: "Belegdatum",
		11: "Belegfeld 1", 14: "Buchungstext", 36: "Beleginfo - Inhalt 8", 37: "KOST1 - Kostenstelle", 47: "BU 49 Funktionsergänzung", 87: "Zusatzinformation - Inhalt 20",
		88: "Stück", 101: "Erlöskonto (Anzahlungen)", 114: "Festschreibung", 115: "Leistungsdatum", 120: "Land", 125: "Abw. Skontokonto"} {
		if len(columns) != 125 || columns[n-1] != name {
			t.Fatalf("column %d of %d is %s, want %s", n, len(columns), columns[n-1], name)
		}
	}
	booked := map[string]int64{} // by document and account
	for _, line := range lines[2:] {
		f := fields(line)
		if len(f) != 125 {
			t.Fatalf("%d fields: %s", len(f), line)
		}
		for i, value := range f {
			form, filled := lineForms[i+1]
			if !filled && (slices.Contains(texts, i+1) || i+1 >= 21 && i+1 <= 36 || i+1 >= 48 && i+1 <= 87) {
				form = `""`
			}
			if !regexp.MustCompile("^(?:" + form + ")$").MatchString(value) {
				t.Errorf("field %d: %s is no %s", i+1, value, form)
			}
		}
		n, err := strconv.ParseInt(strings.Replace(f[0], ",", "", 1), 10, 64)
		w.Must(err)
		if f[1] == `"H"` {
			n = -n
		}
		document := strings.Trim(f[10], `"`)
		booked[document+" "+f[6]] += n
		booked[document+" "+f[7]] -= n
		if f[9] != "3011" || f[7] == "8300" && f[8] != `"0002"` || f[7] == "8400" && f[8] != `""` {
			t.Error(line)
		}
	}
	b, err := w.Accounting.Books(t.Context(), w.Owner, november)
	w.Must(err)
	for _, d := range b.Documents {
		for _, p := range d.Postings {
			booked[d.Number+" "+p.Account] -= p.Gross
		}
	}
	for at, left := range booked {
		if left != 0 {
			t.Errorf("%s differs by %d", at, left)
		}
	}
}

// A long text is cut, and a quotation mark in it doubled; a batch of nothing has its heads.
func TestDATEVTexts(t *testing.T) {
	w := apptest.New(t, apptest.Options{})
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000}, 4500, "cut")
	chart(w)
	var out bytes.Buffer
	w.Must(w.Accounting.WriteDATEV(t.Context(), w.Owner, november, &out))
	if got := strings.Count(out.String(), "\r\n"); got != 2 {
		t.Errorf("%d lines", got)
	}
	w.Alter("cut", func(e *catalog.EventType) { e.Title = strings.Repeat(`"a" `, 40) })
	b := w.Booked("cut", "1T09", "bo")
	_, err := w.Counter.Record(t.Context(), w.Owner, b.ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	w.Must(err)
	out.Reset()
	w.Must(w.Accounting.WriteDATEV(t.Context(), w.Owner, november, &out))
	last := strings.Split(out.String(), "\r\n")[2]
	if want := `"` + strings.TrimSpace(strings.Repeat(`""a"" `, 15)) + `"`; fields(last)[13] != want {
		t.Errorf("%s, want %s", fields(last)[13], want)
	}
	if got := fmt.Sprint(fields(last)[:2]); got != `[45,00 "S"]` {
		t.Error(got)
	}
}
