package catalog

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
)

// MailWords is a paragraph in the owner's words, in one kind of mail to invitees and in one language. An empty kind or
// language means all of them.
type MailWords struct {
	Kind   MailKind `json:"kind,omitempty"`
	Locale string   `json:"locale,omitempty"` // such as de
	Text   string   `json:"text"`
}

// MaxMailWords is the most paragraphs of an event type; each has at most maxWordLength characters.
const (
	MaxMailWords  = 100
	maxWordLength = 2000
)

// MailWordsFields describes MailWords.
var MailWordsFields = field.Resource{
	Text: "A paragraph of its own in mails to invitees and on receipts.",
	Fields: []field.Field{
		{Name: "kind", Text: "The kind of mail; empty is all.", InFile: true, Clears: true,
			Enum: field.Values(InviteeMails...)},
		{Name: "locale", Text: "The language of the mail, such as de; empty is all.", InFile: true, Clears: true},
		{Name: "text", Text: "The paragraph.", Least: 1, Most: maxWordLength, InFile: true, Required: true},
	},
}

// CheckMailWords normalises all in place. at names the field in errors. The error is bad_request.
func CheckMailWords(at string, all []MailWords) error {
	if len(all) > MaxMailWords {
		return fault.Invalid(at, "at most %d", MaxMailWords)
	}
	for i := range all {
		w, at := &all[i], fmt.Sprintf("%s[%d]", at, i)
		var err error
		if w.Kind != "" && !slices.Contains(InviteeMails, w.Kind) {
			return fault.Invalid(at+".kind", "%q is no kind of mail to invitees", w.Kind)
		}
		if w.Locale, err = fault.CheckLocale(at+".locale", w.Locale); err != nil {
			return err
		}
		if w.Text, err = fault.CheckText(at+".text", w.Text, maxWordLength); err != nil {
			return err
		}
		if w.Text == "" {
			return fault.Invalid(at+".text", "is required")
		}
		for _, o := range all[:i] {
			if o.Kind == w.Kind && o.Locale == w.Locale {
				return fault.Invalid(at, "stands twice for that kind and language")
			}
		}
	}
	return nil
}

// MailWordsFor returns the owner's paragraph for that kind of mail, or "". A paragraph for the kind is preferred to one
// for all kinds. Of these it takes the one in the first of the languages that has one, such as de-AT, then one in that
// language without its region, and at last one for all languages.
func MailWordsFor(all []MailWords, kind MailKind, languages ...string) string {
	var tags []string
	for _, tag := range languages {
		if tag != "" {
			tags = append(tags, tag)
		}
	}
	for _, tag := range slices.Clone(tags) {
		if language, _, regional := strings.Cut(tag, "-"); regional {
			tags = append(tags, language)
		}
	}
	for _, of := range []MailKind{kind, ""} {
		for _, tag := range append(tags, "") {
			for _, w := range all {
				if w.Kind == of && strings.EqualFold(w.Locale, tag) {
					return w.Text
				}
			}
		}
	}
	return ""
}
