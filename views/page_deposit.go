package views

// payPartsText is "€10 now, €35 on site", and once that is paid "€10 paid online, €35 on site".
func payPartsText(l *Locale, e Event) string {
	switch {
	case e.Paid != nil && e.Rest != nil && !e.Settled:
		return l.T("deposit_paid_parts", "Now", l.Money(*e.Paid), "Rest", l.Money(*e.Rest))
	case e.Paid != nil:
		return l.T("deposit_paid", "Amount", l.Money(*e.Paid))
	case e.From: // the amounts depend on the person
		return l.T("deposit_part")
	case e.Rest == nil:
		return l.T("deposit_all", "Now", l.Money(*e.Deposit))
	}
	return l.T("deposit_parts", "Now", l.Money(*e.Deposit), "Rest", l.Money(*e.Rest))
}

// usedText is "€20 with a pass or voucher, €25 on site".
func usedText(l *Locale, e Event) string {
	if e.UsedRest != nil {
		return l.T("voucher_used_rest", "Amount", l.Money(*e.Used), "Rest", l.Money(*e.UsedRest))
	}
	return l.T("voucher_used", "Amount", l.Money(*e.Used))
}

// paidWhole reports whether just the price was paid online, so that it is said once.
func (e Event) paidWhole() bool {
	return e.Price != nil && e.Paid != nil && *e.Paid == *e.Price && e.Rest == nil && !e.From && !e.Settled
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
	case v.PayAhead != nil:
		return v.T("series_pay_ahead", "Amount", v.Money(*v.PayAhead))
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
	if len(v.Scopes) > 0 { // the script says what the picked one cancels
		return v.T("series_cancel_chosen")
	}
	return v.submitOne()
}

// submitOne returns it for this booking alone.
func (v CancelPage) submitOne() string {
	if v.Fee != nil {
		return v.T("deposit_cancel_submit", "Fee", v.Money(*v.Fee))
	}
	return v.T("cancel_submit")
}

// submitAll returns the text of the button that cancels all of the visit.
func (v CancelPage) submitAll() string {
	if len(v.Scopes) > 0 {
		return v.T("series_cancel_chosen")
	}
	return v.T("visit_cancel_all")
}

// wrongs returns the fields of the form, for the list of what is wrong with it.
func (v CancelPage) wrongs() []Field {
	if v.Agree == nil {
		return nil
	}
	return []Field{*v.Agree}
}
