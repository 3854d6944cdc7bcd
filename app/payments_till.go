package app

// till is the Till of this Service's own payments.
type till struct{ *Service }

func (t till) Takes(r Reader, ws WorkspaceID) (bool, error) { return hasAccount(r, ws) }

func (t till) Due(ch *Change) error {
	ch.After(func() error { return insertDue(ch) })
	return nil
}

func (t till) Close(ch *Change, refund bool) error { return t.endPayment(ch, refund) }

func (t till) NoShow(ch *Change) error {
	fee, err := t.chargeFee(ch)
	if err == nil && fee != nil {
		fee.onto(ch.Booking)
	}
	return err
}

func (t till) UndoNoShow(ch *Change) error { return t.dropFee(ch) }
