package dashboard

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"daybook/app"
	"daybook/views"
)

func (d *Door) hostAway(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showAway(&h, nil, nil)
}

func (c *call) showAway(h *app.Host, typed url.Values, e *app.Error) error {
	id := h.ID.String()
	path := hostsPath + "/" + id + "/away"
	v := views.AwayPage{Dash: c.dash(h.Name, "hours"), BackURL: c.hostsBack(), Tabs: hostTabs(id, "away"), Action: path}
	now := app.At(c.door.Now())
	for _, t := range h.TimeOff {
		if t.End < now.Add(-30*24*time.Hour) {
			continue
		}
		v.Rows = append(v.Rows, views.AwayRow{When: c.awayText(h, t), Reason: t.Reason, RemoveURL: path, Key: strconv.FormatInt(int64(t.Start), 10), Past: t.End < now})
	}
	v.Groups = []views.Group{{Title: "Add time off", Inputs: []views.Input{
		{Name: "from", Label: "First day", Kind: "date", Required: true, Half: true},
		{Name: "fromTime", Label: "From what time", Kind: "time", Half: true, Hint: "Empty: the whole day."},
		{Name: "to", Label: "Last day", Kind: "date", Half: true, Hint: "Empty: the same day."},
		{Name: "toTime", Label: "Until what time", Kind: "time", Half: true, Hint: "Empty: the whole day."},
		{Name: "reason", Label: "Reason", Hint: "Only you and your colleagues see it."},
	}}}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), views.HostAway(v))
}

// awayText is a time off in words, by days where it is of whole days.
func (c *call) awayText(h *app.Host, t app.TimeOff) string {
	from, to := t.Start.Time().In(h.Location()), t.End.Time().In(h.Location())
	if from.Equal(midnight(from)) && to.Equal(midnight(to)) {
		last := to.AddDate(0, 0, -1)
		if sameDay(from, last) {
			return c.day(from)
		}
		return c.day(from) + " – " + c.day(last)
	}
	return c.day(from) + ", " + c.locale.Span(from, to, "")
}

func (d *Door) saveAway(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	form, err := c.posted()
	if err != nil {
		return err
	}
	old, said := h, "saved"
	h.TimeOff = slices.Clone(h.TimeOff)
	if key := form.Get("remove"); key != "" {
		h.TimeOff = slices.DeleteFunc(h.TimeOff, func(t app.TimeOff) bool { return strconv.FormatInt(int64(t.Start), 10) == key })
		said, form = "removed", nil
	} else {
		t, err := readAway(form, h.Location())
		if err != nil {
			return c.showAway(&old, form, refused(err))
		}
		h.TimeOff = append(h.TimeOff, t)
		slices.SortFunc(h.TimeOff, func(a, b app.TimeOff) int { return int(min(1, max(-1, a.Start-b.Start))) })
	}
	_, err = d.SaveHost(c.Context(), c.actor, h)
	if e := refused(err); e != nil {
		return c.showAway(&old, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(hostsPath+"/"+h.ID.String()+"/away", said)
}

func readAway(form url.Values, zone *time.Location) (t app.TimeOff, err error) {
	at := func(field, date, clock string) (time.Time, error) {
		if clock == "" {
			clock = "00:00"
		}
		at, err := time.ParseInLocation("2006-01-02 15:04", date+" "+clock, zone)
		if err != nil {
			return at, app.Invalid(field, "must be a day")
		}
		return at, nil
	}
	from, err := at("from", form.Get("from"), form.Get("fromTime"))
	if err != nil {
		return t, err
	}
	last := form.Get("to")
	if last == "" {
		last = form.Get("from")
	}
	to, err := at("to", last, form.Get("toTime"))
	if err != nil {
		return t, err
	}
	if form.Get("toTime") == "" {
		to = to.AddDate(0, 0, 1)
	}
	if !to.After(from) {
		return t, app.Invalid("to", "must not lie before the first day")
	}
	return app.TimeOff{Start: app.At(from), End: app.At(to), Reason: form.Get("reason")}, nil
}
