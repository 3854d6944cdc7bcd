package views

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"daybook/views/brand"
)

// MailPage is a mail as its recipient sees it. It loads nothing from anywhere, and says the same as MailText.
type MailPage struct {
	*Locale
	Workspace Workspace
	Subject   string
	Preview   string // what a list of mails shows beside the subject
	Tone      Tone
	Heading   string
	Text      string
	Facts     []MailFact
	Bill      [][]MailLine // amounts, in groups
	Note      string       // below them
	Words     string       // a paragraph in the owner's words
	Message   *MailFact    // what somebody wrote
	Links     []Link       // the first is the main one
	Calendars []Link       // that add it to a calendar; the last is a file for any program
	Foot      []string
	Stop      *Link // ends mails of this kind
}

// Tone colours the line at the top of a mail.
type Tone string

// The tones there are; the zero one is the brand's.
const (
	Quiet Tone = "quiet"
	Bad   Tone = "bad"
	Warn  Tone = "warn"
)

// MailFact is one line of what a mail is about.
type MailFact struct {
	Label, Value string
	Strong       bool
	Gone         bool // struck out: no longer so
	Linked       bool // its web addresses are links
	Links        []Link
}

// MailLine is an amount, and what it is for.
type MailLine struct {
	Text, Amount string
	Strong       bool
}

// MailText returns the mail for those who read text: the same in the same order.
func MailText(p MailPage) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", p.Heading)
	line("")
	if p.Text != "" {
		line("%s\n", p.Text)
	}
	width := 0
	for _, f := range p.Facts {
		width = max(width, len([]rune(f.Label)))
	}
	for _, f := range p.Facts {
		pad := strings.Repeat(" ", width-len([]rune(f.Label)))
		for i, part := range strings.Split(tidyLines(f.Value), "\n") {
			if i == 0 && f.Label != "" {
				line("%s", p.Labelled(f.Label, pad+part))
			} else {
				line("%s", strings.Repeat(" ", len([]rune(p.Labelled("", "")))+width)+part)
			}
		}
		for _, l := range f.Links {
			line("%s", strings.Repeat(" ", len([]rune(p.Labelled("", "")))+width)+p.Labelled(l.Label, l.URL))
		}
	}
	billText(line, p.Bill)
	if p.Note != "" {
		line("\n%s", p.Note)
	}
	if p.Words != "" {
		line("\n%s", tidyLines(p.Words))
	}
	if p.Message != nil {
		line("\n%s\n%s", strings.TrimRight(p.Labelled(p.Message.Label, ""), " "), quoted(p.Message.Value))
	}
	for _, l := range p.Links {
		line("\n%s\n%s", strings.TrimRight(p.Labelled(l.Label, ""), " "), l.URL)
	}
	if n := len(p.Calendars); n > 0 { // the others are too long for anybody to read
		line("\n%s\n%s", strings.TrimRight(p.Labelled(p.T("add_to_calendar"), ""), " "), p.Calendars[n-1].URL)
	}
	line("\n-- \n%s", p.Workspace.Name)
	for _, f := range p.Foot {
		line("%s", f)
	}
	if p.Stop != nil {
		line("%s", p.Labelled(p.Stop.Label, p.Stop.URL))
	}
	return plainSpaces(b.String())
}

// billText writes amounts below each other.
func billText(line func(string, ...any), bill [][]MailLine) {
	text, amount := 0, 0
	for _, l := range slices.Concat(bill...) {
		text, amount = max(text, len([]rune(l.Text))), max(amount, len([]rune(l.Amount)))
	}
	for _, group := range bill {
		line("")
		for _, l := range group {
			gap := text + amount - len([]rune(l.Text)) - len([]rune(l.Amount))
			line("%s  %s%s", l.Text, strings.Repeat(" ", gap), l.Amount)
		}
	}
}

// plainSpaces keep typography's spaces out of text mails, which show them badly.
func plainSpaces(s string) string { return strings.NewReplacer(nbsp, " ", nnbsp, " ").Replace(s) }

func tidyLines(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

func quoted(s string) string { return "> " + strings.ReplaceAll(tidyLines(s), "\n", "\n> ") }

// mailCSS returns what a mail's style element says: the dark colours, and what narrow screens need. The light ones are
// in the elements as well, for the programs that read no style element. It holds nothing but colours that package brand
// made.
func (p MailPage) mailCSS() string {
	dark := brand.Dark(p.Workspace.Color)
	return `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{text-underline-offset:.2em}
@media(max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}.label,.value{display:block!important;width:auto!important;padding-left:0!important}.value{padding-top:0!important}.button{display:block!important;text-align:center!important}}
@media(prefers-color-scheme:dark){
.bg{background:#0f1012!important}.card{background:#18191c!important;border-color:#2b2d32!important}.text{color:#ececea!important}.muted{color:#a3a7ad!important}
.line{border-color:#2b2d32!important}.said{background:#212327!important}
.link{color:#` + dark.Text + `!important}.button{background:#` + dark.Fill + `!important;color:#` + dark.On + `!important;border-color:#` + dark.Edge + `!important}
.band-quiet{background:#565a61!important}.band-bad{background:#ff9d94!important}.band-warn{background:#eec26b!important}.band-brand{background:#` + dark.Edge + `!important}
}`
}

func (p MailPage) light() brand.Shades { return brand.Light(p.Workspace.Color) }

func (p MailPage) band() (class, color string) {
	switch p.Tone {
	case Quiet:
		return "band-quiet", "a9acaf"
	case Bad:
		return "band-bad", "b3261e"
	case Warn:
		return "band-warn", "d08a00"
	}
	return "band-brand", p.light().Edge
}

func (p MailPage) bandClass() string { class, _ := p.band(); return class }

func (p MailPage) bandStyle() templ.SafeCSS {
	_, color := p.band()
	return templ.SafeCSS("height:4px;line-height:4px;font-size:0;border-radius:14px 14px 0 0;background:#" + color)
}

func (p MailPage) buttonStyle() templ.SafeCSS {
	s := p.light()
	return templ.SafeCSS("display:inline-block;padding:12px 22px;border-radius:10px;border:1px solid #" + s.Edge +
		";background:#" + s.Fill +
		";color:#" + s.On + ";font-weight:600;text-decoration:none")
}

func (p MailPage) linkStyle() templ.SafeCSS { return templ.SafeCSS("color:#" + p.light().Text) }

func (f MailFact) style() templ.SafeCSS {
	style := "padding:7px 0 7px 16px;vertical-align:top;overflow-wrap:anywhere;color:#1b1d20;"
	if f.Strong {
		style += "font-weight:600;"
	}
	if f.Gone {
		style += "text-decoration:line-through;"
	}
	return templ.SafeCSS(style)
}

func (l MailLine) style(first bool) templ.SafeCSS {
	style := "padding:5px 0;vertical-align:top;overflow-wrap:anywhere;color:#1b1d20;"
	if first {
		style += "padding-top:12px;"
	}
	if l.Strong {
		style += "font-weight:600;font-size:18px;"
	}
	return templ.SafeCSS(style)
}

const billAmount = "text-align:right;white-space:nowrap;padding-left:16px;"

// ownWords returns the paragraph in the owner's words.
func (p MailPage) ownWords() string {
	return htmlOf(p.Words, ` style="margin:0 0 10px"`, p.linkAttributes())
}

// factHTML returns the value of a fact whose addresses are links.
func (p MailPage) factHTML(f MailFact) string {
	var b strings.Builder
	for i, line := range textLines(f.Value) {
		if i > 0 {
			b.WriteString("<br>")
		}
		writeLinked(&b, line, p.linkAttributes())
	}
	return b.String()
}

func (p MailPage) linkAttributes() string {
	return ` class="link" style="` + string(p.linkStyle()) + `"`
}

// textLines returns the lines of a text that somebody wrote.
func textLines(s string) []string { return strings.Split(tidyLines(s), "\n") }

// mailLink lets only web addresses be links.
func mailLink(address string) templ.SafeURL {
	u, err := url.Parse(address)
	if err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) {
		return "#"
	}
	return templ.SafeURL(address)
}
