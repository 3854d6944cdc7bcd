package dash

import (
	"github.com/a-h/templ"

	"daybook/views"
)

// TypeRow is an event type in the owner's list.
type TypeRow struct {
	ID, URL, Title, Text string
	Link                 string // absolute
	Picture              views.Image
	Active, Hidden       bool
	Place, Of            int // among those of its category, from 1
	Price, Currency      string
	From                 string // what it costs where that is not the price alone; "" says nothing
	Wrong                string // with the price
}

// TypesPart are the event types of a category.
type TypesPart struct {
	Title     string // "" for one that has none
	ID        string // of an event type in it
	Place, Of int    // among the categories, from 1; 0 stays where it is
	Rows      []TypeRow
}

// TypesPage lists the event types as customers see them.
type TypesPage struct {
	Frame
	Problem   string
	Parts     []TypesPart
	NewURL    string
	InviteURL string // the invitation links
}

// QuestionInput is a question in the form of an event type.
type QuestionInput struct {
	Key, Label, Type, Options string
	Required                  bool
}

// TypePage is the form of an event type.
type TypePage struct {
	Frame
	Action, Problem, Submit string
	Basics                  Group
	Picture                 PictureInput
	Tabs                    []FormTab
	Sections                []Group // all groups of the form
	Questions               []QuestionInput
	AddOns                  []AddOnInput
	AddOnGroups             []AddOnGroupInput
	Parts                   []Option // that an add-on can make longer; empty for none
	Currency                string   // of the prices of add-ons
	Link                    string   // absolute
	PreviewURL              string
	FrameURL                string // shows the page of what is typed; "" shows none
	EmbedURL                string // puts it on a website
	InviteURL               string // its invitation links
	Mail                    MailPreview
	TextsURL                string // says what own texts come to
}

// PictureInput is the field for a picture, beside what customers see of the service.
type PictureInput struct {
	Input
	May                  bool        // choose one
	Image                views.Image // the present one
	Kept                 string      // the id of one that was taken of a form that was refused
	Gone                 bool        // it is to be removed
	Title, Length, Price string
}

// MailPreview shows a mail with what is typed.
type MailPreview struct {
	URL              string
	Kinds, Languages []Option
	Language         string // that of the workspace
}

// TextNote says how a text to telephones reads in the owner's words, what it costs at most and what makes it dear, or what is
// wrong with it. An empty text has none of these.
type TextNote struct {
	Name                    string // of its field
	Title                   string // where it stands alone
	Text, Cost, Dear, Wrong string
}

func (n TextNote) id() string { return "f-" + n.Name + "-note" }

// ShownMail is a mail as its reader gets it.
type ShownMail struct{ From, Subject, HTML string }

// item has where a category is moved; nothing where it stays.
func (p TypesPart) item() templ.OrderedAttributes {
	if p.Of < 2 {
		return nil
	}
	return templ.OrderedAttributes{templ.KV[string, any]("data-item", TypeCategoryPath(p.ID))}
}

func (t TypeRow) wrong() templ.OrderedAttributes {
	if t.Wrong == "" {
		return nil
	}
	return templ.OrderedAttributes{templ.KV[string, any]("aria-invalid", "true"),
		templ.KV[string, any]("aria-describedby", "price-"+t.ID+"-error"), templ.KV[string, any]("autofocus", true)}
}
