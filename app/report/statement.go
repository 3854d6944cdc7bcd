package report

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Statement is what a host worked and earned in a month.
type Statement struct {
	HostID catalog.HostID
	Name   string
	Month  time.Time // its first day, in the workspace's zone
	Days   []HostDayFigures
	Sum    HostFigures
	Money  bool // else there is none of it, for an actor who may not see the analytics
}

// Statement returns the days of a month of a host, all of them, and their sums. month is as 2026-11; "" is that of now.
// host "" is the actor's own, or the first. Staff see their own host, and no money. Errors: forbidden, not_found, bad_request.
func (s *Service) Statement(ctx context.Context, a app.Actor, host, month string) (v Statement, err error) {
	if err := a.May(app.MaySeeFigures); err != nil {
		return v, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return v, err
	}
	if host, err = a.NamedHost(setup, host); err != nil {
		return v, err
	}
	for i := 0; i < len(setup.Hosts) && host == ""; i++ {
		if setup.Hosts[i].Active {
			host = setup.Hosts[i].ID.String()
		}
	}
	if host == "" {
		return v, fault.Missing("host", "")
	}
	at := s.Now().In(setup.Zone)
	if month != "" {
		if at, err = time.ParseInLocation("2006-01", month, setup.Zone); err != nil || at.Year() < 2000 || at.Year() > 9998 {
			return v, fault.Invalid("month", "must be a month, such as 2026-11")
		}
	}
	v.Month = when.DayStart(at.Year(), at.Month(), 1, setup.Zone)
	end := when.DayStart(at.Year(), at.Month()+1, 1, setup.Zone)
	res, err := s.figures(ctx, a, setup, AnalyticsInput{Host: host, From: when.At(v.Month).String(), To: when.At(end).String(),
		TimeZone: setup.Zone.String(), NoDays: true})
	if err != nil {
		return v, err
	}
	v.Sum, v.Money = res.ByHost[0], a.May(app.MaySeeAnalytics) == nil
	v.HostID, v.Name = *v.Sum.HostID, v.Sum.Name
	if !v.Money {
		v.Sum.hideMoney()
	}
	known := map[string]HostDayFigures{}
	for _, d := range v.Sum.ByDay {
		known[d.Date] = d
	}
	for day := v.Month; day.Before(end); day = when.AddDays(day, 1) {
		date := day.Format(time.DateOnly)
		d, is := known[date]
		if !is {
			d = HostDayFigures{date, person(nil, nil)}
		}
		if !v.Money {
			d.hideMoney()
		}
		v.Days = append(v.Days, d)
	}
	return v, nil
}

func (p *PersonFigures) hideMoney() { p.Value, p.Revenue, p.Products, p.Tips = nil, nil, nil, nil }
