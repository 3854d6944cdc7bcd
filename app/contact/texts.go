package contact

import (
	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// setTexts notes, behind the lock of the number, what a contact said about texts to the business. Errors: conflict
// texts_stopped.
func (s *Service) setTexts(tx Tx, a app.Actor, c *booking.Contact, in booking.TextsInput) error {
	stopped, err := tx.LockTextNumber(a.Workspace, c.Phone)
	if err != nil {
		return err
	}
	if stopped != 0 {
		return fault.New(fault.Conflict, "texts_stopped",
			"Somebody has sent STOP from this number. Only START, sent from it, brings texts back: ask them to send START.").At("texts")
	}
	err = tx.SetTexts(a.Workspace, c.ID, c.Phone, booking.Texts{State: in.State, At: when.At(s.Now()), By: a.Kind, ByID: a.ID(),
		Wording: in.Wording})
	if err != nil {
		return err
	}
	return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ContactTextsSet, Subject: c.ID.String(), To: string(in.State)})
}

// nameTexts fills in the name of who noted whether a contact wants texts.
func nameTexts(r CardReads, c *booking.Contact) error {
	if c.Texts == nil || c.Texts.ByID == "" {
		return nil
	}
	by := Author{By: c.Texts.ByID}
	err := nameAuthors(r, c.WorkspaceID, []*Author{&by})
	c.Texts.ByName = by.Name
	return err
}
