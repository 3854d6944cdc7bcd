package subjects

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/mail"
	"daybook/app/pass"
	"daybook/app/privacy"
	"daybook/app/text"
	"daybook/app/when"
)

// ofPeople returns what the subjects add to the file about a person.
func (s *Set) ofPeople() []privacy.Part {
	most := 100
	return []privacy.Part{
		{Name: "onlinePayments", Own: true, OfBooking: func(ctx context.Context, a app.Actor, b booking.BookingID,
			add func(any) error) error {
			rows, err := s.Payment.BookingPayments(ctx, a, b.String())
			return each(rows, err, add)
		}},
		{Name: "receipts", Own: true, OfBooking: func(ctx context.Context, a app.Actor, b booking.BookingID,
			add func(any) error) error {
			return pages(func(cursor string) (fault.Page[counter.Receipt], error) {
				return s.Counter.Receipts(ctx, a, counter.ReceiptQuery{Booking: b.String(), Limit: &most, Cursor: cursor})
			}, add)
		}},
		{Name: "sales", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			return pages(func(cursor string) (fault.Page[counter.Sale], error) {
				return s.Counter.Sales(ctx, a, counter.SaleQuery{Contact: p.Contact.ID.String(), Limit: &most, Cursor: cursor})
			}, add)
		}},
		{Name: "passes", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			return pages(func(cursor string) (fault.Page[pass.Pass], error) {
				return s.Pass.Passes(ctx, a, pass.Query{Contact: p.Contact.ID.String(), Limit: &most, Cursor: cursor})
			}, add)
		}},
		{Name: "mails", OfBooking: func(ctx context.Context, a app.Actor, b booking.BookingID,
			add func(any) error) error {
			return pages(func(cursor string) (fault.Page[mail.Mail], error) {
				return s.Mail.Mails(ctx, a, mail.ListInput{Booking: b.String(), Limit: &most, Cursor: cursor})
			}, add)
		}},
		{Name: "texts", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			return pages(func(cursor string) (fault.Page[text.Text], error) {
				return s.Text.Texts(ctx, a, text.ListInput{Contact: p.Contact.ID.String(), Limit: &most, Cursor: cursor})
			}, add)
		}},
		{Name: "messages", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			rows, err := s.Text.Messages(ctx, a, p.Contact.ID.String())
			return each(rows, err, add)
		}},
		{Name: "numbersElsewhere", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person,
			add func(any) error) error {
			number, err := s.People.NumberElsewhere(ctx, a, p.Contact.ID)
			if err != nil || number == "" {
				return err
			}
			return add(number)
		}},
		{Name: "entries", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			return pages(func(cursor string) (fault.Page[contact.Entry], error) {
				return s.People.Entries(ctx, a, p.Contact.ID.String(), &most, cursor)
			}, add)
		}},
		{Name: "consents", Own: true, OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			ref := p.Contact.ID.String()
			return pages(func(cursor string) (fault.Page[contact.Consent], error) {
				return s.People.Consents(ctx, a, ref, &most, cursor)
			}, func(v any) error {
				c, drawn, err := s.People.SignedConsent(ctx, a, ref, v.(*contact.Consent).ID.String())
				if err != nil {
					return err
				}
				if p.Own {
					return add(ownConsent{c.ID, c.Kind, c.Wording, c.Date, c.End, c.Signer, drawn.Path(), c.CreatedAt, c.WithdrawnAt})
				}
				return add(drawnConsent{c, drawn.Path()})
			})
		}},
		{Name: "health", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			return pages(func(cursor string) (fault.Page[contact.HealthEntry], error) {
				return s.People.HealthEntries(ctx, a, p.Contact.ID.String(), &most, cursor)
			}, add)
		}},
		{Name: "files", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			ref := p.Contact.ID.String()
			return pages(func(cursor string) (fault.Page[contact.File], error) {
				return s.People.Files(ctx, a, ref, &most, cursor)
			}, func(v any) error {
				f, data, err := s.People.File(ctx, a, ref, v.(*contact.File).ID.String(), false)
				if fault.Is(err, fault.NotFound) {
					return nil // deleted meanwhile
				}
				if err != nil {
					return err
				}
				return add(fileData{f, data})
			})
		}},
		{Name: "otherMails", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person,
			add func(any) error) error {
			return pages(func(cursor string) (fault.Page[mail.Mail], error) {
				return s.Mail.Mails(ctx, a, mail.ListInput{Limit: &most, Cursor: cursor})
			}, func(v any) error {
				if m := v.(*mail.Mail); m.BookingID == 0 && p.Has(m.To) {
					return add(m)
				}
				return nil
			})
		}},
		{Name: "waitlist", Own: true, OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person, add func(any) error) error {
			var persons []string
			if !p.Own { // those with which they booked may be others' by now
				persons = append(persons, p.Addresses...)
			}
			if !p.Own && p.Contact.Phone != "" {
				persons = append(persons, p.Contact.Phone)
			}
			rows, err := s.Waitlist.WaitsOfPerson(ctx, a, p.Contact.ID, persons)
			return each(rows, err, add)
		}},
		{Name: "invitations", OfPerson: func(ctx context.Context, a app.Actor, p *privacy.Person,
			add func(any) error) error {
			return pages(func(cursor string) (fault.Page[invitation.Invitation], error) {
				return s.Invitation.Invitations(ctx, a, invitation.ListInput{Limit: &most, Cursor: cursor})
			}, func(v any) error {
				if p.Has(v.(*invitation.Invitation).Email) {
					return add(v)
				}
				return nil
			})
		}},
	}
}

// fileData is a file of a person with its bytes, which JSON has in base64.
type fileData struct {
	contact.File
	Data []byte `json:"data"`
}

// drawnConsent is a consent with what was drawn when it was signed, as the path of an SVG picture.
type drawnConsent struct {
	contact.Consent
	Signature string `json:"signature,omitempty"`
}

// ownConsent is what a customer gets of a consent on their own page.
type ownConsent struct {
	ID          contact.ConsentID `json:"id"`
	Kind        string            `json:"kind"`
	Wording     string            `json:"wording"`
	Date        string            `json:"date"`
	End         string            `json:"end"`
	Signer      string            `json:"signer"`
	Signature   string            `json:"signature,omitempty"` // as drawnConsent has it
	CreatedAt   when.Instant      `json:"createdAt"`
	WithdrawnAt when.Instant      `json:"withdrawnAt"`
}

// pages calls add with everything on the pages that read returns.
func pages[T any](read func(cursor string) (fault.Page[T], error), add func(any) error) error {
	for cursor := ""; ; {
		page, err := read(cursor)
		if err := each(page.Data, err, add); err != nil {
			return err
		}
		if !page.HasMore || page.NextCursor == nil {
			return nil
		}
		cursor = *page.NextCursor
	}
}

func each[T any](rows []T, err error, add func(any) error) error {
	for i := 0; err == nil && i < len(rows); i++ {
		err = add(&rows[i])
	}
	return err
}
