package settings

import (
	"cmp"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/phone"
	"daybook/views/dash"
)

// textsStates are the keys of what is said of each state, and how it looks.
var textsStates = map[booking.TextsState]struct{ key, tone string }{booking.TextsUnknown: {"texts_card_unknown", ""},
	booking.TextsYes: {"texts_card_yes", "good"}, booking.TextsNo: {"texts_card_no", ""}, booking.TextsStopped: {"texts_card_stopped", "bad"}}

// texts says whether the customer wants texts, and asks for what they say; nil where the business sends none, and nothing is
// noted.
func (k *card) texts(s *cardState) *dash.CardTexts {
	t := k.x.Texts
	if t == nil || !k.Setup.Workspace.Texts && t.State == booking.TextsUnknown {
		return nil
	}
	is := textsStates[t.State]
	v := &dash.CardTexts{State: dash.Badge{Text: k.T(is.key), Tone: is.tone}, Wording: t.Wording, Problem: k.Sentence(s.textsWrong)}
	if t.At != 0 {
		by := t.ByName
		if t.By == booking.ByInvitee {
			by = k.T("texts_card_themselves")
		}
		if v.Since = k.T("texts_card_since", "Day", k.Day(k.At(t.At))); by != "" {
			v.Since += " · " + by
		}
	}
	_, textable := phone.Parse(k.x.Phone, "")
	switch {
	case t.State == booking.TextsStopped:
		v.Text = k.T("texts_card_stopped_text")
	case !textable:
		v.Text = k.T("texts_card_no_number")
	case k.manages:
		v.Action = dash.ContactTextsPath(k.id)
		v.Ask = dash.Input{Name: "wording", Label: k.T("texts_card_wording"), Kind: "area", Rows: 3, Required: true, Value: k.spokenTexts()}
		if s.texts != nil {
			v.Ask.Value = cmp.Or(s.texts.Get("wording"), v.Ask.Value)
		}
	}
	return v
}

// spokenTexts is the question to which a customer says yes.
func (c call) spokenTexts() string {
	var kinds []string
	for _, k := range catalog.TextKinds {
		if c.Setup.Texts(k, nil) {
			kinds = append(kinds, c.T("texts_of_"+string(k)))
		}
	}
	return c.T("texts_card_spoken", "Name", c.Setup.Workspace.Name, "Kinds", strings.Join(kinds, ", "))
}

// contactTexts notes what a customer said about texts.
func (c call) contactTexts() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.People.ChangeContact(c.Context(), c.Actor, c.PathValue("id"), func(x *booking.Contact) (booking.ContactInput, error) {
		return booking.ContactInput{Name: x.Name, Email: x.Email, Phone: x.Phone, TimeZone: x.TimeZone, Notes: x.Notes,
			Texts: &booking.TextsInput{State: booking.TextsState(form.Get("state")), Wording: form.Get("wording")}}, nil
	})
	if e := web.Refused(err); e != nil {
		x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
		if err != nil {
			return err
		}
		return c.showCard(&x, cardState{texts: form, textsWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(c.PathValue("id")), "saved")
}
