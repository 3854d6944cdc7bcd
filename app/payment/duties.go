package payment

import (
	"daybook/app"
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
