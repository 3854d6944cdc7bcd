package catalog

import (
	"net/url"
	"reflect"
	"slices"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
)

// Check normalises the event type. at names its place in the input, for errors. Errors: bad_request.
func (e *EventType) Check(at string) error {
	var p fault.Problems
	var err error
	p.Add(e.checkTexts(at))
	p.Add(checkSlug(at+".slug", e.Slug))
	p.Add(e.checkParts(at))
	if e.SlotStepMinutes == 0 {
		e.SlotStepMinutes = e.DurationMinutes
	}
	p.Add(e.checkNumbers(at))
	e.ReminderMinutes, err = CheckReminders(at+".reminderMinutes", e.ReminderMinutes)
	p.Add(err)
	if e.Color != "" && !slices.Contains(Colors, e.Color) {
		p.Add(fault.Invalid(at+".color", "must be green, purple, orange, blue, pink, olive, teal or brown"))
	}
	p.Add(CheckMailKinds(at+".mailsOff", e.MailsOff))
	p.Add(CheckTextKinds(at+".textsOff", e.TextsOff))
	p.Add(CheckTextWords(at+".textWords", e.TextWords))
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
	p.Add(CheckQuestions(at+".questions", e.Questions))
	e.Dates, err = CheckDates(at+".dates", e.Dates)
	p.Add(err)
	p.Add(e.extras().Check(at, e.Seats > 1, e.checkExtra))
	p.Add(CheckMailWords(at+".words", e.Words))
	p.Add(checkRedirect(at+".redirectUrl", e.RedirectURL))
	e.Where, err = e.Where.Check(at + ".where")
	p.Add(err)
	p.Add(e.Limits.Check(at + ".limits"))
	return p.Err()
}

// Problems returns a bad_request for the event type's own fields, or nil. SaveEventType returns the same error.
func (e EventType) Problems() error {
	// Check must not trim the caller's texts.
	e.Questions, e.AddOns, e.AddOnGroups, e.Words, e.TextWords = slices.Clone(e.Questions), slices.Clone(e.AddOns),
		slices.Clone(e.AddOnGroups), slices.Clone(e.Words), slices.Clone(e.TextWords)
	return e.Check("eventType")
}

func (e *EventType) checkMoney(at string) (err error) {
	if e.Price, err = money.CheckMoney(at+".price", e.Price); err != nil {
		return err
	}
	if e.NoShowFee, err = money.CheckMoney(at+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if err := money.CheckChargeable(at+".noShowFee", e.NoShowFee); err != nil {
		return err
	}
	if e.Price != nil && e.NoShowFee != nil && e.Price.Currency != e.NoShowFee.Currency {
		return fault.Invalid(at+".noShowFee.currency", "must be the price's currency, %s", e.Price.Currency)
	}
	if e.TaxRate != nil {
		if err := e.TaxRate.Check(at + ".taxRate"); err != nil {
			return err
		}
	}
	if !slices.Contains(refundRules, e.RefundOnCancel) {
		return fault.Invalid(at+".refundOnCancel", "must be always, within_notice or never")
	}
	if e.Payment != PayOnSite && e.Payment != PayOnline {
		return fault.Invalid(at+".payment", "must be online or on_site")
	}
	if e.SeriesPayment == "" {
		e.SeriesPayment = SeriesPayFirst
	}
	if !slices.Contains(SeriesPayments, e.SeriesPayment) {
		return fault.Invalid(at+".seriesPayment", "must be first, all or each")
	}
	if e.Waitlist == "" {
		e.Waitlist = WaitlistOffer
	}
	if e.Waitlist != WaitlistOffer && e.Waitlist != WaitlistTell {
		return fault.Invalid(at+".waitlist", "must be offer or tell")
	}
	if err := e.checkDeposit(at + ".deposit"); err != nil {
		return err
	}
	if err := e.checkLateFee(at + ".lateCancellationFee"); err != nil {
		return err
	}
	if e.Payment == PayOnline {
		return money.CheckChargeable(at+".price", e.Price)
	}
	return nil
}

// checkTexts normalises the texts that have bounds. One that is refused is empty afterwards.
func (e *EventType) checkTexts(at string) error {
	var p fault.Problems
	for _, f := range EventTypeFields.Fields {
		value := field.In(e, f.Name)
		if f.Most == 0 || value.Kind() != reflect.String {
			continue
		}
		text, err := value.String(), error(nil)
		if f.Lines {
			text, err = fault.CheckText(at+"."+f.Name, text, f.Most)
		} else {
			text, err = fault.CheckLine(at+"."+f.Name, text, f.Least, f.Most)
		}
		value.SetString(text)
		p.Add(err)
	}
	return p.Err()
}

// checkRedirect refuses what is no https address. Whether its host is allowed is up to the workspace.
func checkRedirect(at, text string) error {
	u, err := url.Parse(text)
	if text == "" || err == nil && u.Scheme == "https" && hostForm.MatchString(u.Host) && u.User == nil {
		return nil
	}
	return fault.Invalid(at, "must be an https:// address")
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
