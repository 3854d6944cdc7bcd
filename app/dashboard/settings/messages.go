package settings

import (
	"net/url"
	"slices"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/text"
	"daybook/views/dash"
)

// MessageRoutes are the routes of what customers write by text, each with the right that it needs.
var MessageRoutes = []web.Route{
	web.On("GET /dashboard/messages", app.MaySeeContacts, call.messages),
	web.On("POST /dashboard/messages/{id}/seen", app.MayManageContacts, call.seeMessage),
	web.On("POST /dashboard/messages/{id}/reply", app.MayManageContacts, call.replyToMessage),
	web.On("POST /dashboard/contacts/{id}/reply", app.MayManageContacts, call.replyToContact),
}

func (c call) messages() error { return c.showMessages("", nil, nil) }

// showMessages lists what customers wrote, the latest first; of one message the answer was refused.
func (c call) showMessages(refused string, form url.Values, e *fault.Error) error {
	v := dash.MessagesPage{Frame: c.Frame(c.T("inbox_title"), "today")}
	all, err := c.Subjects.Text.Messages(c.Context(), c.Actor, "")
	if err != nil {
		return err
	}
	slices.Reverse(all)
	for i := range all {
		m := &all[i]
		row := c.textRow(m)
		row.Name = c.Phone(m.Phone)
		if m.ContactID != 0 {
			k, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, m.ContactID.String())
			if fault.Is(err, fault.NotFound) { // deleted meanwhile
				continue
			}
			if err != nil {
				return err
			}
			row.Name, row.URL = k.Name, dash.ContactPath(k.ID.String())+"#"+dash.MessagesPart
		}
		if c.May(app.MayManageContacts) {
			if m.SeenAt == 0 {
				row.SeenURL = dash.MessageSeenPath(row.ID)
			}
			row.Answer = c.textForm(dash.MessageReplyPath(row.ID), row.ID+"-text", nil, nil)
			if row.ID == refused {
				row.Answer = c.textForm(dash.MessageReplyPath(row.ID), row.ID+"-text", form, e)
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return c.Show(web.RefusedStatus(e), dash.Messages(v))
}

func (c call) textRow(m *text.Message) dash.TextRow {
	r := dash.TextRow{ID: m.ID.String(), Text: m.Text, Day: c.Day(c.At(m.CreatedAt)) + ", " + c.Clock(m.CreatedAt), Ours: m.Ours != ""}
	if m.Media > 0 {
		r.Media = c.T("inbox_media", "Count", m.Media)
	}
	switch m.Ours {
	case "":
		if m.SeenAt == 0 {
			r.State = dash.Badge{Text: c.T("inbox_new"), Tone: "info"}
		}
	case text.Waiting:
		r.State = dash.Badge{Text: c.T("inbox_waiting")}
	case text.Perhaps:
		r.State = dash.Badge{Text: c.T("inbox_perhaps"), Tone: "warn"}
	case text.Failed, text.Dropped:
		r.State = dash.Badge{Text: c.T("inbox_failed"), Tone: "bad"}
	case text.Delivered:
		r.State = dash.Badge{Text: c.T("inbox_delivered"), Tone: "good"}
	}
	return r
}

// textForm is the form of an answer; nil where the workspace sends no texts.
func (c call) textForm(action, id string, form url.Values, e *fault.Error) *dash.TextForm {
	if !c.Setup.Workspace.Texts {
		return nil
	}
	return &dash.TextForm{ID: id, Action: action, Text: form.Get("text"), Problem: c.Sentence(e), Open: e != nil}
}

// talk returns the texts between the customer of a card and the business.
func (k *card) talk(s *cardState) (*dash.TextsPart, error) {
	if !k.Setup.Workspace.Texts || !k.May(app.MaySeeContacts) {
		return nil, nil
	}
	all, err := k.Subjects.Text.Messages(k.Context(), k.Actor, k.id)
	if err != nil {
		return nil, err
	}
	p := &dash.TextsPart{}
	for i := range all {
		p.Rows = append(p.Rows, k.textRow(&all[i]))
		if all[i].SeenAt == 0 && k.manages {
			p.SeenURL = dash.MessageSeenPath(all[i].ID.String())
		}
	}
	if k.manages && k.x.Phone != "" {
		p.Form = k.textForm(dash.ContactReplyPath(k.id), "reply-text", s.reply, s.replyWrong)
	}
	if len(p.Rows) == 0 && p.Form == nil {
		return nil, nil
	}
	return p, nil
}

func (c call) seeMessage() error {
	if err := c.Subjects.Text.SeeMessage(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.MessagesPath, "saved")
}

func (c call) replyToMessage() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Text.Reply(c.Context(), c.Actor, c.PathValue("id"), form.Get("text"))
	if e := web.Refused(err); e != nil {
		return c.showMessages(c.PathValue("id"), form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MessagesPath, "replied")
}

func (c call) replyToContact() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Text.Reply(c.Context(), c.Actor, x.ID.String(), form.Get("text"))
	if e := web.Refused(err); e != nil {
		return c.showCard(&x, cardState{reply: form, replyWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(x.ID.String()), "replied")
}
