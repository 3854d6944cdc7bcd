package accounting

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/money"
)

// The booking batch of DATEV's format (EXTF, header 700, category 21, version 13), as developer.datev.de describes it: two
// lines of heads and one for each posting, fields apart by semicolons, texts in quotation marks, amounts above zero with a
// comma, days as DDMM, Windows-1252, lines ended by CR and LF.
const (
	datevFields = 125
	datevMost   = 99_999 // postings of a batch
	datevText   = 60
	datevNumber = 36
	datevTitle  = 30
)

// datevHeads are the columns, by name.
var datevHeads = func() []string {
	heads := strings.Split("Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;"+
		"Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;"+
		"Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink", ";")
	for i := range 8 {
		heads = append(heads, fmt.Sprintf("Beleginfo - Art %d", i+1), fmt.Sprintf("Beleginfo - Inhalt %d", i+1))
	}
	heads = append(heads, strings.Split("KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);"+
		"EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;"+
		"BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung", ";")...)
	for i := range 20 {
		heads = append(heads, fmt.Sprintf("Zusatzinformation - Art %d", i+1), fmt.Sprintf("Zusatzinformation - Inhalt %d", i+1))
	}
	return append(heads, strings.Split("Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;"+
		"Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);"+
		"EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;"+
		"Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis;"+
		"Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;"+
		"Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);"+
		"EU-Steuersatz (Ursprung);Abw. Skontokonto", ";")...)
}()

// quoted are the columns that are texts, which stand in quotation marks also where they are empty; counted from 1.
var quoted = func() (is [datevFields + 1]bool) {
	for _, n := range []int{2, 3, 6, 9, 11, 12, 14, 16, 20, 37, 38, 40, 42, 91, 95, 96, 98, 102, 103, 105, 107, 109, 110, 112, 118, 120, 121, 123} {
		is[n] = true
	}
	for n := 21; n <= 36; n++ {
		is[n] = true
	}
	for n := 48; n <= 87; n++ {
		is[n] = true
	}
	return is
}()

// pair is a posting from one account to another.
type pair struct {
	debit, credit, taxKey, text string
	gross                       int64 // below zero it is the other way round
}

// WriteDATEV writes the booking batch of some days within one fiscal year. It is not locked (Festschreibung), so that the
// accountant can look at it first. Errors: forbidden, bad_request, conflict accounts_missing or too_many_postings.
func (s *Service) WriteDATEV(ctx context.Context, a app.Actor, in Asked, to io.Writer) error {
	b, err := s.Books(ctx, a, in)
	if err != nil {
		return err
	}
	if missing := b.MissingForDATEV(); len(missing) > 0 {
		return missingFault(missing)
	}
	begins, err := b.fiscalYear()
	if err != nil {
		return err
	}
	var lines []string
	for i := range b.Documents {
		for _, p := range pairs(&b.Documents[i], b.Accounts.Clearing) {
			lines = append(lines, line(&b.Documents[i], p))
		}
	}
	if len(lines) > datevMost {
		return fault.Conflictf("too_many_postings", "A batch has at most %d postings: choose fewer days.", datevMost)
	}
	head := strings.Join([]string{header(&b, begins, s.Now()), strings.Join(datevHeads, ";")}, "\r\n")
	text := head + "\r\n"
	if len(lines) > 0 {
		text += strings.Join(lines, "\r\n") + "\r\n"
	}
	_, err = to.Write(windows1252(text))
	return err
}

var (
	datevAccount = regexp.MustCompile(`^[0-9]{1,9}$`)
	datevKey     = regexp.MustCompile(`^[0-9]{0,4}$`)
)

// MissingForDATEV lists what a batch needs and the workspace doesn't name, or names in a way that DATEV doesn't.
func (b *Books) MissingForDATEV() (all []Missing) {
	x := &b.Accounts
	for _, n := range []struct {
		name string
		is   bool
	}{{"consultant", x.Consultant != 0}, {"client", x.Client != 0}, {"length", x.Length != 0}, {"yearBegins", x.YearBegins != ""}} {
		if !n.is {
			all = append(all, Missing{Name: n.name})
		}
	}
	fits := func(account string) bool {
		return datevAccount.MatchString(account) && strings.Trim(account, "0") != "" && (x.Length == 0 || len(account) <= x.Length+1)
	}
	all = append(all, b.missing(func(p *Posting) bool { return !fits(p.Account) || !datevKey.MatchString(p.TaxKey) })...)
	for i := range b.Documents {
		if clears(&b.Documents[i]) && !fits(x.Clearing) {
			return append(all, Missing{Name: "clearing"})
		}
	}
	return all
}

// clears reports whether a document needs the account between: where it was paid in several ways, other pairs would divide
// what it was for, and the tax of the parts isn't that of the receipt.
func clears(d *Document) bool {
	ways, _ := sides(d)
	return len(ways) != 1
}

func sides(d *Document) (ways, things []Posting) {
	for _, p := range d.Postings {
		if p.Way {
			ways = append(ways, p)
		} else {
			things = append(things, p)
		}
	}
	return ways, things
}

// pairs returns the postings of a document from account to account. A receipt that was paid in one way goes from there to each
// of what it was for; where there are several ways, all of them and all of it go over the account between.
func pairs(d *Document, clearing string) (all []pair) {
	ways, things := sides(d)
	from := clearing
	if len(ways) == 1 {
		from = ways[0].Account
	} else {
		for _, w := range ways {
			all = append(all, pair{w.Account, clearing, "", w.Text, w.Gross})
		}
	}
	for _, t := range things {
		all = append(all, pair{from, t.Account, t.TaxKey, t.Text, -t.Gross})
	}
	return all
}

// line returns the line of a posting.
func line(d *Document, p pair) string {
	side, amount := "S", p.gross
	if amount < 0 {
		side, amount = "H", -amount
	}
	key := p.taxKey
	if key != "" {
		key = strings.Repeat("0", 4-len(key)) + key
	}
	var f [datevFields + 1]string
	f[1], f[2], f[3] = datevAmount(amount, d.Currency), side, d.Currency
	f[7], f[8], f[9] = p.debit, p.credit, key
	f[10] = d.Day[8:10] + d.Day[5:7]
	f[11] = cut(notNumber.ReplaceAllString(d.Number, ""), datevNumber)
	f[14] = cut(p.text, datevText)
	for n := range f {
		if quoted[n] {
			f[n] = quote(f[n])
		}
	}
	return strings.Join(f[1:], ";")
}

// notNumber is what a number of a document can't have.
var notNumber = regexp.MustCompile(`[^0-9A-Za-z_$&%*+\-/]`)

// header returns the first line.
func header(b *Books, begins time.Time, now time.Time) string {
	compact := func(day string) string { return strings.ReplaceAll(day, "-", "") }
	return strings.Join([]string{quote("EXTF"), "700", "21", quote("Buchungsstapel"), "13", strings.Replace(now.UTC().Format("20060102150405.000"), ".", "", 1),
		"", quote("RE"), quote("Daybook"), quote(""), strconv.Itoa(b.Accounts.Consultant), strconv.Itoa(b.Accounts.Client),
		begins.Format("20060102"), strconv.Itoa(b.Accounts.Length), compact(b.From), compact(b.To),
		quote(cut(notTitle.ReplaceAllString("Kasse "+b.From[:7]+" "+b.Name, ""), datevTitle)), quote(""), "1", "0", "0", quote(b.Currency),
		"", quote(""), "", "", quote(""), "", "", quote(""), quote("")}, ";")
}

// notTitle is what the name of a batch can't have.
var notTitle = regexp.MustCompile(`[^0-9A-Za-z_.\-/ ]`)

// fiscalYear returns the day on which the fiscal year of the days began. Errors: bad_request, where they lie in two.
func (b *Books) fiscalYear() (time.Time, error) {
	from, err := time.Parse(time.DateOnly, b.From)
	if err != nil {
		return from, err
	}
	begins, err := time.Parse(time.DateOnly, strconv.Itoa(from.Year())+"-"+b.Accounts.YearBegins)
	if err != nil {
		return from, err
	}
	if begins.After(from) {
		begins = begins.AddDate(-1, 0, 0)
	}
	if next := begins.AddDate(1, 0, 0); b.To >= next.Format(time.DateOnly) {
		return from, fault.Invalid("to", "must lie before %s, when the next fiscal year begins", next.Format(time.DateOnly))
	}
	return begins, nil
}

// datevAmount writes an amount with a comma and two decimals.
func datevAmount(n int64, currency string) string {
	whole, fraction := money.Parts(n, currency)
	fraction += "00"
	return whole + "," + fraction[:2]
}

func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// cut shortens a text to so many letters, on one line.
func cut(text string, most int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	return strings.TrimSpace(string(r[:min(len(r), most)]))
}

// windows1252 encodes a text; a letter that there isn't is a question mark.
func windows1252(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			b = '?'
		}
		out = append(out, b)
	}
	return out
}
