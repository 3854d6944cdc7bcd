package contact

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Consents lists the consents of a contact whose card the actor may see, those that were recorded last first. Errors:
// forbidden, not_found, bad_request (the cursor).
func (s *Service) Consents(ctx context.Context, a app.Actor, contact string, limit *int, cursor string) (fault.Page[Consent], error) {
	none := fault.Page[Consent]{Data: []Consent{}}
	if err := a.May(app.MaySeeConsents); err != nil {
		return none, err
	}
	r := s.Reader(ctx)
	p, err := s.cardPage(r, a, contact, limit, 50, cursor, "consents")
	if err != nil {
		return none, err
	}
	rows, err := r.Consents(a.Workspace, p.of, ConsentID(p.before), p.n+1)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, p.n, func(c *Consent) string { return p.list.Cursor(int64(c.ID)) })
	return page, s.showConsents(r, a, page.Data)
}

// SignedConsent returns a consent with what was drawn when it was signed. Errors: forbidden, not_found.
func (s *Service) SignedConsent(ctx context.Context, a app.Actor, contact, consent string) (c Consent, drawn Signature, err error) {
	if err := a.May(app.MaySeeConsents); err != nil {
		return c, nil, err
	}
	r := s.Reader(ctx)
	of, err := s.carded(r, a, contact)
	if err != nil {
		return c, nil, err
	}
	if c, err = findConsent(r, a, of.ID, consent); err != nil {
		return c, nil, err
	}
	sealed := c.Sealed
	one := []Consent{c}
	if err := s.showConsents(r, a, one); err != nil || !one[0].Signed {
		return one[0], nil, err
	}
	by, err := s.openSigned(r, a.Workspace, sealed)
	if err != nil {
		return c, nil, err
	}
	drawn, err = ParseSignature(by.Signature)
	return one[0], drawn, err
}

// ConsentBehind returns the consent that counts again if the one of that id is withdrawn, because it was never withdrawn
// itself and is valid today; nil for none. Errors: forbidden, not_found.
func (s *Service) ConsentBehind(ctx context.Context, a app.Actor, contact, consent string) (*Consent, error) {
	if err := a.May(app.MaySeeConsents); err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	of, err := s.carded(r, a, contact)
	if err != nil {
		return nil, err
	}
	gone, err := findConsent(r, a, of.ID, consent)
	if err != nil || gone.WithdrawnAt != 0 {
		return nil, err
	}
	all, err := r.Consents(a.Workspace, of.ID, 0, app.Every)
	if err != nil {
		return nil, err
	}
	var behind *Consent
	for i := range all {
		if c := &all[i]; c.Kind == gone.Kind && c.ID != gone.ID && c.WithdrawnAt == 0 && (behind == nil || c.newer(behind)) {
			behind = c
		}
	}
	today, err := s.today(a)
	if err != nil || behind == nil || behind.newer(&gone) || !behind.validOn(today) {
		return nil, err
	}
	one := []Consent{*behind}
	return &one[0], s.showConsents(r, a, one)
}

// signed is what the store has sealed of a consent.
type signed struct {
	Signer    string `json:"signer,omitempty"`
	Signature string `json:"signature,omitempty"`
}

func (s *Service) openSigned(r sealedReads, ws catalog.WorkspaceID, sealed string) (by signed, err error) {
	if sealed == "" {
		return by, nil
	}
	text, err := s.unseal(r, ws, sealed)
	if err != nil {
		return by, err
	}
	return by, json.Unmarshal(text, &by)
}

// showConsents fills in what is made of consents when they are shown.
func (s *Service) showConsents(r sealedReads, a app.Actor, all []Consent) error {
	today, err := s.today(a)
	if err != nil {
		return err
	}
	var authors []*Author
	for i := range all {
		c := &all[i]
		by, err := s.openSigned(r, a.Workspace, c.Sealed)
		if err != nil {
			return err
		}
		c.Signer, c.Sealed, c.Valid = by.Signer, "", c.validOn(today)
		if authors = append(authors, &c.Author); c.WithdrawnBy != nil {
			authors = append(authors, c.WithdrawnBy)
		}
	}
	return nameAuthors(r, a.Workspace, authors)
}

// today is the day of the business, such as 2026-12-24.
func (s *Service) today(a app.Actor) (string, error) {
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return "", err
	}
	return s.Now().In(setup.Zone).Format(time.DateOnly), nil
}

// checkDate returns a day that isn't in the future; "" is today. Errors: bad_request.
func (s *Service) checkDate(a app.Actor, text string) (string, error) {
	today, err := s.today(a)
	if err != nil || text == "" {
		return today, err
	}
	day, err := time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		return "", fault.Invalid("date", "must be a date such as 2026-12-24")
	case text > today:
		return "", fault.Invalid("date", "must not lie in the future")
	case day.Year() < firstBirthday:
		return "", fault.Invalid("date", "must not lie before %d", firstBirthday)
	}
	return text, nil
}

var errReworded = fault.Conflictf("consent_reworded", "The wording has changed since it was shown: have the customer read and sign it as it is now.")

// RecordConsent writes down that the contact agreed to what a kind of consents says now. Health entries that hang on older
// consents of the kind hang on it from then on, if it is the newest. Errors: forbidden, not_found, bad_request, conflict
// consent_reworded (what was shown isn't what it says now) and too_many_consents.
func (s *Service) RecordConsent(ctx context.Context, a app.Actor, contact string, in ConsentInput) (c Consent, err error) {
	if err := a.May(app.MayWriteConsents); err != nil {
		return c, err
	}
	if in.Signer, err = fault.CheckLine("signer", in.Signer, 0, MaxSigner); err != nil {
		return c, err
	}
	drawn, err := ParseSignature(in.Signature)
	if err != nil {
		return c, err
	}
	if len(drawn) > 0 && in.Signer == "" {
		return c, fault.Invalid("signer", "is required") // what is drawn can't be read
	}
	if in.Date, err = s.checkDate(a, in.Date); err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		of, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		setup, err := tx.Setup(a.Workspace)
		if err != nil {
			return err
		}
		kind := setup.Workspace.Settings.Consent(in.Kind)
		if kind == nil {
			return fault.Invalid("kind", "must be the key of one of the workspace's consents")
		}
		if in.Read != "" && in.Read != kind.Worded() {
			return errReworded
		}
		c = Consent{ID: id.New[booking.ConsentIDKind](s.Now()), Kind: kind.Key, Wording: kind.Wording, Date: in.Date, Signed: len(drawn) > 0,
			Author: Author{Actor: a.Kind, By: a.ID()}}
		c.CreatedAt = when.At(c.ID.MadeAt())
		if kind.Days > 0 {
			day, err := time.Parse(time.DateOnly, in.Date)
			if err != nil {
				return err
			}
			c.End = day.AddDate(0, 0, kind.Days).Format(time.DateOnly)
		}
		total, err := tx.ConsentsTotal(a.Workspace, of)
		if err != nil {
			return err
		}
		if total >= MaxConsents {
			return fault.Conflictf("too_many_consents", "A customer has at most %d consents.", MaxConsents)
		}
		if in.Signer != "" || c.Signed {
			by := signed{Signer: in.Signer}
			if c.Signed {
				by.Signature = in.Signature
			}
			text, err := json.Marshal(by)
			if err != nil {
				return err
			}
			if c.Sealed, err = s.seal(tx, a.Workspace, text); err != nil {
				return err
			}
		}
		if err := tx.InsertConsent(a.Workspace, of, &c); err != nil {
			return err
		}
		if err := gatherHealth(tx, a.Workspace, of, c.Kind); err != nil {
			return err
		}
		if err := s.written(tx, a, of, &c.Author); err != nil {
			return err
		}
		one := []Consent{c}
		err = s.showConsents(tx, a, one)
		c = one[0]
		return err
	})
	return c, err
}

// gatherHealth makes the health entries of a contact that hang on consents of the kind hang on the one that counts.
func gatherHealth(tx Tx, ws catalog.WorkspaceID, of booking.ContactID, kind string) error {
	counts, err := tx.LatestConsent(ws, of, kind)
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return tx.GatherHealth(ws, of, kind, counts.ID)
}

// gatherAll is gatherHealth for all kinds that the contact has consents of.
func gatherAll(tx Tx, ws catalog.WorkspaceID, of booking.ContactID) error {
	all, err := tx.Consents(ws, of, 0, app.Every)
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for i := range all {
		if kind := all[i].Kind; !done[kind] {
			done[kind] = true
			if err := gatherHealth(tx, ws, of, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// WithdrawConsent writes down that the contact withdrew a consent. The health entries that hang on it are deleted in the
// same transaction. One that is withdrawn already stays as it is. Errors: forbidden, not_found.
func (s *Service) WithdrawConsent(ctx context.Context, a app.Actor, contact, consent string) (c Consent, err error) {
	if err := a.May(app.MayWriteConsents); err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		of, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		if c, err = findConsent(tx, a, of, consent); err != nil {
			return err
		}
		if c.WithdrawnAt == 0 {
			c.WithdrawnAt, c.WithdrawnBy = when.At(s.Now()), &Author{Actor: a.Kind, By: a.ID()}
			if err := tx.WithdrawConsent(a.Workspace, &c); err != nil {
				return err
			}
			if err := tx.TouchContact(a.Workspace, of, c.WithdrawnAt); err != nil {
				return err
			}
			err := audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ConsentWithdrawn, Subject: c.ID.String()})
			if err != nil {
				return err
			}
		}
		one := []Consent{c}
		err = s.showConsents(tx, a, one)
		c = one[0]
		return err
	})
	return c, err
}

func findConsent(r ConsentReads, a app.Actor, of booking.ContactID, ref string) (Consent, error) {
	missing := fault.Missing("consent", ref)
	wanted, err := id.Parse[booking.ConsentIDKind](ref)
	if err != nil {
		return Consent{}, missing
	}
	c, err := r.Consent(a.Workspace, of, wanted)
	return c, fault.OrMissing(err, missing)
}
