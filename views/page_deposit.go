package views

// payPartsText is "€10 now, €35 on site".
func payPartsText(l *Locale, e Event) string {
	switch {
	case e.From: // the amounts depend on the person
		return l.T("deposit_part")
	case e.Rest == nil:
		return l.T("deposit_all", "Now", l.Money(*e.Deposit))
	}
	return l.T("deposit_parts", "Now", l.Money(*e.Deposit), "Rest", l.Money(*e.Rest))
}

// lateFeeText says what cancelling late costs: with the time from which on where that is known, else by the notice.
func lateFeeText(l *Locale, e Event) string {
	if e.FreeUntil != "" {
		return l.T("deposit_late_until", "Until", e.FreeUntil, "Fee", l.Money(*e.LateFee))
	}
	return l.T("deposit_late_rule", "Notice", l.Duration(e.LateNotice), "Fee", l.Money(*e.LateFee))
}

// feeStory says what became of the fee for cancelling late; "" where there is none.
func (v BookingPage) feeStory() string {
	f := v.Cancelled.Fee
	if f == nil {
		return ""
	}
	key := map[string]string{"pending": "deposit_fee_pending", "succeeded": "deposit_fee_charged",
		"failed": "deposit_fee_open", "requires_action": "deposit_fee_open"}[v.Cancelled.FeeStatus]
	if key == "" { // it was given back
		return ""
	}
	return v.T(key, "Fee", v.Money(*f))
}

// payLabel returns the text of the button that leads to the payment page.
func (v BookingPage) payLabel() string {
	switch {
	case v.PaySum != nil:
		return v.T("pay", "Amount", v.Money(*v.PaySum))
	case v.PaysVisit:
		return v.T("continue")
	case v.Cancelled.Fee != nil:
		return v.T("pay", "Amount", v.Money(*v.Cancelled.Fee))
	case v.Event.Deposit != nil:
		return v.T("pay", "Amount", v.Money(*v.Event.Deposit))
	case v.Event.Price != nil && !v.Event.OnSite:
		return v.T("pay", "Amount", v.Money(*v.Event.Price))
	}
	return v.T("continue")
}

// submit returns the text of the button that cancels.
func (v CancelPage) submit() string {
	if v.Fee != nil {
		return v.T("deposit_cancel_submit", "Fee", v.Money(*v.Fee))
	}
	return v.T("cancel_submit")
}

// wrongs returns the fields of the form, for the list of what is wrong with it.
func (v CancelPage) wrongs() []Field {
	if v.Agree == nil {
		return nil
	}
	return []Field{*v.Agree}
}
