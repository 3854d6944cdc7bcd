package shop

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

// whereKeys are the names of the places, in the order of the form.
var whereKeys = []struct {
	kind catalog.WhereKind
	key  string
}{{catalog.InPerson, "where_in_person"}, {catalog.HostCalls, "where_form_host_calls"},
	{catalog.InviteeCalls, "where_form_invitee_calls"}, {catalog.Video, "where_form_video"}, {catalog.Elsewhere, "where_text"}}

// typeWhere returns where the event type takes place.
func (c call) typeWhere(e *catalog.EventType) dash.Group {
	where := catalog.Where{}
	if e.Where != nil {
		where = *e.Where
	}
	if e.Where == nil {
		where.Text = e.Location
	}
	kind := dash.Input{Name: "where.kind", Label: c.T("where_kind"), Kind: "select", Value: string(where.Kind),
		Options: []dash.Option{{Value: "", Label: c.T("where_none")}}}
	for _, k := range whereKeys {
		kind.Options = append(kind.Options, dash.Option{Value: string(k.kind), Label: c.T(k.key)})
	}
	travel := dash.Input{Name: "where.travelMinutes", Label: c.T("where_travel"), Kind: "number", Min: "0", Half: true,
		Suffix: c.T("where_minutes"), Hint: c.T("where_travel_hint")}
	if where.TravelMinutes > 0 {
		travel.Value = strconv.Itoa(where.TravelMinutes)
	}
	return dash.Group{ID: "where", Title: c.T("where_title"), Inputs: []dash.Input{kind,
		{Name: "where.text", Label: c.T("where_text_label"), Value: where.Text, Hint: c.T("where_text_hint")}, travel}}
}

// readWhere reads where the event type takes place; a form without the field leaves it.
func readWhere(r *web.Reader, e *catalog.EventType) {
	if !r.Form.Has("where.kind") {
		return
	}
	e.Where = nil
	kind, text := catalog.WhereKind(r.Form.Get("where.kind")), strings.TrimSpace(r.Form.Get("where.text"))
	if kind == "" {
		if !r.Form.Has("location") {
			e.Location = text
		}
		return
	}
	e.Where = &catalog.Where{Kind: kind, Text: text}
	if kind == catalog.InPerson || kind == catalog.Elsewhere {
		e.Where.TravelMinutes = r.Whole("where.travelMinutes")
	} else if kind != catalog.InviteeCalls {
		e.Where.Text = ""
	}
}

// wordRows are the rows of the form with the owner's words: the n-th of them that has a text is the n-th that is saved.
type wordRows struct {
	name string
	most int
}

var mailRows, textRows = wordRows{"words", catalog.MaxMailWords}, wordRows{"textWords", catalog.MaxTextWords}

// moreWords is how many rows more than there are the form has room for.
const moreWords = 2

// field returns the name of a field of the n-th row.
func (w wordRows) field(n int, name string) string { return fmt.Sprintf("%s[%d].%s", w.name, n, name) }

// filled returns the rows that have a text, by their numbers.
func (w wordRows) filled(form url.Values) (rows []int) {
	for n := range w.most {
		if strings.TrimSpace(form.Get(w.field(n, "text"))) != "" {
			rows = append(rows, n)
		}
	}
	return rows
}

// shown returns how many rows the form has: those that there are, or up to the last that was typed into, and some more.
func (w wordRows) shown(saved int, typed url.Values) int {
	if typed != nil {
		if saved = 0; len(w.filled(typed)) > 0 {
			saved = slices.Max(w.filled(typed)) + 1
		}
	}
	return min(saved+moreWords, w.most)
}

var wordsAt = regexp.MustCompile(`\b(words|textWords)\[(\d+)\](\.\w+)?$`)

// atRow returns the error of the owner's words at the form's row that they stand in. What is wrong with a whole row stands
// at its text.
func atRow(wrong *fault.Error, typed url.Values) *fault.Error {
	at := wordsAt.FindStringSubmatch(wrong.Field)
	if at == nil {
		return wrong
	}
	w := mailRows
	if at[1] == textRows.name {
		w = textRows
	}
	n, err := strconv.Atoi(at[2])
	rows := w.filled(typed)
	if err != nil || n >= len(rows) {
		return wrong
	}
	return fault.Invalid(w.field(rows[n], strings.TrimPrefix(cmp.Or(at[3], ".text"), ".")), "%s", wrong.Text())
}

// typeWords returns the paragraphs in the owner's words, and where the booking page goes on to.
func (c call) typeWords(e *catalog.EventType, typed url.Values) dash.Group {
	all := e.Words
	if typed != nil {
		all = nil // Fill has what was typed, row by row
	}
	g := dash.Group{ID: "words", Title: c.T("words_title"), Hint: c.T("words_hint")}
	kinds := []dash.Option{{Value: "", Label: c.T("words_all_kinds")}}
	for _, k := range catalog.InviteeMails {
		kinds = append(kinds, dash.Option{Value: string(k), Label: c.T("words_kind_" + string(k))})
	}
	for n := range mailRows.shown(len(all), typed) {
		var w catalog.MailWords
		if n < len(all) {
			w = all[n]
		}
		locale := w.Locale
		if typed != nil {
			locale = typed.Get(mailRows.field(n, "locale"))
		}
		languages := slices.Concat([]dash.Option{{Value: "", Label: c.T("words_all_languages")}}, languageOptions(locale))
		g.Inputs = append(g.Inputs,
			dash.Input{Name: mailRows.field(n, "kind"), Label: c.T("words_kind", "Number", n+1), Kind: "select", Half: true,
				Value: string(w.Kind), Options: kinds},
			dash.Input{Name: mailRows.field(n, "locale"), Label: c.T("words_language", "Number", n+1), Kind: "select", Half: true,
				Value: w.Locale, Options: languages},
			dash.Input{Name: mailRows.field(n, "text"), Label: c.T("words_text", "Number", n+1), Kind: "area", Value: w.Text})
	}
	return g
}

// languageOptions returns the languages that mails are written in, and another one that is set already.
func languageOptions(set string) (all []dash.Option) {
	for _, l := range views.Locales {
		all = append(all, dash.Option{Value: l.Tag, Label: l.Name})
	}
	if set != "" && !slices.ContainsFunc(all, func(o dash.Option) bool { return o.Value == set }) {
		all = append(all, dash.Option{Value: set, Label: set})
	}
	return all
}

// mailPreview shows the mails with what is typed, at action.
func (c call) mailPreview(action string) dash.MailPreview {
	p := dash.MailPreview{URL: action + "/mail", Languages: languageOptions(""),
		Language: views.MatchLocale(c.Setup.Workspace.Settings.Locale, "").Tag}
	for _, k := range catalog.InviteeMails {
		p.Kinds = append(p.Kinds, dash.Option{Value: string(k), Label: c.T("words_kind_" + string(k))})
	}
	return p
}

// readWords reads the paragraphs that have a text.
func readWords(form url.Values) []catalog.MailWords {
	all := []catalog.MailWords{}
	for _, n := range mailRows.filled(form) {
		all = append(all, catalog.MailWords{Kind: catalog.MailKind(form.Get(mailRows.field(n, "kind"))),
			Locale: form.Get(mailRows.field(n, "locale")), Text: strings.TrimSpace(form.Get(mailRows.field(n, "text")))})
	}
	return all
}

func readOwn(r *web.Reader, e *catalog.EventType) {
	readWhere(r, e)
	if r.Form.Has(mailRows.field(0, "text")) {
		e.Words = readWords(r.Form)
	}
	readTexts(r.Form, e)
	if r.Form.Has("redirectUrl") {
		e.RedirectURL = r.Form.Get("redirectUrl")
	}
}

func (c call) previewNewMail() error { return c.previewMail(catalog.NewEventType()) }

func (c call) previewChangedMail() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	return c.previewMail(*e)
}

// previewMail shows the mail that the form chooses, as its reader gets it, with what is typed; nothing is saved.
func (c call) previewMail(e catalog.EventType) error {
	form, err := c.draft(&e)
	if err != nil {
		return c.ShowPreview(nil, "", fault.As(err))
	}
	of := catalog.MailWords{Kind: catalog.MailKind(form.Get("mail.kind")), Locale: form.Get("mail.locale")}
	if !slices.Contains(catalog.InviteeMails, of.Kind) {
		of.Kind = catalog.MailConfirmed
	}
	m, err := c.Subjects.Mail.PreviewWords(c.Context(), c.Actor, e, of)
	if err != nil {
		return err
	}
	return c.ShowMail(m)
}
