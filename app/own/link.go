package own

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/netip"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/when"
)

// Link opens the page of a contact. The secret is made of it again where the mail is sent, so that neither database nor
// queue holds one.
type Link struct {
	Contact booking.ContactID `json:"contact"`
	Key     string            `json:"key"` // chosen at random for each
	Until   when.Instant      `json:"until"`
	Locale  string            `json:"locale,omitempty"` // in which it was asked for
}

// Segment is what stands in the address of a page of one's own where others have an event type, whose slugs never begin
// with this sign.
const Segment = "_me"

// token returns the secret of the link.
func (l *Link) token(setup *catalog.Setup) string {
	return setup.MAC("own\x00" + l.Contact.String() + "\x00" + l.Key)
}

// Path returns the path of the page that asks whether to open the page.
func (l *Link) Path(setup *catalog.Setup) string {
	return "/" + setup.Workspace.Slug + "/" + Segment + "/" + l.token(setup)
}

// Hash returns what is saved of a link that can be opened.
func (l *Link) Hash(setup *catalog.Setup) []byte { return hash(l.token(setup)) }

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Asked is the input of Ask.
type Asked struct {
	Address string // an e-mail address or a telephone number
	Locale  string // of the mail
	From    netip.Addr
}

// Ask mails a link to the contact that has the address, at the e-mail address that the business keeps of it, or texts it where
// that has a telephone number alone and the business sends texts, and ends the links that it was sent before. A telephone number that two contacts have is nobody's. Nobody learns whether a mail
// goes out: the result is the same, and so is the work but for queueing it. It goes out at most three times an hour to a
// contact. Errors: bad_request (address: neither an e-mail address nor a telephone number), rate_limited (From has asked
// too often, for whomever).
func (s *Service) Ask(ctx context.Context, setup *catalog.Setup, in Asked) error {
	ws := setup.Workspace.ID
	who, err := read(in.Address, setup.Workspace.PhoneCountry())
	if err != nil {
		return err
	}
	key := rand.Text()
	return s.Write(ctx, func(tx Tx) error {
		if err := s.gate.In(tx).Count(ctx, gate.Client{Address: in.From, Most: asksPerHour, What: "own"}); err != nil {
			return err
		}
		found, err := only(tx, ws, who)
		if err != nil {
			return err
		}
		if err := tx.LockContact(found.ID); err != nil {
			return err
		}
		c, err := only(tx, ws, who)
		if err != nil {
			return err
		}
		now := when.At(s.Core.Now())
		sent, err := tx.OwnLinksSince(ws, found.ID, now.Add(-time.Hour))
		if err != nil {
			return err
		}
		l := Link{Key: key, Locale: in.Locale}
		if c.ID == found.ID && (c.Email != "" || setup.Workspace.Texts && c.Phone != "") && sent < linksPerHour {
			l.Contact, l.Until = c.ID, now.Add(LinkLife)
		}
		if err := tx.EndOwnLinks(ws, l.Contact); err != nil {
			return err
		}
		mail := int64(0)
		if l.Contact != 0 {
			if mail, err = s.post(ctx, tx, &c, l, in.From); err != nil {
				return err
			}
		}
		return tx.InsertOwnLink(ws, l.Hash(setup), l.Contact, now, l.Until, mail)
	})
}

// read returns by what a contact is looked for. Errors: bad_request.
func read(address, country string) (booking.Identity, error) {
	who, ok := booking.ReadIdentity(address, country)
	var err error
	if who.Email != "" {
		who.Email, err = fault.CheckEmail("address", who.Email)
	} else if !ok {
		err = fault.Invalid("address", "must be an e-mail address or a telephone number")
	}
	return who, err
}

// only returns the one contact that has the address, else one without an id.
func only(tx Tx, ws catalog.WorkspaceID, who booking.Identity) (booking.Contact, error) {
	found, err := tx.ContactsOf(ws, who, 2)
	if err != nil || len(found) != 1 {
		return booking.Contact{}, err
	}
	return found[0], nil
}

// errLink is what answers a link that can't be opened, whyever.
func errLink() *fault.Error {
	return fault.New(fault.NotFound, "", "This link has been opened, replaced by a newer one, or is older than 15 minutes. "+
		"Ask for a new one.")
}

// Waits returns nil for a link that can be opened; it doesn't open it. Errors: not_found.
func (s *Service) Waits(ctx context.Context, setup *catalog.Setup, token string) error {
	_, err := waits(s.Reader(ctx), setup.Workspace.ID, token, when.At(s.Core.Now()))
	return err
}

func waits(r Reads, ws catalog.WorkspaceID, token string, now when.Instant) (booking.ContactID, error) {
	c, until, err := r.OwnLink(ws, hash(token))
	if err == nil && (c == 0 || until <= now) {
		err = fault.ErrNotFound
	}
	return c, fault.OrMissing(err, errLink())
}

// Open opens the page by a link, once, and returns what the device's cookie has from then on. Errors: not_found (the
// link was opened, replaced or ended, or is too old).
func (s *Service) Open(ctx context.Context, setup *catalog.Setup, token string) (device string, err error) {
	ws := setup.Workspace.ID
	device = rand.Text()
	err = s.Write(ctx, func(tx Tx) error {
		now := when.At(s.Core.Now())
		c, err := waits(tx, ws, token, now)
		if err != nil {
			return err
		}
		if err := tx.LockContact(c); err != nil { // whatever ends the links of the contact holds it, too
			return err
		}
		taken, err := tx.TakeOwnLink(ws, hash(token), now)
		if err != nil {
			return err
		}
		if !taken {
			return errLink()
		}
		if err := tx.TrimOwnDevices(ws, c, mostDevices-1); err != nil {
			return err
		}
		return tx.InsertOwnDevice(ws, hash(device), c, now)
	})
	if err != nil {
		return "", err
	}
	return device, nil
}
