package page

import (
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
)

// textsField is the box by which a visitor wants texts.
const textsField = "texts"

// textsBox asks whether the visitor wants texts about their appointments, unticked at first: nobody must. It is nil where
// the business sends none, or the form asks for no telephone number.
func (c *call) textsBox(fields []views.Field, f form) *views.Field {
	asked := func(g views.Field) bool { return g.Kind == views.Phone }
	if !c.setup.Workspace.Texts || c.draft != nil || !slices.ContainsFunc(fields, asked) {
		return nil
	}
	box := &views.Field{Name: textsField, Kind: views.Checkbox, Label: c.locale.T("texts_box"), Hint: c.textsDetail()}
	if ticked(f.values.Get(textsField)) {
		box.Value = "on"
	}
	return box
}

// textsDetail says what is sent, what it may cost and how it ends.
func (c *call) textsDetail() string {
	var kinds []string
	for _, k := range catalog.TextKinds {
		if c.setup.Texts(k, nil) {
			kinds = append(kinds, c.locale.T("texts_of_"+string(k)))
		}
	}
	return c.locale.T("texts_detail", "Name", c.setup.Workspace.Name, "Kinds", strings.Join(kinds, ", "))
}

// wantsTexts reports whether the visitor has ticked the box.
func (c *call) wantsTexts(f form) bool {
	return c.setup.Workspace.Texts && ticked(f.values.Get(textsField))
}

// tickTexts notes, in the transaction of a booking, that the visitor has ticked the box, with its wording.
func (c *call) tickTexts(tx app.Tx, b *booking.Booking, f form) error {
	if !c.wantsTexts(f) {
		return nil
	}
	_, err := c.service.In(tx).Text.Tick(tx, b.WorkspaceID, b.ContactID, b.Invitee.Phone, c.textsWording())
	return err
}

// textsWording returns what the box says, as it is kept.
func (c *call) textsWording() string { return c.locale.T("texts_box") + ". " + c.textsDetail() }

// textsStopped tells a visitor who has just ticked the box that their number has stopped texts; "" is that it hasn't.
func (c *call) textsStopped(b *booking.Booking) (string, error) {
	if !c.query.Fresh || !c.query.Texts || b.ContactID == 0 || b.Invitee.Phone == "" {
		return "", nil
	}
	state, err := c.service.Text.TextsState(c.r.Context(), b.WorkspaceID, b.ContactID, b.Invitee.Phone)
	if err != nil || state != booking.TextsStopped {
		return "", err
	}
	number, err := c.service.Text.Number(c.r.Context(), b.WorkspaceID)
	if err != nil || number == "" {
		return c.locale.T("texts_page_stopped_reply"), err
	}
	return c.locale.T("texts_page_stopped", "Number", number), nil
}
