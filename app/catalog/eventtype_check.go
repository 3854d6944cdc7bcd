package catalog

import (
	"slices"

	"daybook/app/fault"
	"daybook/app/field"
)

// Check normalises the event type and returns bad_request for what is wrong with it; at is its place in the input.
func (e *EventType) Check(at string) error {
	var p fault.Problems
	var err error
	line := func(name, text string) string {
		f := EventTypeFields.Field(name)
		text, err := fault.CheckLine(at+"."+name, text, f.Least, f.Most)
		p.Add(err)
		return text
	}
	e.Title = line("title", e.Title)
	p.Add(checkSlug(at+".slug", e.Slug))
	e.Description, err = fault.CheckText(at+".description", e.Description, EventTypeFields.Field("description").Most)
	p.Add(err)
	e.Location = line("location", e.Location)
	if e.SlotStepMinutes == 0 {
		e.SlotStepMinutes = e.DurationMinutes
	}
	p.Add(e.checkNumbers(at))
	e.ReminderMinutes, err = checkReminders(at+".reminderMinutes", e.ReminderMinutes)
	p.Add(err)
	if e.Color != "" && !slices.Contains(Colors, e.Color) {
		p.Add(fault.Invalid(at+".color", "must be green, purple, orange, blue, pink, olive, teal or brown"))
	}
	p.Add(checkMailKinds(at+".mailsOff", e.MailsOff))
	p.Add(e.checkMoney(at))
	if e.AsksFor == "" {
		e.AsksFor = AskEmail
	}
	if !slices.Contains(AllAsks, e.AsksFor) {
		p.Add(fault.Invalid(at+".asksFor", "must be email, phone, either or both"))
	}
	if len(e.Hosts) == 0 {
		p.Add(fault.Invalid(at+".hosts", "name at least one host"))
	}
	p.Add(checkQuestions(at+".questions", e.Questions))
	return p.Err()
}

// Problems returns the bad_request of the event type's own fields, or nil. SaveEventType returns the same one.
func (e EventType) Problems() error {
	e.Questions = slices.Clone(e.Questions) // Check must not trim the caller's texts
	return e.Check("eventType")
}

func (e *EventType) checkMoney(at string) (err error) {
	if e.Price, err = checkMoney(at+".price", e.Price); err != nil {
		return err
	}
	if e.NoShowFee, err = checkMoney(at+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if err := checkChargeable(at+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if e.Price != nil && e.NoShowFee != nil && e.Price.Currency != e.NoShowFee.Currency {
		return fault.Invalid(at+".noShowFee.currency", "must be the price's currency, %s", e.Price.Currency)
	}
	if e.TaxRate != nil {
		if err := e.TaxRate.check(at + ".taxRate"); err != nil {
			return err
		}
	}
	if !slices.Contains(refundRules, e.RefundOnCancel) {
		return fault.Invalid(at+".refundOnCancel", "must be always, within_notice or never")
	}
	if e.Payment != PayOnSite && e.Payment != PayOnline {
		return fault.Invalid(at+".payment", "must be online or on_site")
	}
	if e.Payment == PayOnline {
		return checkChargeable(at+".price", e.Price)
	}
	return nil
}

func (e *EventType) checkNumbers(at string) error {
	var p fault.Problems
	for _, f := range EventTypeFields.Fields {
		value := field.In(e, f.Name)
		if f.Most == 0 || !value.CanInt() {
			continue
		}
		n := int(value.Int())
		sameAsDuration := f.Name == "slotStepMinutes" && n == e.DurationMinutes
		if (n < f.Least || n > f.Most) && !sameAsDuration {
			p.Add(fault.Invalid(at+"."+f.Name, "must lie between %d and %d", f.Least, f.Most))
		}
	}
	return p.Err()
}
