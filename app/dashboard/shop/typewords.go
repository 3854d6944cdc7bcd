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

// wordRows returns the rows of a form that have a text, by their numbers: the n-th paragraph stands in the n-th of
// them.
func wordRows(form url.Values) (rows []int) {
	for n := range catalog.MaxMailWords {
		if strings.TrimSpace(form.Get(wordsField(n, "text"))) != "" {
			rows = append(rows, n)
		}
	}
	return rows
}

var wordsAt = regexp.MustCompile(`\bwords\[(\d+)\](\.\w+)?$`)

// atRow returns the error of a paragraph at the form's row that it stands in. What is wrong with a whole paragraph
// stands at its text.
func atRow(wrong *fault.Error, typed url.Values) *fault.Error {
	at := wordsAt.FindStringSubmatch(wrong.Field)
	if at == nil {
		return wrong
	}
	n, err := strconv.Atoi(at[1])
	rows := wordRows(typed)
	if err != nil || n >= len(rows) {
		return wrong
	}
	field := wordsField(rows[n], strings.TrimPrefix(cmp.Or(at[2], ".text"), "."))
	return fault.Invalid(field, "%s", wrong.Text())
}

// moreWords is how many paragraphs more than there are the form has room for.
const moreWords = 2

// wordsField returns the name of a field of the n-th paragraph.
func wordsField(n int, name string) string { return fmt.Sprintf("words[%d].%s", n, name) }

// typeWords returns the paragraphs in the owner's words, and where the booking page goes on to.
func (c call) typeWords(e *catalog.EventType, typed url.Values) dash.Group {
	all, rows := e.Words, len(e.Words)
	if typed != nil {
		all, rows = nil, 0 // Fill has what was typed, row by row
		if filled := wordRows(typed); len(filled) > 0 {
			rows = filled[len(filled)-1] + 1
		}
	}
	g := dash.Group{ID: "words", Title: c.T("words_title"), Hint: c.T("words_hint")}
	kinds := []dash.Option{{Value: "", Label: c.T("words_all_kinds")}}
	for _, k := range catalog.InviteeMails {
		kinds = append(kinds, dash.Option{Value: string(k), Label: c.T("words_kind_" + string(k))})
	}
	for n := range min(rows+moreWords, catalog.MaxMailWords) {
		var w catalog.MailWords
		if n < len(all) {
			w = all[n]
		}
		locale := w.Locale
		if typed != nil {
			locale = typed.Get(wordsField(n, "locale"))
		}
		languages := slices.Concat([]dash.Option{{Value: "", Label: c.T("words_all_languages")}}, languageOptions(locale))
		g.Inputs = append(g.Inputs,
			dash.Input{Name: wordsField(n, "kind"), Label: c.T("words_kind", "Number", n+1), Kind: "select", Half: true,
				Value: string(w.Kind), Options: kinds},
			dash.Input{Name: wordsField(n, "locale"), Label: c.T("words_language", "Number", n+1), Kind: "select", Half: true,
				Value: w.Locale, Options: languages},
			dash.Input{Name: wordsField(n, "text"), Label: c.T("words_text", "Number", n+1), Kind: "area", Value: w.Text})
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
	for _, n := range wordRows(form) {
		all = append(all, catalog.MailWords{Kind: catalog.MailKind(form.Get(wordsField(n, "kind"))),
			Locale: form.Get(wordsField(n, "locale")), Text: strings.TrimSpace(form.Get(wordsField(n, "text")))})
	}
	return all
}

func readOwn(r *web.Reader, e *catalog.EventType) {
	readWhere(r, e)
	if r.Form.Has(wordsField(0, "text")) {
		e.Words = readWords(r.Form)
	}
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
