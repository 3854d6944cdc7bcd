package page

import (
	"context"
	"net/url"
	"slices"

	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/gate"
	"daybook/app/when"
	"daybook/views"
)

// form is the booking form with what the visitor picked and typed.
type form struct {
	start, end when.Instant
	values     url.Values        // by field name
	wrong      map[string]string // what is wrong with each field, in the visitor's language
	problem    string            // what is wrong with the form as a whole
	taken      *views.Taken
	again      bool           // it is sent again by itself, now with a proof of work
	series     *series        // what comes again; nil until the form is shown
	with       catalog.HostID // who takes it for the price and the length shown, where nobody is asked for; 0 is anybody
}

// showDetails shows the form.
func (c *call) showDetails(status int, e *catalog.EventType, f form) error {
	if f.series == nil {
		f.series = c.seriesOfOne(e, f)
	}
	if d := f.series.first(); d != nil && c.host == nil { // the form says what the first date takes and costs
		f.with = *d.Host
	}
	if f.with != 0 {
		e = e.With(f.with)
	}
	if err := c.looksAtConsents(e, f.start); err != nil {
		return err
	}
	p := views.DetailsPage{Page: c.page(), Event: c.eventView(e), Zone: c.zone.String(), Problem: f.problem,
		Taken: f.taken, PayNext: c.paysAhead(e)}
	c.describe(&p.Page, e)
	if c.personal {
		p.Canonical, p.LD = "", nil
	}
	p.Title = c.locale.T("your_details") + " · " + e.Title
	c.keepGathered(&p.Page, basketItem{e, c.host})
	if f.end == 0 {
		f.end = f.start.Add(p.Event.Duration)
	}
	p.Start, p.End = c.local(f.start), c.local(f.end)
	back := c.query.OnDay(p.Start)
	back.Start = ""
	p.BackURL = c.eventPath(e, back)
	look := c.query.Look()
	look.Host, look.Chosen = c.query.Host, c.query.Chosen
	p.Action = c.eventPath(e, look)
	p.Hidden = []views.Pair{{Name: "timeZone", Value: c.zone.String()}, {Name: gate.FormKeyField, Value: c.challenge.Key()}}
	p.Hidden = append(p.Hidden, new(views.Query).WithChoice(c.choice.AddOns, c.choice.Seats).Pairs()...)
	if f.taken == nil {
		p.Query.Start, p.Query.Date = f.start.String(), back.Date // so that this page can be opened in another language
		p.Hidden = append(p.Hidden, views.Pair{Name: "start", Value: f.start.String()})
	} else {
		f.taken.AllURL = p.BackURL
	}
	p.Repeat = c.seriesView(f.series, f)
	if c.setup.Workspace.Settings.HoldsTimes && c.draft == nil && f.series.dates == nil {
		p.Holds = true
		p.Hidden = append(p.Hidden, views.Pair{Name: Hold, Value: f.values.Get(Hold)})
	}
	if f.with != 0 {
		p.Hidden = append(p.Hidden, views.Pair{Name: withField, Value: f.with.String()})
	}
	var err error
	if p.Challenge, err = c.seriesWork(len(f.series.dates)); err != nil {
		return err
	}
	p.Again, p.Fields = f.again, c.fields(e, f)
	mails, err := c.service.Mail.MailsConfirmation(c.r.Context(), c.setup, e)
	if err != nil {
		return err
	}
	promises := func(g views.Field) bool { return g.Name == "email" && !g.Fixed }
	if at := slices.IndexFunc(p.Fields, promises); !mails && at >= 0 {
		p.Fields[at].Hint = ""
	}
	if p.Pass, err = c.passAsked(e, f); err != nil {
		return err
	}
	p.FeeConsent, p.Texts = c.consent(f, e), c.textsBox(p.Fields, f)
	return c.show(status, views.DetailsView(p))
}

const withField = "with" // the host of form.with

// fields returns the fields of every booking and the event type's own questions.
func (c *call) fields(e *catalog.EventType, f form) []views.Field {
	questions := questionFields(e, c.setup.Workspace.Settings.FormFields())
	asks := e.Asks()
	asked := views.Asked{Email: asks.Email(), Phone: asks.Phone(), Either: asks == catalog.AskEither}
	fields := views.InviteeFields(c.locale, asked, append(c.participants(f), questions...)...)
	for i := range fields {
		g := &fields[i]
		g.Value, g.Error = f.values.Get(g.Name), f.wrong[g.Name]
		if g.Kind == views.Phone && g.Value == "" {
			g.Value = f.values.Get("phone") // the name that sites use when they embed the page
		}
		if g.Name == "email" && c.invited.Email != "" {
			g.Value, g.Fixed, g.Hint = c.invited.Email, true, c.locale.T("invitation_fixed")
		}
		if g.Kind == views.Checkbox && ticked(g.Value) {
			g.Value = "on"
		}
	}
	return fields
}

// questionFields returns the fields of the event type's questions, and of the workspace's own fields.
func questionFields(e *catalog.EventType, own []catalog.ContactField) (fields []views.Field) {
	for _, q := range e.Questions {
		f := views.Field{Name: views.QuestionPrefix + q.Key, Kind: views.FieldKind(q.Type), Label: q.Label, Options: q.Options, Required: q.Required}
		if q.Type == "phone" {
			f.Autocomplete = "tel"
		}
		fields = append(fields, f)
	}
	for _, o := range own {
		fields = append(fields, views.Field{Name: views.OwnFieldPrefix + o.Key, Kind: ownKinds[o.Type], Label: o.Label,
			Options: o.Options, Required: o.OnForm == catalog.MustBeGiven})
	}
	return fields
}

// ownKinds are how the workspace's own fields are asked for.
var ownKinds = map[catalog.ContactFieldType]views.FieldKind{catalog.TextField: views.Text, catalog.NumberField: views.Number,
	catalog.DateField: views.Date, catalog.ChoiceField: views.Choice}

// ticked reads a checkbox, from a form or a query.
func ticked(value string) bool {
	return value == "on" || value == "1" || value == "true" || value == "yes"
}

const otherTimesShown = 3

// offerTimes sets f.taken to the next open times after f.start, which is not open. Where nobody is asked for, but
// length or price depends on the person, all are times of one, f.with, whose price and length the form shows: who it
// was, as long as they have any, else who takes the first of all.
func (c *call) offerTimes(ctx context.Context, e *catalog.EventType, f *form) error {
	in := availability.OpenTimesInput{EventType: e.Slug, Host: c.hostRef(), From: f.start, Setup: c.draft,
		Choice: c.choice}
	if in.Host == "" && e.ServedBy(f.with) && c.setup.Host(f.with).Active {
		in.Host = f.with.String()
	}
	next, err := c.nextTimes(ctx, in)
	if err == nil && len(next) == 0 && in.Host != c.hostRef() {
		in.Host = c.hostRef()
		next, err = c.nextTimes(ctx, in)
	}
	if c.host == nil {
		if f.with = 0; len(next) > 0 {
			f.with = next[0].Host
		}
		if err == nil && f.with != 0 && in.Host == "" {
			in.Host = f.with.String()
			next, err = c.nextTimes(ctx, in)
		}
	}
	f.taken = c.taken(next)
	return err
}

// timesFrom offers the next open times, or the first ones of all when none follow.
func (c *call) timesFrom(ctx context.Context, in availability.OpenTimesInput) (*views.Taken, error) {
	next, err := c.nextTimes(ctx, in)
	return c.taken(next), err
}

// nextTimes finds what timesFrom offers.
func (c *call) nextTimes(ctx context.Context, in availability.OpenTimesInput) ([]availability.OpenTime, error) {
	next, stopped, err := c.service.NextOpenTimes(ctx, c.actor, in, otherTimesShown)
	if err == nil && len(next) == 0 && stopped == 0 {
		in.From = 0
		next, _, err = c.service.NextOpenTimes(ctx, c.actor, in, otherTimesShown)
	}
	return next, err
}

// taken shows open times in place of one that is not open.
func (c *call) taken(next []availability.OpenTime) *views.Taken {
	t := &views.Taken{}
	for _, n := range next {
		t.Times = append(t.Times, views.Time{Start: c.local(n.Start), Seats: n.Seats})
	}
	return t
}
