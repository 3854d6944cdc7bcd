package contact

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/app/work"
)

const (
	undoWait = 3 * time.Second // UndoImport goes on for so long; CarryOut does the rest
	undoTurn = time.Second     // of one import in CarryOut
	// lateMails is how much later than its id was made a mail may be committed.
	lateMails   = time.Minute
	mostImports = 20
	mostStays   = 200
)

// Imports lists the imports of the last day, the latest first, at most twenty of them. Errors: forbidden.
func (s *Service) Imports(ctx context.Context, a app.Actor) ([]Import, error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return nil, err
	}
	all, err := s.Reader(ctx).Imports(a.Workspace, mostImports)
	for i := range all {
		all[i] = all[i].asOf(when.At(s.Now()))
	}
	return all, err
}

// Import returns an import of the last day, and, if it was undone, the first 200 of what stays as it is.
// Errors: forbidden, not_found.
func (s *Service) Import(ctx context.Context, a app.Actor, ref string) (im Import, stays []Stay, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return im, nil, err
	}
	missing := fault.Missing("import", ref)
	n, err := id.Parse[ImportIDKind](ref)
	if err != nil {
		return im, nil, missing
	}
	r := s.Reader(ctx)
	if im, err = r.Import(a.Workspace, n); err != nil {
		return im, nil, fault.OrMissing(err, missing)
	}
	if im = im.asOf(when.At(s.Now())); im.Stays > 0 {
		stays, err = r.Stays(a.Workspace, n, mostStays)
	}
	return im, stays, err
}

// UndoImport undoes an import: bookings, services, people and contacts that it made are removed, unless they were changed or merged
// or something hangs on them since, bookings that it moved move back, and fields that it changed get their old values back,
// unless they were changed since. It works in small steps, so that it delays nobody; if it takes longer than a few seconds or is interrupted, CarryOut does the rest, and
// the import that is returned is Undoing. Undoing it again changes nothing. Errors: forbidden, not_found, conflict
// import_running, import_newer (a later import changed the same contacts: undo that first), import_too_late.
func (s *Service) UndoImport(ctx context.Context, a app.Actor, ref string) (im Import, err error) {
	if im, _, err = s.Import(ctx, a, ref); err != nil || im.State == ImportIsUndone {
		return im, err
	}
	for begun := im.State == Undoing; !begun; {
		r := s.Reader(ctx)
		latest, err := r.LatestImport(a.Workspace)
		if err != nil {
			return im, err
		}
		if im.Besides() > 0 {
			if err := s.beside.May(a); err != nil {
				return im, err
			}
		}
		if _, err := r.NewerImport(a.Workspace, im.ID); err == nil {
			return im, fault.Conflictf("import_newer",
				"A later import changed some of the same customers. Undo that one first.")
		} else if !errors.Is(err, fault.ErrNotFound) {
			return im, err
		}
		begun, err = s.beginUndo(ctx, a, &im, latest)
		if err != nil {
			return im, err
		}
	}
	if err := s.undo(ctx, &im, undoWait); err != nil {
		return im, err
	}
	return s.Reader(ctx).Import(a.Workspace, im.ID)
}

// beginUndo lets the import be undone from now on. It reports false if another import than latest was the latest.
// Errors: conflict import_running, import_too_late.
func (s *Service) beginUndo(ctx context.Context, a app.Actor, im *Import, latest ImportID) (begun bool, err error) {
	err = s.Write(ctx, func(tx Tx) (err error) {
		begun = false
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		now, err := tx.LatestImport(a.Workspace)
		if err != nil || now != latest {
			return err
		}
		if err := s.noneRuns(tx, a.Workspace); err != nil {
			return err
		}
		if *im, err = tx.LockImport(a.Workspace, im.ID); err != nil {
			return fault.OrMissing(err, fault.Missing("import", im.ID.String()))
		}
		if begun = im.State != ImportDone; begun { // somebody else was faster
			return nil
		}
		if im.Until <= when.At(s.Now()) {
			return fault.Conflictf("import_too_late", "An import can be undone for 24 hours. They are over.")
		}
		im.State, im.Until = Undoing, 0
		if err := tx.SaveImport(im); err != nil {
			return err
		}
		begun = true
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ImportUndone, Subject: im.ID.String(),
			Count: im.Did()})
	})
	return begun, err
}

// Run goes on with the imports that are being undone, and lets others go on without their requests, until ctx ends. It
// waits for their end.
func (s *Service) Run(ctx context.Context) error {
	s.imports.during(ctx, func() {
		work.Every(ctx, time.Second, s.CarryOut, func(err error, repeated int) {
			s.Core.Log().Error("imports can't be undone", "error", err, "repeated", repeated)
		})
	})
	return nil
}

// CarryOut goes on with the imports that are being undone, about a second with each; what another process left
// unfinished is continued. Each server does this for its own share. The error joins all failures.
func (s *Service) CarryOut(ctx context.Context) error {
	mine := s.Share().Buckets
	if mine == 0 {
		return nil
	}
	all, err := s.Reader(ctx).UndoingImports(mine, mostImports)
	if err != nil {
		return err
	}
	var failed []error
	for i := range all {
		if err := s.undo(ctx, &all[i], undoTurn); err != nil {
			failed = append(failed, fmt.Errorf("import %s: %w", all[i].ID, err))
		}
	}
	return errors.Join(failed...)
}

// undo goes on with an import that is being undone, for about that long. Others may do so at the same time.
func (s *Service) undo(ctx context.Context, im *Import, most time.Duration) error {
	u := undoing{s: s, im: *im, from: im.MadeAt, written: map[string]bool{}}
	besides := im.Besides() == 0
	for begun := time.Now(); !u.done && time.Since(begun) < most; {
		if !besides { // who was booked by this import only goes after that
			var err error
			if besides, err = s.beside.Undo(ctx, *im); err != nil {
				return err
			}
			continue
		}
		if err := s.Write(ctx, u.step); err != nil {
			return err
		}
		u.after = u.came
	}
	return nil
}

// undoing is one call's part in undoing an import.
type undoing struct {
	s           *Service
	im          Import
	after, came booking.ContactID // all contacts up to it are done, with the step that runs
	done        bool
	from        when.Instant    // since when mails are to be read
	written     map[string]bool // addresses that were written to since the import
}

// step undoes some contacts.
func (u *undoing) step(tx Tx) error {
	u.came, u.done = u.after, false
	own, err := ownFields(tx, u.im.Workspace)
	if errors.Is(err, fault.ErrNotFound) { // it was deleted, which takes all of this along
		u.done = true
		return nil
	}
	if err != nil {
		return err
	}
	im, err := tx.LockImport(u.im.Workspace, u.im.ID)
	if errors.Is(err, fault.ErrNotFound) || err == nil && im.State != Undoing { // somebody else has done it
		u.done = true
		return nil
	}
	if err != nil {
		return err
	}
	all, err := tx.OpenImported(im.Workspace, im.ID, u.after, importStep)
	if err != nil {
		return err
	}
	if err := u.readWritten(tx); err != nil {
		return err
	}
	begun := time.Now()
	for i := range all {
		if i > 0 && time.Since(begun) > importTime {
			return tx.SaveImport(&im)
		}
		n := &all[i]
		if met := !n.Made && im.Changed == 0; met { // it got an appointment, which is undone by now
			n.Outcome = Restored
		} else if n.Outcome, err = u.contact(tx, own, n); err != nil {
			return err
		} else if n.Outcome > Restored {
			im.Stays++
		} else {
			im.Undone++
		}
		n.Changes = nil
		if err := tx.SaveImported(n); err != nil {
			return err
		}
		u.came = n.Contact
	}
	if len(all) < importStep {
		u.done = true
		im.State, im.Until = ImportIsUndone, when.At(u.s.Now()).Add(Undoable)
	}
	return tx.SaveImport(&im)
}

// readWritten adds the addresses that were written to since the last step.
func (u *undoing) readWritten(tx Tx) error {
	now := when.At(u.s.Now())
	addresses, err := tx.WrittenTo(u.im.Workspace, u.from)
	for _, address := range addresses {
		u.written[address] = true
	}
	u.from = max(u.im.MadeAt, now.Add(-lateMails))
	return err
}

// contact undoes what the import did with a contact, as far as that can be.
func (u *undoing) contact(tx Tx, own *catalog.Settings, n *ImportedContact) (Outcome, error) {
	if err := tx.LockContact(n.Contact); err != nil {
		return 0, err
	}
	c, err := tx.Contact(n.Workspace, n.Contact)
	if errors.Is(err, fault.ErrNotFound) || err == nil && c.Gone() {
		return StaysGone, nil
	}
	if err != nil {
		return 0, err
	}
	one := []booking.Contact{c}
	if err := tx.ReadCards(n.Workspace, one); err != nil {
		return 0, err
	}
	n.Changes = slices.DeleteFunc(n.Changes, func(f FieldChange) bool { // of fields that were removed since
		key, is := f.Field.Own()
		field, _ := own.ContactField(key)
		return is && field == nil
	})
	if n.Made {
		return u.made(tx, n, &one[0])
	}
	return u.changed(tx, own, n, &one[0])
}

// made removes a contact that the import made, unless somebody needs it.
func (u *undoing) made(tx Tx, n *ImportedContact, c *booking.Contact) (Outcome, error) {
	if len(n.Changes) == 0 {
		return StaysMerged, nil
	}
	if !slices.Equal(n.Changes, differences(&booking.Contact{}, c)) {
		return StaysEdited, nil
	}
	if c.Bookings > 0 {
		return StaysBooked, nil
	}
	written, err := hasWritten(tx, c)
	if err != nil {
		return 0, err
	}
	if written {
		return StaysEdited, nil
	}
	if key := fault.EmailKey(c.Email); key != "" {
		asked, err := tx.HasAsked(n.Workspace, key, u.im.MadeAt)
		if err != nil {
			return 0, err
		}
		if asked || u.written[key] {
			return StaysWritten, nil
		}
	}
	return Removed, tx.ForgetContact(n.Contact)
}

// changed gives fields that still are as the import left them their old values.
func (u *undoing) changed(tx Tx, own *catalog.Settings, n *ImportedContact, c *booking.Contact) (Outcome, error) {
	outcome, before := Restored, *c
	for _, f := range n.Changes {
		if now := f.Field.get(c); now == f.New {
			f.Field.set(c, f.Old)
		} else if now != f.Old {
			outcome = StaysEdited
		}
	}
	if reflect.DeepEqual(*c, before) {
		return outcome, nil
	}
	c.ChangedAt = when.At(u.s.Now())
	err := tx.Try(func() error { return tx.UpdateContact(c) })
	if errors.Is(err, fault.ErrTaken) {
		return StaysTaken, nil
	}
	if err != nil {
		return 0, err
	}
	return outcome, saveCard(tx, own, &before, c)
}

// hasWritten reports whether there is an entry, a consent, a photograph or a file on the card of a contact. Health hangs on
// consents.
func hasWritten(tx Tx, c *booking.Contact) (bool, error) {
	entries, err := tx.EntriesTotal(c.WorkspaceID, c.ID)
	if err != nil || entries > 0 {
		return true, err
	}
	consents, err := tx.ConsentsTotal(c.WorkspaceID, c.ID)
	if err != nil || consents > 0 {
		return true, err
	}
	files, _, err := tx.FilesTotal(c.WorkspaceID, c.ID)
	return files > 0, err
}
