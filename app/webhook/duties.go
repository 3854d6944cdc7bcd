package webhook

import (
	"daybook/app"
)

func (s *Service) eachEndpointSecret(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil for a caller that only reads
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		all, err := r.Endpoints(w.ID, app.Every)
		if err != nil {
			return err
		}
		for i := range all {
			e := &all[i]
			changed, err := look(&e.Secret)
			if err == nil && e.PreviousSecret != "" {
				var also bool
				also, err = look(&e.PreviousSecret)
				changed = changed || also
			}
			if err == nil && changed {
				err = tx.UpdateEndpoint(e)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
