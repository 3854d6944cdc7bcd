package calendar

import (
	"cmp"
	"net/url"
	"time"

	"daybook/app/bulk"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/app/when"
)

// block gives a host time off for a part of a day.
func (c call) block() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	h := b.hostFor(cmp.Or(form.Get("host"), "-"))
	if h == nil {
		return fault.Missing("host", form.Get("host"))
	}
	day := form.Get("day")
	from, err1 := when.ParseWall(localTime, day+"T"+form.Get("from"), c.Zone())
	to, err2 := when.ParseWall(localTime, day+"T"+form.Get("to"), c.Zone())
	if err2 == nil && form.Get("to") == "00:00" {
		to = when.AddDays(to, 1) // midnight is the end of the day
	}
	if err1 != nil || err2 != nil || !to.After(from) {
		return b.notBlocked(form, fault.Invalid("to", "must come after the start"), c.Locale.T("calendar_why_end"))
	}
	zoned := func(t time.Time) string { return t.In(h.Location()).Format(localTime) }
	off, err := c.Subjects.Shop.GiveTimeOff(c.Context(), c.Actor, shop.Off{Host: h.ID.String(), Start: zoned(from),
		End: zoned(to), Reason: form.Get("reason"), Repeat: web.RepeatOf(form)})
	if e := web.Refused(err); e != nil {
		return b.notBlocked(form, e, c.Sentence(e))
	}
	if err != nil {
		return err
	}
	hit, err := c.Subjects.Bulk.Within(c.Context(), c.Actor, bulk.Scope{Host: h.ID, Off: &off}, 1)
	if err != nil {
		return err
	}
	key := awayKey(h, &off)
	switch {
	case len(hit) > 0 && off.Repeat != nil: // they may be on other days than the one shown
		return c.Redirect(b.hitURL(h.ID.String(), &off), "saved")
	case len(hit) > 0:
		return c.Redirect(b.at("blocked", key, "away", key), "")
	}
	return c.Redirect(b.at("blocked", key), "")
}

// notBlocked shows the form again as it was filled in.
func (b *board) notBlocked(form url.Values, e *fault.Error, why string) error {
	at := form.Get("from")
	if _, err := time.Parse("15:04", at); err != nil {
		at = "09:00"
	}
	if err := b.newPanel(url.Values{"new": {form.Get("host")}, "at": {form.Get("day") + "T" + at}}); err != nil {
		return err
	}
	if p := b.view.Panel; p != nil {
		p.Problem = why
		p.Gap.From, p.Gap.To, p.Gap.Reason = form.Get("from"), form.Get("to"), form.Get("reason")
		b.Fill(p.Gap.Repeat, form, nil)
		p.Gap.AgainOpen = form.Get("repeat") != ""
	}
	return b.show(web.RefusedStatus(e))
}

// free removes a time off.
func (c call) free() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	if h, a := b.away(form.Get("away")); a != nil {
		if err := b.takeBack(h, a, form.Get("one") != ""); err != nil {
			return err
		}
	}
	return c.Redirect(b.at("freed", "1"), "")
}
