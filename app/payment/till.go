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

func (t Till) HasCard(ch *app.Change) (bool, error) {
	card, err := savedCard(tx(ch), ch.Booking)
	return card != nil, err
}

func (t Till) LateFee(ch *app.Change) error {
	card, err := savedCard(tx(ch), ch.Booking)
	if err != nil || card == nil {
		return err
	}
	return t.charge(ch, PaysLateFee, card)
}

func (t Till) NoShow(ch *app.Change) error {
	if err := t.CloseAhead(ch); err != nil {
		return err
	}
	card, err := feeCard(tx(ch), ch.Booking)
	if err != nil || card == nil {
		return err
	}
	return t.charge(ch, PaysFee, card)
}

// charge starts to charge a fee, and shows it on the booking.
func (t Till) charge(ch *app.Change, kind Kind, card *Card) error {
	fee, err := t.chargeFee(ch, kind, card)
	if err == nil {
		fee.showOn(ch.Booking)
	}
	return err
}

func (t Till) UndoNoShow(ch *app.Change) error { return t.dropFee(ch) }
