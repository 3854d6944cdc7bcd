package dashboard

import (
	"net/url"
	"strings"

	"daybook/app"
	"daybook/views"
)

const hostsPath = "/dashboard/hosts"

func (d *Door) hosts(c *call) error {
	if c.actor.Role == app.StaffRole {
		return c.redirect(hostsPath+"/"+c.actor.Host.String(), "")
	}
	v := views.HostsPage{Dash: c.dash("Availability", "hours"), NewURL: hostsPath + "/new"}
	for i := range c.setup.Hosts {
		h := &c.setup.Hosts[i]
		r := views.HostRow{URL: hostsPath + "/" + h.ID.String(), Name: h.Name, Text: h.Email + " · " + h.TimeZone, Week: weekText(h.Weekly), State: views.Badge{Text: "Active", Tone: "good"}}
		if !h.Active {
			r.State = views.Badge{Text: "Inactive"}
		}
		v.Rows = append(v.Rows, r)
	}
	return c.show(200, views.Hosts(v))
}

// weekText is a week in a line: "Mon–Thu 09:00–17:00, Fri 09:00–12:00".
func weekText(weekly map[string][]string) string {
	var parts []string
	for i := 0; i < 7; {
		hours := strings.Join(weekly[weekOrder[i]], ", ")
		j := i
		for j+1 < 7 && strings.Join(weekly[weekOrder[j+1]], ", ") == hours {
			j++
		}
		if hours != "" {
			days := titled(weekOrder[i])
			if j > i {
				days += "–" + titled(weekOrder[j])
			}
			parts = append(parts, days+" "+strings.ReplaceAll(hours, "-", "–"))
		}
		i = j + 1
	}
	if len(parts) == 0 {
		return "No weekly hours"
	}
	return strings.Join(parts, " · ")
}

func hostTabs(id, at string) []views.Tab {
	var tabs []views.Tab
	for _, t := range []struct{ key, label string }{{"", "Weekly hours"}, {"month", "Single days"}, {"away", "Time off"}, {"why", "Why is it closed?"}} {
		path := hostsPath + "/" + id
		if t.key != "" {
			path += "/" + t.key
		}
		tabs = append(tabs, views.Tab{Label: t.label, URL: path, Current: t.key == at})
	}
	return tabs
}

func (c *call) hostsBack() string {
	if c.actor.Role == app.StaffRole {
		return ""
	}
	return hostsPath
}

func (d *Door) newHostForm(c *call) error {
	h := app.Host{TimeZone: c.setup.Workspace.TimeZone, Hours: app.Hours{Weekly: usual}, Active: true}
	return c.showHost(&h, nil, nil)
}

func (d *Door) hostForm(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showHost(&h, nil, nil)
}

func (c *call) showHost(h *app.Host, typed url.Values, e *app.Error) error {
	v := views.HostPage{Dash: c.dash(h.Name, "hours"), BackURL: c.hostsBack(), Action: hostsPath + "/" + h.ID.String(), Submit: "Save"}
	weekly := h.Weekly
	if typed != nil {
		weekly = readHours(typed)
	}
	if h.ID == 0 {
		v.Title, v.Action, v.Submit = "New host", hostsPath+"/new", "Create"
	} else {
		v.Tabs = hostTabs(h.ID.String(), "")
		if !h.Active {
			v.State = views.Badge{Text: "Inactive"}
		}
	}
	inputs := []views.Input{{Name: "timeZone", Label: "Time zone of the hours", Kind: "zone", Value: h.TimeZone, Required: true, Half: true}}
	if c.actor.Role != app.StaffRole {
		inputs = append([]views.Input{
			{Name: "name", Label: "Name", Value: h.Name, Required: true, Half: true},
			{Name: "email", Label: "E-mail", Kind: "email", Value: h.Email, Required: true, Half: true, Hint: "Is told of bookings."},
		}, inputs...)
		if h.ID != 0 {
			inputs = append(inputs, views.Input{Name: "active", Label: "Can be booked", Kind: "check", Checked: h.Active, Hint: "Bookings that are there already stay."})
		}
	}
	v.Groups = []views.Group{{Title: "About", Inputs: inputs}}
	v.Problem = fill(v.Groups, typed, e)
	v.Hours = hoursDays(weekly, e)
	if e != nil && strings.Contains(e.Field, "weekly.") {
		v.Problem = ""
	}
	return c.show(refusedStatus(e), views.HostForm(v))
}

func (d *Door) newHost(c *call) error { return c.saveHost(app.Host{Active: true}) }

func (d *Door) saveHost(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.saveHost(h)
}

func (c *call) saveHost(h app.Host) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	old := h
	h.Weekly, h.TimeZone = readHours(form), form.Get("timeZone")
	if c.actor.Role != app.StaffRole {
		h.Name, h.Email = form.Get("name"), form.Get("email")
		h.Active = h.ID == 0 || form.Has("active")
	}
	saved, err := c.door.SaveHost(c.Context(), c.actor, h)
	if e := refused(err); e != nil {
		return c.showHost(&old, form, e)
	}
	if err != nil {
		return err
	}
	if old.ID == 0 {
		return c.redirect(hostsPath+"/"+saved.ID.String(), "created")
	}
	return c.redirect(hostsPath+"/"+saved.ID.String(), "saved")
}
