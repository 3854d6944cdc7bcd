package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/setup"
	"daybook/app/subjects"
)

var hosts = tool{
	name: "hosts", title: "See, add and change hosts",
	description: "Without arguments lists the people and rooms that can be booked, with their hours. With host changes what is given of that " +
		"one; with a name and no host adds one, which has no hours yet. active false switches one off: bookings stay. Nobody is told.",
	repeatable: true, destroys: true,
	input: object("", append([]property{may("host", text("Id or name of the one to change.").length(1, booking.MaxRef))},
		fields(setup.OwnHost, "name", "email", "about", "timeZone", "active")...)...),
	output: hostsModel,
	run: reading(readHosts, func(ctx context.Context, s *subjects.Set, a app.Actor, in hostChange) (any, error) {
		all, err := s.Setup(a.Workspace)
		if err != nil {
			return nil, err
		}
		switch {
		case in.host != "":
			return in.save(ctx, s, a, all)
		case !in.given:
			found, err := s.Shop.Hosts(a)
			return hostRows(found...), err
		}
		h := catalog.Host{TimeZone: all.Workspace.TimeZone}
		if err := in.change.Apply(&all.Workspace, &h); err != nil {
			return nil, bare(err, "host.")
		}
		h, err = s.Shop.SaveHost(ctx, a, h)
		if err != nil {
			return nil, bare(err, "host.")
		}
		return hostRows(h), nil
	}),
}

// hostsModel are hosts in the shape of a set-up file.
var hostsModel = object("", must("hosts", list("", object("", must("name", text("")), may("id", text("")), may("weekly", &schema{Type: "object"})))))

type hostList struct {
	Hosts []setup.Object `json:"hosts"`
}

func hostRows(all ...catalog.Host) hostList {
	rows := hostList{[]setup.Object{}}
	for i := range all {
		rows.Hosts = append(rows.Hosts, setup.HostObject(&all[i]))
	}
	return rows
}

type hostChange struct {
	host   string
	given  bool
	change setup.HostChange
}

func readHosts(in *args) (c hostChange) {
	c.host = in.short("host")
	c.given = in.changed(setup.OwnHost, &c.change, "weekly", "overrides", "timeOff")
	return c
}

// save changes the host; where nothing is given it answers the host as it is.
func (c *hostChange) save(ctx context.Context, s *subjects.Set, a app.Actor, all *catalog.Setup) (any, error) {
	ref, err := namedHost(s, a, c.host)
	if err != nil {
		return nil, err
	}
	if !c.given {
		h, err := s.Shop.Host(a, ref)
		return hostRows(h), err
	}
	h, err := s.Shop.ChangeHost(ctx, a, ref, func(h *catalog.Host) error { return c.change.Apply(&all.Workspace, h) })
	if err != nil {
		return nil, bare(err, "host.")
	}
	return hostRows(h), nil
}
