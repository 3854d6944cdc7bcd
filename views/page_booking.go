package views

// tone colours the head of the page: good, wait or over, which looks like nothing that failed.
func (v BookingPage) tone() string {
	switch {
	case !v.Live:
		return "over"
	case v.Pending != "":
		return "wait"
	}
	return "good"
}

func (v BookingPage) image() string {
	switch {
	case !v.Live:
		return "calendar"
	case v.Pending == "payment":
		return "card"
	case v.Pending != "":
		return "hourglass"
	case v.Fresh() || v.Moved || v.Past:
		return "check"
	}
	return "calendar"
}

// Fresh says whether the booking was made a moment ago.
func (v BookingPage) Fresh() bool { return v.Query.Fresh }

func (v BookingPage) heading() string {
	switch {
	case v.Status == "cancelled" && v.Cancelled.Dates > 1:
		return v.T("series_cancelled", "Count", v.Cancelled.Dates)
	case v.Status == "cancelled":
		return v.T("head_cancelled")
	case v.Status == "no_show":
		return v.T("head_no_show")
	case v.Pending == "payment":
		return v.T("head_payment")
	case v.Pending != "":
		return v.T("head_approval")
	case v.Moved:
		return v.T("head_moved")
	case v.Past:
		return v.T("head_past")
	case v.Fresh():
		return v.T("head_booked")
	}
	return v.T("head_booking")
}

// story returns what happened and what happens next, a sentence or two.
func (v BookingPage) story() []string {
	switch {
	case v.Status == "cancelled":
		return v.cancelledStory()
	case v.Status == "no_show":
		return []string{v.T("text_no_show", "Name", v.Workspace.Name)}
	case v.Pending == "payment":
		if v.ExpiresAt.IsZero() {
			return []string{v.T("text_payment")}
		}
		return []string{v.T("text_payment_until", "Time", v.Locale.Time(v.ExpiresAt, v.Query.Clock))}
	case v.Pending != "":
		if !v.TellsLater {
			return []string{v.T("text_approval_link", "Name", v.Workspace.Name)}
		}
		return []string{v.T("text_approval", "Name", v.Workspace.Name, "Email", v.Email)}
	case v.Past:
		return []string{v.T("text_past")}
	case v.Fresh() || v.Moved:
		return []string{v.T(map[string]string{"sent": "text_booked", "soon": "text_booked_soon",
			"": "text_booked_link"}[v.Mail], "Email", v.Email)}
	}
	return nil
}

func (v BookingPage) cancelledStory() []string {
	key := "text_cancelled_invitee"
	switch {
	case v.Cancelled.Lapsed:
		key = "text_lapsed"
	case v.Cancelled.ByBusiness:
		key = "text_cancelled_business"
	case v.Cancelled.Dates > 1:
		key = "series_cancelled_invitee"
	}
	story := []string{v.T(key, "Name", v.Workspace.Name)}
	if v.Cancelled.Reason != "" {
		story = append(story, "“"+v.Cancelled.Reason+"”")
	}
	if v.Cancelled.Refund != nil {
		story = append(story, v.T("text_refund", "Amount", v.Money(*v.Cancelled.Refund)))
	}
	if v.Cancelled.Kept != nil {
		story = append(story, v.T("series_not_refunded", "Amount", v.Money(*v.Cancelled.Kept)))
	}
	if text := v.feeStory(); text != "" {
		story = append(story, text)
	}
	return story
}

// keeps reports whether the link is still of use to the invitee.
func (v BookingPage) keeps() bool { return v.Live && !v.Past && v.URL != "" }

func (v BookingPage) linkLabel() string {
	if v.MoveURL != "" || v.CancelURL != "" {
		return v.T("your_link_change")
	}
	return v.T("your_link")
}
