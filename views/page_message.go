package views

// The pages below need only a Page: its locale, its query and, where it is known, its
// workspace.

// NotFound answers a wrong link (404).
func NotFound(p Page) MessagePage { return message(p, "alert", "not_found") }

// Closed answers an event type that takes no bookings (410 or 404).
func Closed(p Page) MessagePage { return message(p, "calendar", "closed") }

// Suspended answers while the operator of the server has suspended the workspace (403).
func Suspended(p Page) MessagePage {
	p.Workspace.URL = "" // its other pages say the same
	return message(p, "alert", "suspended")
}

// NotInvited answers who comes by an invitation link that can't be used, for that reason (404).
func NotInvited(p Page, reason string) MessagePage {
	switch reason {
	case "invitation_expired":
		return message(p, "hourglass", "invitation_expired")
	case "invitation_used":
		return message(p, "check", "invitation_used")
	}
	return message(p, "alert", "invitation_invalid")
}

// Already answers who has booked the same time before, without giving the booking away
// (409).
func Already(p Page) MessagePage { return message(p, "check", "already") }

// AlreadyByPhone returns the page Already for a visitor without an e-mail address, who got no link by mail.
func AlreadyByPhone(p Page) MessagePage { return message(p, "check", "contact_already") }

// ConfirmByMail says that a link was mailed to that address, which books (200).
func ConfirmByMail(p Page, email string) MessagePage {
	v := MessagePage{Page: p, Icon: "hourglass", Heading: p.T("challenge_mailed_title"),
		Text: p.T("challenge_mailed_text", "Email", email)}
	v.Title = v.Heading
	return v
}

// TooMany answers who asks too often (429).
func TooMany(p Page) MessagePage { return message(p, "hourglass", "too_many") }

// Busy answers when the server has too much to do at the moment (503).
func Busy(p Page) MessagePage { return message(p, "hourglass", "busy") }

// Away answers when the database can't be reached at the moment (503).
func Away(p Page) MessagePage { return message(p, "hourglass", "away") }

// Failed answers our own mistake (500).
func Failed(p Page) MessagePage { return message(p, "alert", "failed") }

func message(p Page, icon, key string) MessagePage {
	v := MessagePage{Page: p, Icon: icon, Heading: p.T(key + "_title"), Text: p.T(key + "_text")}
	v.Title = v.Heading
	if p.Workspace.URL != "" {
		v.Links = []Link{{p.T("see_all", "Name", p.Workspace.Name), p.Workspace.URL}}
	}
	return v
}
