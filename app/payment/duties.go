package payment

import (
	"time"

	"daybook/app"
	"daybook/app/when"
)

func (s *Service) eachAccountSecret(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	all, err := r.PaymentAccounts(app.Every)
	if err != nil {
		return err
	}
	for i := range all {
		a := &all[i]
		changed, err := look(&a.SecretKey)
		if err != nil {
			return err
		}
		also, err := look(&a.SigningSecret)
		if err == nil && (changed || also) {
			err = tx.SavePaymentAccount(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) releaseJobs(tx app.Tx, server int64, now when.Instant) error {
	_, err := tx.(Tx).ReleasePaymentJobs(server, now)
	return err
}

func (s *Service) hasten(tx app.Tx, now when.Instant, by time.Duration) error {
	return tx.(Tx).HastenPaymentJobs(now, by)
}

func (s *Service) releaseLost(tx app.Tx, now, beyond when.Instant) error {
	return tx.(Tx).ReleaseLostPaymentJobs(now, beyond)
}
