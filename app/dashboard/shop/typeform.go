package shop

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) newTypeForm() error {
	e := catalog.NewEventType()
	e.DurationMinutes = 30
	for i := range c.Setup.Hosts {
		if c.Setup.Hosts[i].Active {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: c.Setup.Hosts[i].ID})
		}
	}
	return c.showType(&e, nil, nil)
}

func (c call) typeForm() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	return c.showType(e, nil, nil)
}

// showType is the form with the event type, or with what was typed and what is wrong with it.
func (c call) showType(e *catalog.EventType, typed url.Values, wrong *fault.Error) error {
	v := dash.TypePage{Frame: c.Frame(e.Title, "types"), Action: dash.TypePath(e.ID.String()),
		Submit: c.T("dash_save_changes")}
	if e.ID == 0 {
		v.Title, v.Action, v.Submit = c.T("dash_type_new"), dash.NewTypePath, c.T("dash_type_create")
	}
	v.Sections = slices.Concat([]dash.Group{c.typeBasics(e), c.typeParts(e, typed), c.typeWhere(e), c.typeWho(e)}, c.typeTogether(e), c.typeNeeds(e, typed), []dash.Group{c.typeMoney(e), c.typeTimes(e),
		c.typeLimits(e), c.typeAddOns(), c.typeAsks(), c.typeReminders(e), c.typeWords(e, typed), c.typeOnward(e)})
	v.Mail = c.mailPreview(v.Action)
	v.Problem = c.Fill(v.Sections, typed, c.numbered(wrong, typed))
	c.addOnRows(&v, e, typed)
	questions := e.Questions
	if typed != nil {
		questions = readQuestions(typed)
	}
	for _, q := range questions {
		v.Questions = append(v.Questions,
			dash.QuestionInput{Key: q.Key, Label: q.Label, Type: q.Type, Options: strings.Join(q.Options, "\n"),
				Required: q.Required})
	}
	v.Questions = append(v.Questions, dash.QuestionInput{Type: "text"})
	if c.Preview != nil {
		v.FrameURL = dash.TypePreviewPath(strings.TrimPrefix(v.Action, dash.TypesPath+"/"))
	}
	if e.ID != 0 {
		v.Picture = c.PictureCard(c.T("picture_of_type"), e.Title, dash.TypePath(e.ID.String())+"/picture", e.Picture)
		path := "/" + c.Setup.Workspace.Slug + "/" + e.Slug
		v.InviteURL = dash.InvitationsPath + "?type=" + e.ID.String()
		if e.Hidden {
			return c.Show(web.RefusedStatus(wrong), dash.TypeForm(v))
		}
		v.Link, v.PreviewURL = c.Subjects.BaseURL()+path, path
		if c.May(app.MayManageWorkspace) {
			v.EmbedURL = dash.EmbedPath + "?service=" + url.QueryEscape(e.Slug)
		}
	}
	v.Problem = cmp.Or(v.Problem, c.PictureProblem())
	return c.Show(web.RefusedStatus(cmp.Or(wrong, c.PictureWrong)), dash.TypeForm(v))
}

var questionAt = regexp.MustCompile(`questions\[(\d+)\]`)

// numbered says in the errors of questions which one is meant, because the form shows them in one place.
func (c call) numbered(wrong *fault.Error, typed url.Values) *fault.Error {
	all := web.Parts(wrong)
	if len(all) == 0 {
		return nil
	}
	told := make([]error, len(all))
	for i, e := range all {
		told[i] = atRow(e, typed)
		if at := questionAt.FindStringSubmatch(e.Field); at != nil {
			n, _ := strconv.Atoi(at[1]) // the pattern matches digits only
			told[i] = fault.Invalid("questions", "%s", c.T("dash_question_wrong", "Number", n+1, "Why", c.Sentence(e)))
		}
		if e.Field == "eventType.parts" { // the part that is missing
			told[i] = fault.Invalid(partName(len(c.typedParts(typed))), "%s", c.Sentence(e))
		}
		if strings.HasPrefix(e.Field, "eventType.dates[") {
			told[i] = fault.Invalid("dates", "%s", c.Sentence(e))
		}
		if at := addOnAt.FindStringSubmatch(e.Field); at != nil {
			why := c.Sentence(e)
			if strings.HasSuffix(e.Field, ".part") {
				why = c.T("parts_fault_which")
			}
			told[i] = fault.Invalid("addOns", "%s", why)
			if n, err := strconv.Atoi(at[1]); err == nil {
				told[i] = fault.Invalid("addOns", "%s",
					c.Locale.Labelled(c.T("choice_addon_number", "Number", n+1), why))
			}
		}
	}
	return fault.As(fault.Join(told...))
}

func (c call) typeBasics(e *catalog.EventType) dash.Group {
	g := dash.Group{ID: "what", Title: c.T("dash_type_what"), Inputs: []dash.Input{
		{Name: "title", Label: c.T("dash_name"), Required: true, Value: e.Title, Data: "slug-from", Focus: e.ID == 0},
		{Name: "slug", Label: c.T("dash_address"), Required: true, Value: e.Slug, Prefix: "/" +
			c.Setup.Workspace.Slug + "/",
			Data: "slug"},
		{Name: "category", Label: c.T("form_category"), Value: e.Category, Hint: c.T("form_category_hint"),
			Options: c.categories()},
		{Name: "description", Label: c.T("dash_description"), Kind: "area", Value: e.Description},
		web.SpanInput("durationMinutes", c.T("dash_how_long"), "", e.DurationMinutes),
		{Name: "location", Label: c.T("dash_where"), Value: e.Location, Half: true,
			Placeholder: c.T("dash_type_where")},
		c.colorInput(e),
	}}
	if e.DuringWait || c.othersWait(e) {
		g.Inputs = append(g.Inputs, dash.Input{Name: "duringWait", Label: c.T("parts_during"), Kind: "check", Checked: e.DuringWait,
			Hint: c.T("parts_during_hint")})
	}
	return g
}

// categories returns those of the other event types, to choose from.
func (c call) categories() (all []dash.Option) {
	for _, e := range c.Setup.EventTypes {
		if o := (dash.Option{Value: e.Category}); e.Category != "" && !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}

// colorNames are the keys of the colours' names.
var colorNames = map[catalog.Color]string{
	"green": "form_green", "purple": "form_purple", "orange": "form_orange", "blue": "form_blue", "pink": "form_pink",
	"olive": "form_olive", "teal": "form_teal", "brown": "form_brown",
}

// colorInput offers the colours of the calendar, and to leave it to the calendar.
func (c call) colorInput(e *catalog.EventType) dash.Input {
	in := dash.Input{Name: "color", Label: c.T("form_color"), Kind: "colors", Value: string(e.Color),
		Options: []dash.Option{{Value: "", Label: c.T("form_color_any")}}}
	for _, color := range catalog.Colors {
		in.Options = append(in.Options, dash.Option{Value: string(color), Label: c.T(colorNames[color])})
	}
	return in
}

func (c call) typeWho(e *catalog.EventType) dash.Group {
	in := dash.Input{Name: "hosts", Label: c.T("dash_type_who_does"), Kind: "checks", Options: c.HostOptions(),
		Hint: c.differing(e)}
	for _, h := range e.Hosts {
		in.Values = append(in.Values, h.ID.String())
	}
	return dash.Group{ID: "who", Title: c.T("dash_type_who"), Inputs: []dash.Input{in,
		{Name: "seats", Label: c.T("dash_seats"), Kind: "number", Value: strconv.Itoa(e.Seats), Half: true,
			Min: "1", Required: true,
			Hint: c.T("dash_seats_hint")},
		{Name: "asksFor", Label: c.T("contact_asks"), Kind: "select", Value: string(e.AsksFor), Half: true,
			Hint: c.T("contact_asks_hint"),
			Options: []dash.Option{{Value: "email", Label: c.T("contact_asks_email")},
				{Value: "phone", Label: c.T("contact_asks_phone")}, {Value: "either", Label: c.T("contact_asks_either")},
				{Value: "both", Label: c.T("contact_asks_both")}}},
		{Name: "requiresApproval", Label: c.T("dash_approve_each"), Kind: "check",
			Checked: e.RequiresApproval},
		{Name: "hidden", Label: c.T("invitation_hidden_label"), Kind: "check", Checked: e.Hidden,
			Hint: c.T("invitation_hidden_hint")},
	}}
}

func (c call) typeMoney(e *catalog.EventType) dash.Group {
	currency := c.currencyOf(e)
	hint := ""
	if !c.Subjects.Payment.TakesCards(c.Actor.Workspace) {
		hint = c.T("dash_type_stripe")
	}
	return dash.Group{ID: "price", Title: c.T("dash_price"), Hint: hint, Inputs: []dash.Input{
		{Name: "price", Label: c.T("dash_price"), Value: web.AmountText(e.Price), Suffix: currency, Half: true,
			Placeholder: c.T("dash_free")},
		{Name: "payment", Label: c.T("dash_type_paid"), Kind: "select", Value: string(e.Payment), Half: true,
			Options: []dash.Option{{Value: "on_site", Label: c.T("dash_type_on_site")}, {Value: "online",
				Label: c.T("dash_type_online")}}},
		{Name: "noShowFee", Label: c.T("dash_pay_fee"), Value: web.AmountText(e.NoShowFee), Suffix: currency,
			Half:        true,
			Placeholder: c.T("dash_none")},
		c.depositInput(e), c.depositUnit(e), c.lateFeeInput(e),
		{Name: "refundOnCancel", Label: c.T("dash_type_refund"), Kind: "select",
			Value: string(e.RefundOnCancel), Half: true,
			Options: []dash.Option{{Value: "within_notice", Label: c.T("dash_type_refund_notice")},
				{Value: "always", Label: c.T("dash_type_refund_always")},
				{Value: "never", Label: c.T("dash_type_refund_never")}}},
		c.taxRate(e),
	}}
}

// taxRate returns the tax of an event type whose rate is not the workspace's.
func (c call) taxRate(e *catalog.EventType) dash.Input {
	in := dash.Input{Name: "taxRate", Label: c.T("till_tax_rate"), Suffix: "%", Half: true, Decimal: true}
	if tax := c.Setup.Workspace.Tax; tax != nil {
		in.Hint = c.T("till_tax_rate_type", "Rate", c.RateText(tax.Rate))
	}
	if e.TaxRate != nil {
		in.Value = c.RateText(*e.TaxRate)
	}
	return in
}

func (c call) currencyOf(e *catalog.EventType) string {
	if e.Price != nil {
		return e.Price.Currency
	}
	return c.Setup.Workspace.Currency
}

// stepHint says how much of a full day the step leaves unused.
func (c call) stepHint(e *catalog.EventType) string {
	w, found := e.StepWaste()
	switch {
	case !found:
		return ""
	case w.BetterIdle > 0:
		return c.T("dash_type_step_hint_less", "Step", w.Step, "Idle", w.Idle, "Taken", w.Taken, "Better", w.Better,
			"Left", w.BetterIdle)
	default:
		return c.T("dash_type_step_hint", "Step", w.Step, "Idle", w.Idle, "Taken", w.Taken, "Better", w.Better)
	}
}

// typeTimes returns the rules for when it can be booked, moved and cancelled.
func (c call) typeTimes(e *catalog.EventType) dash.Group {
	step := e.SlotStepMinutes
	if step == 0 {
		step = e.DurationMinutes
	}
	most := dash.Input{Name: "maxPerDay", Label: c.T("dash_type_most"), Kind: "number",
		Suffix: c.T("dash_type_per_host"), Placeholder: c.T("form_no_limit"), Half: true, Min: "0"}
	if e.MaxPerDay > 0 {
		most.Value = strconv.Itoa(e.MaxPerDay)
	}
	return dash.Group{ID: "times", Title: c.T("form_type_times"), Inputs: []dash.Input{
		web.SpanInput("slotStepMinutes", c.T("dash_type_step"), c.stepHint(e), step),
		most,
		web.SpanInput("bufferBeforeMinutes", c.T("dash_type_before"), "", e.BufferBeforeMinutes),
		web.SpanInput("bufferAfterMinutes", c.T("dash_type_after"), c.T("form_type_after_hint"), e.BufferAfterMinutes),
		web.SpanInput("minimumNoticeMinutes", c.T("form_type_notice"), "", e.MinimumNoticeMinutes),
		{Name: "bookingWindowDays", Label: c.T("form_type_window"), Kind: "number",
			Value: strconv.Itoa(e.BookingWindowDays), Suffix: c.T("form_days"), Half: true, Min: "1", Required: true},
		web.SpanInput("cancellationNoticeMinutes", c.T("form_type_cancel"), c.T("form_type_cancel_hint"),
			e.CancellationNoticeMinutes),
		c.datesInput(e),
	}}
}

// typeAsks returns what the booking page asks for; the form has the questions after its inputs.
func (c call) typeAsks() dash.Group {
	return dash.Group{ID: "asks", Title: c.T("dash_questions"), Hint: c.T("form_questions_hint"), Inputs: []dash.Input{
		{Name: "questions", Label: c.T("dash_questions"), Kind: "questions"},
	}}
}

func (c call) typeReminders(e *catalog.EventType) dash.Group {
	return dash.Group{ID: "mails", Title: c.T("form_type_mails"), Inputs: []dash.Input{c.reminderInput(e)}}
}

// reminderInput offers the usual times before the start, and those that are already set.
func (c call) reminderInput(e *catalog.EventType) dash.Input {
	in := dash.Input{Name: "reminderMinutes", Label: c.T("dash_type_remind"), Kind: "checks"}
	offer := []int{2 * 24 * 60, 24 * 60, 3 * 60, 60, 30}
	for _, m := range e.ReminderMinutes {
		in.Values = append(in.Values, strconv.Itoa(m))
		if !slices.Contains(offer, m) {
			offer = append(offer, m)
		}
	}
	slices.SortFunc(offer, func(a, b int) int { return b - a })
	for _, m := range offer {
		label := c.T("dash_minutes_before_count", "Count", m)
		if m >= 24*60 && m%(24*60) == 0 {
			label = c.T("dash_days_before_count", "Count", m/24/60)
		} else if m >= 60 && m%60 == 0 {
			label = c.T("dash_hours_before_count", "Count", m/60)
		}
		in.Options = append(in.Options, dash.Option{Value: strconv.Itoa(m), Label: label})
	}
	return in
}

func (c call) newType() error { return c.saveType(catalog.NewEventType()) }

func (c call) changeType() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	return c.saveType(*e)
}

// readType reads the form into the event type; the error has what can't be read.
func (c call) readType(form url.Values, e *catalog.EventType) error {
	r := web.Reader{Form: form, Currency: c.currencyOf(e)}
	e.Title, e.Slug, e.Description, e.Location = form.Get("title"), form.Get("slug"), form.Get("description"),
		form.Get("location")
	e.Color = catalog.Color(form.Get("color"))
	if form.Has("category") { // an older page has none
		e.Category = form.Get("category")
	}
	e.RequiresApproval, e.Hidden, e.DuringWait = form.Has("requiresApproval"), form.Has("hidden"), form.Has("duringWait")
	if asks := form.Get("asksFor"); asks != "" {
		e.AsksFor = catalog.Asks(asks)
	}
	e.RefundOnCancel, e.Payment = catalog.RefundRule(form.Get("refundOnCancel")),
		catalog.PaymentMethod(form.Get("payment"))
	for name, to := range map[string]*int{
		"durationMinutes": &e.DurationMinutes, "slotStepMinutes": &e.SlotStepMinutes,
		"bufferBeforeMinutes": &e.BufferBeforeMinutes, "bufferAfterMinutes": &e.BufferAfterMinutes,
		"minimumNoticeMinutes": &e.MinimumNoticeMinutes, "cancellationNoticeMinutes": &e.CancellationNoticeMinutes,
	} {
		*to = r.Minutes(name)
	}
	for name, to := range map[string]*int{
		"bookingWindowDays": &e.BookingWindowDays, "maxPerDay": &e.MaxPerDay, "seats": &e.Seats,
	} {
		*to = r.Whole(name)
	}
	for _, l := range limitInputs {
		if form.Has(l.name) { // an older page has none of them
			*l.of(&e.Limits) = r.Whole(l.name)
		}
	}
	e.Price, e.NoShowFee, e.TaxRate = r.Money("price"), r.Money("noShowFee"), r.Rate("taxRate")
	e.Deposit, e.LateCancellationFee = readDeposit(&r), r.Money("lateCancellationFee")
	e.Hosts = nil
	for _, ref := range form["hosts"] {
		if h, err := c.Subjects.Shop.Host(c.Actor, ref); err == nil {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID, Name: h.Name})
		}
	}
	readNeeds(form, e)
	readTogether(form, e)
	readTypeParts(&r, e)
	readAddOns(form, e, &r)
	readOwn(&r, e)
	e.Dates = readDates(form)
	e.Questions = readQuestions(form)
	e.ReminderMinutes = []int{}
	for _, text := range form["reminderMinutes"] {
		if m, err := strconv.Atoi(text); err == nil {
			e.ReminderMinutes = append(e.ReminderMinutes, m)
		}
	}
	return r.Err
}

func (c call) previewNewType() error { return c.previewType(catalog.NewEventType()) }

func (c call) previewChangedType() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	return c.previewType(*e)
}

// draft reads the form for a preview, into e. A name and an address are not asked for yet.
func (c call) draft(e *catalog.EventType) (url.Values, error) {
	form, err := c.Posted()
	if err != nil {
		return nil, err
	}
	err = c.readType(form, e)
	e.Slug = "preview"
	if strings.TrimSpace(e.Title) == "" {
		e.Title = c.T("dash_type_new")
	}
	return form, fault.Join(err, e.Problems())
}

// previewType shows the booking page of what is typed.
func (c call) previewType(e catalog.EventType) error {
	if _, err := c.draft(&e); err != nil {
		return c.ShowPreview(nil, "", fault.As(err))
	}
	e.Active = true
	draft := *c.Setup
	draft.EventTypes = []catalog.EventType{e}
	draft.EventTypes[0].Link(&draft)
	return c.ShowPreview(&draft, e.Slug, nil)
}

func (c call) saveType(e catalog.EventType) error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	isNew, old := e.ID == 0, e
	unread := c.readType(form, &e)
	if err = fault.Join(unread, e.Problems()); unread == nil {
		e, err = c.Subjects.Shop.SaveEventType(c.Context(), c.Actor, e)
	}
	if wrong := web.Refused(err); wrong != nil {
		return c.showType(&old, form, wrong)
	}
	if err != nil {
		return err
	}
	if c.Setup.CantCharge(&e) != "" {
		return c.Redirect(dash.TypePath(e.ID.String()), "saved-not-charged")
	}
	if isNew {
		return c.Redirect(dash.TypePath(e.ID.String()), "created")
	}
	return c.Redirect(dash.TypePath(e.ID.String()), "saved")
}

var notKey = regexp.MustCompile(`[^a-z0-9]+`)

// readQuestions reads the questions of the form: those with a text, in their order. A question without a key gets one
// made from its text, and keeps it when the text changes later.
func readQuestions(form url.Values) []catalog.Question {
	all := []catalog.Question{}
	used := map[string]bool{}
	for i := range 40 {
		at := fmt.Sprintf("q%d.", i)
		label := strings.TrimSpace(form.Get(at + "label"))
		if label == "" {
			continue
		}
		q := catalog.Question{Key: form.Get(at + "key"), Label: label, Type: form.Get(at + "type"),
			Required: form.Has(at + "required")}
		if q.Type == "choice" {
			for line := range strings.Lines(form.Get(at + "options")) {
				if line = strings.TrimSpace(line); line != "" {
					q.Options = append(q.Options, line)
				}
			}
		}
		if !slices.Contains(catalog.QuestionTypes, q.Type) {
			q.Type = "text"
		}
		if q.Key == "" {
			q.Key = strings.Trim(notKey.ReplaceAllString(strings.ToLower(label), "_"), "_")
			q.Key = strings.Trim(q.Key[:min(len(q.Key), 30)], "_")
			if q.Key == "" {
				q.Key = "question"
			}
		}
		for base, n := q.Key, 2; used[q.Key]; n++ {
			q.Key = fmt.Sprintf("%s_%d", base, n)
		}
		used[q.Key] = true
		all = append(all, q)
	}
	return all
}
