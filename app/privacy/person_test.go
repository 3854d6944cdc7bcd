package privacy_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
)

// The file about a person has everything of theirs, and nothing of anybody else.
func TestExportPerson(t *testing.T) {
	p := newPerson(t)
	p.comes()
	other := p.Booked("cut", "4T09", "Other")
	p.Must(p.SQL(`INSERT INTO text_messages (id, workspace_id, contact_id, phone, message) SELECT 7, workspace_id, id, '+4915112345678', 'Zanzibarina writes'
		FROM contacts WHERE name = 'Zanzibarina Quux'`))
	p.Must(p.SQL(`INSERT INTO texts (id, workspace_id, contact_id, kind, phone, facts, visitor, due_ms, until_ms) SELECT 8, workspace_id, id, 'reply',
		'+4915112345678', '{"words":"Yes"}', 0, 0, 0 FROM contacts WHERE name = 'Zanzibarina Quux'`))
	var text bytes.Buffer
	p.Must(p.Privacy.ExportPerson(t.Context(), p.Owner, p.contact, &text))
	var got struct {
		MadeAt    string
		Workspace struct{ Slug string }
		Contact   struct {
			Name, Email, Phone, Notes, Birthday, TellBy string
			Tags                                        []string
			Fields                                      map[string]string
		}
		Bookings []struct {
			ID, InternalNote, Notes         string
			Invitee                         struct{ Name string }
			Answers                         map[string]any
			ContactFields                   map[string]string
			Payments                        []struct{ Note string }
			History                         []struct{ Action, Reason string }
			OnlinePayments, Receipts, Mails []map[string]any
			Visit                           struct{ Position, Of int }
			Parts                           []any
			Resources                       []struct{ Name string }
		}
		Entries []struct{ Text string }
		Files   []struct {
			Name, MediaType string
			Data            []byte
		}
		NumbersElsewhere        []string
		Texts                   []struct{ Kind string }
		Messages                []struct{ Text, Ours string }
		OtherMails, Invitations []map[string]any
		NotIncluded             []string
	}
	d := json.NewDecoder(&text)
	whole := text.String()
	p.Must(d.Decode(&got))
	if got.Workspace.Slug != "salon" || got.Contact.Name != "Zanzibarina Quux" || got.Contact.Notes != "Zanzibarina likes tea\nZanzibarina is new" ||
		!strings.Contains(got.Contact.Phone, number) || len(got.Bookings) != 4 || len(got.NotIncluded) < 3 {
		t.Fatalf("%+v", got)
	}
	if len(got.Texts) != 2 || len(got.Messages) != 3 || got.Messages[1].Text != "Zanzibarina writes" || got.Messages[2].Text != "Yes" ||
		got.Messages[2].Ours == "" {
		t.Errorf("texts %+v, messages %+v", got.Texts, got.Messages)
	}
	b := got.Bookings[0]
	if b.InternalNote != "Zanzibarina pays late" || b.Notes != "Zanzibarina wants coffee" || b.Answers["wish"] != "a Zanzibarina" ||
		b.Payments[0].Note != "Zanzibarina's sister" || len(b.History) < 4 || len(b.Receipts) != 1 || len(b.Mails) < 3 ||
		len(b.OnlinePayments) != 1 {
		t.Errorf("the first booking: %+v", b)
	}
	if b.ContactFields["dog"] != "Zanzibarina's Rex" || got.Contact.Fields["dog"] != "Zanzibarina's Bello" {
		t.Errorf("own fields: %v and %v", b.ContactFields, got.Contact.Fields)
	}
	for i, b := range got.Bookings[2:] { // the visit
		if b.Visit.Position != i+1 || b.Visit.Of != 2 || b.Notes != "Zanzibarina wants both" || len(b.Resources) != 1 ||
			(len(b.Parts) == 3) != (i == 1) || len(b.History) != 3 {
			t.Errorf("service %d of the visit: %+v", i+1, b)
		}
	}
	if len(got.Invitations) != 1 || len(got.OtherMails) == 0 || !slices.Equal(got.NumbersElsewhere, []string{"Zanzibarina-7"}) {
		t.Errorf("%d invitations, %d other mails, numbers %q", len(got.Invitations), len(got.OtherMails), got.NumbersElsewhere)
	}
	if c := got.Contact; c.Birthday != "1990-05-03" || c.TellBy != "call" || !slices.Equal(c.Tags, []string{"Friend of Zanzibarina"}) {
		t.Errorf("%+v", c)
	}
	if len(got.Entries) != 2 || got.Entries[0].Text != "Zanzibarina: 6/0 + 9 %" || len(got.Files) != 3 ||
		got.Files[0].Name != "zanzibarina.pdf" || string(got.Files[0].Data) != "%PDF-1.7 signed by Zanzibarina" {
		t.Errorf("%+v %+v", got.Entries, got.Files)
	}
	for _, foreign := range []string{"Other", "other@mail.example", other.ID.String(), "manageUrl", "/booking/"} {
		if strings.Contains(whole, `"`+foreign) || strings.Contains(whole, foreign+`"`) {
			t.Errorf("the file has %s", foreign)
		}
	}
	staff := app.Actor{Kind: booking.ByOwner, User: 3, Role: app.StaffRole, Host: 1, Workspace: p.Workspace.ID}
	p.Refused(p.Privacy.ExportPerson(t.Context(), staff, p.contact, &text), fault.Forbidden, "role")
	if err := p.Privacy.ExportPerson(t.Context(), p.Owner, "ct_1", &text); !fault.Is(err, fault.NotFound) || text.Len() > 0 {
		t.Errorf("%v, %d bytes", err, text.Len())
	}
	byMail, byPhone := new(bytes.Buffer), new(bytes.Buffer)
	p.Must(p.Privacy.ExportPerson(t.Context(), p.Owner, "ZANZIBARINA@mail.example", byMail))
	p.Must(p.Privacy.ExportPerson(t.Context(), p.Owner, "030 901820777", byPhone))
	if byMail.String() != whole || byPhone.String() != whole {
		t.Error("the file is another one by e-mail address or phone")
	}
}
