package store

import (
	"daybook/app/catalog"
)

// Setup implements app.Reader. On the readers' pool its parts may come from different commits; the revision is read
// first, so that the next call notices.
func (q queries) Setup(id catalog.WorkspaceID) (*catalog.Setup, error) {
	w, err := q.Workspace(id)
	if err != nil {
		return nil, err
	}
	hosts, err := q.Hosts(id)
	if err != nil {
		return nil, err
	}
	types, err := q.EventTypes(id)
	if err != nil {
		return nil, err
	}
	resources, err := q.Resources(id)
	if err != nil {
		return nil, err
	}
	setup, err := catalog.NewSetup(w, hosts, types, resources)
	if err != nil {
		return nil, err
	}
	if shown := setup.ShownPictures(); len(shown) > 0 {
		pictures, err := q.PicturesWithin(id, shown)
		if err != nil {
			return nil, err
		}
		setup.ShowPictures(pictures)
	}
	setup.Subscriptions, err = q.Subscriptions(id)
	return setup, err
}
