package subjects

import (
	"context"
	"encoding/json"
	"io"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/report"
)

// ofCards returns what an export of everything has of customers' cards if it is asked for: health, signatures and files.
func (s *Set) ofCards() []report.Part {
	most := 100
	return []report.Part{
		{Name: "consents.jsonl", Health: true, Write: s.ofEachCard(func(ctx context.Context, a app.Actor, c *booking.Contact, add func(any) error) error {
			ref := c.ID.String()
			return pages(func(cursor string) (fault.Page[contact.Consent], error) {
				return s.People.Consents(ctx, a, ref, &most, cursor)
			}, func(v any) error {
				x, drawn, err := s.People.SignedConsent(ctx, a, ref, v.(*contact.Consent).ID.String())
				if err != nil {
					return err
				}
				return add(exportedConsent{c.ID, drawnConsent{x, drawn.Path()}})
			})
		})},
		{Name: "health.jsonl", Health: true, Write: s.ofEachCard(func(ctx context.Context, a app.Actor, c *booking.Contact, add func(any) error) error {
			return pages(func(cursor string) (fault.Page[contact.HealthEntry], error) {
				return s.People.HealthEntries(ctx, a, c.ID.String(), &most, cursor)
			}, func(v any) error { return add(exportedHealth{c.ID, *v.(*contact.HealthEntry)}) })
		})},
		{Name: "customer-files.jsonl", Health: true, Write: s.ofEachCard(func(ctx context.Context, a app.Actor, c *booking.Contact, add func(any) error) error {
			return s.filesOf(ctx, a, c, func(f *contact.File) error { return add(exportedFile{c.ID, *f}) })
		})},
		{Name: "customer-files/", Health: true, Files: func(ctx context.Context, a app.Actor, file func(name string) (io.Writer, error)) error {
			return s.eachCard(ctx, a, func(c *booking.Contact) error {
				return s.filesOf(ctx, a, c, func(f *contact.File) error {
					whole, data, err := s.People.File(ctx, a, c.ID.String(), f.ID.String(), false)
					if fault.Is(err, fault.NotFound) {
						return nil // deleted meanwhile
					}
					if err != nil {
						return err
					}
					to, err := file(whole.ID.String() + endings[whole.MediaType])
					if err == nil {
						_, err = to.Write(data)
					}
					return err
				})
			})
		}},
	}
}

// endings are those of names, by media type.
var endings = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "application/pdf": ".pdf"}

// Lines of an export say whose they are.
type (
	exportedConsent struct {
		Contact booking.ContactID `json:"contact"`
		drawnConsent
	}
	exportedHealth struct {
		Contact booking.ContactID `json:"contact"`
		contact.HealthEntry
	}
	exportedFile struct {
		Contact booking.ContactID `json:"contact"`
		contact.File
	}
)

func (s *Set) filesOf(ctx context.Context, a app.Actor, c *booking.Contact, add func(*contact.File) error) error {
	most := 100
	return pages(func(cursor string) (fault.Page[contact.File], error) {
		return s.People.Files(ctx, a, c.ID.String(), &most, cursor)
	}, func(v any) error { return add(v.(*contact.File)) })
}

// ofEachCard writes lines of what read adds for each contact.
func (s *Set) ofEachCard(read func(ctx context.Context, a app.Actor, c *booking.Contact, add func(any) error) error) func(context.Context, app.Actor, io.Writer) error {
	return func(ctx context.Context, a app.Actor, to io.Writer) error {
		out := json.NewEncoder(to)
		return s.eachCard(ctx, a, func(c *booking.Contact) error { return read(ctx, a, c, out.Encode) })
	}
}

// eachCard calls do with every contact. One that is deleted meanwhile is left out.
func (s *Set) eachCard(ctx context.Context, a app.Actor, do func(*booking.Contact) error) error {
	most := fault.MaxPage
	return pages(func(cursor string) (fault.Page[booking.Contact], error) {
		return s.People.Contacts(ctx, a, contact.Filter{}, &most, cursor)
	}, func(v any) error {
		if err := do(v.(*booking.Contact)); err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		return nil
	})
}
