package contact

import (
	"context"
	"maps"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Written is what a contact wrote in one of the workspace's own fields when they booked.
type Written struct {
	Booking    booking.BookingID
	Start      when.Instant // of the booking
	Key, Value string
}

// RemovedField is a field that a workspace removed, whose values are being deleted.
type RemovedField struct {
	Workspace catalog.WorkspaceID
	ID        catalog.ContactFieldID
}

const (
	// removedStep is how many values of a removed field are deleted in one transaction.
	removedStep = 500
	// removedTime is how long values are deleted in one turn, and removedSoon how long whoever removes a field waits for it.
	removedTime = 5 * time.Second
	removedSoon = 100 * time.Millisecond
	removedMost = 1000
)

// ownFields returns the settings that have the workspace's own fields, none of which is removed before tx ends. Whoever
// writes values of them begins with it, before the lock of a contact.
func ownFields(tx Tx, ws catalog.WorkspaceID) (*catalog.Settings, error) {
	if err := tx.LockWorkspace(ws); err != nil {
		return nil, err
	}
	w, err := tx.Workspace(ws)
	return &w.Settings, err
}

// sameFields returns values without those of fields that were removed since: of keys that there are no more, or that were
// made anew.
func sameFields(values map[string]string, then, now *catalog.Settings) map[string]string {
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(key, _ string) bool {
		f, id := now.ContactField(key)
		return f == nil || id != then.ContactFieldIDs[key]
	})
	return values
}

// checkFields returns what is given of the workspace's own fields as contacts have it; "" removes a value. has are those
// that the contact has. Errors: bad_request.
func checkFields(t *catalog.Settings, given map[string]any, has map[string]string) (map[string]string, error) {
	if given == nil {
		return nil, nil
	}
	var p fault.Problems
	values := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		f, _ := t.ContactField(key)
		if f == nil {
			p.Add(fault.Unknown("fields.", key, "field of this workspace", t.ContactFieldKeys()))
			continue
		}
		at := "fields." + key
		text, err := catalog.FieldText(at, given[key])
		if err == nil {
			values[key], err = f.Value(at, text, has[key])
		}
		p.Add(err)
	}
	return values, p.Err()
}

// saveFields saves values of the workspace's own fields, which ownFields has returned; "" removes one.
func saveFields(tx Tx, t *catalog.Settings, c *booking.Contact, values map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if f, id := t.ContactField(key); f != nil {
			if err := tx.SetField(c.WorkspaceID, c.ID, id, key, values[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepFields deletes values of removed fields, for so long. Nobody sees them any more.
func (s *Service) sweepFields(ctx context.Context, most time.Duration) error {
	all, err := s.Reader(ctx).RemovedFields(removedMost)
	if err != nil {
		return err
	}
	begun := time.Now()
	for _, f := range all {
		for dropped := removedStep; dropped == removedStep; {
			if time.Since(begun) > most {
				return nil
			}
			err := s.Quietly(ctx, func(tx Tx) (err error) {
				dropped, err = tx.DropValues(f, removedStep)
				if err == nil && dropped < removedStep { // who writes values locks the fields: no more of them come
					return tx.ForgetRemoved(f)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepFieldsSoon begins with it. What it doesn't do, the loop does.
func (s *Service) sweepFieldsSoon(ctx context.Context) {
	if err := s.sweepFields(ctx, removedSoon); err != nil {
		s.Core.Log().Warn("values of a removed field stay hidden until they are deleted", "error", err)
	}
}

// FieldOffer is a value of one of the workspace's own fields that a customer wrote with a booking and that isn't the one
// on their card.
type FieldOffer struct {
	Field   catalog.ContactField
	Booking booking.BookingID // the latest in which they wrote something in that field
	Booked  when.Instant      // when it begins
	Value   string
}

// writtenMost is how many written values of a contact are looked at, the latest first.
const writtenMost = 200

// FieldOffers lists what the card of a contact may take over: for each field what was written last, where that isn't what
// the contact has. Errors: forbidden, not_found.
func (s *Service) FieldOffers(ctx context.Context, a app.Actor, ref string) ([]FieldOffer, error) {
	if err := a.May(app.MaySeeCard); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil || len(setup.Workspace.Settings.ContactFields) == 0 {
		return nil, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, ref)
	if err != nil {
		return nil, err
	}
	one := []booking.Contact{c}
	if err := r.ReadCards(a.Workspace, one); err != nil {
		return nil, err
	}
	return offers(r, &setup.Workspace.Settings, &one[0])
}

func offers(r CardReads, t *catalog.Settings, c *booking.Contact) (all []FieldOffer, err error) {
	written, err := r.WrittenBy(c.WorkspaceID, c.ID, writtenMost)
	if err != nil {
		return nil, err
	}
	for i := range t.ContactFields {
		f := t.ContactFields[i]
		at := slices.IndexFunc(written, func(w Written) bool { return w.Key == f.Key })
		if at >= 0 && written[at].Value != c.Fields[f.Key] {
			all = append(all, FieldOffer{f, written[at].Booking, written[at].Start, written[at].Value})
		}
	}
	return all, nil
}

// TakeOver gives a contact the value of a field that they wrote when they booked last, if it is still that value. Errors:
// forbidden, not_found, conflict field_written (they have written another one meanwhile).
func (s *Service) TakeOver(ctx context.Context, a app.Actor, ref, key, value string) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		t, err := ownFields(tx, a.Workspace)
		if err != nil {
			return err
		}
		c, err := lockedContact(tx, a, ref)
		if err != nil {
			return err
		}
		one := []booking.Contact{c}
		if err := tx.ReadCards(a.Workspace, one); err != nil {
			return err
		}
		if one[0].Fields[key] == value {
			return nil // somebody was faster
		}
		all, err := offers(tx, t, &one[0])
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(all, func(o FieldOffer) bool { return o.Field.Key == key && o.Value == value }) {
			return fault.Conflictf("field_written", "The customer has written something else meanwhile. Look at the card again.")
		}
		c.ChangedAt = when.At(s.Core.Now())
		if err := tx.UpdateContact(&c); err != nil {
			return err
		}
		return saveFields(tx, t, &c, map[string]string{key: value})
	})
}
