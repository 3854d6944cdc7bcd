package integrations

import (
	"daybook/views/dash"
)

// feeds are the private calendar addresses: of the whole workspace, and of each host. An address is only shown on
// request, because anyone who has it sees every booking.
func (c call) feeds() error { return c.showFeeds("none", "") }

func (c call) showFeeds(shown, address string) error {
	v := dash.SettingsListsPage{}
	v.SettingsFrame = c.integrationFrame(c.T("connect_feeds"), dash.CalendarsPath)
	list := dash.SettingsList{Title: c.T("connect_feeds"), Text: c.T("connect_feeds_text")}
	add := func(id, name string) {
		row := dash.SettingsRow{Title: name}
		path := dash.FeedsPath + "?host=" + id
		row.Post, row.PostLabel = path, c.T("connect_feed_show")
		if id == shown {
			row.Copy, row.Post, row.PostLabel = address, "", ""
		}
		row.Actions = []dash.Danger{
			{Title: c.T("connect_feed_new"), Text: c.T("connect_feed_stops"), Action: path + "&anew=1",
				Submit: c.T("connect_feed_new_do")},
			{Title: c.T("connect_feed_remove"), Text: c.T("connect_feed_stops"), Action: path + "&end=1",
				Submit: c.T("connect_feed_remove")},
		}
		list.Rows = append(list.Rows, row)
	}
	add("", c.T("connect_feed_all"))
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
		if err := c.Subjects.Feed.RevokeFeed(c.Context(), c.Actor, host); err != nil {
			return err
		}
		return c.Redirect(dash.FeedsPath, "removed")
	}
	address, err := c.Subjects.Feed.FeedURL(c.Context(), c.Actor, host, q.Get("anew") != "")
	if err != nil {
		return err
	}
	return c.showFeeds(host, address)
}
