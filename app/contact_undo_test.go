package app_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/subjects"
)

// imports imports lines below the headings Name, E-mail, Phone and Notes.
func (w *world) imports(lines ...string) contact.Imported {
	w.T.Helper()
	res, err := w.People.ImportContacts(w.T.Context(), w.Owner,
		contact.ImportInput{File: []byte("Name,E-mail,Phone,Notes\n" + strings.Join(lines, "\n") + "\n")})
	w.Must(err)
	if len(res.Left) > 0 {
		w.T.Fatalf("left out: %v", res.Left)
	}
	return res
}

// undoes undoes an import, and returns who stays and why.
func (w *world) undoes(res contact.Imported) (im contact.Import, stays map[string]contact.Outcome) {
	w.T.Helper()
	im, err := w.People.UndoImport(w.T.Context(), w.Owner, res.ID.String())
	w.Must(err)
	if im.State != contact.ImportIsUndone {
		w.T.Fatalf("it is not undone: %+v", im)
	}
	_, all, err := w.People.Import(w.T.Context(), w.Owner, res.ID.String())
	w.Must(err)
	stays = map[string]contact.Outcome{}
	for _, s := range all {
		stays[s.Name] = s.Outcome
	}
	return im, stays
}

// people are all contacts, a line for each, in the order of their names.
func (w *world) people() string {
	w.T.Helper()
	page, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	var all []string
	for _, c := range page.Data {
		all = append(all, strings.Join([]string{c.Name, c.Email, c.Phone, c.Notes}, "|"))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// knows makes a contact, and returns its id.
func (w *world) knows(name, email, phone, notes string) string {
	w.T.Helper()
	c, _, err := w.People.CreateContact(w.T.Context(), w.Owner, booking.ContactInput{Name: name, Email: email, Phone: phone, Notes: notes})
	w.Must(err)
	return c.ID.String()
}

// idOf returns the contact with the e-mail address.
func (w *world) idOf(email string) string {
	w.T.Helper()
	found, err := w.People.ContactsWith(w.T.Context(), w.Owner, email, "")
	if w.Must(err); len(found.Data) != 1 {
		w.T.Fatalf("%d have %s", len(found.Data), email)
	}
	return found.Data[0].ID.String()
}

// An import that nobody touched is undone without a trace: made contacts are gone, changed ones are as they were, also
// those that two lines have changed. A second undo changes nothing.
func TestUndoneImportLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	w.knows("Ada", "ada@mail.example", "+4930901821", "tea")
	w.knows("Bo", "", "+4930901822", "")
	w.knows("Cy", "cy@mail.example", "", "")
	before := w.people()
	res := w.imports("Ada Lovelace,ada@mail.example,030 901899,coffee", "Bo Berg,,030 901822,\"two\nlines\"", "Cy,cy@mail.example,,",
		"Di,di@mail.example,,new", "Ed,,030 901824,")
	if res.Created != 2 || res.Changed != 2 || res.Same != 1 || res.ID == 0 {
		t.Fatalf("%+v", res)
	}
	im, stays := w.undoes(res)
	if got := w.people(); got != before || im.Undone != 4 || im.Stays != 0 || len(stays) != 0 {
		t.Errorf("%+v, %v, left are\n%s", im, stays, got)
	}
	again, err := w.People.UndoImport(t.Context(), w.Owner, res.ID.String())
	if w.Must(err); again != im || w.people() != before {
		t.Errorf("a second time %+v", again)
	}
	if same := w.imports("Cy,cy@mail.example,,"); same.ID != 0 {
		t.Errorf("an import that changes nothing can be undone: %+v", same)
	}
	all, err := w.People.Imports(t.Context(), w.Owner)
	if w.Must(err); len(all) != 1 || all[0] != im {
		t.Errorf("listed are %+v", all)
	}

	w.knows("Family", "family@mail.example", "+4930901830", "")
	before = w.people()
	twice := w.imports("The Family,family@mail.example,,one", "Family,,030 901830,two")
	if twice.Changed != 2 || w.people() == before {
		t.Fatalf("%+v\n%s", twice, w.people())
	}
	if w.undoes(twice); w.people() != before {
		t.Errorf("of two lines of one person there is left\n%s", w.people())
	}
}

// Who was changed, merged, booked, mailed or invited since, or has asked for no more mails, stays and is listed with why.
func TestUndoKeepsWhoIsNeeded(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	ctx := t.Context()
	w.knows("Old One", "one@mail.example", "+4930901801", "")
	w.knows("Old Two", "", "+4930901802", "")
	w.knows("Old Three", "three@mail.example", "", "")
	res := w.imports("Booked,booked@mail.example,,", "Mailed,mailed@mail.example,,", "Invited,invited@mail.example,,",
		"Unsubscribed,unsubscribed@mail.example,,", "Edited,edited@mail.example,,", "Noted,noted@mail.example,,",
		"From,from@mail.example,,", "Into,into@mail.example,,", "Deleted,deleted@mail.example,,", "Nobody,nobody@mail.example,,",
		"New One,one@mail.example,030 901891,", "New Two,,030 901802,", "New Three,three@mail.example,030 901893,")
	if res.Created != 10 || res.Changed != 3 {
		t.Fatalf("%+v", res)
	}
	w.Clock.Advance(time.Hour)
	w.Booked("cut", "1T09", "booked")
	_, err := w.Invitation.CreateInvitation(ctx, w.Owner, invitation.Input{EventType: "cut", Email: "Invited@mail.example"})
	w.Must(err)
	now := w.Clock.Now().UnixMilli()
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO mails (id, workspace_id, kind, recipient, facts, due_ms, until_ms)
		VALUES (%d, %d, 'x', 'Mailed@mail.example', '{}', 0, 0)`, now<<21, w.Workspace.ID)))
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO mail_refusals VALUES (%d, 'unsubscribed@mail.example', 'reminders', %d)`, w.Workspace.ID, now)))
	_, err = w.People.UpdateContact(ctx, w.Owner, w.idOf("edited@mail.example"), booking.ContactInput{Name: "Edited", Email: "edited@mail.example", Phone: "030 901855"})
	w.Must(err)
	w.Must(w.People.SetContactNotes(ctx, w.Owner, w.idOf("noted@mail.example"), "likes tea"))
	_, err = w.People.MergeContacts(ctx, w.Owner, w.idOf("from@mail.example"), w.idOf("into@mail.example"))
	w.Must(err)
	w.Must(w.People.DeleteContact(ctx, w.Owner, w.idOf("deleted@mail.example")))
	_, err = w.People.UpdateContact(ctx, w.Owner, w.idOf("one@mail.example"), booking.ContactInput{Name: "New One", Email: "one@mail.example", Phone: "030 901899"})
	w.Must(err)

	im, stays := w.undoes(res)
	want := map[string]contact.Outcome{"booked": 0, "Booked": contact.StaysBooked, "Mailed": contact.StaysWritten, "Invited": contact.StaysWritten,
		"Unsubscribed": contact.StaysWritten, "Edited": contact.StaysEdited, "Noted": contact.StaysEdited, "Into": contact.StaysMerged,
		"": contact.StaysGone, "Old One": contact.StaysEdited}
	delete(want, "booked")
	if fmt.Sprint(stays) != fmt.Sprint(want) || im.Stays != 10 || im.Undone != 3 {
		t.Errorf("%+v stay %v, want %v", im, stays, want)
	}
	const left = `Booked|booked@mail.example||
Edited|edited@mail.example|+4930901855|
Into|into@mail.example||
Invited|invited@mail.example||
Mailed|mailed@mail.example||
Noted|noted@mail.example||likes tea
Old One|one@mail.example|+4930901899|
Old Three|three@mail.example||
Old Two||+4930901802|
Unsubscribed|unsubscribed@mail.example||`
	if got := w.people(); got != left {
		t.Errorf("left are\n%s", got)
	}
}

// Who had bookings, mails or an old number elsewhere before keeps nothing from being undone, and a number that somebody
// else has by now is not given twice.
func TestUndoOfANumberThatIsTaken(t *testing.T) {
	w := newWorld(t)
	w.knows("Bo", "", "+4930901822", "")
	res := w.imports("Bo,bo@mail.example,030 901822,") // somebody else, who has an address
	if res.Created != 1 {
		t.Fatalf("%+v", res)
	}
	c, err := w.People.UpdateContact(t.Context(), w.Owner, w.idOf("bo@mail.example"), booking.ContactInput{Name: "Bo", Email: "bo@mail.example", Phone: "030 901822"})
	w.Must(err)
	if _, stays := w.undoes(res); len(stays) != 0 || strings.Contains(w.people(), c.Email) {
		t.Errorf("saved as it was, and kept: %v", stays)
	}
	// Written in another way it is another key: that one is another's by the time of the undo.
	w = newWorld(t)
	id := w.knows("Cy", "", "+49 30 901823", "")
	res = w.imports("Cyril,,030 901823,")
	_, err = w.People.UpdateContact(t.Context(), w.Owner, id, booking.ContactInput{Name: "Cyril", Phone: "+49 30 901824"})
	w.Must(err)
	w.knows("Else", "", "+49 30 901823", "")
	if _, stays := w.undoes(res); len(stays) != 0 || !strings.Contains(w.people(), "Cy||+4930901824|") {
		t.Errorf("%v\n%s", stays, w.people())
	}
}

// Imports that touch the same contact are undone from the latest to the first, and then all is as it was.
func TestImportsAreUndoneNewestFirst(t *testing.T) {
	w := newWorld(t)
	first := w.imports("Ada,ada@mail.example,,one")
	w.Clock.Advance(time.Minute)
	other := w.imports("Bo,bo@mail.example,,")
	second := w.imports("Ada,ada@mail.example,030 901821,two")
	_, err := w.People.UndoImport(t.Context(), w.Owner, first.ID.String())
	w.Refused(err, fault.Conflict, "import_newer")
	if w.undoes(other); !strings.Contains(w.people(), "Ada|ada@mail.example|+4930901821|one\ntwo") {
		t.Errorf("after that of another contact:\n%s", w.people())
	}
	if w.undoes(second); w.people() != "Ada|ada@mail.example||one" {
		t.Errorf("after that of the second:\n%s", w.people())
	}
	if w.undoes(first); w.people() != "" {
		t.Errorf("after all:\n%s", w.people())
	}
	third := w.imports("Ada,ada@mail.example,,one")
	if third.Created != 1 {
		t.Errorf("imported again: %+v", third)
	}
}

// After a day an import is forgotten with all that it remembered of contacts, and can't be undone.
func TestImportsAreForgottenAfterADay(t *testing.T) {
	w := newWorld(t)
	rows := func() (imports, contacts int) {
		for _, line := range strings.Split(w.everything(), "\n") {
			if strings.HasPrefix(line, "imports ") {
				imports++
			} else if strings.HasPrefix(line, "import_contacts ") {
				contacts++
			}
		}
		return imports, contacts
	}
	prune := func() {
		t.Helper()
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
	}
	w.knows("Zeno", "zeno@mail.example", "", "Zweifel")
	res := w.imports("Ada,ada@mail.example,,", "Zenon,zeno@mail.example,,")
	undone := w.imports("Bo,bo@mail.example,,")
	w.undoes(undone)
	w.Clock.Advance(24*time.Hour - time.Millisecond)
	prune()
	if imports, contacts := rows(); imports != 2 || contacts != 3 {
		t.Errorf("within the day there are %d, of %d contacts", imports, contacts)
	}
	w.Clock.Advance(time.Millisecond)
	_, err := w.People.UndoImport(t.Context(), w.Owner, res.ID.String())
	w.Refused(err, fault.Conflict, "import_too_late")
	prune()
	if imports, contacts := rows(); imports != 0 || contacts != 0 {
		t.Errorf("after the day there are %d, of %d contacts", imports, contacts)
	}
	_, err = w.People.UndoImport(t.Context(), w.Owner, res.ID.String())
	w.Refused(err, fault.NotFound, "")
	if got := w.people(); got != "Ada|ada@mail.example||\nZenon|zeno@mail.example||Zweifel" {
		t.Errorf("left are\n%s", got)
	}
}

// A deleted contact's old values are gone at once.
func TestDeletedContactLeavesNoOldValue(t *testing.T) {
	w := newWorld(t)
	id := w.knows("Zweifel", "zweifel@mail.example", "+4930901877", "Zweifel")
	w.imports("Anders,zweifel@mail.example,030 901878,Zweifel too")
	made := w.imports("Neu Zweifel,neu.zweifel@mail.example,,")
	into := w.knows("Bo", "bo@mail.example", "", "")
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, id))
	_, err := w.People.MergeContacts(t.Context(), w.Owner, w.idOf("neu.zweifel@mail.example"), into)
	w.Must(err)
	for line := range strings.SplitSeq(w.everything(), "\n") {
		if strings.HasPrefix(line, "import_contacts ") && strings.Contains(strings.ToLower(line), "zweifel") {
			t.Error(line)
		}
	}
	if _, stays := w.undoes(made); stays[""] != contact.StaysGone || !strings.Contains(w.people(), "Bo|bo@mail.example||") {
		t.Errorf("%v\n%s", stays, w.people())
	}
}

// An undo that is killed after any step goes on by itself, and ends with the same.
func TestKilledUndoGoesOn(t *testing.T) {
	for _, steps := range []int64{1, 2, 4} {
		w := newWorld(t)
		held := &heldStore{Store: w.Store}
		held.left.Store(1 << 40)
		s := w.Subjects(func(c *subjects.Config) { c.Store = held })
		w.knows("Keep", "person7@mail.example", "", "")
		res, err := s.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(contactsCSV(300))})
		w.Must(err)
		held.left.Store(steps)
		_, err = s.People.UndoImport(t.Context(), w.Owner, res.ID.String())
		if !errors.Is(err, errKilled) {
			t.Fatalf("it was not killed: %v", err)
		}
		s = w.Subjects(nil) // the next process
		im, _, err := s.People.Import(t.Context(), w.Owner, res.ID.String())
		if w.Must(err); im.State != contact.Undoing || (im.Undone == 0) != (steps == 1) {
			t.Errorf("after %d steps: %+v", steps, im)
		}
		_, err = s.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(contactsCSV(1))})
		w.Refused(err, fault.Conflict, "import_running")
		if im = w.carriesOut(s, res.ID); im.State != contact.ImportIsUndone || im.Undone != 300 || im.Stays != 0 || w.people() != "Keep|person7@mail.example||" {
			t.Errorf("after %d steps in the end %+v\n%s", steps, im, w.people())
		}
	}
}

// carriesOut goes on with what is being undone, until the import is.
func (w *world) carriesOut(s *subjects.Set, id contact.ImportID) (im contact.Import) {
	w.T.Helper()
	for n := 0; n < 100 && im.State != contact.ImportIsUndone; n++ {
		w.Must(s.People.CarryOut(w.T.Context()))
		var err error
		im, _, err = s.People.Import(w.T.Context(), w.Owner, id.String())
		w.Must(err)
	}
	return im
}

// A workspace has one import at a time. One that a killed server has left ends by itself and can be undone; if it goes
// on all the same, it is told.
func TestOneImportAtATime(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	held.left.Store(3)
	killed, err := s.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(contactsCSV(500))})
	if !errors.Is(err, errKilled) || killed.Created == 0 || killed.ID == 0 {
		t.Fatalf("%+v, %v", killed, err)
	}
	in := contact.ImportInput{File: []byte("name,email\nAda,ada@mail.example\n")}
	_, err = w.People.ImportContacts(t.Context(), w.Owner, in)
	w.Refused(err, fault.Conflict, "import_running")
	_, err = w.People.UndoImport(t.Context(), w.Owner, killed.ID.String())
	w.Refused(err, fault.Conflict, "import_running")
	other := w.Beside("other", "dan")
	_, err = other.People.ImportContacts(t.Context(), other.Owner, in)
	w.Must(err)
	w.Clock.Advance(3 * time.Minute)
	next, err := w.People.ImportContacts(t.Context(), w.Owner, in)
	if w.Must(err); next.Created != 1 {
		t.Errorf("%+v", next)
	}
	w.undoes(next)
	if im, stays := w.undoes(killed); im.Undone != killed.Created || len(stays) != 0 || w.people() != "" {
		t.Errorf("%+v, %v\n%s", im, stays, w.people())
	}
	_, err = other.People.UndoImport(t.Context(), other.Owner, killed.ID.String())
	w.Refused(err, fault.NotFound, "")
	_, err = w.People.UndoImport(t.Context(), app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.StaffRole, Host: 1}, next.ID.String())
	w.Refused(err, fault.Forbidden, "role")
}

// While many contacts are imported, and while that is undone, others book: nobody waits for the whole of it.
func TestBookingsGoOnBesideAnImport(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	held.left.Store(1 << 40)
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	const seats = 50
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats = seats })
	booked := 0
	beside := func(what string, work func() error) {
		t.Helper()
		held.mu.Lock()
		held.holds = nil
		held.mu.Unlock()
		done, begun := make(chan error, 1), time.Now()
		go func() { done <- work() }()
		for first, slowest := booked, time.Duration(0); ; booked++ {
			select {
			case err := <-done:
				w.Must(err)
				most, usual := held.held()
				t.Logf("%s %d contacts took %v; the writer was held for %v at most, for %v in 99 of 100 steps; of %d bookings the slowest took %v",
					what, many(), time.Since(begun), most, usual, booked-first, slowest)
				if usual > 50*time.Millisecond || most > 500*time.Millisecond || booked-first < many()/1000 {
					t.Errorf("%s keeps the writer from others", what)
				}
				return
			default:
			}
			at := time.Now()
			session := booked / seats // seven a day
			start := fmt.Sprintf("%dT%02d", 1+session/7, 9+session%7)
			_, err := s.Book(t.Context(), w.API, apptest.Input("class", start, fmt.Sprintf("Visitor%d", booked)))
			w.Must(err)
			slowest = max(slowest, time.Since(at))
		}
	}
	var res contact.Imported
	beside("importing", func() (err error) {
		res, err = s.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(contactsCSV(many()))})
		return err
	})
	beside("undoing", func() error {
		im, err := s.People.UndoImport(t.Context(), w.Owner, res.ID.String())
		for err == nil && im.State == contact.Undoing {
			if err = s.People.CarryOut(t.Context()); err == nil {
				im, _, err = s.People.Import(t.Context(), w.Owner, res.ID.String())
			}
		}
		if err == nil && (im.Undone != many() || im.Stays > 0) {
			err = fmt.Errorf("undone is %+v", im)
		}
		return err
	})
}
