package shop

import (
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
		Submit: c.T("dash_save_changes"), Basics: c.typeBasics(e), Tabs: c.typeTabs(e, typed), Picture: c.typePicture(e, typed)}
	if e.ID == 0 {
		v.Title, v.Action, v.Submit = c.T("dash_type_new"), dash.NewTypePath, c.T("dash_type_create")
	}
	v.Sections = []dash.Group{v.Basics, {Inputs: []dash.Input{v.Picture.Input}}}
	for _, t := range v.Tabs {
		v.Sections = append(v.Sections, t.Groups...)
	}
	v.Mail, v.TextsURL = c.mailPreview(v.Action), v.Action+"/texts"
	v.Problem = c.Fill(v.Sections, typed, c.numbered(wrong, typed))
	v.Picture.Input = v.Sections[1].Inputs[0]
	c.sayLength(&v, e, typed)
	focusFirst(v.Sections)
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
		path := "/" + c.Setup.Workspace.Slug + "/" + e.Slug
		v.InviteURL = dash.InvitationsPath + "?type=" + e.ID.String()
		if !e.Hidden {
			v.Link, v.PreviewURL = c.Subjects.BaseURL()+path, path
			if c.May(app.MayManageWorkspace) {
				v.EmbedURL = dash.EmbedPath + "?service=" + url.QueryEscape(e.Slug)
			}
		}
	}
	return c.Show(web.RefusedStatus(wrong), dash.TypeForm(v))
}

// typeTabs are what a service has beside its name, its length and its price. Each field stands in one of them.
func (c call) typeTabs(e *catalog.EventType, typed url.Values) []dash.FormTab {
	return slices.Concat([]dash.FormTab{
		{ID: "details", Title: c.T("service_details"), Groups: []dash.Group{c.typeDetails(e)}},
		{ID: "times", Title: c.T("service_times"), Groups: []dash.Group{c.typeTimes(e)}},
		{ID: "parts", Title: c.T("parts_title"), Groups: []dash.Group{c.typeParts(e, typed)}},
		{ID: "people", Title: c.T("service_people"), Groups: slices.Concat([]dash.Group{c.typeWho(e)}, c.typeTogether(e),
			c.typeNeeds(e, typed), []dash.Group{c.typeWhere(e)})},
		{ID: "addons", Title: c.T("choice_addons"), Groups: []dash.Group{c.typeAddOns()}},
		{ID: "asks", Title: c.T("dash_questions"), Groups: []dash.Group{c.typeAsks(e)}},
		{ID: "payment", Title: c.T("service_payment"), Groups: []dash.Group{c.typeMoney(e)}},
		{ID: "mails", Title: c.T("service_mails"), Groups: []dash.Group{c.typeReminders(e), c.typeWords(e, typed)}},
	}, c.typeTexts(e, typed), []dash.FormTab{
		{ID: "limits", Title: c.T("service_limits"), Groups: append([]dash.Group{c.typeLimits(e)}, c.typeRequires(e)...)},
	})
}

// sayLength says beside the minutes how long that is. Where it has parts, their sum stands there.
func (c call) sayLength(v *dash.TypePage, e *catalog.EventType, typed url.Values) {
	minutes, parts := e.DurationMinutes, len(e.Parts) > 0
	if typed != nil {
		r := web.Reader{Form: typed}
		minutes, parts = r.Minutes("durationMinutes"), len(c.typedParts(typed)) > 0
	}
	for i := range v.Basics.Inputs {
		in := &v.Basics.Inputs[i]
		if in.Name != "durationMinutes" {
			continue
		}
		if minutes > 0 {
			in.Beside = c.Length(minutes)
		}
		if parts {
			in.Fixed, in.Hint = true, c.T("service_parts_sum", "Tab", c.T("parts_title"))
		}
	}
}

// focusFirst gives the focus to the first field that is wrong.
func focusFirst(groups []dash.Group) {
	if len(dash.Wrong(groups)) == 0 {
		return
	}
	found := false
	for _, g := range groups {
		for i := range g.Inputs {
			in := &g.Inputs[i]
			in.Focus = in.Error != "" && !found
			found = found || in.Focus
		}
	}
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
		if e.Field == "eventType.location" { // it stands in the field for the place
			told[i] = fault.Invalid("where.text", "%s", c.Sentence(e))
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

// typeBasics are the three fields of a service.
func (c call) typeBasics(e *catalog.EventType) dash.Group {
	return dash.Group{Inputs: []dash.Input{
		{Name: "title", Label: c.T("dash_name"), Required: true, Value: e.Title, Focus: e.ID == 0},
		{Name: "durationMinutes", Label: c.T("dash_how_long"), Kind: "number", Value: strconv.Itoa(e.DurationMinutes),
			Suffix: c.T("service_minutes"), Half: true, Min: "1", Required: true},
		{Name: "price", Label: c.T("dash_price"), Value: web.AmountText(e.Price), Suffix: c.currencyOf(e), Half: true,
			Decimal: true, Placeholder: c.T("dash_free")},
	}}
}

// typeDetails returns what the service's page has besides.
func (c call) typeDetails(e *catalog.EventType) dash.Group {
	return dash.Group{ID: "what", Inputs: []dash.Input{
		{Name: "description", Label: c.T("dash_description"), Kind: "area", Value: e.Description},
		{Name: "category", Label: c.T("form_category"), Value: e.Category, Hint: c.T("form_category_hint"),
			Options: c.categories()},
		c.colorInput(e),
		{Name: "hidden", Label: c.T("invitation_hidden_label"), Kind: "check", Checked: e.Hidden,
			Hint: c.T("invitation_hidden_hint")},
		{Name: "slug", Label: c.T("service_slug"), Value: e.Slug, Prefix: "/" + c.Setup.Workspace.Slug + "/",
			Hint: c.T("service_slug_hint")},
		{Name: "redirectUrl", Kind: "url", Label: c.T("words_redirect"), Value: e.RedirectURL,
			Placeholder: "https://www.example.com/thanks", Hint: c.T("words_redirect_hint")},
	}}
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
	return dash.Group{ID: "who", Inputs: []dash.Input{in}}
}

func (c call) typeMoney(e *catalog.EventType) dash.Group {
	currency := c.currencyOf(e)
	hint := ""
	if !c.Subjects.Payment.TakesCards(c.Actor.Workspace) {
		hint = c.T("dash_type_stripe")
	}
	return dash.Group{ID: "price", Hint: hint, Inputs: []dash.Input{
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
		{Name: "seriesPayment", Label: c.T("series_pay"), Kind: "select", Value: string(e.SeriesPayment), Hint: c.T("series_pay_hint"),
			Options: []dash.Option{{Value: string(catalog.SeriesPayFirst), Label: c.T("series_pay_first")},
				{Value: string(catalog.SeriesPayEach), Label: c.T("series_pay_each")},
				{Value: string(catalog.SeriesPayAll), Label: c.T("series_pay_all")}}},
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
	step := web.SpanInput("slotStepMinutes", c.T("dash_type_step"), c.stepHint(e), e.SlotStepMinutes)
	step.Required, step.Placeholder = false, c.T("service_step_length")
	if e.SlotStepMinutes == 0 || e.SlotStepMinutes == e.DurationMinutes {
		step.Value, step.Unit = "", dash.Minutes
	}
	return dash.Group{ID: "when", Inputs: []dash.Input{
		step,
		web.SpanInput("bufferBeforeMinutes", c.T("dash_type_before"), "", e.BufferBeforeMinutes),
		web.SpanInput("bufferAfterMinutes", c.T("dash_type_after"), c.T("form_type_after_hint"), e.BufferAfterMinutes),
		web.SpanInput("minimumNoticeMinutes", c.T("form_type_notice"), "", e.MinimumNoticeMinutes),
		{Name: "bookingWindowDays", Label: c.T("form_type_window"), Kind: "number",
			Value: strconv.Itoa(e.BookingWindowDays), Suffix: c.T("form_days"), Half: true, Min: "1", Required: true},
		web.SpanInput("cancellationNoticeMinutes", c.T("form_type_cancel"), c.T("form_type_cancel_hint"),
			e.CancellationNoticeMinutes),
		c.datesInput(e),
		{Name: "waitlist", Label: c.T("waits_mode"), Kind: "select", Value: string(e.Waitlist), Hint: c.T("waits_mode_hint"),
			Options: []dash.Option{{Value: string(catalog.WaitlistOffer), Label: c.T("waits_mode_offer")},
				{Value: string(catalog.WaitlistTell), Label: c.T("waits_mode_tell")}}},
	}}
}

// typeAsks returns what the booking page asks for; the form has the questions after its inputs.
func (c call) typeAsks(e *catalog.EventType) dash.Group {
	return dash.Group{ID: "questions", Hint: c.T("form_questions_hint"), Inputs: []dash.Input{
		{Name: "asksFor", Label: c.T("contact_asks"), Kind: "select", Value: string(e.AsksFor),
			Hint: c.T("contact_asks_hint"),
			Options: []dash.Option{{Value: "email", Label: c.T("contact_asks_email")},
				{Value: "phone", Label: c.T("contact_asks_phone")}, {Value: "either", Label: c.T("contact_asks_either")},
				{Value: "both", Label: c.T("contact_asks_both")}}},
		{Name: "questions", Label: c.T("dash_questions"), Kind: "questions"},
	}}
}

func (c call) typeReminders(e *catalog.EventType) dash.Group {
	return dash.Group{ID: "reminders", Inputs: []dash.Input{c.reminderInput(e),
		{Name: "asksComing", Label: c.T("coming_type"), Kind: "check", Checked: e.AsksComing, Hint: c.T("coming_type_hint")}}}
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
	e.Title, e.Slug, e.Description = form.Get("title"), strings.TrimSpace(form.Get("slug")), form.Get("description")
	if e.Slug == "" {
		e.Slug = c.Setup.FreeSlug(e.Title)
	}
	if form.Has("location") { // an older page has it
		e.Location = form.Get("location")
	}
	e.Color = catalog.Color(form.Get("color"))
	if form.Has("category") { // an older page has none
		e.Category = form.Get("category")
	}
	e.RequiresApproval, e.Hidden, e.DuringWait = form.Has("requiresApproval"), form.Has("hidden"), form.Has("duringWait")
	e.AsksComing = form.Has("asksComing")
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
	if form.Has("seriesPayment") {
		e.SeriesPayment = catalog.SeriesPayment(form.Get("seriesPayment"))
	}
	if form.Has("waitlist") {
		e.Waitlist = catalog.WaitlistMode(form.Get("waitlist"))
	}
	if form.Has("seriesUpTo") { // an older page has none
		e.SeriesUpTo = r.Whole("seriesUpTo")
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
	c.readRequires(&r, e)
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

// saveType saves what was typed, with the picture that was chosen. What is refused comes back with all of it: of what is
// wrong, the picture's fault is told, too, and a picture that was taken stays chosen.
func (c call) saveType(e catalog.EventType) error {
	form, file, err := c.PostedFile()
	if err != nil {
		return err
	}
	isNew, old := e.ID == 0, e
	unread := c.readType(form, &e)
	readPicture(form, &e.Picture)
	taken := c.takePicture(form, file, &e.Picture)
	if err = fault.Join(taken, unread, e.Problems()); unread == nil && taken == nil {
		e, err = c.Subjects.Shop.SaveEventType(c.Context(), c.Actor, e)
	}
	if wrong := refused(err); wrong != nil {
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
