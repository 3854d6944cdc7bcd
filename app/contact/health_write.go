package contact

import (
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

var (
	errNoSecretKey = fault.Conflictf("no_secret_key", "Health can't be kept on this server: it has no key to encrypt it with. "+
		"Whoever runs it starts it with --secret-key-file.")
	errNoConsent = fault.Conflictf("consent_missing", "Health is kept only with a valid consent to that: record the "+
		"customer's consent first.")
)

// HealthEntries lists the health entries of a contact whose card the actor may see, the latest first. Errors: forbidden,
// not_found, bad_request (the cursor).
func (s *Service) HealthEntries(ctx context.Context, a app.Actor, contact string, limit *int,
	cursor string) (fault.Page[HealthEntry], error) {
	none := fault.Page[HealthEntry]{Data: []HealthEntry{}}
	if err := a.May(app.MaySeeConsents); err != nil {
		return none, err
	}
	r := s.Reader(ctx)
	p, err := s.cardPage(r, a, contact, limit, 50, cursor, "health")
	if err != nil {
		return none, err
	}
	rows, err := r.HealthEntries(a.Workspace, p.of, HealthID(p.before), p.n+1)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, p.n, func(h *HealthEntry) string { return p.list.Cursor(int64(h.ID)) })
	return page, s.showHealth(r, a, page.Data)
}

// Alerts returns what of a contact's health is to be seen before anything else, the latest first. Errors: forbidden,
// not_found.
func (s *Service) Alerts(ctx context.Context, a app.Actor, contact string) ([]HealthEntry, error) {
	if err := a.May(app.MaySeeConsents); err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, contact)
	if err != nil {
		return nil, err
	}
	all, err := r.HealthEntries(a.Workspace, c.ID, 0, app.Every)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	if err := s.showHealth(r, a, all); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(h HealthEntry) bool { return !h.Alert }), nil
}

// showHealth reads the texts, and fills in what is made of entries when they are shown.
func (s *Service) showHealth(r sealedReads, a app.Actor, all []HealthEntry) error {
	today, err := s.today(a)
	if err != nil || len(all) == 0 {
		return err
	}
	stored, err := r.CardKey(a.Workspace)
	if err != nil {
		return err
	}
	v, err := s.cardVault(stored)
	if err != nil {
		return err
	}
	authors := make([]*Author, len(all))
	for i := range all {
		h := &all[i]
		text, err := v.Open(h.Sealed)
		if err != nil {
			return err
		}
		h.Text, h.Sealed = string(text), ""
		h.Alert = h.Reaction || h.Kind == Allergy && (h.End == "" || today <= h.End)
		authors[i] = &h.Author
	}
	return nameAuthors(r, a.Workspace, authors)
}

// AddHealth writes a health entry. Errors: forbidden, not_found, bad_request, conflict no_secret_key (the server has no
// key), consent_missing and too_many_health_entries.
func (s *Service) AddHealth(ctx context.Context, a app.Actor, contact string, in HealthInput) (h HealthEntry, err error) {
	if err := a.May(app.MayWriteConsents); err != nil {
		return h, err
	}
	if in.Text, err = fault.CheckText("text", in.Text, MaxHealthText); err != nil {
		return h, err
	}
	if in.Text == "" {
		return h, fault.Invalid("text", "is required")
	}
	if !slices.Contains(HealthKinds, in.Kind) {
		return h, fault.Invalid("kind", "must be allergy, patch_test or condition")
	}
	if in.Date, err = s.checkDate(a, in.Date); err != nil {
		return h, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		of, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		if !s.HealthKept() {
			return errNoSecretKey
		}
		consent, err := s.coversHealth(tx, a, of, in.Consent)
		if err != nil {
			return err
		}
		total, err := tx.HealthTotal(a.Workspace, of)
		if err != nil {
			return err
		}
		if total >= MaxHealth {
			return fault.Conflictf("too_many_health_entries", "A customer has at most %d health entries. Delete one first.", MaxHealth)
		}
		h = HealthEntry{ID: id.New[HealthIDKind](s.Now()), Kind: in.Kind, Date: in.Date, Reaction: in.Reaction, Consent: consent.ID,
			End: consent.End, Author: Author{Actor: a.Kind, By: a.ID()}}
		h.CreatedAt = when.At(h.ID.MadeAt())
		if h.Sealed, err = s.seal(tx, a.Workspace, []byte(in.Text)); err != nil {
			return err
		}
		if err := tx.InsertHealth(a.Workspace, of, &h); err != nil {
			return err
		}
		if err := s.written(tx, a, of, &h.Author); err != nil {
			return err
		}
		one := []HealthEntry{h}
		err = s.showHealth(tx, a, one)
		h = one[0]
		return err
	})
	return h, err
}

// coveringReads are what finding the consent for health reads.
type coveringReads interface {
	app.Reader
	ConsentReads
}

// CoversHealth reports whether the contact, whose card the actor may see, has a valid consent on which a health entry can
// hang. Errors: forbidden, not_found.
func (s *Service) CoversHealth(ctx context.Context, a app.Actor, contact string) (bool, error) {
	if err := a.May(app.MaySeeConsents); err != nil {
		return false, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, contact)
	if err != nil {
		return false, err
	}
	_, err = s.coversHealth(r, a, c.ID, "")
	if err == errNoConsent {
		return false, nil
	}
	return err == nil, err
}

// coversHealth returns the consent of the contact that a new health entry hangs on: that of the id, or with "" of those
// that count and are valid today the one that ends last. Errors: not_found, conflict consent_missing.
func (s *Service) coversHealth(r coveringReads, a app.Actor, of booking.ContactID, ref string) (Consent, error) {
	setup, err := r.Setup(a.Workspace)
	if err != nil {
		return Consent{}, err
	}
	today, err := s.today(a)
	if err != nil {
		return Consent{}, err
	}
	covers := func(c *Consent) bool {
		kind := setup.Workspace.Settings.Consent(c.Kind)
		return kind != nil && kind.Health && c.validOn(today)
	}
	if ref != "" {
		c, err := findConsent(r, a, of, ref)
		if err == nil && !covers(&c) {
			err = errNoConsent
		}
		return c, err
	}
	var best *Consent
	for _, kind := range setup.Workspace.Settings.Consents {
		if !kind.Health {
			continue
		}
		at, err := r.LatestConsent(a.Workspace, of, kind.Key)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return Consent{}, err
		}
		c, err := r.Consent(a.Workspace, of, at.ID)
		if err != nil {
			return Consent{}, err
		}
		if covers(&c) && (best == nil || c.outlasts(best)) {
			best = &c
		}
	}
	if best == nil {
		return Consent{}, errNoConsent
	}
	return *best, nil
}

// DeleteHealth deletes a health entry. Errors: forbidden (staff never may), not_found.
func (s *Service) DeleteHealth(ctx context.Context, a app.Actor, contact, entry string) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	if err := a.May(app.MayWriteConsents); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		of, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		missing := fault.Missing("health entry", entry)
		wanted, err := id.Parse[HealthIDKind](entry)
		if err != nil {
			return missing
		}
		if err := tx.DeleteHealth(a.Workspace, of, wanted); err != nil {
			return fault.OrMissing(err, missing)
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.HealthDeleted, Subject: wanted.String()})
	})
}
