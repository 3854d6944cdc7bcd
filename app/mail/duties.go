package mail

import (
	"errors"

	"daybook/app"
	"daybook/app/fault"
)

func (s *Service) eachServerPassword(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		stored, err := r.MailServer(w.ID)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if changed, err := look(&stored); err != nil {
			return err
		} else if changed {
			if err := tx.SetMailServer(w.ID, stored, 0); err != nil {
				return err
			}
		}
	}
	return nil
}
