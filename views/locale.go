package views

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"daybook/views/brand"
)

//go:embed messages
var messageFiles embed.FS

// Locale is a language with its texts and its forms of dates, times and money. Get
// one from MatchLocale; it is shared and never changes.
type Locale struct {
	Tag  string // for the html element: "de", "en-GB"
	Name string // in its own language: "Deutsch"

	forms    forms
	language language.Tag                   // whose plural forms are used
	messages func() map[string]brand.Phrase // read when first asked for: commands say nothing in most languages
}

// Locales are the languages there are; the first is the one for everybody else.
var Locales = loadLocales()

var matcher = func() language.Matcher {
	tags := make([]language.Tag, len(Locales))
	for i, l := range Locales {
		tags[i] = language.MustParse(l.Tag)
	}
	return language.NewMatcher(tags)
}()

// MatchLocale chooses by what was asked for (`?lang=`), else by Accept-Language.
func MatchLocale(asked, acceptLanguage string) *Locale {
	if tag, err := language.Parse(asked); asked != "" && err == nil {
		if _, i, confidence := matcher.Match(tag); confidence > language.Low {
			return Locales[i]
		}
	}
	tags, _, _ := language.ParseAcceptLanguage(acceptLanguage) // a wrong header is no header
	_, i, confidence := matcher.Match(tags...)
	if confidence == language.No {
		return Locales[0]
	}
	return Locales[i]
}

func loadLocales() []*Locale {
	messages := map[string]func() map[string]brand.Phrase{}
	for _, lang := range []string{"en", "de", "fr", "es"} {
		messages[lang] = sync.OnceValue(func() map[string]brand.Phrase { return textsOf(lang) })
	}
	locale := func(tag, name string, f forms) *Locale {
		lang, _, _ := strings.Cut(tag, "-")
		return &Locale{Tag: tag, Name: name, forms: f, language: language.MustParse(lang), messages: messages[lang]}
	}
	return []*Locale{
		locale("en-US", "English", formsUS),
		locale("en-GB", "English (UK)", formsGB),
		locale("de", "Deutsch", formsDE),
		locale("fr", "Français", formsFR),
		locale("es", "Español", formsES),
	}
}

// textsOf reads the texts of a language.
func textsOf(lang string) map[string]brand.Phrase {
	messages := map[string]brand.Phrase{}
	for _, name := range messagesOf(lang) {
		data, err := messageFiles.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &messages)
		}
		if err != nil {
			panic(fmt.Errorf("%s: %w", name, err)) // embedded at build time, and a test reads every file
		}
	}
	return messages
}

// messagesOf names the files of a language: that of the booking page, en.json, and one for each other part, such as
// mail.en.json.
func messagesOf(lang string) []string {
	names, err := fs.Glob(messageFiles, "messages/*"+lang+".json")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	return names
}

// T returns the text of a message. Arguments come in pairs, a name and a value; the one
// named Count chooses the plural form. An unknown key is shown as it is.
func (l *Locale) T(key string, args ...any) string {
	p, known := l.messages()[key]
	if !known {
		return key
	}
	return p.Text(l.language, args)
}

// Language returns the primary subtag: "en" for en-GB.
func (l *Locale) Language() string {
	lang, _, _ := strings.Cut(l.Tag, "-")
	return lang
}

// Decimal returns a number such as 8.5 as people of the language write it.
func (l *Locale) Decimal(number string) string {
	if l.Language() == "en" {
		return number
	}
	return strings.Replace(number, ".", ",", 1)
}

// Percent returns a rate such as 8.5 as people of the language write it: "8,5 %".
func (l *Locale) Percent(rate string) string { return l.Decimal(rate) + nnbsp + "%" }
