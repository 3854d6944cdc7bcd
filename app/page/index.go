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
func index(v *visit) error {
	if err := v.enter(); err != nil {
		return err
	}
	return v.list()
}

// list shows the event types that are active and open to everybody.
func (v *visit) list() error {
	v.pickHostPage()
	w := &v.setup.Workspace
	offered := Listed(v.setup)
	p := views.IndexPage{Page: v.page(), Shop: v.shop(offered)}
	p.Title, p.Description, p.LD = w.Name, Summary(w.Settings.Description), v.profile(offered).Data(offered)
	p.Canonical = v.service.BaseURL() + "/" + w.Slug
	if v.host == nil {
		p.People = v.team(offered)
	} else {
		who := v.person(v.host)
		p.Title, p.Host, p.AllURL, p.LD = v.host.Name, &who, views.IndexPath(w.Slug, v.query.HostPage("")), nil
		p.Canonical += "?host=" + v.query.Host
	}
	var all []views.Event
	titles := make([]string, 0, len(offered))
	for _, e := range offered {
		if v.host == nil || e.ServedBy(v.host.ID) {
			view := v.eventView(e)
			view.Words = OtherWords(v.setup, e)
			view.Out = !Matches(view, v.query.Search)
			all = append(all, view)
			titles = append(titles, e.Title)
		}
	}
	p.Categories = Categories(all, v.locale.T("shop_other"))
	p.Image = v.shared(p.Image, offered)
	if len(all) >= searchedFrom || v.query.Search != "" {
		p.Search = v.search()
	}
	if p.Description == "" && len(titles) > 0 {
		p.Description = Summary(w.Name + " · " + strings.Join(titles, ", "))
	}
	return v.show(http.StatusOK, views.IndexView(p))
}

// shared is the picture for previews of links: the host's, else the business's.
func (v *visit) shared(logo string, offered []*catalog.EventType) string {
	if v.host != nil {
		if p := v.setup.Picture(v.host.Picture); p != nil {
			return v.widest(p)
		}
	}
	return v.profile(offered).Shared(logo, offered)
}

// pickHostPage sets whose page is asked for. One who can't be booked is left out of the address: an old link still
// leads to the business.
func (v *visit) pickHostPage() {
	ref := v.query.Host
	v.query.Host = ""
	id, err := id.Parse[catalog.HostIDKind](ref)
	if err != nil {
		return
	}
	if h := v.setup.Host(id); h != nil && h.Active {
		v.host, v.query.Host = h, ref
	}
}

// team are the active hosts of what is offered, each with the address of their page.
func (v *visit) team(offered []*catalog.EventType) (all []views.Person) {
	for i := range v.setup.Hosts {
		h := &v.setup.Hosts[i]
		for _, e := range offered {
			if h.Active && e.ServedBy(h.ID) {
				p := v.person(h)
				p.URL = views.IndexPath(v.slug(), v.query.HostPage(h.ID.String()))
				all = append(all, p)
				break
			}
		}
	}
	return all
}

// search is the form that asks for this page again.
func (v *visit) search() *views.Search {
	look := v.query.HostPage(v.query.Host)
	return &views.Search{Text: v.query.Search, Hidden: look.Pairs(), Action: views.IndexPath(v.slug(), views.Query{}),
		ClearURL: views.IndexPath(v.slug(), look)}
}
