package integrations

import (
	"daybook/views/dash"
)

// feeds are the private calendar addresses: of the whole workspace, and of each host. An address is only shown on
// request, because anyone who has it sees every booking.
func (c call) feeds() error { return c.showFeeds("none", "") }

func (c call) showFeeds(shown, address string) error {
	v := dash.SettingsListsPage{}
	v.SettingsFrame = c.integrationFrame("Calendars", dash.FeedsPath)
	list := dash.SettingsList{Title: "Bookings in your calendar",
		Text: "Subscribe to a private address in Google Calendar, Apple Calendar or Outlook. Anyone who has it sees the " +
			"bookings, so keep it private."}
	add := func(id, name string) {
		row := dash.SettingsRow{Title: name}
		path := dash.FeedsPath + "?host=" + id
		row.Post, row.PostLabel = path, "Show the address"
		if id == shown {
			row.Copy, row.Post, row.PostLabel = address, "", ""
		}
		row.Actions = []dash.Danger{
			{Title: "New address", Text: "Calendars that use the current address stop updating.",
				Action: path + "&anew=1", Submit: "Make a new address"},
			{Title: "Remove address", Text: "Calendars that use this address stop updating.", Action: path + "&end=1",
				Submit: "Remove address"},
		}
		list.Rows = append(list.Rows, row)
	}
	add("", "Everybody")
	for i := range c.Setup.Hosts {
		add(c.Setup.Hosts[i].ID.String(), c.Setup.Hosts[i].Name)
	}
	v.Lists = []dash.SettingsList{list}
	return c.Show(200, dash.SettingsLists(v))
}

func (c call) changeFeed() error {
	q := c.URL.Query()
	host := q.Get("host")
	if q.Get("end") != "" {
		if err := c.Rooms.Feed.RevokeFeed(c.Context(), c.Actor, host); err != nil {
			return err
		}
		return c.Redirect(dash.FeedsPath, "removed")
	}
	address, err := c.Rooms.Feed.FeedURL(c.Context(), c.Actor, host, q.Get("anew") != "")
	if err != nil {
		return err
	}
	return c.showFeeds(host, address)
}
