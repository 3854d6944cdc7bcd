package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/phone"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/views"
)

// dayParts are the times of day that a visitor may wish for, as a wish has them.
var dayParts = []struct{ name, hours, label string }{{"morning", "00:00-12:00", "join_morning"},
	{"afternoon", "12:00-17:00", "join_afternoon"}, {"evening", "17:00-24:00", "join_evening"}}

// waitBy is by what a visitor can be told when a time comes free: an e-mail address, a telephone number alone, or either.
type waitBy struct{ email, number bool }

// waits returns by what the page offers to tell somebody when a time of these services comes free.
func (c *call) waits(services ...*catalog.EventType) (by waitBy, err error) {
	if c.link != "" || c.draft != nil {
		return by, nil
	}
	by.email, by.number, err = c.service.Waitlist.Ways(c.r.Context(), c.setup, services...)
	return by, err
}

// waitURL returns the form by which a visitor waits for a time of what is chosen, or "" where nobody can.
func (c *call) waitURL(services ...*catalog.EventType) (string, error) {
	by, err := c.waits(services...)
	if err != nil || by == (waitBy{}) {
		return "", err
	}
	q := c.query
	q.Start, q.Month, q.Week = "", "", ""
	return views.WaitJoinPath(c.slug(), services[0].Slug, q), nil
}

// waited returns the services of the address, and by what a visitor can wait for them. It shows another page and returns none
// where these take no bookings.
func (c *call) waited() (items []basketItem, by waitBy, err error) {
	e, err := c.enterEvent()
	if err != nil || e == nil {
		return nil, by, err
	}
	if c.r.Method == http.MethodPost {
		if e, err = c.choose(e); err != nil {
			return nil, by, err
		}
	}
	items = []basketItem{{e, c.host}}
	if b, _ := c.basket(e); b != nil {
		items = b.items
	}
	if by, err = c.waits((&basket{items: items}).services()...); err != nil {
		return nil, by, err
	}
	if by == (waitBy{}) {
		return nil, by, c.showMessage(http.StatusConflict, views.NobodyWaits(c.page()))
	}
	return items, by, nil
}

// waitForm shows the form by which a visitor waits.
func waitForm(c *call) error {
	items, by, err := c.waited()
	if err != nil || items == nil {
		return err
	}
	known, err := c.prefilled()
	if err != nil {
		return err
	}
	return c.showWaitForm(http.StatusOK, items, waiting{by: by, values: known})
}

// waiting is the form with what a visitor typed.
type waiting struct {
	by      waitBy
	values  url.Values
	wrong   map[string]string // what is wrong with each field, in the visitor's language
	problem string
}

// showWaitForm shows the form. Its first wish is the picked day, or else a week from today.
func (c *call) showWaitForm(status int, items []basketItem, f waiting) error {
	p := views.WaitJoinPage{Page: c.page(), Action: views.WaitJoinPath(c.slug(), items[0].event.Slug, c.query), Problem: f.problem,
		BackURL: c.eventPath(items[0].event, c.query)}
	p.Title = c.locale.T("join_title")
	p.TellsAll = slices.ContainsFunc(items, func(i basketItem) bool { return i.event.TellsAll() })
	for _, item := range items {
		title := item.event.Title
		if item.host != nil {
			title += " · " + item.host.Name
		}
		p.Services = append(p.Services, title)
	}
	today := c.service.Now().In(c.setup.Zone)
	p.First, p.Last = today.Format(time.DateOnly), when.AddDays(today, waitlist.MaxAhead).Format(time.DateOnly)
	for i := range waitlist.MaxWishes {
		p.Wishes = append(p.Wishes, c.wishFields(i, f))
	}
	if first := &p.Wishes[0]; !f.values.Has(first.From.Name) {
		first.From.Value, first.To.Value = p.First, when.AddDays(today, 6).Format(time.DateOnly)
		if c.query.Date > p.First {
			first.From.Value, first.To.Value = c.query.Date, c.query.Date
		}
	}
	p.Fields = c.waiterFields(f)
	return c.show(status, views.WaitJoinView(p))
}

// waiterFields returns the fields of who waits, with the box by which they want texts.
func (c *call) waiterFields(f waiting) []views.Field {
	fields := []views.Field{{Name: "name", Kind: views.Text, Label: c.locale.T("field_name"), Required: true, Autocomplete: "name"}}
	if f.by.email {
		fields = append(fields, views.Field{Name: "email", Kind: views.Email, Label: c.locale.T("field_email"), Hint: c.locale.T("join_email_hint"),
			Required: !f.by.number, Autocomplete: "email"})
	}
	phone := views.Field{Name: "phone", Kind: views.Phone, Label: c.locale.T("field_phone"), Required: !f.by.email, Autocomplete: "tel"}
	switch {
	case f.by.number && f.by.email:
		phone.Hint = c.locale.T("join_phone_hint")
	case f.by.number:
		phone.Hint = c.locale.T("join_phone_only")
	}
	fields = append(fields, phone)
	for i := range fields {
		g := &fields[i]
		g.Value, g.Error = f.values.Get(g.Name), f.wrong[g.Name]
	}
	if box := c.textsBox(fields, form{values: f.values}); box != nil {
		switch {
		case f.by.number && f.by.email:
			box.Hint += " " + c.locale.T("join_texts_else", "Name", c.setup.Workspace.Name)
		case f.by.number:
			box.Hint += " " + c.locale.T("join_texts_only", "Name", c.setup.Workspace.Name)
		}
		fields = append(fields, *box)
	}
	return fields
}

// wishFields returns the fields of the i-th wish. The first one is required.
func (c *call) wishFields(i int, f waiting) views.WishFields {
	n := fmt.Sprint(i)
	w := views.WishFields{From: views.Field{Name: "from" + n, Kind: views.Date, Label: c.locale.T("join_from"), Required: i == 0},
		To: views.Field{Name: "to" + n, Kind: views.Date, Label: c.locale.T("join_to"), Required: i == 0}}
	w.From.Value, w.To.Value = f.values.Get(w.From.Name), f.values.Get(w.To.Name)
	w.From.Error, w.To.Error = f.wrong[w.From.Name], f.wrong[w.To.Name]
	for _, part := range dayParts {
		name := part.name + n
		w.Parts = append(w.Parts, views.Field{Name: name, Kind: views.Checkbox, Label: c.locale.T(part.label), Value: f.values.Get(name)})
	}
	return w
}

// joinWaitlist handles the form. What it answers is the same whoever has the address.
func joinWaitlist(c *call) error {
	items, by, err := c.waited()
	if err != nil || items == nil {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	f := waiting{by: by, values: c.r.PostForm, wrong: map[string]string{}}
	in := c.waitInput(items, &f)
	if len(f.wrong) > 0 || f.problem != "" {
		return c.showWaitForm(http.StatusUnprocessableEntity, items, f)
	}
	if c.r.PostForm.Get(views.HoneypotName) != "" {
		f.problem = c.locale.T("join_failed")
		return c.showWaitForm(http.StatusUnprocessableEntity, items, f)
	}
	ctx := c.r.Context()
	if err := c.service.Waitlist.Spend(ctx, c.clientIP(ctx)); err != nil {
		return err
	}
	e, err := c.service.Waitlist.Join(ctx, c.actor, in)
	refused := fault.Refusal(err)
	switch {
	case err == nil && e.Invitee.Email == "":
		return c.showMessage(http.StatusAccepted, views.WaitTexted(c.page(), phone.Format(e.Invitee.Phone, c.setup.Workspace.PhoneCountry())))
	case err == nil:
		return c.showMessage(http.StatusAccepted, views.WaitMailed(c.page(), e.Invitee.Email))
	case refused == nil:
		return err
	case refused.Reason == "no_text" && by.email:
		f.wrong["phone"] = c.locale.T("join_no_text")
	case refused.Reason == "no_text":
		f.wrong["phone"] = c.locale.T("join_no_text_call", "Name", c.setup.Workspace.Name)
	case refused.Reason == "too_many_mails" && in.Invitee.Email == "":
		f.problem = c.locale.T("join_asked_text")
	case refused.Reason == "too_many_mails":
		f.problem = c.locale.T("join_asked")
	case refused.Reason == "waitlist_full":
		f.problem = c.locale.T("wait_full")
	case refused.Code == fault.BadRequest && strings.HasPrefix(refused.Field, "invitee.email"):
		f.wrong["email"] = c.locale.T("error_email")
	case refused.Code == fault.BadRequest && strings.HasPrefix(refused.Field, "invitee.phone"):
		f.wrong["phone"] = c.locale.T("error_phone")
	case refused.Code == fault.BadRequest:
		f.problem = c.locale.T("join_failed")
	default:
		return err
	}
	return c.showWaitForm(http.StatusUnprocessableEntity, items, f)
}

// waiterReached reads by what the person is told, and notes in f what is wrong with it.
func (c *call) waiterReached(in *waitlist.Input, f *waiting) {
	p := &in.Invitee
	if !f.by.email {
		p.Email = ""
	}
	if c.wantsTexts(form{values: f.values}) && p.Phone != "" {
		in.Agreed = c.textsWording()
	}
	if p.Email != "" || !f.by.number {
		if _, err := fault.CheckEmail("email", p.Email); err != nil || p.Email == "" {
			f.wrong["email"] = c.locale.T("error_email")
		}
		return
	}
	switch _, ok := phone.Parse(p.Phone, c.setup.Workspace.PhoneCountry()); {
	case p.Phone == "" && f.by.email:
		f.wrong["email"] = c.locale.T("contact_error_either")
	case !ok:
		f.wrong["phone"] = c.locale.T("error_phone")
	case !waitlist.Textable(c.setup, p.Phone):
		f.wrong["phone"] = c.locale.T("join_phone_wrong")
	}
}

// waitInput reads the form, and notes in f what is wrong with it.
func (c *call) waitInput(items []basketItem, f *waiting) waitlist.Input {
	in := waitlist.Input{Invitee: booking.Invitee{Name: strings.TrimSpace(f.values.Get("name")), Email: strings.TrimSpace(f.values.Get("email")),
		Phone: strings.TrimSpace(f.values.Get("phone")), TimeZone: c.zone.String(), Locale: c.locale.Tag}}
	if len(items) > 1 {
		in.Order = booking.OrderAny
	} else {
		in.Seats = c.choice.Seats
	}
	for _, item := range items {
		of := waitlist.Item{EventType: item.event.Slug, AddOns: addOnIDs(item.event)}
		if item.host != nil {
			of.Host = item.host.ID.String()
		}
		in.Items = append(in.Items, of)
	}
	if in.Invitee.Name == "" || len([]rune(in.Invitee.Name)) > fault.MaxName {
		f.wrong["name"] = c.locale.T("error_required")
	}
	c.waiterReached(&in, f)
	today := c.service.Now().In(c.setup.Zone)
	first, last := today.Format(time.DateOnly), when.AddDays(today, waitlist.MaxAhead).Format(time.DateOnly)
	for i := range waitlist.MaxWishes {
		n := fmt.Sprint(i)
		w := waitlist.Wish{From: f.values.Get("from" + n), To: f.values.Get("to" + n)}
		if i > 0 && w.From == "" && w.To == "" {
			continue
		}
		if w.To == "" {
			w.To = w.From
		}
		switch day, err := time.Parse(time.DateOnly, w.From); {
		case err != nil || day.Format(time.DateOnly) != w.From:
			f.wrong["from"+n] = c.locale.T("join_day_wrong")
		case w.From > last || w.To > last:
			f.wrong["to"+n] = c.locale.T("join_too_far")
		case w.To < w.From || w.To < first:
			f.wrong["to"+n] = c.locale.T("join_day_order")
		}
		for _, part := range dayParts {
			if f.values.Get(part.name+n) == "on" {
				w.Hours = append(w.Hours, part.hours)
			}
		}
		in.Wishes = append(in.Wishes, w)
	}
	return in
}
