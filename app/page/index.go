package page

import (
	"net/http"
	"strings"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/views"
)

// searchedFrom is from how many services on they can be searched.
const searchedFrom = 9

// index shows a business and what it offers, or what the host of ?host= does.
func index(c *call) error {
	if err := c.enter(); err != nil {
		return err
	}
	return c.list()
}

// list shows the event types that are active and open to everybody.
func (c *call) list() error {
	c.pickHostPage()
	w := &c.setup.Workspace
	offered, b := Listed(c.setup), c.gathered()
	p := views.IndexPage{Page: c.page(), Shop: c.shop(offered), Trade: string(w.Settings.Trade)}
	p.OwnURL = c.ownURL()
	sells, err := c.sellsVouchers()
	if err != nil {
		return err
	}
	if sells {
		p.VoucherURL = views.VoucherPath(w.Slug, c.query.Look())
	}
	p.Title, p.Description, p.LD = c.locale.T("found_title"), Summary(w.Settings.Description), c.profile(offered).Data(offered)
	p.Canonical = c.service.BaseURL() + "/" + w.Slug
	if c.host == nil {
		p.People, p.Photos = c.team(offered), c.photos()
	} else {
		who := c.person(c.host)
		p.Title, p.Host, p.AllURL, p.LD = c.host.Name, &who, views.IndexPath(w.Slug, c.shopQuery("")), nil
		p.Workspace.URL = p.AllURL
		p.Canonical = c.profile(nil).hostURL(c.host)
	}
	var all []views.Event
	titles := make([]string, 0, len(offered))
	for _, e := range offered {
		if c.host == nil || e.ServedBy(c.host.ID) {
			view := c.eventView(e)
			view.Slug, view.Words = e.Slug, OtherWords(c.setup, e)
			if len(offered) > 1 {
				c.addTaking(&view, e, b)
			}
			view.Out = !Matches(view, c.query.Search)
			all = append(all, view)
			titles = append(titles, e.Title)
		}
	}
	p.Chosen = c.chosenView(b)
	p.Categories = Categories(all, c.locale.T("shop_other"))
	p.Image = c.shared(p.Image, offered)
	if len(all) >= searchedFrom || c.query.Search != "" {
		p.Search = c.search()
	}
	if p.Description == "" && len(titles) > 0 {
		p.Description = c.locale.T("found_shop", "Name", w.Name, "Services", Summary(strings.Join(titles, ", ")))
	}
	return c.show(http.StatusOK, views.IndexView(p))
}

// shared returns the picture for previews of links: the host's, else the business's.
func (c *call) shared(logo string, offered []*catalog.EventType) string {
	if c.host != nil {
		if p := c.setup.Picture(c.host.Picture); p != nil {
			return c.linked(p)
		}
	}
	return c.profile(offered).Shared(logo, offered)
}

// pickHostPage sets whose page is asked for. One who can't be booked is left out of the address: an old link still
// leads to the business.
func (c *call) pickHostPage() {
	ref := c.query.Host
	c.query.Host = ""
	id, err := id.Parse[catalog.HostIDKind](ref)
	if err != nil {
		return
	}
	if h := c.setup.Host(id); h != nil && h.Active {
		c.host, c.query.Host = h, ref
	}
}

// team returns the active hosts of what is offered, each with the address of their page.
func (c *call) team(offered []*catalog.EventType) (all []views.Person) {
	for i := range c.setup.Hosts {
		h := &c.setup.Hosts[i]
		for _, e := range offered {
			if h.Active && e.ServedBy(h.ID) {
				p := c.person(h)
				p.URL = views.IndexPath(c.slug(), c.shopQuery(h.ID.String()))
				all = append(all, p)
				break
			}
		}
	}
	return all
}

// search returns the form that asks for this page again.
func (c *call) search() *views.Search {
	look := c.shopQuery(c.query.Host)
	return &views.Search{Text: c.query.Search, Hidden: look.Pairs(), Action: views.IndexPath(c.slug(), views.Query{}),
		ClearURL: views.IndexPath(c.slug(), look)}
}
