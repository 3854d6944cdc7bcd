package views

// Where says where a booking takes place, or that of an event type will.
type Where struct {
	Kind   string // a value of the API's where.kind; "" says nothing
	Text   string // the place, or the number that the invitee calls
	Number string // the invitee's
	Team   bool   // for those of the business, not for the invitee
}

// Where returns where it takes place, in words: without the address of a room.
func (l *Locale) Where(w Where) string {
	switch w.Kind {
	case "video":
		return l.T("where_video")
	case "host_calls":
		switch {
		case w.Team && w.Number != "":
			return l.T("where_team_call", "Number", w.Number)
		case w.Number != "":
			return l.T("where_we_call", "Number", w.Number)
		}
		return l.T("where_host_calls")
	case "invitee_calls":
		switch {
		case w.Team:
			return l.T("where_team_called", "Number", w.Text)
		case w.Text != "":
			return l.T("where_call_us", "Number", w.Text)
		}
		return l.T("where_invitee_calls")
	}
	return w.Text
}

// Online reports whether nobody goes anywhere for it.
func (w Where) Online() bool {
	return w.Kind == "video" || w.Kind == "host_calls" || w.Kind == "invitee_calls"
}
