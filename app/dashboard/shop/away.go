package shop

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/views/dash"
)

// away is whose time off a page is about: a host's, or everybody's, which has the path of a host with the id "all".
type away struct {
	call
	ref   string
	host  *catalog.Host // nil: everybody's
	zone  *time.Location
	all   []catalog.TimeOff
	frame dash.HostFrame
}

func (c call) away() (*away, error) {
	a := &away{call: c, ref: c.PathValue("id")}
	if a.ref == shop.Everybody {
		if !c.May(app.MayManageHosts) {
			return nil, fault.Missing("host", a.ref)
		}
		a.zone, a.all = c.Zone(), c.Setup.Workspace.TimeOff
		a.frame = dash.HostFrame{Frame: c.Frame(c.T("off_closed_title"), "hours"), Name: c.T("off_closed_title"),
			Sub: c.T("off_closed_text")}
		return a, nil
	}
	h, err := c.host()
	if err != nil {
		return nil, err
	}
	a.host, a.zone, a.all = &h, h.Location(), h.TimeOff
	a.frame = c.hostFrame(&h, dash.HostAwayPath(a.ref))
	return a, nil
}

func (c call) hostAway() error {
	a, err := c.away()
	if err != nil {
		return err
	}
	return a.show(nil, nil)
}

// id returns the host's, or 0 for everybody.
func (a *away) id() catalog.HostID {
	if a.host == nil {
		return 0
	}
	return a.host.ID
}

func (a *away) show(typed url.Values, e *fault.Error) error {
	v := dash.AwayPage{HostFrame: a.frame, Action: dash.HostAwayPath(a.ref), RemoveURL: dash.HostAwayRemovePath(a.ref)}
	now := when.At(a.Subjects.Now())
	var ahead []bulk.Scope
	for i := range a.all {
		ahead = append(ahead, bulk.Scope{Host: a.id(), Off: &a.all[i]})
	}
	hits, err := a.Subjects.Bulk.Counts(a.Context(), a.Actor, a.id(), ahead)
	if err != nil {
		return err
	}
	for i, t := range a.all {
		row := dash.AwayRow{Span: a.AwaySpan(a.zone, t), Reason: t.Reason, Start: t.Start.String(), End: t.End.String(),
			Tag: t.Tag(), Over: a.over(t, now), Repeat: a.RepeatText(t.Repeat, a.zone)}
		switch {
		case !row.Over:
			if row.Hit = hits[i]; row.Hit > 0 {
				row.HitURL = a.hitURL(t)
			}
			v.Rows = append(v.Rows, row)
		case len(v.Past) < shownChanges:
			v.Past = append(v.Past, row)
		}
	}
	a.addForm(&v, typed, e)
	if err := a.holidays(&v); err != nil {
		return err
	}
	return a.Show(web.RefusedStatus(e), dash.Away(v))
}

// over reports whether the time off won't be again.
func (a *away) over(t catalog.TimeOff, now when.Instant) bool {
	if t.Repeat == nil {
		return t.End <= now
	}
	until, err := when.ParseDay(t.Repeat.Until, a.zone)
	return err == nil && when.AddDays(until, 1).Before(now.Time())
}

// addForm is the form for another time off.
func (a *away) addForm(v *dash.AwayPage, typed url.Values, e *fault.Error) {
	from := when.AddDays(a.Subjects.Now().In(a.zone), 1)
	repeat, again := a.RepeatInputs()
	v.Groups = []dash.Group{{Inputs: []dash.Input{
		{Name: "start", Label: a.T("dash_from"), Kind: "datetime", Required: true, Value: from.Format("2006-01-02T15:04")},
		{Name: "end", Label: a.T("dash_until"), Kind: "datetime", Required: true,
			Value: when.AddDays(from, 1).Format("2006-01-02T15:04")},
		{Name: "reason", Label: a.T("dash_reason"), Placeholder: a.T("dash_away_reason"), Hint: a.T("dash_away_reason_hint")},
		repeat,
	}}}
	v.Again = []dash.Group{{Inputs: again}}
	v.Problem = a.Fill(slices.Concat(v.Groups, v.Again), typed, e)
	v.AgainOpen = typed.Get("repeat") != ""
}

func (c call) addAway() error {
	a, err := c.away()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	in := shop.Off{Host: a.ref, Start: form.Get("start"), End: form.Get("end"), Reason: form.Get("reason"),
		Repeat: web.RepeatOf(form)}
	off, err := c.Subjects.Shop.GiveTimeOff(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		return a.show(form, inForm(e))
	}
	if err != nil {
		return err
	}
	hit, err := a.Subjects.Bulk.Within(a.Context(), a.Actor, bulk.Scope{Host: a.id(), Off: &off}, 1)
	if err != nil {
		return err
	}
	if len(hit) > 0 {
		return c.Redirect(a.hitURL(off), "saved")
	}
	return c.Redirect(dash.HostAwayPath(a.ref), "saved")
}

// inForm names the field of the form that an error of a list's entry is about.
func inForm(e *fault.Error) *fault.Error {
	parts := strings.Split(e.Field, ".")
	named := *e
	if named.Field = parts[len(parts)-1]; strings.HasPrefix(named.Field, "timeOff") {
		named.Field = "end"
	}
	return &named
}

func (c call) removeAway() error {
	a, err := c.away()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	for i := range a.all {
		t := &a.all[i]
		if t.Start.String() != form.Get("start") || t.End.String() != form.Get("end") ||
			form.Has("tag") && t.Tag() != form.Get("tag") {
			continue
		}
		if err := c.Subjects.Shop.RemoveTimeOff(c.Context(), c.Actor, a.ref, *t); err != nil {
			return err
		}
		break
	}
	return c.Redirect(dash.HostAwayPath(a.ref), "removed")
}

func (a *away) hitURL(t catalog.TimeOff) string {
	return web.WithQuery(dash.HostAwayBookingsPath(a.ref),
		url.Values{"start": {t.Start.String()}, "end": {t.End.String()}, "tag": {t.Tag()}})
}

// holidays fills in whose public holidays are days off, and which come next.
func (a *away) holidays(v *dash.AwayPage) error {
	v.HolidaysURL, v.Everybody = dash.HostAwayHolidaysPath(a.ref), a.host == nil
	of := a.Setup.Workspace.Holidays
	if a.host != nil {
		v.HolidaysOn, v.WorksOnHolidays = of != nil, a.host.WorksOnHolidays
		if a.May(app.MayManageHosts) {
			v.EverybodyURL = dash.HostAwayPath(shop.Everybody)
		}
	} else {
		v.HolidaysOn, v.Country = of != nil, a.countries(of)
		hits, err := a.Subjects.Bulk.Counts(a.Context(), a.Actor, 0, []bulk.Scope{{Holidays: true}})
		if err != nil {
			return err
		}
		if v.HolidaysHit = hits[0]; v.HolidaysHit > 0 {
			v.HolidaysHitURL = dash.HostAwayBookingsPath(a.ref)
		}
	}
	if of == nil {
		return nil
	}
	from := web.Midnight(a.Subjects.Now().In(a.zone))
	for _, d := range of.Between(from, when.DayStart(from.Year()+1, from.Month(), from.Day(), a.zone)) {
		row := dash.ChangedDay{Date: d.Date.Format(time.DateOnly), Label: a.Locale.Date(d.Date), Hours: a.HolidayName(d.Name)}
		if a.host != nil && !a.host.WorksOnHolidays {
			row.URL = dash.HostDatePath(a.ref, row.Date) + "#day"
			if hours, own := a.host.DayHours(d.Date); own {
				row.Hours += " · " + a.hoursText(hours)
			}
		}
		v.Holidays = append(v.Holidays, row)
	}
	return nil
}

// countries returns the choice of a country, or of a region of it: "DE-BE".
func (a *away) countries(of *catalog.Holidays) dash.Input {
	in := dash.Input{Name: "holidays", Label: a.T("off_country"), Kind: "select", Hint: a.T("off_country_hint")}
	if of != nil {
		in.Value = strings.TrimSuffix(of.Country+"-"+of.Region, "-")
	}
	for _, code := range catalog.HolidayCodes() {
		country, region, _ := strings.Cut(code.Code, "-")
		label := a.T("off_country_" + country)
		if region != "" {
			label += " · " + code.Region
		}
		in.Options = append(in.Options, dash.Option{Value: code.Code, Label: label})
	}
	plain := strings.NewReplacer("É", "E", "Î", "I", "Ö", "O")
	slices.SortStableFunc(in.Options, func(a, b dash.Option) int {
		return cmp.Compare(plain.Replace(a.Label), plain.Replace(b.Label))
	})
	in.Options = append([]dash.Option{{Label: a.T("off_no_country")}}, in.Options...)
	return in
}

// saveHolidays sets whose public holidays are days off, or whether a host works on them.
func (c call) saveHolidays() error {
	a, err := c.away()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if a.host != nil {
		_, err = c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, a.ref, func(h *catalog.Host) error {
			h.WorksOnHolidays = form.Get("works") == "on"
			return nil
		})
	} else {
		_, err = c.Subjects.Shop.ChangeClosures(c.Context(), c.Actor, func(closed *catalog.Closures, _ *time.Location) error {
			closed.Holidays = nil
			if country, region, _ := strings.Cut(form.Get("holidays"), "-"); country != "" {
				closed.Holidays = &catalog.Holidays{Country: country, Region: region}
			}
			return nil
		})
	}
	if e := web.Refused(err); e != nil {
		return a.show(nil, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostAwayPath(a.ref), "saved")
}
