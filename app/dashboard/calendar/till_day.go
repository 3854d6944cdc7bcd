package calendar

import (
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/dash"
)

func (c call) day() error {
	return c.showDay(c.URL.Query().Get("day"), nil, nil)
}

// pastCloses is how many closes of earlier days the page of a day lists.
const pastCloses = 30

// showDay is what a day brought in, and the form that closes it.
func (c call) showDay(day string, typed url.Values, e *fault.Error) error {
	now := c.Now()
	at := web.DayOr(day, c.Zone(), now)
	if at.After(now) {
		at = web.Midnight(now)
	}
	d, err := c.Subjects.Counter.Day(c.Context(), c.Actor, at.Format(time.DateOnly))
	if err != nil {
		return err
	}
	to := func(t time.Time) string {
		return web.WithQuery(dash.TillPath, url.Values{"day": {t.Format(time.DateOnly)}})
	}
	v := dash.TillPage{Frame: c.Frame(c.T("till_title"), "till"), Tabs: c.tabs(dash.TillPath), Label: c.DayHeading(at),
		Date: d.Day, PrevURL: to(when.AddDays(at, -1)), TodayURL: dash.TillPath, Open: c.May(app.MayCloseDay),
		Again: len(d.Closes) > 0}
	v.Live, v.Notice = true, c.notCertified()
	if c.May(app.MayTakeMoney) {
		v.SellURL = web.WithQuery(dash.SellPath, url.Values{"back": {dash.TillPath}})
	}
	if v.Sales, err = c.openSales(dash.TillPath); err != nil {
		return err
	}
	if next := when.AddDays(at, 1); !next.After(now) {
		v.NextURL = to(next)
	}
	c.takings(&v, &d)
	amount := func(n int64) string { return c.fullMoney(n, d.Currency) }
	v.Drawer = []dash.Fact{{Name: c.T("till_opening"), Value: amount(d.Opening)},
		{Name: c.T("till_cash_taken"), Value: amount(d.Cash)}}
	v.Expected = amount(d.Expected)
	if n := len(d.Closes); n > 0 {
		v.Closes = []dash.DayClose{c.dayClose(&d.Closes[n-1])}
	}
	past, err := c.Subjects.Counter.DayCloses(c.Context(), c.Actor, d.Day, pastCloses)
	if err != nil {
		return err
	}
	for i := range past {
		v.Past = append(v.Past, c.dayClose(&past[i]))
	}
	if v.Open {
		v.Groups = []dash.Group{{Inputs: []dash.Input{
			{Name: "opening", Label: c.T("till_opening"), Hint: c.T("till_opening_hint"), Suffix: d.Currency, Half: true,
				Value: web.AmountText(&money.Money{Amount: d.Opening, Currency: d.Currency}), Autocomplete: "off",
				Decimal: true},
			{Name: "counted", Label: c.T("till_counted_label"), Suffix: d.Currency, Half: true, Required: true,
				Autocomplete: "off", Decimal: true},
			{Name: "note", Label: c.T("till_note"), Hint: c.T("till_close_note_hint"), Autocomplete: "off"}}}}
		v.Problem = c.Fill(v.Groups, typed, c.inWords(e))
	}
	return c.Show(web.RefusedStatus(e), dash.TillDay(v))
}

// takings are what came in by each method, and the sum where it is of one currency.
func (c call) takings(v *dash.TillPage, d *counter.Day) {
	row := func(name string, x *counter.Taking) dash.Taking {
		amount := func(n int64) string { return c.fullMoney(n, x.Currency) }
		return dash.Taking{Method: name, Received: amount(x.Amount + x.GivenBack), Back: amount(x.GivenBack),
			Sum: amount(x.Amount), Tips: amount(x.Tips)}
	}
	sum := counter.Taking{Currency: d.Currency}
	one := true
	for i := range d.Takings {
		x := &d.Takings[i]
		v.Takings = append(v.Takings, row(c.MethodName(x.Method), x))
		one = one && x.Currency == d.Currency
		sum.Amount, sum.GivenBack, sum.Tips = sum.Amount+x.Amount, sum.GivenBack+x.GivenBack, sum.Tips+x.Tips
	}
	if one && len(d.Takings) > 1 {
		all := row("", &sum)
		v.Sum = &all
	}
}

// dayClose returns how a day was closed.
func (c call) dayClose(x *counter.DayClose) dash.DayClose {
	amount := func(n int64) string { return c.fullMoney(n, x.Currency) }
	day := x.Day
	if at, err := when.ParseDay(x.Day, c.Zone()); err == nil {
		day = c.Day(at)
	}
	out := dash.DayClose{Day: day, URL: web.WithQuery(dash.TillPath, url.Values{"day": {x.Day}}),
		Expected: amount(x.Expected), Counted: amount(x.Counted), Note: x.Note,
		Who: c.T("till_closed_at", "When", c.Day(c.At(x.At))+", "+c.Clock(x.At))}
	switch {
	case x.Difference == 0:
		out.Difference = dash.Badge{Text: c.T("till_matches"), Tone: "good"}
	case x.Difference > 0:
		out.Difference = dash.Badge{Text: c.T("till_over", "Amount", amount(x.Difference)), Tone: "warn"}
	default:
		out.Difference = dash.Badge{Text: c.T("till_short", "Amount", amount(-x.Difference)), Tone: "bad"}
	}
	return out
}

// closeDay notes the cash that was counted.
func (c call) closeDay() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form, Currency: c.Setup.Workspace.Currency}
	in := counter.CloseInput{Day: form.Get("day"), Note: form.Get("note")}
	for to, name := range map[**int64]string{&in.Counted: "counted", &in.Opening: "opening"} {
		if m := r.Money(name); m != nil {
			*to = &m.Amount
		}
	}
	if r.Err != nil {
		return c.showDay(in.Day, form, fault.As(r.Err))
	}
	_, err = c.Subjects.Counter.Close(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		return c.showDay(in.Day, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(web.WithQuery(dash.TillPath, url.Values{"day": {in.Day}}), "closed")
}
