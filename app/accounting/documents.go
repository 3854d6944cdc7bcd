package accounting

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/when"
)

// Document is a receipt, an online payment or refund, or the count of a day's cash: its postings add up to zero.
type Document struct {
	Day      string // on the clock of the workspace
	Number   string
	Currency string
	Postings []Posting
}

// Posting is what a document moves on one account: money that came in is above zero, what it was for below.
type Posting struct {
	Way     bool        // in which money came in or went out
	For     string      // the account's name in catalog.Accounts
	Rate    *money.Rate // of revenue; nil isn't taxed
	Account string      // "" is not known
	TaxKey  string
	Text    string
	Net     int64
	Tax     int64
	Gross   int64 // Net and Tax
}

// Asked is what is asked for: days on the clock of the workspace, both included, and a currency; "" is the workspace's.
type Asked struct{ From, To, Currency string }

// Books are the documents of some days.
type Books struct {
	Asked
	Documents  []Document // of the currency, by day
	Currencies []string   // others that there are in these days
	Missing    []Missing  // accounts that the workspace doesn't name
	Accounts   catalog.Accounts
	Name       string // of the business
}

// Missing is an account that is not known.
type Missing struct {
	Name string
	Rate *money.Rate // of revenue that is taxed
}

// maxDays is how many days are asked for at once.
const maxDays = 400

// Books returns what was taken in some days. Errors: forbidden, bad_request.
func (s *Service) Books(ctx context.Context, a app.Actor, in Asked) (b Books, err error) {
	if err := a.May(app.MaySeeTill); err != nil {
		return b, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return b, err
	}
	c := collector{r: s.Reader(ctx), setup: setup, ws: a.Workspace}
	if c.from, err = when.ParseDay(in.From, setup.Zone); err != nil {
		return b, fault.Invalid("from", "must be a date such as 2026-12-01")
	}
	last, err := when.ParseDay(in.To, setup.Zone)
	if err != nil {
		return b, fault.Invalid("to", "must be a date such as 2026-12-01")
	}
	if last.Before(c.from) {
		return b, fault.Invalid("to", "must be a day, the first one or later")
	}
	if c.to = when.AddDays(last, 1); c.to.Sub(c.from) > maxDays*when.Day {
		return b, fault.Invalid("to", "must lie at most %d days after from", maxDays-1)
	}
	if x := setup.Workspace.Settings.Accounts; x != nil {
		c.accounts = *x
	}
	for _, part := range []func() error{c.receipts, c.online, c.counts} {
		if err := part(); err != nil {
			return b, err
		}
	}
	b = Books{Asked: in, Accounts: c.accounts, Name: setup.Workspace.Name}
	b.Currency = cmp.Or(in.Currency, setup.Workspace.Currency)
	for _, d := range c.all {
		if d.Currency == b.Currency {
			b.Documents = append(b.Documents, d)
		} else if !slices.Contains(b.Currencies, d.Currency) {
			b.Currencies = append(b.Currencies, d.Currency)
		}
	}
	slices.SortStableFunc(b.Documents, func(a, b Document) int { return strings.Compare(a.Day, b.Day) })
	b.Missing = b.missing(func(p *Posting) bool { return p.Account == "" })
	return b, nil
}

// missing lists the accounts of the postings for which wrong is true, each once.
func (b *Books) missing(wrong func(*Posting) bool) (all []Missing) {
	for i := range b.Documents {
		for j := range b.Documents[i].Postings {
			p := &b.Documents[i].Postings[j]
			m := Missing{Name: p.For, Rate: p.Rate}
			if wrong(p) && !slices.ContainsFunc(all, m.is) {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b Missing) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.rate(), b.rate())) })
	return all
}

func (m Missing) is(o Missing) bool { return m.Name == o.Name && m.rate() == o.rate() }

func (m Missing) rate() money.Rate {
	if m.Rate == nil {
		return -1
	}
	return *m.Rate
}

// collector makes the documents.
type collector struct {
	r        Reader
	setup    *catalog.Setup
	ws       catalog.WorkspaceID
	from, to time.Time
	accounts catalog.Accounts
	all      []Document
}

func (c *collector) within(at when.Instant) bool { return at >= when.At(c.from) && at < when.At(c.to) }

func (c *collector) day(at when.Instant) string {
	return at.Time().In(c.setup.Zone).Format(time.DateOnly)
}

// post adds a posting of an amount whose tax is known, with its account, unless it is nothing.
func (c *collector) post(d *Document, p Posting) {
	if p.Gross == 0 {
		return
	}
	p.Net = p.Gross - p.Tax
	if p.For == "revenue" {
		if x := c.accounts.RevenueOf(p.Rate); x != nil {
			p.Account, p.TaxKey = x.Account, x.TaxKey
		}
	} else {
		p.Account = *c.accounts.Named()[p.For]
	}
	d.Postings = append(d.Postings, p)
}

// add adds a document, but one that moves nothing.
func (c *collector) add(d Document) {
	if len(d.Postings) > 0 {
		c.all = append(c.all, d)
	}
}

// late is how far behind the end of the days receipts are looked for whose clock was set back.
const late = 48 * time.Hour

func (c *collector) receipts() error {
	f := counter.ReceiptFilter{From: id.First[booking.ReceiptIDKind](c.from), Limit: app.ExportStep, OldestFirst: true}
	for {
		rows, err := c.r.Receipts(c.ws, f)
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			if c.within(rows[i].IssuedAt) {
				c.add(c.receipt(&rows[i]))
			}
		}
		last := &rows[len(rows)-1]
		if f.From = last.ID + 1; last.IssuedAt > when.At(c.to.Add(late)) {
			return nil
		}
	}
}

// receipt returns the document of a receipt or a reversal.
func (c *collector) receipt(r *counter.Receipt) Document {
	d := Document{Day: c.day(r.IssuedAt), Number: r.Number, Currency: r.Currency}
	ways := map[booking.Method]int64{}
	for _, p := range r.Payments {
		ways[p.Method] += p.Amount
	}
	for _, m := range booking.Methods {
		c.post(&d, Posting{Way: true, For: string(m), Gross: ways[m]})
	}
	var sums []Posting
	for _, l := range r.Lines {
		p := Posting{For: nameOf(&l), Text: l.Text}
		if p.For == "revenue" {
			p.Rate = l.TaxRate
		}
		at := slices.IndexFunc(sums, func(o Posting) bool { return Missing{o.For, o.Rate}.is(Missing{p.For, p.Rate}) })
		if at < 0 {
			at, sums = len(sums), append(sums, p)
		} else if p.Text != "" && !strings.Contains(sums[at].Text, p.Text) {
			sums[at].Text = strings.TrimPrefix(sums[at].Text+", "+p.Text, ", ")
		}
		sums[at].Gross -= l.Amount
	}
	for _, p := range sums {
		for _, x := range r.Taxes {
			if p.Rate != nil && x.Rate == *p.Rate {
				p.Tax = -x.Tax
			}
		}
		c.post(&d, p)
	}
	return d
}

// nameOf returns the name of the account of a line. What is taxed is earned, whatever it is; of what isn't, a tip is the
// team's and a voucher is owed to whoever has it.
func nameOf(l *counter.Line) string {
	switch {
	case l.TaxRate != nil:
		return "revenue"
	case l.Kind == counter.TipLine:
		return "tips"
	case l.Kind == "voucher":
		return "voucher"
	}
	return "revenue"
}

// online adds what was paid online, and what went back.
func (c *collector) online() error {
	rows, err := c.r.OnlineTakings(c.ws, when.At(c.from), when.At(c.to))
	if err != nil {
		return err
	}
	back := map[booking.BookingID][]booking.HistoryEntry{}
	for i := range rows {
		p := &rows[i]
		b, err := c.r.Booking(c.ws, p.BookingID)
		if err != nil {
			return err
		}
		if p.Status == booking.PaymentPaid && c.within(p.PaidAt) {
			c.add(c.paid(&b, p, p.PaidAt, p.Amount, p.ID.String()))
		}
		if p.RefundedAmount == 0 {
			continue
		}
		if _, read := back[b.ID]; !read {
			if back[b.ID], err = c.refunds(b.ID); err != nil {
				return err
			}
		}
		left := p.RefundedAmount
		back[b.ID] = slices.DeleteFunc(back[b.ID], func(h booking.HistoryEntry) bool {
			if h.Amount.Amount > left {
				return false
			}
			left -= h.Amount.Amount
			if c.within(h.At) {
				c.add(c.paid(&b, p, h.At, -h.Amount.Amount, p.ID.String()+"-R"))
			}
			return true
		})
	}
	return nil
}

// refunds returns the entries of a booking's history by which money went back online.
func (c *collector) refunds(of booking.BookingID) (all []booking.HistoryEntry, err error) {
	history, err := c.r.History(c.ws, of)
	for _, h := range history {
		if h.Action == booking.ActRefunded && h.Amount != nil {
			all = append(all, h)
		}
	}
	return all, err
}

// paid returns the document of an amount that was paid online, or below zero went back. A price that contains its tax is taxed
// at its rate; a fee, and a price on top of which tax comes at the counter only, are not.
func (c *collector) paid(b *booking.Booking, p *payment.Record, at when.Instant, amount int64, number string) Document {
	d := Document{Day: c.day(at), Number: number, Currency: p.Currency}
	c.post(&d, Posting{Way: true, For: "online", Gross: amount})
	if p.Kind.Fee() {
		c.post(&d, Posting{For: "fees", Gross: -amount})
		return d
	}
	e := c.setup.EventTypeByID(b.EventTypeID)
	taxed := c.setup.Taxed(e)
	if b.Taxed != nil {
		taxed = *b.Taxed
	}
	revenue := Posting{For: "revenue", Gross: -amount}
	if e != nil {
		revenue.Text = e.Title
	}
	if taxed.Mode == money.TaxIncluded {
		revenue.Rate, revenue.Tax = &taxed.Rate, -taxed.Rate.Within(amount)
		if amount < 0 {
			revenue.Tax = taxed.Rate.Within(-amount)
		}
	}
	c.post(&d, revenue)
	return d
}

// counts adds by how much the last count of each day's cash differed.
func (c *collector) counts() error {
	first, end := c.from.Format(time.DateOnly), c.to.Format(time.DateOnly)
	var last counter.DayClose
	done := func() {
		if last.Day >= first && last.Day < end {
			d := Document{Day: last.Day, Number: "Z-" + last.Day, Currency: last.Currency}
			c.post(&d, Posting{Way: true, For: "cash", Gross: last.Difference})
			c.post(&d, Posting{For: "difference", Gross: -last.Difference})
			c.add(d)
		}
	}
	for day, id := first, counter.CloseID(0); ; {
		rows, err := c.r.AllDayCloses(c.ws, day, id, app.ExportStep)
		if err != nil {
			return err
		}
		for _, x := range rows {
			if x.Day != last.Day {
				done()
			}
			last = x
		}
		if len(rows) == 0 || last.Day >= end {
			done()
			return nil
		}
		day, id = last.Day, last.ID
	}
}
