package views

// WaitJoinPath asks to be told when a time comes free.
func WaitJoinPath(workspace, eventType string, q Query) string {
	return address("/"+workspace+"/_wait/"+eventType, q, "")
}

// WaitJoinPage is the form by which a visitor waits for a time.
type WaitJoinPage struct {
	Page
	Services        []string
	Wishes          []WishFields
	Fields          []Field // who waits
	First, Last     string  // the days that may be wished for
	Action, BackURL string
	Problem         string
	TellsAll        bool // all who wait are told at once of what comes free
}

// says is the key of what becomes of a time that comes free.
func (v *WaitJoinPage) says() string {
	if v.TellsAll {
		return "join_text_open"
	}
	return "join_text"
}

// WishFields are the fields of a wish: days, and the times of day.
type WishFields struct {
	From, To Field
	Parts    []Field
}

// said reports whether something was typed, or is wrong.
func (w *WishFields) said() bool { return w.From.Value+w.To.Value+w.From.Error+w.To.Error != "" }

// more reports whether more than the first wish is filled in.
func (v *WaitJoinPage) more() bool {
	for i := range v.Wishes[1:] {
		if v.Wishes[i+1].said() {
			return true
		}
	}
	return false
}

func (v *WaitJoinPage) all() (all []Field) {
	for _, w := range v.Wishes {
		all = append(all, w.From, w.To)
	}
	return append(all, v.Fields...)
}

// WaitMailed says that the mail is on its way by which a visitor confirms that they wait.
func WaitMailed(p Page, email string) MessagePage {
	v := MessagePage{Page: p, Icon: "hourglass", Heading: p.T("join_mailed"), Text: p.T("join_mailed_text", "Email", email)}
	v.Title = v.Heading
	return v
}

// WaitTexted says that the text is on its way by which a visitor confirms that they wait.
func WaitTexted(p Page, number string) MessagePage {
	v := MessagePage{Page: p, Icon: "hourglass", Heading: p.T("join_texted"), Text: p.T("join_texted_text", "Number", number)}
	v.Title = v.Heading
	return v
}

// NobodyWaits says that nobody can be told of a time (409).
func NobodyWaits(p Page) MessagePage { return message(p, "hourglass", "join_none") }
