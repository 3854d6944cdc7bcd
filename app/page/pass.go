package page

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views"
)

// passField is the code of a voucher or pass that pays for a booking.
const passField = "pass"

// passAsked asks for the code of a voucher or pass; nil where nothing is to be paid, or nobody has one.
func (c *call) passAsked(e *catalog.EventType, f form) (*views.Field, error) {
	if e.Price == nil || e.Price.Amount == 0 || c.draft != nil || f.series != nil && len(f.series.dates) > 0 && f.wrong[passField] == "" {
		return nil, nil
	}
	has, err := c.service.Pass.HasCodes(c.r.Context(), c.setup.Workspace.ID)
	if err != nil || !has {
		return nil, err
	}
	hint := c.locale.T("voucher_hint")
	if e.RefundOnCancel != catalog.RefundAlways {
		hint += " " + c.locale.T("voucher_late")
	}
	return &views.Field{Name: passField, Kind: views.Text, Label: c.locale.T("voucher_code"), Required: true, Lenient: true, Hint: hint, Value: f.values.Get(passField),
		Error: f.wrong[passField], Autocomplete: "off"}, nil
}

// noPass says why a pass doesn't pay.
func (c *call) noPass(e *fault.Error) string {
	switch e.Reason {
	case "pass_blocked", "pass_ended", "pass_empty", "pass_not_for_this", "pass_not_theirs":
		return c.locale.T("voucher_cant")
	}
	return c.locale.T("voucher_unknown")
}

// passesBack says what becomes of the vouchers and passes that paid for bookings which their invitee cancels now.
func (c *call) passesBack(all []booking.Booking) (texts []string) {
	back, lost := false, false
	for i := range all {
		b := &all[i]
		for j := range b.Payments {
			if p := &b.Payments[j]; b.Status.Live() && p.Pass != nil && p.Stays() {
				back, lost = back || c.refunds(b), lost || !c.refunds(b)
			}
		}
	}
	if back {
		texts = append(texts, c.locale.T("voucher_back"))
	}
	if lost {
		texts = append(texts, c.locale.T("voucher_lost"))
	}
	return texts
}

// refunds reports whether what was paid for a booking goes back if its invitee cancels it now.
func (c *call) refunds(b *booking.Booking) bool {
	e := c.setup.EventTypeByID(b.EventTypeID)
	return e == nil || e.RefundOnCancel == catalog.RefundAlways || e.RefundOnCancel != catalog.RefundNever && c.changeable(b)
}
