package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var hours = tool{
	name: "hours", title: "See and change when a host works",
	description: "With host alone answers the hours of a week, other hours of single days, and time off. weekly changes the days that it " +
		"names, an empty list closes one; date (to until) with hours gives single days others, and without hours the weekly ones back. " +
		"Bookings that there are stay. Nobody is told.",
	repeatable: true, destroys: true,
	input: object("", must("host", text("Id or name.").length(1, booking.MaxRef)),
		may("weekly", object("Hours by day of the week.", weekdays()...)),
		may("date", text("Of single days: the first.").kind("date")),
		may("until", text("The last; left out it is the one.").kind("date")),
		may("hours", list("Of these days; an empty list closes them.", text("Such as 09:00-12:00.")))),
	output: hostsModel,
	run: reading(readHours, func(ctx context.Context, s *subjects.Set, a app.Actor, in hoursChange) (any, error) {
		if in.date == "" {
			all, err := s.Setup(a.Workspace)
			if err != nil {
				return nil, err
			}
			return in.save(ctx, s, a, all)
		}
		ref, err := namedHost(s, a, in.host)
		if err != nil {
			return nil, err
		}
		h, err := s.Shop.SetOverride(ctx, a, ref, in.date, in.until, in.hours)
		if err != nil {
			return nil, bare(err, "host.")
		}
		return hostRows(h), nil
	}),
}

func weekdays() (all []property) {
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		all = append(all, may(day, list("Ranges.", text("Such as 09:00-18:00."))))
	}
	return all
}

type hoursChange struct {
	hostChange
	date, until string
	hours       []string
}

func readHours(in *args) (c hoursChange) {
	c.host = in.needed("host", "the id or name of a host")
	if week := in.given("weekly"); week != nil {
		in.object("weekly")
		for _, day := range weekdays() {
			in.inner[len(in.inner)-1].given(day.name)
		}
		if c.given = true; c.change.UnmarshalJSON(append(append([]byte(`{"weekly":`), week...), '}')) != nil {
			in.wrong("weekly", "must have lists of ranges by day, such as {\"mon\": [\"09:00-18:00\"]}")
		}
	}
	c.date, c.until, c.hours = in.text("date"), in.text("until"), in.list("hours")
	switch {
	case c.date == "" && (c.until != "" || c.hours != nil):
		in.wrong("date", "is required with until and hours: the first of the days")
	case c.date != "" && c.given:
		in.wrong("weekly", "must not be given together with date")
	}
	return c
}
