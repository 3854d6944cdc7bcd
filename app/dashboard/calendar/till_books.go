package calendar

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/accounting"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// askedBooks reads the days; without any it is the month before.
func (c call) askedBooks() accounting.Asked {
	q := c.URL.Query()
	in := accounting.Asked{From: q.Get("from"), To: q.Get("to"), Currency: q.Get("currency")}
	if in.From == "" && in.To == "" {
		now := c.Now()
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		in.From, in.To = first.AddDate(0, -1, 0).Format(time.DateOnly), first.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return in
}

// books says what an accountant gets of some days, and what is missing before.
func (c call) books() error { return c.showBooks(nil) }

func (c call) showBooks(wrong *fault.Error) error {
	in := c.askedBooks()
	v := dash.BooksPage{Frame: c.Frame(c.T("till_title"), "till"), Tabs: c.tabs(dash.BooksPath), From: in.From, To: in.To}
	if c.May(app.MayManageWorkspace) {
		v.SettingsURL = dash.AccountsPath
	}
	b, err := c.Subjects.Accounting.Books(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		wrong = e
	} else if err != nil {
		return err
	}
	v.Problem = c.Sentence(wrong)
	if err == nil {
		v.Count, v.Currencies = len(b.Documents), b.Currencies
		asked := "?" + url.Values{"from": {in.From}, "to": {in.To}}.Encode()
		if missing := b.MissingForDATEV(); len(missing) == 0 {
			v.DATEVURL = dash.BooksDATEVPath + asked
		} else {
			v.MissingDATEV = c.missing(missing)
		}
		if len(b.Missing) == 0 {
			v.TableURL = dash.BooksTablePath + asked
		} else {
			v.Missing = c.missing(b.Missing)
		}
	}
	return c.Show(web.RefusedStatus(wrong), dash.Books(v))
}

// missing returns the names of accounts.
func (c call) missing(all []accounting.Missing) (names []string) {
	for _, m := range all {
		switch {
		case m.Name == "revenue" && m.Rate == nil:
			names = append(names, c.T("books_of_untaxed"))
		case m.Name == "revenue":
			names = append(names, c.T("books_of_revenue", "Rate", c.RateText(*m.Rate)))
		default:
			names = append(names, c.T(accountLabels[m.Name]))
		}
	}
	return names
}

// accountLabels are the names of accounts, and of what else DATEV asks for.
var accountLabels = map[string]string{"cash": "books_of_cash", "card": "books_of_card", "transfer": "books_of_transfer",
	"voucher": "books_of_voucher", "other": "books_of_other", "online": "books_of_online", "tips": "books_of_tips", "fees": "books_of_fees",
	"difference": "books_of_difference", "clearing": "books_of_clearing", "consultant": "books_consultant", "client": "books_client",
	"length": "books_length", "yearBegins": "books_year"}

func (c call) booksDATEV() error {
	in := c.askedBooks()
	return c.download("EXTF_Buchungsstapel_"+in.From+"_"+in.To+".csv", "text/csv; charset=windows-1252", c.Subjects.Accounting.WriteDATEV)
}

func (c call) booksTable() error {
	in := c.askedBooks()
	return c.download("postings-"+in.From+"-"+in.To+".csv", "text/csv; charset=utf-8", c.Subjects.Accounting.WriteTable)
}

// download answers a file, or the page that says why there is none.
func (c call) download(name, kind string, write func(context.Context, app.Actor, accounting.Asked, io.Writer) error) error {
	var file bytes.Buffer
	err := write(c.Context(), c.Actor, c.askedBooks(), &file)
	if e := web.Refused(err); e != nil {
		return c.showBooks(e)
	}
	if err != nil {
		return err
	}
	c.Header().Set("Content-Type", kind)
	c.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, err = c.ResponseWriter.Write(file.Bytes())
	return err
}
