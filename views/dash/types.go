package dash

// TypeRow is an event type in the owner's list.
type TypeRow struct {
	URL, Title, Text, Path, Link string
	Active, Hidden               bool
	UpURL, DownURL               string
	SwitchURL, CopyURL           string
}

// TypesPage lists the event types.
type TypesPage struct {
	Frame
	Rows      []TypeRow
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
	Sections                []Group
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
	Danger                  []Danger
	Mail                    MailPreview
	Picture                 PictureCard
}

// MailPreview shows a mail with what is typed.
type MailPreview struct {
	URL              string
	Kinds, Languages []Option
	Language         string // that of the workspace
}

// ShownMail is a mail as its reader gets it.
type ShownMail struct{ From, Subject, HTML string }
