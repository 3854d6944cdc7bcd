package shop

import (
	"net/url"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/views/dash"
)

func (c call) resourceAway() error {
	r, err := c.resource()
	if err != nil {
		return err
	}
	return c.showResourceAway(&r, nil, nil)
}

// showResourceAway lists when a resource can't be used, with the form for another time.
func (c call) showResourceAway(r *catalog.Resource, typed url.Values, refused error) error {
	zone, err := when.Zone(r.TimeZone)
	if err != nil {
		return err
	}
	id := r.ID.String()
	a := &away{call: c, zone: zone}
	v := dash.AwayPage{HostFrame: c.resourceFrame(r, dash.ResourceAwayPath(id)), Thing: true,
		Action: dash.ResourceAwayPath(id), RemoveURL: dash.ResourceAwayRemovePath(id)}
	now := when.At(c.Subjects.Now())
	for _, t := range r.TimeOff {
		row := dash.AwayRow{Span: c.AwaySpan(zone, t), Reason: t.Reason, Start: t.Start.String(), End: t.End.String(),
			Tag: t.Tag(), Over: a.over(t, now), Repeat: c.RepeatText(t.Repeat, zone)}
		if !row.Over {
			v.Rows = append(v.Rows, row)
		} else if len(v.Past) < shownChanges {
			v.Past = append(v.Past, row)
		}
	}
	e := web.Refused(refused)
	if e != nil {
		e = inForm(e)
	}
	a.addForm(&v, typed, e)
	reason := &v.Groups[0].Inputs[2]
	reason.Placeholder = c.T("rooms_away_reason")
	return c.Show(web.RefusedStatus(e), dash.Away(v))
}

func (c call) addResourceAway() error {
	r, err := c.resource()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	in := shop.Off{Start: form.Get("start"), End: form.Get("end"), Reason: form.Get("reason"), Repeat: web.RepeatOf(form)}
	_, err = c.Subjects.Shop.GiveResourceTimeOff(c.Context(), c.Actor, r.ID.String(), in)
	if web.Refused(err) != nil {
		return c.showResourceAway(&r, form, err)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ResourceAwayPath(r.ID.String()), "saved")
}

func (c call) removeResourceAway() error {
	r, err := c.resource()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	for _, t := range r.TimeOff {
		if t.Start.String() != form.Get("start") || t.End.String() != form.Get("end") || t.Tag() != form.Get("tag") {
			continue
		}
		if err := c.Subjects.Shop.RemoveResourceTimeOff(c.Context(), c.Actor, r.ID.String(), t); err != nil {
			return err
		}
		break
	}
	return c.Redirect(dash.ResourceAwayPath(r.ID.String()), "removed")
}
