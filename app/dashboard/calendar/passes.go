package calendar

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/views/dash"
)

// passes lists passes and vouchers, and what is owed to their holders.
func (c call) passes() error {
	q := c.URL.Query()
	v := dash.PassesPage{Frame: c.Frame(c.T("pass_title"), "till"), Tabs: c.tabs(dash.PassesPath), Owed: q.Get("owed") != ""}
	page, err := c.Subjects.Pass.Passes(c.Context(), c.Actor, pass.Query{Owed: v.Owed, Cursor: q.Get("cursor")})
	if err != nil {
		return err
	}
	names := c.holders()
	for i := range page.Data {
		p := &page.Data[i]
		row := dash.PassRow{URL: dash.PassPath(p.ID.String()), Name: c.PassName(p.Title), Left: c.leftOf(p)}
		whom, err := names(p)
		if err != nil {
			return err
		}
		if until := c.PassUntil(p); until != "" {
			until = c.T("pass_until", "Day", until)
			whom = joinedBy(" · ", whom, until)
		}
		row.Text = joinedBy(" · ", whom, c.T("pass_sold_on", "Day", c.Day(c.At(p.CreatedAt))))
		row.Badge = c.passBadge(p)
		v.Rows = append(v.Rows, row)
	}
	search := url.Values{}
	if v.Owed {
		search.Set("owed", "1")
	}
	v.Pager = web.PagerOf(dash.PassesPath, search, q.Get("cursor"), page.NextCursor)
	if c.May(app.MaySeeTill) {
		owed, err := c.Subjects.Pass.Owed(c.Context(), c.Actor)
		if err != nil {
			return err
		}
		for _, o := range owed {
			v.Sums = append(v.Sums, c.T("pass_owed_sum", "Count", o.Passes, "Amount", c.Money(&money.Money{Amount: o.Amount, Currency: o.Currency})))
			v.ExportURL = dash.OwedPath
		}
	}
	return c.Show(200, dash.Passes(v))
}

// joinedBy joins the texts that aren't empty.
func joinedBy(by string, all ...string) string {
	kept := all[:0:0]
	for _, text := range all {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, by)
}

// leftOf is "4 of 10".
func (c call) leftOf(p *pass.Pass) string {
	return c.T("pass_left_of", "Left", c.PassWorth(p, p.Balance), "Face", c.PassWorth(p, p.Face))
}

// passBadge says why a pass can't pay; one that can has none.
func (c call) passBadge(p *pass.Pass) dash.Badge {
	switch p.Status {
	case pass.Used:
		return dash.Badge{Text: c.T("pass_used_up")}
	case pass.Ended:
		return dash.Badge{Text: c.T("pass_ended"), Tone: "warn"}
	case pass.Blocked:
		return dash.Badge{Text: c.T("pass_blocked"), Tone: "warn"}
	}
	return dash.Badge{}
}

// holders returns what tells whose passes are, or for whom; each customer is read once. Whom the member doesn't see has no name.
func (c call) holders() func(*pass.Pass) (string, error) {
	known := map[booking.ContactID]string{}
	return func(p *pass.Pass) (string, error) {
		if p.ContactID == nil {
			return p.For, nil
		}
		name, is := known[*p.ContactID]
		if !is {
			x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, p.ContactID.String())
			if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Forbidden) {
				return "", err
			}
			name = x.Name
			known[*p.ContactID] = name
		}
		return name, nil
	}
}

// owed answers what is owed to each holder as a table.
func (c call) owed() error {
	var file bytes.Buffer
	out := csv.NewWriter(&file)
	out.Write([]string{"pass", "title", "kind", "for", "sold", "until", "face", "left", "currency", "owed"}) //nolint:errcheck // Error has it
	names, most, cursor := c.holders(), 100, ""
	for {
		page, err := c.Subjects.Pass.Passes(c.Context(), c.Actor, pass.Query{Owed: true, Limit: &most, Cursor: cursor})
		if err != nil {
			return err
		}
		for i := range page.Data {
			p := &page.Data[i]
			if p.Status != pass.Active {
				continue
			}
			whom, err := names(p)
			if err != nil {
				return err
			}
			until := ""
			if p.EndsAt != 0 {
				until = c.At(p.EndsAt.Add(-time.Millisecond)).Format(time.DateOnly)
			}
			worth := func(n int64) string {
				if p.Kind == pass.Credits {
					return strconv.FormatInt(n, 10)
				}
				return money.Decimal(n, p.Currency)
			}
			out.Write([]string{p.ID.String(), harmless(c.PassName(p.Title)), string(p.Kind), harmless(whom), //nolint:errcheck // likewise
				c.At(p.CreatedAt).Format(time.DateOnly), until, worth(p.Face), worth(p.Balance), p.Currency, money.Decimal(p.Owes(), p.Currency)})
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	c.Header().Set("Content-Type", "text/csv; charset=utf-8")
	c.Header().Set("Content-Disposition", `attachment; filename="passes-`+c.Now().Format(time.DateOnly)+`.csv"`)
	_, err := c.ResponseWriter.Write(file.Bytes())
	return err
}

// harmless keeps a spreadsheet from reading a text as a formula.
func harmless(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// pass is the page of a pass, with its ledger.
func (c call) pass() error {
	p, err := c.Subjects.Pass.Pass(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showPass(&p, nil)
}

func (c call) showPass(p *pass.Pass, e *fault.Error) error {
	ref := p.ID.String()
	v := dash.PassPage{Frame: c.Frame(c.PassName(p.Title), "till"), Badge: c.passBadge(p), Problem: c.Sentence(e)}
	fact := func(key, value, url string) {
		if value != "" {
			v.Facts = append(v.Facts, dash.Fact{Name: c.T(key), Value: value, URL: url})
		}
	}
	v.Left = c.leftOf(p)
	until := c.PassUntil(p)
	fact("pass_good_until", cmp.Or(until, c.T("pass_no_end")), "")
	whom, err := c.holders()(p)
	if err != nil {
		return err
	}
	switch {
	case p.ContactID == nil:
		fact("pass_holder", c.T("pass_bearer"), "")
		fact("pass_for", p.For, "")
	case whom != "":
		fact("pass_holder", whom, dash.ContactPath(p.ContactID.String()))
	}
	fact("pass_pays_for", c.paysFor(p), "")
	sold, soldURL := c.Locale.Date(c.At(p.CreatedAt)), ""
	if _, err := c.Subjects.Counter.Sale(c.Context(), c.Actor, p.SaleID.String()); err == nil {
		soldURL = dash.SalePath(p.SaleID.String())
	} else if !fault.Is(err, fault.NotFound) {
		return err
	}
	fact("pass_sold", sold, soldURL)
	fact("dash_price", c.Money(&money.Money{Amount: p.Price, Currency: p.Currency}), "")
	if c.Setup.Workspace.Tax != nil {
		fact("till_tax", c.T(map[bool]string{true: "pass_taxed_sold", false: "pass_taxed_used"}[p.TaxedWhenSold]), "")
	}
	cursor := c.URL.Query().Get("cursor")
	page, err := c.Subjects.Pass.PassEntries(c.Context(), c.Actor, ref, cursor, nil)
	if err != nil {
		return err
	}
	for i := range page.Data {
		v.Entries = append(v.Entries, c.passEntry(p, &page.Data[i]))
	}
	if page.NextCursor != nil {
		v.Pager.NextURL = web.WithQuery(dash.PassPath(ref), nil, "cursor", *page.NextCursor)
	}
	if cursor != "" {
		v.Pager.FirstURL = dash.PassPath(ref)
	}
	switch prints := c.May(app.MayTakeMoney) && (p.Status == pass.Active || p.Status == pass.Ended); {
	case prints && p.Code == pass.NewCode:
		v.PrintURL = dash.PassPrintPath(ref)
	case prints && p.Code == pass.HasCode && !c.Actor.Own(): // the one that somebody has ends
		v.PrintAgain = &dash.Danger{Title: c.T("pass_print_anew"), Text: c.T("pass_print_again"), Action: dash.PassPrintPath(ref),
			Submit: c.T("pass_print_new_code")}
	}
	return c.Show(web.RefusedStatus(e), dash.Pass(v))
}

// paysFor says what a pass pays for.
func (c call) paysFor(p *pass.Pass) string {
	switch {
	case p.Voucher:
		return c.T("pass_pays_all")
	case len(p.EventTypes) == 0:
		return c.T("pass_pays_services")
	}
	var names []string
	for _, which := range p.EventTypes {
		if e := c.Setup.EventTypeByID(which); e != nil {
			names = append(names, e.Title)
		}
	}
	return strings.Join(names, ", ")
}

func (c call) passEntry(p *pass.Pass, e *pass.Entry) dash.PassEntry {
	row := dash.PassEntry{When: c.Day(c.At(e.At)) + ", " + c.Clock(e.At), Delta: c.PassWorth(p, e.Delta), Text: c.T("pass_entry_used")}
	if e.Delta > 0 {
		row.Delta = "+" + row.Delta
	} else if p.Kind == pass.Credits {
		row.Delta = "\u2212" + strconv.FormatInt(-e.Delta, 10)
	}
	switch {
	case e.TakesBack != 0:
		row.Text = c.T("pass_entry_back")
	case e.Delta > 0:
		row.Text = c.T("pass_sold")
	}
	if p.Kind == pass.Credits && e.Amount != 0 {
		row.Text += " · " + c.Money(&money.Money{Amount: e.Amount, Currency: p.Currency})
	}
	switch {
	case e.BookingID != 0:
		row.Link, row.URL = c.T("dash_booking"), dash.BookingPath(e.BookingID.String())
	case e.SaleID != 0:
		row.Link, row.URL = c.T("sale_title"), dash.SalePath(e.SaleID.String())
	}
	return row
}

// printPass shows a pass to be printed, with its code: the first time the one it was sold with, then a new one.
func (c call) printPass() error {
	ref := c.PathValue("id")
	code, p, err := c.Subjects.Pass.PassCode(c.Context(), c.Actor, ref)
	if e := web.Refused(err); e != nil {
		p, err := c.Subjects.Pass.Pass(c.Context(), c.Actor, ref)
		if err != nil {
			return err
		}
		return c.showPass(&p, e)
	}
	if err != nil {
		return err
	}
	v := dash.PrintedPass{Frame: c.Frame(c.PassName(p.Title), "till"), BackURL: dash.PassPath(ref), Business: c.Setup.Workspace.Name,
		Address: c.Setup.Workspace.Settings.Address, Worth: c.worthOf(&p), For: p.For, Code: code}
	if !p.Voucher {
		v.PaysFor = c.paysFor(&p)
	}
	if p.EndsAt != 0 {
		v.Until = c.T("pass_until", "Day", c.Locale.Date(c.At(p.EndsAt.Add(-time.Millisecond))))
	}
	return c.Show(200, dash.PrintPass(v))
}

// worthOf is "€50", "10 visits".
func (c call) worthOf(p *pass.Pass) string {
	if p.Kind == pass.Credits {
		return c.T("pass_visits_count", "Count", p.Balance)
	}
	return c.Money(&money.Money{Amount: p.Balance, Currency: p.Currency})
}
