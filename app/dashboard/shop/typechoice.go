package shop

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// typeAddOns returns what can be booked besides; the form has the rows after its inputs.
func (c call) typeAddOns() dash.Group {
	return dash.Group{ID: "extras", Hint: c.T("choice_addons_hint"), Inputs: []dash.Input{
		{Name: "addOns", Label: c.T("choice_addons"), Kind: "questions"},
	}}
}

// datesInput returns the fixed dates of a class, one a line.
func (c call) datesInput(e *catalog.EventType) dash.Input {
	return dash.Input{Name: "dates", Label: c.T("choice_dates"), Kind: "area", Hint: c.T("choice_dates_hint"),
		Value: strings.ReplaceAll(strings.Join(e.Dates, "\n"), "T", " ")}
}

// readDates returns the lines of that field.
func readDates(form url.Values) []string {
	dates := []string{}
	for line := range strings.Lines(form.Get("dates")) {
		if line = strings.TrimSpace(line); line != "" {
			dates = append(dates, line)
		}
	}
	return dates
}

// emptyRows is how many add-ons of a service without any there is room for at once.
const emptyRows = 2

// addOnRows are the rows of the form with the event type's add-ons and groups, or with what was typed, and an empty row
// of each to fill in.
func (c call) addOnRows(v *dash.TypePage, e *catalog.EventType, typed url.Values) {
	v.Currency, v.Parts = c.currencyOf(e), c.partOptions(e, typed)
	if typed != nil {
		v.AddOns, v.AddOnGroups = typedAddOns(typed), typedGroups(typed)
	} else {
		titles := map[string]string{}
		for _, g := range e.AddOnGroups {
			titles[g.ID] = g.Title
			row := dash.AddOnGroupInput{ID: g.ID, Title: g.Title, Required: g.Required}
			if g.Max > 0 {
				row.Max = strconv.Itoa(g.Max)
			}
			v.AddOnGroups = append(v.AddOnGroups, row)
		}
		for _, a := range e.AddOns {
			row := dash.AddOnInput{ID: a.ID, Title: a.Title, Price: web.AmountText(a.Price), Group: titles[a.Group],
				Part: strconv.Itoa(a.Part)}
			if a.Minutes > 0 {
				row.Minutes = strconv.Itoa(a.Minutes)
			}
			v.AddOns = append(v.AddOns, row)
		}
	}
	v.AddOns = append(v.AddOns, make([]dash.AddOnInput, max(1, emptyRows-len(v.AddOns)))...)
	v.AddOnGroups = append(v.AddOnGroups, dash.AddOnGroupInput{})
}

const (
	addOnRowsRead = 2 * catalog.MaxAddOns // of a form; those beyond the limit are refused by their number
	groupRowsRead = 30
)

// typedAddOns returns the rows of add-ons in a form, those with a title.
func typedAddOns(form url.Values) (rows []dash.AddOnInput) {
	for i := range addOnRowsRead {
		get := func(name string) string { return strings.TrimSpace(form.Get(fmt.Sprintf("a%d.%s", i, name))) }
		if row := (dash.AddOnInput{ID: get("id"), Title: get("title"), Minutes: get("minutes"), Price: get("price"),
			Group: get("group"), Part: get("part")}); row.Title != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// typedGroups returns the rows of groups in a form, those with a title.
func typedGroups(form url.Values) (rows []dash.AddOnGroupInput) {
	for i := range groupRowsRead {
		at := fmt.Sprintf("g%d.", i)
		if row := (dash.AddOnGroupInput{ID: form.Get(at + "id"), Title: strings.TrimSpace(form.Get(at + "title")),
			Required: form.Has(at + "required"), Max: strings.TrimSpace(form.Get(at + "max"))}); row.Title != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// readAddOns reads the rows of a form into the event type. An add-on names its group by the group's title, and one that
// no row has is made; a group without add-ons is left out. The parts come before, since an add-on makes one longer.
func readAddOns(form url.Values, e *catalog.EventType, r *web.Reader) {
	had := e.AddOns
	e.AddOns, e.AddOnGroups = []catalog.AddOn{}, []catalog.AddOnGroup{}
	ids, groupIDs := map[string]bool{}, map[string]bool{}
	rows := typedAddOns(form)
	for _, row := range typedGroups(form) {
		if slices.ContainsFunc(rows, func(a dash.AddOnInput) bool { return strings.EqualFold(a.Group, row.Title) }) {
			e.AddOnGroups = append(e.AddOnGroups, catalog.AddOnGroup{ID: keyOf(row.ID, row.Title, groupIDs), Title: row.Title,
				Required: row.Required, Max: wholeOf(r, "addOns", row.Max)})
		}
	}
	for i, row := range rows {
		at := fmt.Sprintf("addOns[%d]", i)
		a := catalog.AddOn{ID: keyOf(row.ID, row.Title, ids), Title: row.Title, Minutes: wholeOf(r, at, row.Minutes)}
		amount := web.Reader{Form: url.Values{at: {row.Price}}, Currency: r.Currency}
		a.Price = amount.Money(at)
		a.Part = readAddOnPart(r, at+".part", row, e, had)
		r.Err = fault.Join(r.Err, amount.Err)
		if row.Group != "" {
			same := func(g catalog.AddOnGroup) bool { return strings.EqualFold(g.Title, row.Group) }
			if !slices.ContainsFunc(e.AddOnGroups, same) {
				e.AddOnGroups = append(e.AddOnGroups, catalog.AddOnGroup{ID: keyOf("", row.Group, groupIDs), Title: row.Group})
			}
			a.Group = e.AddOnGroups[slices.IndexFunc(e.AddOnGroups, same)].ID
		}
		e.AddOns = append(e.AddOns, a)
	}
}

// wholeOf returns a whole number, 0 for "".
func wholeOf(r *web.Reader, at, text string) int {
	number := web.Reader{Form: url.Values{at: {text}}}
	n := number.Whole(at)
	r.Err = fault.Join(r.Err, number.Err)
	return n
}

// keyOf returns the key that a row has, else one made of its title that no other row has.
func keyOf(key, title string, used map[string]bool) string {
	if key == "" {
		key = strings.Trim(notKey.ReplaceAllString(strings.ToLower(title), "_"), "_")
		if key = strings.Trim(key[:min(len(key), 30)], "_"); key == "" {
			key = "extra"
		}
	}
	for base, n := key, 2; used[key]; n++ {
		key = fmt.Sprintf("%s_%d", base, n)
	}
	used[key] = true
	return key
}

// addOnAt finds the row in the field of an error about an add-on.
var addOnAt = regexp.MustCompile(`addOns\[(\d+)\]|addOnGroups`)
