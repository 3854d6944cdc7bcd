package page

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/views"
)

// planField has the services as a time was shown with them: index in the address, host, start and end.
const planField = "plan"

// plan is when and with whom each service of a visit is, by its index in the basket.
type plan []booking.VisitPlace

func (p plan) String() string {
	var all []string
	for _, at := range p {
		all = append(all, fmt.Sprintf("%d~%s~%s~%s", at.Item, at.Host, at.Start, at.End))
	}
	return strings.Join(all, ",")
}

// readPlan reads a plan of so many services; nil is none.
func readPlan(text string, n int) (p plan) {
	seen := map[int]bool{}
	for part := range strings.SplitSeq(text, ",") {
		fields := strings.Split(part, "~")
		if len(fields) != 4 {
			return nil
		}
		item, err := strconv.Atoi(fields[0])
		host, wrong := id.Parse[catalog.HostIDKind](fields[1])
		start, early := when.Parse(fields[2])
		end, late := when.Parse(fields[3])
		if err := errors.Join(err, wrong, early, late); err != nil || item < 0 || item >= n || seen[item] {
			return nil
		}
		seen[item] = true
		p = append(p, booking.VisitPlace{Item: item, Host: host, Start: start, End: end})
	}
	if len(p) != n {
		return nil
	}
	return p
}

// planOf returns the plan of an open time.
func (b *basket) planOf(s *availability.Slot) (p plan) {
	for _, item := range s.Items {
		at := slices.IndexFunc(b.items, func(i basketItem) bool { return i.event.Slug == item.EventType })
		p = append(p, booking.VisitPlace{Item: at, Host: item.Host, Start: item.Start, End: item.End})
	}
	return p
}

// planAt returns the plan of the visit that begins then; nil where it can't.
func (c *call) planAt(b *basket, start when.Instant) (plan, error) {
	found, err := c.service.VisitAt(c.r.Context(), c.actor, b.input(), start)
	if err != nil || found == nil {
		return nil, err
	}
	return b.planOf(found), nil
}

// basketDetails shows the form for the picked time of a visit, as details does for one service.
func (c *call) basketDetails(b *basket) error {
	start, err := when.Parse(c.query.Start)
	if err != nil || start < when.At(c.service.Now()) {
		c.query.Start = ""
		return c.basketMonth(b)
	}
	known, err := c.prefilled()
	if err != nil {
		return err
	}
	f := form{values: known, start: start}
	p, err := c.planAt(b, start)
	if err != nil {
		return err
	}
	if p == nil {
		if err := c.offerVisits(b, &f); err != nil {
			return err
		}
	}
	return c.showBasketDetails(http.StatusOK, b, p, f)
}

// offerVisits sets f.taken to the next open times of the visit.
func (c *call) offerVisits(b *basket, f *form) error {
	ctx := c.r.Context()
	next, stopped, err := c.nextVisitTimes(ctx, b.input(), f.start, otherTimesShown)
	if err == nil && len(next) == 0 && stopped == 0 {
		next, _, err = c.nextVisitTimes(ctx, b.input(), 0, otherTimesShown)
	}
	f.taken = c.taken(next)
	return err
}

// asked returns a service with the questions of all services of the visit, see catalog.AskedTogether.
func (b *basket) asked() *catalog.EventType {
	services := make([]*catalog.EventType, len(b.items))
	for i := range b.items {
		services[i] = b.items[i].event
	}
	return catalog.AskedTogether(services...)
}

// showBasketDetails shows the form of a visit. p is nil where its time is not open.
func (c *call) showBasketDetails(status int, b *basket, p plan, f form) error {
	first := b.items[0].event
	if f.series == nil {
		f.series = c.seriesOfVisit(b, f)
	}
	for _, item := range b.items {
		if err := c.looksAtConsents(item.event, f.start); err != nil {
			return err
		}
	}
	v := views.DetailsPage{Page: c.page(), Event: c.basketEvent(b), Zone: c.zone.String(), Problem: f.problem, Taken: f.taken}
	v.Title = c.locale.T("your_details") + " · " + c.basketTitle(b)
	c.keepGathered(&v.Page, b.items...)
	v.Start, v.End = c.local(f.start), c.local(f.start)
	if p == nil {
		for _, item := range b.items {
			v.Visit = append(v.Visit, c.itemView(item))
		}
	} else {
		v.Event = c.basketEvent(b.with(c.setup, p))
		for _, at := range p {
			item := c.itemView(b.items[at.Item])
			item.Start, item.End, item.Host = c.local(at.Start), c.local(at.End), c.setup.Host(at.Host).Name
			v.Visit, v.End = append(v.Visit, item), item.End
		}
	}
	back := c.query.OnDay(v.Start)
	back.Start = ""
	v.BackURL = c.eventPath(first, back)
	action := c.basketQuery(c.query.Look(), b.items, b.same)
	v.Action = c.eventPath(first, action)
	v.Hidden = []views.Pair{{Name: "timeZone", Value: c.zone.String()}, {Name: gate.FormKeyField, Value: c.challenge.Key()}}
	v.Hidden = append(v.Hidden, new(views.Query).WithChoice(addOnIDs(first), 0).Pairs()...)
	if f.taken == nil {
		v.Query.Start, v.Query.Date = f.start.String(), back.Date
		v.Hidden = append(v.Hidden, views.Pair{Name: "start", Value: f.start.String()}, views.Pair{Name: planField, Value: p.String()})
	} else {
		f.taken.AllURL = v.BackURL
	}
	v.Repeat = c.seriesView(f.series, f)
	if c.setup.Workspace.Settings.HoldsTimes && p != nil && f.series.dates == nil {
		v.Holds = true
		v.Hidden = append(v.Hidden, views.Pair{Name: Hold, Value: f.values.Get(Hold)})
	}
	var err error
	if v.Challenge, err = c.seriesWork(len(b.items) * max(1, len(f.series.dates))); err != nil {
		return err
	}
	asked := b.asked()
	v.Again, v.Fields = f.again, c.fields(asked, f)
	v.FeeConsent, v.Texts = c.consent(f, b.services()...), c.textsBox(v.Fields, f)
	mails, err := c.service.Mail.MailsConfirmation(c.r.Context(), c.setup, first)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(v.Fields, func(g views.Field) bool { return g.Name == "email" }); !mails && at >= 0 {
		v.Fields[at].Hint = ""
	}
	return c.show(status, views.DetailsView(v))
}

// services returns the event types of the visit, in its order.
func (b *basket) services() (all []*catalog.EventType) {
	for _, item := range b.items {
		all = append(all, item.event)
	}
	return all
}

// with returns the visit with the hosts of the plan.
func (b *basket) with(setup *catalog.Setup, p plan) *basket {
	planned := &basket{items: slices.Clone(b.items), same: b.same}
	for _, at := range p {
		planned.items[at.Item].host = setup.Host(at.Host)
	}
	return planned
}

// bookVisit handles the form of a visit, as book does that of one service. gone says that it was sent with what can't be
// booked.
func (c *call) bookVisit(b *basket, first *catalog.EventType, f form, gone bool) error {
	if b == nil || len(b.items) < 2 { // what is left is one service: its form
		f.problem = c.locale.T("basket_gone")
		return c.again(http.StatusUnprocessableEntity, first, f)
	}
	p := readPlan(f.values.Get(planField), len(b.items))
	if f.values.Has(Field) {
		return c.keepVisit(b, p, f)
	}
	if p == nil && f.values.Has(planField) {
		gone = true
	}
	if p != nil && (slices.ContainsFunc(p, func(at booking.VisitPlace) bool { return !c.fits(b, at) }) || p[0].Start != f.start) {
		p, gone = nil, true
	}
	if p == nil && f.start != 0 {
		var err error
		if p, err = c.planAt(b, f.start); err != nil {
			return err
		}
		if p != nil && b.varies() { // the price may be another one now
			f.problem = c.locale.T("basket_changed")
			return c.showBasketDetails(http.StatusConflict, b, p, f)
		}
	}
	asked := b.asked()
	if asksForDates(f) && p != nil {
		return c.bookVisits(b, p, asked, f)
	}
	one := c.input(asked, f)
	f.wrong = c.wrongOfVisit(b, asked, one, f)
	if len(f.wrong) > 0 || gone {
		if gone {
			f.problem = c.locale.T("basket_gone")
		}
		return c.visitAgain(http.StatusUnprocessableEntity, b, p, f)
	}
	if p == nil {
		return c.otherVisits(http.StatusConflict, b, f, f.start == 0)
	}
	need, err := c.seriesWork(len(b.items))
	if err != nil {
		return err
	}
	key, done := f.values.Get(gate.FormKeyField), f.values.Get(gate.ProofField)
	who := c.client()
	who.Times = len(b.items)
	sent := gate.Form{Client: who, Proves: need > 0, Purpose: c.slug() + "/" + p.purpose(b) + "/" +
		cmp.Or(fault.EmailKey(one.Invitee.Email), one.Invitee.Phone)}
	if c.challenge.Genuine(key) {
		sent.Key = key
	}
	switch met := c.challenge.Met(key, done, need); {
	case f.values.Get(views.HoneypotName) != "" || !met && done != "":
		f.problem = c.locale.T("failed_text")
		return c.visitAgain(http.StatusUnprocessableEntity, b, p, f)
	case !met && f.values.Has(views.ByMailName): // a mail's link books one service
		f.problem = c.locale.T("basket_noscript")
		return c.visitAgain(http.StatusConflict, b, p, f)
	case !met: // the form was shown before work was asked for
		f.problem, f.again = c.locale.T("challenge_again"), true
		return c.visitAgain(http.StatusUnprocessableEntity, b, p, f)
	}
	return c.bookVisitOnce(b, p, &one, f, sent)
}

// keepVisit holds the times of the form of a visit, as keep does that of one service.
func (c *call) keepVisit(b *basket, p plan, f form) error {
	one := c.input(b.asked(), f)
	who := c.client()
	who.Times = len(b.items)
	in := c.visitInput(b, p, &one)
	return c.keepFor(f, who, app.HoldInput{Items: in.Items, VisitChoice: in.VisitChoice,
		Visitor: &app.HoldVisitor{Email: one.Invitee.Email, Before: one.Hold}})
}

// fits reports whether a place of a sent plan is one of the visit's: its host does it, and is the one asked for.
func (c *call) fits(b *basket, at booking.VisitPlace) bool {
	item := b.items[at.Item]
	return item.event.ServedBy(at.Host) && c.setup.Host(at.Host).Active && (item.host == nil || item.host.ID == at.Host)
}

// purpose names what is booked.
func (p plan) purpose(b *basket) string {
	var all []string
	for _, at := range p {
		all = append(all, b.items[at.Item].event.Slug+"@"+at.Start.String())
	}
	return strings.Join(all, "+")
}

// visitInput returns the visit as the Service expects it.
func (c *call) visitInput(b *basket, p plan, one *booking.BookInput) booking.VisitInput {
	in := booking.VisitInput{VisitChoice: b.choice(), Hold: one.Hold, Invitee: one.Invitee, Notes: one.Notes, Answers: one.Answers,
		ContactFields: one.ContactFields, MustGive: one.MustGive, Metadata: one.Metadata}
	in.Items = c.planItems(b, p)
	return in
}

// planItems returns the services of a visit as they are planned.
func (c *call) planItems(b *basket, p plan) (all []booking.VisitItem) {
	for _, at := range p {
		item := b.items[at.Item]
		all = append(all, booking.VisitItem{EventType: item.event.Slug, Host: at.Host.String(), AnyHost: item.host == nil,
			AddOns: addOnIDs(item.event), Start: at.Start.String(), End: at.End.String()})
	}
	return all
}

// wrongOfVisit is wrong for the form of a visit, with the fees of all of its services.
func (c *call) wrongOfVisit(b *basket, asked *catalog.EventType, one booking.BookInput, f form) map[string]string {
	wrong := c.wrong(asked, one, f)
	if c.consent(f, b.services()...) != nil && !ticked(f.values.Get(consentField)) {
		wrong[consentField] = c.locale.T("error_checkbox")
	}
	return wrong
}

// bookVisits handles the form of a visit that comes again.
func (c *call) bookVisits(b *basket, p plan, asked *catalog.EventType, f form) error {
	return c.takeSeries(seriesForm{series: c.seriesOfVisit(b, f), purpose: p.purpose(b),
		again: func(status int, f form) error { return c.visitAgain(status, b, p, f) },
		input: func(f form) (booking.BookInput, map[string]string) {
			one := c.input(asked, f)
			return one, c.wrongOfVisit(b, asked, one, f)
		},
		to: func(first *booking.Booking) string {
			return views.VisitPath(lastPart(c.service.VisitURL(c.setup, first.Visit.ID)), c.booked(f))
		},
	}, f)
}

// planOfItems returns the plan of a date's services; nil where one of them isn't of the visit.
func (b *basket) planOfItems(items []booking.VisitItem) (p plan) {
	for _, item := range items {
		at := slices.IndexFunc(b.items, func(i basketItem) bool { return i.event.Slug == item.EventType })
		host, unknown := id.Parse[catalog.HostIDKind](item.Host)
		start, early := when.Parse(item.Start)
		end, late := when.Parse(item.End)
		if err := errors.Join(unknown, early, late); err != nil || at < 0 {
			return nil
		}
		p = append(p, booking.VisitPlace{Item: at, Host: host, Start: start, End: end})
	}
	return p
}

// otherPlans is how often a visit whose hosts were just taken is tried with others.
const otherPlans = 3

// bookVisitOnce books the visit, unless this same form has already done so. If somebody was faster, it is booked with
// others who are free then, where nothing else would be different; else the form shows what is.
func (c *call) bookVisitOnce(b *basket, p plan, one *booking.BookInput, f form, sent gate.Form) error {
	first, err := c.bookPlan(b, p, one, f, sent)
	for range otherPlans {
		if wrong := fault.Refusal(err); wrong == nil || wrong.Reason != "slot_taken" {
			break
		}
		next, failed := c.planAt(b, p[0].Start)
		if failed != nil {
			return failed
		}
		if next == nil {
			break
		}
		if !b.alike(p, next) {
			f.problem = c.locale.T("basket_changed")
			return c.showBasketDetails(http.StatusConflict, b, next, f)
		}
		p, sent.Most = next, 0 // the form has been counted
		first, err = c.bookPlan(b, p, one, f, sent)
	}
	switch {
	case errors.Is(err, gate.ErrSpent):
		f.problem = c.locale.T("failed_text")
		return c.visitAgain(http.StatusUnprocessableEntity, b, p, f)
	case err != nil:
		return c.refusedVisit(b, p, f, err)
	}
	c.service.Present(c.setup, c.actor, &first)
	return c.redirect(views.VisitPath(lastPart(c.service.VisitURL(c.setup, first.Visit.ID)), c.booked(f)))
}

func (c *call) bookPlan(b *basket, p plan, one *booking.BookInput, f form, sent gate.Form) (booking.Booking, error) {
	return c.service.Gate.Book(c.r.Context(), sent, func(tx app.Tx) (booking.Booking, error) {
		in := c.visitInput(b, p, one)
		return Book(in.Hold, func(hold string) (booking.Booking, error) {
			in.Hold = hold
			v, err := c.service.In(tx).BookVisit(c.r.Context(), c.actor, in)
			if err != nil {
				return booking.Booking{}, err
			}
			return v.Items[0], c.tickTexts(tx, &v.Items[0], f)
		})
	})
}

// alike reports whether two plans are of the same services at the same times for the same prices.
func (b *basket) alike(p, other plan) bool {
	return slices.EqualFunc(p, other, func(x, y booking.VisitPlace) bool {
		e := b.items[x.Item].event
		was, is := e.With(x.Host).Price, e.With(y.Host).Price
		return x.Item == y.Item && x.Start == y.Start && x.End == y.End &&
			(was == is || was != nil && is != nil && *was == *is)
	})
}

// refusedVisit shows why the Service did not book, as refused does.
func (c *call) refusedVisit(b *basket, p plan, f form, err error) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong == nil || wrong.Code == fault.NotFound || wrong.Code == fault.RateLimited:
		return err
	case wrong.Reason == "already_booked":
		return c.already(f.values.Get("email"))
	case personal[wrong.Reason] != "":
		f.problem = c.locale.T(personal[wrong.Reason])
		return c.visitAgain(http.StatusConflict, b, p, f)
	case wrong.Reason == "slot_taken":
		return c.otherVisits(http.StatusConflict, b, f, false)
	case wrong.Code == fault.Conflict, strings.HasSuffix(wrong.Field, "start"), strings.HasSuffix(wrong.Field, "end"):
		return c.otherVisits(http.StatusConflict, b, f, true)
	}
	c.log.WarnContext(c.r.Context(), "the form of a visit was refused", "field", wrong.Field, "reason", wrong.Reason)
	f.problem = c.locale.T("failed_text")
	return c.visitAgain(http.StatusUnprocessableEntity, b, p, f)
}

// otherVisits shows the form as it was typed, with the next open times.
func (c *call) otherVisits(status int, b *basket, f form, closed bool) error {
	f.start = max(f.start, when.At(c.service.Now()))
	if err := c.offerVisits(b, &f); err != nil {
		return err
	}
	f.taken.Closed = closed
	return c.showBasketDetails(status, b, nil, f)
}

// visitAgain shows the form as it was typed, with its errors; without a plan also with the next open times.
func (c *call) visitAgain(status int, b *basket, p plan, f form) error {
	if p == nil && f.taken == nil {
		return c.otherVisits(status, b, f, true)
	}
	return c.showBasketDetails(status, b, p, f)
}
