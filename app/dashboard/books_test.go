package dashboard

import (
	"strings"
	"testing"

	"daybook/views/dash"
)

// The accounts are named in the settings, and what is missing is named before there is a file.
func TestBooks(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	days := "?from=2026-10-01&to=2026-11-30"
	b.wants(b.get(dash.TillPath), 200, dash.BooksPath)
	b.wants(b.get(dash.BooksPath), 200, `value="2026-10-31"`)
	b.wants(b.get(dash.BooksPath+days), 200, "Still missing:", "Consultant number", "Cash", dash.AccountsPath, "!"+dash.BooksDATEVPath)
	b.wants(b.get(dash.BooksDATEVPath+days), 409, "Some accounts are not known yet")
	b.wants(b.get(dash.BooksTablePath+days), 409, "Some accounts are not known yet")
	b.wants(b.get(dash.BooksPath+"?from=2026-12-01&to=2026-11-01"), 422, "!Still missing:")
	b.wants(b.get(dash.BooksPath+"?from=2020-12-01&to=2026-11-01"), 422, "at most 399 days")
	const at = "settings.accounts."
	form := []string{at + "consultant", "1", at + "client", "42", at + "length", "4", at + "yearBegins", "13-01"}
	for _, name := range []string{"cash", "card", "transfer", "voucher", "other", "online", "tips", "fees", "difference", "clearing"} {
		form = append(form, at+name, "1000")
	}
	for i, rate := range []string{"19", "7", ""} {
		of := at + "revenue[" + string(rune('0'+i)) + "]."
		form = append(form, of+"rate", rate, of+"account", "840"+string(rune('0'+i)), of+"taxKey", "")
	}
	b.wants(b.post(dash.AccountsPath, form...), 422, "from 1001 to 9999999", "Enter month and day", `value="8400"`)
	form[1], form[7] = "1001", "01-01"
	b.wants(b.post(dash.AccountsPath, append(form, at+"revenue[3].rate", "7,0", at+"revenue[3].account", "8000", at+"revenue[3].taxKey", "")...), 422, "has an account already")
	b.wants(b.post(dash.AccountsPath, form...), 303)
	b.wants(b.get(dash.AccountsPath), 200, `value="8401"`, `value="7"`, `value="42"`)
	b.wants(b.get(dash.BooksPath+days), 200, "!Still missing:", dash.BooksDATEVPath, dash.BooksTablePath)
	file := b.get(dash.BooksDATEVPath + days)
	if file.status != 200 || !strings.HasPrefix(file.body, `"EXTF";700;21;"Buchungsstapel";13;`) || strings.Count(file.body, "\r\n") < 3 ||
		!strings.Contains(file.header.Get("Content-Disposition"), "EXTF_Buchungsstapel_2026-10-01_2026-11-30.csv") {
		t.Error(file.status, file.header, file.body[:min(len(file.body), 500)])
	}
	if table := b.get(dash.BooksTablePath + days); table.status != 200 || !strings.HasPrefix(table.body, "date,document,account,") {
		t.Error(table.status, table.body[:min(len(table.body), 500)])
	}
	b.wants(b.get(dash.BooksDATEVPath+"?from=2025-12-01&to=2026-11-30"), 422, "The next fiscal year begins on 2026-01-01")
	staff := w.staff(w.setup().Hosts[0].ID)
	for _, path := range []string{dash.BooksPath, dash.BooksDATEVPath + days, dash.AccountsPath} {
		staff.wants(staff.get(path), 403)
	}
}
