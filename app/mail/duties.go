package mail

import (
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/when"
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
		if err == fault.ErrNotFound {
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

func (s *Service) releaseMails(tx app.Tx, server int64, now when.Instant) error {
	_, err := tx.(Tx).ReleaseMails(server, now)
	return err
}

func (s *Service) hasten(tx app.Tx, now when.Instant, by time.Duration) error {
	return tx.(Tx).HastenMails(now, by)
}

func (s *Service) releaseLost(tx app.Tx, now, beyond when.Instant) error {
	return tx.(Tx).ReleaseLostMails(now, beyond)
}
