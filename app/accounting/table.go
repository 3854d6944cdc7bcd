package accounting

import (
	"context"
	"encoding/csv"
	"io"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/money"
)

// Columns are those of the plain table.
var Columns = []string{"date", "document", "account", "tax_key", "tax_rate", "net", "tax", "gross", "currency", "text"}

// WriteTable writes a line for each posting, so that the gross amounts of a document add up to zero. Errors: forbidden,
// bad_request, conflict accounts_missing.
func (s *Service) WriteTable(ctx context.Context, a app.Actor, in Asked, to io.Writer) error {
	b, err := s.Books(ctx, a, in)
	if err != nil {
		return err
	}
	if len(b.Missing) > 0 {
		return missingFault(b.Missing)
	}
	out := csv.NewWriter(to)
	out.Write(Columns) //nolint:errcheck // Error has it
	for _, d := range b.Documents {
		for _, p := range d.Postings {
			rate, amount := "", func(n int64) string { return money.Decimal(n, d.Currency) }
			if p.Rate != nil {
				rate = p.Rate.String()
			}
			out.Write([]string{d.Day, d.Number, p.Account, p.TaxKey, rate, amount(p.Net), amount(p.Tax), amount(p.Gross), //nolint:errcheck // likewise
				d.Currency, harmless(p.Text)})
		}
	}
	out.Flush()
	return out.Error()
}

// harmless keeps a spreadsheet from reading a text as a formula.
func harmless(text string) string {
	if text != "" && (text[0] == '=' || text[0] == '+' || text[0] == '-' || text[0] == '@' || text[0] == '\t' || text[0] == '\r') {
		return "'" + text
	}
	return text
}

func missingFault(all []Missing) error {
	names := ""
	for i, m := range all {
		if i > 0 {
			names += ", "
		}
		if names += m.Name; m.Rate != nil {
			names += " " + m.Rate.String() + "%"
		}
	}
	return fault.New(fault.Conflict, "accounts_missing", "These accounts are not known yet: %s.", names).At("accounts")
}
