package page

import (
	"context"
	"net/url"
	"slices"

	"daybook/app/availability"
	"daybook/app/catalog"
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
}

// showDetails shows the form.
func (v *visit) showDetails(status int, e *catalog.EventType, f form) error {
	p := views.DetailsPage{Page: v.page(), Event: v.eventView(e), Zone: v.zone.String(), Problem: f.problem,
		Taken: f.taken, PayNext: v.paysOnline(e)}
	v.describe(&p.Page, e)
	if v.personal {
		p.Canonical, p.LD = "", nil
	}
	p.Title = v.locale.T("your_details") + " · " + e.Title
	if f.end == 0 {
		f.end = f.start.Add(p.Event.Duration)
	}
	p.Start, p.End = v.local(f.start), v.local(f.end)
	back := v.query.OnDay(p.Start)
	back.Start = ""
	p.BackURL = views.EventPath(v.slug(), e.Slug, back)
	p.Action = views.EventPath(v.slug(), e.Slug, v.query.Look())
	p.Hidden = []views.Pair{{Name: "timeZone", Value: v.zone.String()}, {Name: keyField, Value: v.challenge.key()}}
	if f.taken == nil {
		p.Query.Start, p.Query.Date = f.start.String(), back.Date // so that this page can be opened in another language
		p.Hidden = append(p.Hidden, views.Pair{Name: "start", Value: f.start.String()})
	} else {
		f.taken.AllURL = p.BackURL
	}
	p.Challenge = v.challenge.bits
	p.Fields = v.fields(e, f)
	mails, err := v.service.Mail.MailsConfirmation(v.r.Context(), v.setup, e)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(p.Fields, func(g views.Field) bool { return g.Name == "email" }); !mails && at >= 0 {
		p.Fields[at].Hint = ""
	}
	if v.holdsCard(e) {
		p.FeeConsent = &views.Field{
			Name: consentField, Kind: views.Checkbox, Required: true, Value: f.values.Get(consentField),
			Error: f.wrong[consentField],
			Label: v.locale.T("fee_consent", "Amount", v.locale.Money(*money(e.NoShowFee))),
		}
	}
	return v.show(status, views.DetailsView(p))
}

const consentField = "feeConsent"

// fields are the fields of every booking and the event type's own questions.
func (v *visit) fields(e *catalog.EventType, f form) []views.Field {
	questions := make([]views.Field, len(e.Questions))
	for i, q := range e.Questions {
		questions[i] = views.Field{
			Name: views.QuestionPrefix +
				q.Key, Kind: views.FieldKind(q.Type), Label: q.Label, Options: q.Options, Required: q.Required,
		}
		if q.Type == "phone" {
			questions[i].Autocomplete = "tel"
		}
	}
	asked := views.Asked{Email: e.AsksFor.Email(), Phone: e.AsksFor.Phone(), Either: e.AsksFor == catalog.AskEither}
	fields := views.InviteeFields(v.locale, asked, questions...)
	for i := range fields {
		g := &fields[i]
		g.Value, g.Error = f.values.Get(g.Name), f.wrong[g.Name]
		if g.Kind == views.Phone && g.Value == "" {
			g.Value = f.values.Get("phone") // the name that sites use when they embed the page
		}
		if g.Kind == views.Checkbox && ticked(g.Value) {
			g.Value = "on"
		}
	}
	return fields
}

// ticked reads a checkbox, from a form or a query.
func ticked(value string) bool {
	return value == "on" || value == "1" || value == "true" || value == "yes"
}

const otherTimesShown = 3

// otherTimes are the next open times after one that is not open, or nil when it is in the past or nothing is open.
func (v *visit) otherTimes(ctx context.Context, e *catalog.EventType, start when.Instant) (*views.Taken, error) {
	if start < when.At(v.service.Now()) {
		return nil, nil
	}
	return v.timesFrom(ctx, availability.OpenTimesInput{EventType: e.Slug, From: start, Setup: v.draft})
}

// timesFrom offers the next open times, or the first ones of all when none follow.
func (v *visit) timesFrom(ctx context.Context, in availability.OpenTimesInput) (*views.Taken, error) {
	next, stopped, err := v.service.NextOpenTimes(ctx, v.actor, in, otherTimesShown)
	if err == nil && len(next) == 0 && stopped == 0 {
		in.From = 0
		next, _, err = v.service.NextOpenTimes(ctx, v.actor, in, otherTimesShown)
	}
	t := &views.Taken{}
	for _, n := range next {
		t.Times = append(t.Times, views.Time{Start: v.local(n.Start), Seats: n.Seats})
	}
	return t, err
}
