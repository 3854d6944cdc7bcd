package dash

// MessagesPath lists what customers wrote by text, and is where notifications of it lead.
const MessagesPath = TodayPath + "/messages"

// MessageSeenPath notes that somebody has read what a number wrote.
func MessageSeenPath(id string) string { return MessagesPath + "/" + id + "/seen" }

// MessageReplyPath answers whoever wrote a message.
func MessageReplyPath(id string) string { return MessagesPath + "/" + id + "/reply" }

// ContactReplyPath texts a contact.
func ContactReplyPath(id string) string { return ContactPath(id) + "/reply" }

// MessagesPart is the part of a card with the texts between the customer and the business.
const MessagesPart = "messages"

// MessagesPage lists what customers wrote by text, the latest first.
type MessagesPage struct {
	Frame
	Rows []TextRow
}

// TextRow is a text between a customer and the business.
type TextRow struct {
	ID      string
	Name    string // of whoever wrote, or their number; "" on their own card
	URL     string // of their card
	Text    string
	Media   string // how many pictures came with it, in words; "" for none
	Day     string
	Ours    bool
	State   Badge  // of ours; of theirs, that it is new
	SeenURL string // "" where there is nothing new, or for who may not
	Answer  *TextForm
}

// byline says when it was written, and of the business's own that it was.
func (r TextRow) byline(you string) string {
	if r.Ours {
		return joined(r.Day, you)
	}
	return r.Day
}

// TextForm writes a text to a customer.
type TextForm struct {
	ID      string // of its field
	Action  string
	Text    string
	Problem string
	Open    bool // it is not folded
}

// TextsPart is the texts between one customer and the business, the latest last.
type TextsPart struct {
	Rows    []TextRow
	SeenURL string
	Form    *TextForm
}
