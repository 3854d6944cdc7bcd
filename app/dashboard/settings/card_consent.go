package settings

import (
	"net/url"

	"daybook/app"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// agreed fills in what the customer agreed to, and what is kept of their health; nothing for who may not see it.
func (k *card) agreed(v *dash.ContactPage, s *cardState) error {
	if !k.May(app.MaySeeConsents) {
		return nil
	}
	alerts, err := k.Subjects.People.Alerts(k.Context(), k.Actor, k.id)
	if err != nil {
		return err
	}
	for i := range alerts {
		v.Alerts = append(v.Alerts, alerts[i].Text)
	}
	most := fault.MaxPage
	health, err := k.Subjects.People.HealthEntries(k.Context(), k.Actor, k.id, &most, "")
	if err != nil {
		return err
	}
	consents, err := k.Subjects.People.Consents(k.Context(), k.Actor, k.id, &most, "")
	if err != nil {
		return err
	}
	covered, err := k.Subjects.People.CoversHealth(k.Context(), k.Actor, k.id)
	if err != nil {
		return err
	}
	kinds, writes := k.Setup.Workspace.Settings.Consents, k.May(app.MayWriteConsents)
	if len(kinds)+len(consents.Data)+len(health.Data) == 0 {
		return nil // the workspace asks for nothing
	}
	part := &dash.AgreePart{More: consents.HasMore || health.HasMore}
	for i := range health.Data {
		part.Health = append(part.Health, k.healthRow(&health.Data[i]))
	}
	for i := range consents.Data {
		c := &consents.Data[i]
		part.Consents = append(part.Consents, dash.AgreeRow{Name: k.consentName(c.Kind), URL: dash.CardConsentPath(k.id, c.ID.String()),
			Day: k.dayText(c.Date), Signer: c.Signer, State: k.consentState(c)})
	}
	if writes {
		for _, kind := range kinds {
			part.Record = append(part.Record, dash.Tab{Label: kind.Name,
				URL: web.WithQuery(dash.CardSignPath(k.id), url.Values{"kind": {kind.Key}})})
		}
		switch {
		case !k.Subjects.People.HealthKept():
			part.Why = k.T("agreefault_no_key")
		case !covered:
			part.Why = k.T("agreefault_missing")
		default:
			part.Write = &dash.HealthForm{Action: dash.CardHealthPath(k.id), Kind: string(contact.Allergy)}
		}
		if s.health != nil {
			part.Write = &dash.HealthForm{Action: dash.CardHealthPath(k.id), Kind: s.health.Get("kind"), Text: s.health.Get("text"),
				Reaction: s.health.Has("reaction"), Problem: k.Sentence(s.healthWrong)}
		}
	}
	v.Agree = part
	return nil
}

// healthKinds are the words of kinds.
var healthKinds = map[contact.HealthKind]string{contact.Allergy: "agree_allergy", contact.PatchTest: "agree_test",
	contact.Condition: "agree_condition"}

func (k *card) healthRow(h *contact.HealthEntry) dash.HealthRow {
	row := dash.HealthRow{Kind: k.T(healthKinds[h.Kind]), Text: h.Text, Day: k.dayText(h.Date), Author: k.Author(h.Author),
		Alert: h.Alert, Over: h.Kind == contact.Allergy && !h.Alert}
	if k.manages && k.May(app.MayWriteConsents) {
		row.Delete = &dash.Danger{Title: k.T("card_delete"), Text: k.T("agree_health_delete_text"), Submit: k.T("card_entry_delete_do"),
			Action: dash.CardHealthDeletePath(k.id, h.ID.String())}
	}
	return row
}

// consentName is the name of a kind, or its key where the workspace has it no more.
func (c call) consentName(key string) string {
	if kind := c.Setup.Workspace.Settings.Consent(key); kind != nil {
		return kind.Name
	}
	return key
}

// dayText writes a day such as 2026-12-24 as the locale does.
func (c call) dayText(day string) string {
	at, err := web.ParseDay(day, c.Zone())
	if err != nil {
		return day
	}
	return c.Day(at)
}

func (c call) consentState(x *contact.Consent) dash.Badge {
	switch {
	case x.WithdrawnAt != 0:
		return dash.Badge{Text: c.T("agree_withdrawn"), Tone: "bad"}
	case !x.Valid:
		return dash.Badge{Text: c.T("agree_ended"), Tone: "warn"}
	case x.End != "":
		return dash.Badge{Text: c.T("agree_until", "Day", c.dayText(x.End)), Tone: "good"}
	}
	return dash.Badge{Text: c.T("agree_valid"), Tone: "good"}
}

func (c call) signForm() error { return c.showSign(c.URL.Query(), nil) }

// showSign shows the page that the customer reads and signs. What they have drawn for a form that was refused comes back,
// unless the wording is another one by now.
func (c call) showSign(form url.Values, e *fault.Error) error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	kind := c.Setup.Workspace.Settings.Consent(form.Get("kind"))
	if kind == nil {
		return fault.Missing("consent", form.Get("kind"))
	}
	v := dash.SignPage{Frame: c.Frame(kind.Name, "contacts"), Action: dash.CardConsentsPath(x.ID.String()), Kind: kind.Key,
		Read: kind.Worded(), Name: kind.Name, Wording: kind.Wording, Width: contact.SignatureWidth, Height: contact.SignatureHeight}
	if kind.Days > 0 {
		v.Valid = c.T("agree_valid_days", "Count", kind.Days)
	}
	v.Groups = []dash.Group{
		{Inputs: []dash.Input{{Name: "signer", Label: c.T("agree_signer"), Value: x.Name, Required: true, Autocomplete: "off"}}},
		{Fold: c.T("agree_other_day"), Inputs: []dash.Input{{Name: "date", Label: c.T("agree_date"), Kind: "date",
			Hint: c.T("agree_date_hint")}}}}
	if e != nil {
		v.Problem = c.Fill(v.Groups, form, e)
	}
	if form.Get("read") == v.Read {
		if drawn, err := contact.ParseSignature(form.Get("signature")); err == nil {
			v.Signature, v.Drawn = form.Get("signature"), drawn.Path()
		}
	}
	return c.Show(web.RefusedStatus(e), dash.Sign(v))
}

func (c call) recordConsent() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.People.RecordConsent(c.Context(), c.Actor, c.PathValue("id"), contact.ConsentInput{Kind: form.Get("kind"),
		Date: form.Get("date"), Signer: form.Get("signer"), Signature: form.Get("signature"), Read: form.Get("read")})
	if e := web.Refused(err); e != nil {
		return c.showSign(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.CardSignedPath(c.PathValue("id")), "")
}

func (c call) signed() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.Show(200, dash.Signed(dash.SignedPage{Frame: c.Frame(c.T("agree_thanks"), "contacts"),
		CardURL: dash.ContactPath(x.ID.String()) + "#" + dash.HealthPart}))
}

func (c call) consent() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	s, drawn, err := c.Subjects.People.SignedConsent(c.Context(), c.Actor, c.PathValue("id"), c.PathValue("consent"))
	if err != nil {
		return err
	}
	id, name := x.ID.String(), c.consentName(s.Kind)
	v := dash.AgreedPage{Frame: c.Frame(name, "contacts"), BackURL: dash.ContactPath(id) + "#" + dash.HealthPart, Back: x.Name, Name: name,
		Wording: s.Wording, State: c.consentState(&s), Drawn: drawn.Path(), Width: contact.SignatureWidth, Height: contact.SignatureHeight}
	add := func(key, value string) {
		if value != "" {
			v.Facts = append(v.Facts, dash.Fact{Name: c.T(key), Value: value})
		}
	}
	add("agree_date", c.dayText(s.Date))
	if s.End != "" {
		add("agree_end", c.dayText(s.End))
	}
	add("agree_signer", s.Signer)
	add("agree_recorded", c.Author(s.Author))
	if s.WithdrawnAt != 0 {
		add("agree_withdrawn", c.Day(c.At(s.WithdrawnAt))+" · "+c.Author(*s.WithdrawnBy))
	} else if c.May(app.MayWriteConsents) {
		v.Withdraw = &dash.Danger{Title: c.T("agree_withdraw"), Text: c.T("agree_withdraw_text"), Submit: c.T("agree_withdraw_do"),
			Action: dash.CardWithdrawPath(id, s.ID.String())}
		behind, err := c.Subjects.People.ConsentBehind(c.Context(), c.Actor, id, s.ID.String())
		if err != nil {
			return err
		}
		if behind != nil {
			v.Withdraw.Text += " " + c.T("agree_withdraw_behind", "Day", c.dayText(behind.Date))
		}
	}
	return c.Show(200, dash.Agreed(v))
}

func (c call) withdrawConsent() error {
	if _, err := c.Subjects.People.WithdrawConsent(c.Context(), c.Actor, c.PathValue("id"), c.PathValue("consent")); err != nil {
		return err
	}
	return c.Redirect(dash.CardConsentPath(c.PathValue("id"), c.PathValue("consent")), "saved")
}

func (c call) writeHealth() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.People.AddHealth(c.Context(), c.Actor, c.PathValue("id"), contact.HealthInput{
		Kind: contact.HealthKind(form.Get("kind")), Text: form.Get("text"), Reaction: form.Has("reaction")})
	if e := web.Refused(err); e != nil {
		return c.showCard(&x, cardState{health: form, healthWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(x.ID.String()), "saved")
}

func (c call) deleteHealth() error {
	id := c.PathValue("id")
	if err := c.Subjects.People.DeleteHealth(c.Context(), c.Actor, id, c.PathValue("health")); err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(id), "deleted")
}
