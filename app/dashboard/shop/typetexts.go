package shop

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/text"
	"daybook/app/text/gsm"
	"daybook/views/dash"
)

// typeTexts returns which texts to telephones the service sends and the owner's own; nothing for a business that sends none.
func (c call) typeTexts(e *catalog.EventType, typed url.Values) []dash.FormTab {
	if !c.Setup.Workspace.Texts {
		return nil
	}
	return []dash.FormTab{{ID: "texts", Title: c.T("connect_texts"), Groups: []dash.Group{c.textKinds(e), c.typeTextWords(e, typed)}}}
}

// textKindNames are the kinds, to choose from.
func (c call) textKindNames() (all []dash.Option) {
	for _, k := range catalog.TextKinds {
		all = append(all, dash.Option{Value: string(k), Label: c.T("texts_kind_" + string(k))})
	}
	return all
}

func (c call) textKinds(e *catalog.EventType) dash.Group {
	in := dash.Input{Name: "textKinds", Label: c.T("texts_kinds"), Kind: "checks", Options: c.textKindNames(),
		Hint: c.T("textwords_kinds_hint", "Tab", c.T("service_mails"))}
	for i, k := range catalog.TextKinds {
		if !slices.Contains(e.TextsOff, k) {
			in.Values = append(in.Values, string(k))
		}
		if !c.Setup.Texts(k, nil) {
			in.Options[i].Label = c.T("textwords_kind_off", "Kind", in.Options[i].Label)
		}
	}
	return dash.Group{ID: "textKinds", Inputs: []dash.Input{in}}
}

// typeTextWords returns the texts in the owner's words, each with what it comes to.
func (c call) typeTextWords(e *catalog.EventType, typed url.Values) dash.Group {
	all, left := e.TextWords, slices.Clone(catalog.TextKinds)
	if typed != nil {
		all = nil // Fill has what was typed, row by row
	}
	for _, w := range all {
		left = slices.DeleteFunc(left, func(k catalog.TextKind) bool { return k == w.Kind })
	}
	g := dash.Group{ID: "textWords", Title: c.T("textwords_title"), Hint: c.T("textwords_hint", "Name", "{name}", "Shop", "{shop}",
		"Service", "{service}", "Host", "{host}", "Date", "{date}", "Time", "{time}", "Link", "{link}")}
	kinds := c.textKindNames()
	for n := range textRows.shown(len(all), typed) {
		var w catalog.TextWords
		switch {
		case n < len(all):
			w = all[n]
		case n-len(all) < len(left): // an empty row is for a kind that has none
			w.Kind = left[n-len(all)]
		}
		shown := w
		if typed != nil {
			shown = typedText(typed, n)
		}
		languages := slices.Concat([]dash.Option{{Value: "", Label: c.T("words_all_languages")}}, languageOptions(shown.Locale))
		name := textRows.field(n, "text")
		g.Inputs = append(g.Inputs,
			dash.Input{Name: textRows.field(n, "kind"), Label: c.T("textwords_kind", "Number", n+1), Kind: "select", Half: true, Value: string(w.Kind),
				Options: kinds},
			dash.Input{Name: textRows.field(n, "locale"), Label: c.T("textwords_language", "Number", n+1), Kind: "select", Half: true,
				Value: w.Locale, Options: languages},
			dash.Input{Name: name, Label: c.T("textwords_text", "Number", n+1), Kind: "area", Value: w.Text, Note: c.textNote(name, e, shown)})
	}
	return g
}

// typedText returns what was typed into the n-th row.
func typedText(form url.Values, n int) catalog.TextWords {
	return catalog.TextWords{Kind: catalog.TextKind(form.Get(textRows.field(n, "kind"))), Locale: form.Get(textRows.field(n, "locale")),
		Text: strings.TrimSpace(form.Get(textRows.field(n, "text")))}
}

// readTexts reads which texts are sent and the own ones that have words; a form without them leaves them.
func readTexts(form url.Values, e *catalog.EventType) {
	if !form.Has(textRows.field(0, "text")) {
		return
	}
	e.TextsOff, e.TextWords = nil, nil
	for _, k := range catalog.TextKinds {
		if !slices.Contains(form["textKinds"], string(k)) {
			e.TextsOff = append(e.TextsOff, k)
		}
	}
	for _, n := range textRows.filled(form) {
		e.TextWords = append(e.TextWords, typedText(form, n))
	}
}

// textNote says how an own text reads, what it costs at most and what makes it dear, or why it would be refused.
func (c call) textNote(name string, e *catalog.EventType, w catalog.TextWords) *dash.TextNote {
	note := &dash.TextNote{Name: name}
	if w.Text == "" {
		return note
	}
	note.Text = text.Sample(c.Setup, c.Subjects.BaseURL(), c.Subjects.Now(), e, w)
	cost := catalog.TextCost(w.Text)
	if own := gsm.Segments(note.Text); own.Segments > cost.Segments { // the business has a long address, or a name that is dear itself
		cost = own
	}
	if err := catalog.CheckTextWords("", []catalog.TextWords{w}); err != nil {
		note.Wrong = c.Sentence(fault.As(err))
	} else {
		note.Cost = c.T("textwords_cost", "Count", cost.Segments)
	}
	if cost.Unicode {
		plain, dear := gsm.Single, gsm.Dear(note.Text)
		if cost.Segments > 1 {
			plain = gsm.Several
		}
		note.Dear = c.T("textwords_dear", "Letters", strings.Join(dear[:min(len(dear), 3)], " "), "Dear", cost.PerSegment, "Plain", plain)
	}
	return note
}

func (c call) previewNewTexts() error {
	e := catalog.NewEventType()
	return c.previewTexts(&e)
}

func (c call) previewChangedTexts() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	draft := *e
	return c.previewTexts(&draft)
}

// previewTexts shows what the own texts come to that are typed, whatever else is wrong in the form; nothing is saved.
func (c call) previewTexts(e *catalog.EventType) error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	e.Title = cmp.Or(strings.TrimSpace(form.Get("title")), e.Title, c.T("dash_type_new"))
	var notes []dash.TextNote
	for n := range textRows.shown(0, form) {
		note := *c.textNote(textRows.field(n, "text"), e, typedText(form, n))
		note.Title = c.T("textwords_text", "Number", n+1)
		notes = append(notes, note)
	}
	return c.ShowFramed(http.StatusOK, dash.ReadTexts(c.Frame("", ""), notes))
}
