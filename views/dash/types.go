package dash

// TypeRow is an event type in the owner's list.
type TypeRow struct {
	URL, Title, Text, Path, Link string
	Active                       bool
	UpURL, DownURL               string
	SwitchURL, CopyURL           string
}

// TypesPage lists the event types.
type TypesPage struct {
	Frame
	Rows   []TypeRow
	NewURL string
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
	Link                    string // absolute
	PreviewURL              string
	FrameURL                string // shows the page of what is typed; "" shows none
	EmbedURL                string // puts it on a website
	Danger                  []Danger
}
