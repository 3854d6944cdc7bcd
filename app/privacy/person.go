package privacy

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Person is the person whose file is written.
type Person struct {
	Contact   booking.Contact
	Addresses []string // e-mail addresses, as they are compared, that the person has or booked with
	Own       bool     // the file is for the person, on their own page: it doesn't say who of the business did what
}

// Has reports whether a text is one of the person's addresses.
func (p *Person) Has(address string) bool {
	return slices.Contains(p.Addresses, fault.EmailKey(address))
}

// Part is what another subject adds to the file about a person: for each booking, or for the person. Its functions call
// add with each item.
type Part struct {
	Name      string // of the list in the file
	Own       bool   // it stands in the file that the person gets on their own page, too
	OfBooking func(ctx context.Context, a app.Actor, b booking.BookingID, add func(any) error) error
	OfPerson  func(ctx context.Context, a app.Actor, p *Person, add func(any) error) error
}

// mostAddresses bounds what a person's other lists are searched for.
const mostAddresses = 200

// notIncluded is what the file leaves out, in its own words.
var notIncluded = []string{
	"Events and webhook deliveries: they repeat the bookings, are kept for 30 days, and went to systems outside.",
	"Answers to API requests with an Idempotency-Key: they repeat the bookings and are kept for a day.",
	"Cards: their numbers are at the payment provider and were never here.",
	"The text of mails, which is made from the booking when a mail is sent, and what mail servers, calendars and the " +
		"payment provider keep.",
	"What an import of contacts has changed: it is kept for a day, so that the import can be undone.",
	"Links to manage bookings: whoever has one may cancel.",
	"Backups, snapshots and replicas of the database.",
}

// ExportPerson writes everything about the person with that id, e-mail address or telephone number as a JSON object:
// the contact, their bookings with history, payments, receipts and mails, what stands on their card, other mails to them,
// and invitation links. It
// reads some rows at a time, so a change that is made meanwhile may or may not be in it. Errors: forbidden, not_found,
// both before anything is written.
func (s *Service) ExportPerson(ctx context.Context, a app.Actor, ref string, to io.Writer) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return err
	}
	var c booking.Contact
	err = s.Write(ctx, func(tx Tx) (err error) {
		if c, err = find(tx, a, ref, setup.Workspace.PhoneCountry()); err != nil {
			return err
		}
		one := []booking.Contact{c}
		if err := tx.CountBookingsOf(one, when.At(s.Core.Now())); err != nil {
			return err
		}
		if err := tx.ReadCards(a.Workspace, one); err != nil {
			return err
		}
		c = one[0]
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.PersonExported, Subject: c.ID.String()})
	})
	if err != nil {
		return err
	}
	f := file{ctx: ctx, a: a, s: s, setup: setup, to: bufio.NewWriter(to), person: Person{Contact: c}}
	f.knows(c.Email)
	return f.write()
}

// notIncludedOfOwn is what the file leaves out besides that the person gets on their own page.
var notIncludedOfOwn = []string{
	"What is kept of your health, with the consents to it: allergies, results of tests and such. Ask the business.",
	"What the business has written down for itself: notes, entries, tags, data of other programs, photographs and files. Ask the business.",
	"Who of the business did what.",
	"The log of mails, and invitation links.",
}

// ownContact is what a file has of a contact that the person gets on their own page.
type ownContact struct {
	ID        booking.ContactID `json:"id"`
	Name      string            `json:"name"`
	Email     string            `json:"email"`
	Phone     string            `json:"phone"`
	TimeZone  string            `json:"timeZone"`
	Birthday  *string           `json:"birthday,omitempty"`
	TellBy    *string           `json:"tellBy,omitempty"`
	Texts     *booking.Texts    `json:"texts,omitempty"`
	Fields    map[string]string `json:"fields,omitzero"`
	CreatedAt when.Instant      `json:"createdAt"`
}

// ExportOwn writes, as ExportPerson does, what the contact gets on their own page: themselves, their consents, and their
// bookings with history, payments and receipts. It has nothing of their health, nothing that the business wrote down for itself, and not who of the business
// did what. Errors: forbidden, not_found, both before anything is written.
func (s *Service) ExportOwn(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MaySeeOwn); err != nil {
		return err
	}
	missing := fault.Missing("contact", a.Contact.String())
	if a.Contact == 0 {
		return missing
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	r := s.Reader(ctx)
	c, err := r.Contact(a.Workspace, a.Contact)
	if err == nil && c.Gone() {
		err = fault.ErrNotFound
	}
	if err != nil {
		return fault.OrMissing(err, missing)
	}
	one := []booking.Contact{c}
	if err := r.ReadCards(a.Workspace, one); err != nil {
		return err
	}
	// The parts ask for the rights of the business, whose file this is.
	business := app.Actor{Kind: booking.ByOwner, Workspace: a.Workspace}
	f := file{ctx: ctx, a: business, s: s, setup: setup, to: bufio.NewWriter(to), person: Person{Contact: one[0], Own: true}}
	return f.write()
}

// find returns the contact of that id, e-mail address or telephone number.
func find(tx Tx, a app.Actor, ref, country string) (booking.Contact, error) {
	if _, err := id.Parse[booking.ContactIDKind](ref); err == nil {
		return app.FindContact(tx, a, ref)
	}
	identity, ok := booking.ReadIdentity(ref, country)
	if !ok {
		return booking.Contact{}, fault.Missing("contact", ref)
	}
	c, err := tx.ContactOf(a.Workspace, identity)
	return c, fault.OrMissing(err, fault.Missing("contact", ref))
}

// file is one person's file while it is written.
type file struct {
	ctx    context.Context
	a      app.Actor
	s      *Service
	setup  *catalog.Setup
	to     *bufio.Writer
	person Person
}

func (f *file) knows(email string) {
	if key := fault.EmailKey(email); key != "" && len(f.person.Addresses) < mostAddresses && !f.person.Has(email) {
		f.person.Addresses = append(f.person.Addresses, key)
	}
}

// json writes a value behind a text; what could not be written is told by the last Flush.
func (f *file) json(before string, v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		f.to.WriteString(before)
		f.to.Write(text)
	}
	return err
}

// list writes a list whose elements each adds.
func (f *file) list(before string, each func(add func(any) error) error) error {
	f.to.WriteString(before + "[")
	between := "\n"
	err := each(func(v any) error {
		defer func() { between = ",\n" }()
		return f.json(between, v)
	})
	f.to.WriteString("]")
	return err
}

func (f *file) write() error {
	w := &f.setup.Workspace
	if err := f.json("{\n\"madeAt\": ", when.At(f.s.Now())); err != nil {
		return err
	}
	if err := f.json(",\n\"workspace\": ", map[string]string{"slug": w.Slug, "name": w.Name}); err != nil {
		return err
	}
	c, left := &f.person.Contact, notIncluded
	var is any = c
	if f.person.Own {
		is = ownContact{c.ID, c.Name, c.Email, c.Phone, c.TimeZone, c.Birthday, c.TellBy, c.Texts, c.Fields, c.CreatedAt}
		left = slices.Concat(notIncludedOfOwn, notIncluded)
	}
	if err := f.json(",\n\"contact\": ", is); err != nil {
		return err
	}
	if err := f.bookings(); err != nil {
		return err
	}
	for _, p := range f.s.parts {
		if p.OfPerson == nil || f.person.Own && !p.Own {
			continue
		}
		if err := f.list(",\n\""+p.Name+"\": ", func(add func(any) error) error {
			return p.OfPerson(f.ctx, f.a, &f.person, add)
		}); err != nil {
			return err
		}
	}
	if err := f.json(",\n\"notIncluded\": ", left); err != nil {
		return err
	}
	f.to.WriteString("\n}\n")
	return f.to.Flush()
}

func (f *file) bookings() error {
	f.to.WriteString(",\n\"bookings\": [")
	between := "\n"
	filter := booking.BookingFilter{Contact: f.person.Contact.ID, Limit: app.ExportStep / 5}
	for {
		rows, err := f.s.Reader(f.ctx).Bookings(f.a.Workspace, filter)
		if err != nil {
			return err
		}
		if err := f.s.Reader(f.ctx).ReadWritten(f.a.Workspace, rows); err != nil {
			return err
		}
		for i := range rows {
			f.to.WriteString(between)
			between = ",\n"
			if err := f.booking(&rows[i]); err != nil {
				return err
			}
			filter.After, filter.AfterID = rows[i].Start, rows[i].ID
		}
		if len(rows) < filter.Limit {
			f.to.WriteString("]")
			return nil
		}
	}
}

func (f *file) booking(b *booking.Booking) error {
	f.knows(b.Invitee.Email)
	note := b.InternalNote
	f.s.Core.Present(f.setup, app.Actor{ReadOnly: true}, b) // without the invitee's link
	if f.person.Own {
		b.Metadata = nil
		b.Payments = slices.Clone(b.Payments)
		for i := range b.Payments {
			b.Payments[i].Note = ""
		}
	} else {
		b.InternalNote = note
	}
	line, err := b.AppendMembers([]byte{'{'})
	if err != nil {
		return err
	}
	f.to.Write(line)
	history, err := f.s.Reader(f.ctx).History(b.WorkspaceID, b.ID)
	if err != nil {
		return err
	}
	for i := range history {
		if f.person.Own {
			history[i].By = ""
		}
	}
	if err := f.json(",\"history\":", history); err != nil {
		return err
	}
	for _, p := range f.s.parts {
		if p.OfBooking == nil || f.person.Own && !p.Own {
			continue
		}
		if err := f.list(",\""+p.Name+"\":", func(add func(any) error) error {
			return p.OfBooking(f.ctx, f.a, b.ID, add)
		}); err != nil {
			return err
		}
	}
	f.to.WriteString("}")
	return nil
}
