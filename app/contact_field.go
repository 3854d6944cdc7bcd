package app

import (
	"maps"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// LostField is a field of contacts that is removed, with how many values of it there are, on contacts and with bookings.
type LostField struct {
	catalog.ContactField
	Values int
}

// KeepFields gives the contact fields of changed settings their ids, and hides all values of those that the settings leave
// out: they are deleted in steps, and don't come back when the key is made anew. The caller has locked the workspace, and
// saves it in tx. Where one is removed, nobody books or writes values until tx ends, so that all are counted. may says of a
// field whether its values may go. path names the fields in the input. Errors: bad_request (a type would change), conflict
// field_values with details.values.
func (s *Service) KeepFields(tx Tx, path string, before *catalog.Settings, w *catalog.Workspace,
	may func(*LostField) (bool, error)) (lost []LostField, err error) {
	removed, err := w.Settings.KeepFields(path, before, s.clock())
	if err != nil {
		return nil, err
	}
	if len(removed) > 0 {
		if err := LockBookings(tx, w.ID); err != nil {
			return nil, err
		}
	}
	for _, f := range removed {
		one := LostField{ContactField: f.ContactField}
		if one.Values, err = tx.FieldValues(w.ID, f.ID); err != nil {
			return nil, err
		}
		if one.Values > 0 {
			ok, err := may(&one)
			if err != nil {
				return nil, err
			}
			if !ok {
				return nil, fault.Conflictf("field_values", "The field %s has %d values, on customers' cards and from bookings. Removing it deletes them.",
					f.Label, one.Values).At(path).With("values", one.Values)
			}
		}
		if err := tx.RemoveField(w.ID, f.ID, when.At(s.clock())); err != nil {
			return nil, err
		}
		lost = append(lost, one)
	}
	return lost, nil
}

// LockBookings makes everybody who books in the workspace wait for the end of tx, and reads the set-up as it is then.
func LockBookings(tx Tx, ws catalog.WorkspaceID) error {
	if err := tx.LockWorkspace(ws); err != nil { // no host is added
		return err
	}
	setup, err := tx.Setup(ws)
	if err != nil {
		return err
	}
	hosts := make([]catalog.HostID, len(setup.Hosts))
	for i := range setup.Hosts {
		hosts[i] = setup.Hosts[i].ID
	}
	_, err = tx.LockHosts(ws, hosts...)
	return err
}

// keepWritten keeps what the invitee wrote in the workspace's own fields with the new booking, and with their contact if
// the booking made it.
func keepWritten(ch *Change, t *catalog.Settings, written map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(written)) {
		f, id := t.ContactField(key)
		if f == nil {
			continue
		}
		b := ch.Booking
		if err := ch.Tx.WriteField(b.WorkspaceID, b.ID, id, key, written[key]); err != nil {
			return err
		}
		if ch.met == nil {
			continue
		}
		if err := ch.Tx.SetField(b.WorkspaceID, ch.met.ID, id, key, written[key]); err != nil {
			return err
		}
	}
	return nil
}

// seesWritten reports whether the actor sees in bookings what their invitees wrote in the workspace's own fields: as those
// do who may see the cards of their contacts. False also where there are no such fields.
func seesWritten(a Actor, setup *catalog.Setup) bool {
	t := &setup.Workspace.Settings
	return len(t.ContactFields) > 0 && a.May(MaySeeCard) == nil && (!a.Own() || t.StaffSeeCustomers) && a.Kind != booking.ByAgent
}
