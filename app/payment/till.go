package payment

import (
	"daybook/app"
	"daybook/app/catalog"
)

// Till is the Till of this Service's own payments.
type Till struct{ *Service }

func (t Till) Takes(r app.Reader, ws catalog.WorkspaceID) (bool, error) {
	return HasAccount(r.(Reader), ws)
}

func (t Till) Due(ch *app.Change) error {
	ch.After(func() error { return insertDue(ch) })
	return nil
}

func (t Till) Close(ch *app.Change, refund bool) error { return t.endPayment(ch, refund) }

func (t Till) NoShow(ch *app.Change) error {
	fee, err := t.chargeFee(ch)
	if err == nil && fee != nil {
		fee.showOn(ch.Booking)
	}
	return err
}

func (t Till) UndoNoShow(ch *app.Change) error { return t.dropFee(ch) }
