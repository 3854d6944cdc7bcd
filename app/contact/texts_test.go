package contact_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
)

const (
	mobile = "+4915112345678"
	other  = "+4915112345679"
)

// person adds a contact with a number.
func (w *world) person(name, phone string) string {
	w.T.Helper()
	c, err := w.People.NewContact(w.T.Context(), w.Owner, booking.ContactInput{Name: name, Email: strings.ToLower(name) + "@x.example", Phone: phone})
	w.Must(err)
	return c.ID.String()
}

// texts returns whether a contact wants texts, as those see it who may see the card.
func (w *world) texts(ref string) booking.Texts {
	w.T.Helper()
	c, err := w.People.ContactByID(w.T.Context(), w.Owner, ref)
	w.Must(err)
	return *c.Texts
}

// says notes what a contact said about texts.
func (w *world) says(a app.Actor, ref string, state booking.TextsState) error {
	w.T.Helper()
	_, err := w.changed(a, ref, booking.ContactInput{Texts: &booking.TextsInput{State: state, Wording: "May we text you?"}})
	return err
}

// sent is STOP or START from a number, which a server gets; it reports what Start does.
func (w *world) sent(at *apptest.Salon, phone, word string) (ended bool) {
	w.T.Helper()
	setup, err := at.SetupFor(w.Owner)
	w.Must(err)
	w.Must(at.Write(w.T.Context(), func(tx app.Tx) (err error) {
		if word == "STOP" {
			return at.Text.Stop(tx, w.Workspace.ID, phone)
		}
		ended, err = at.Text.Start(tx, setup, phone)
		return err
	}))
	return ended
}

// Who may change a contact notes what they said about texts, with the wording, and it is of that number alone.
func TestTextsAreAgreedTo(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	eve := w.person("Eve", mobile)
	if got := w.texts(eve); got != (booking.Texts{State: booking.TextsUnknown}) {
		t.Errorf("at first: %+v", got)
	}
	w.Must(w.says(w.manager, eve, booking.TextsYes))
	got := w.texts(eve)
	if got.State != booking.TextsYes || got.At == 0 || got.By != booking.ByOwner || got.ByID != w.manager.ID() || got.Wording != "May we text you?" {
		t.Errorf("%+v", got)
	}
	if n := w.logged(audit.ContactTextsSet, eve); n != 1 {
		t.Errorf("%d entries of the log", n)
	}
	for what, in := range map[string]booking.TextsInput{
		"texts.state": {State: booking.TextsStopped, Wording: "x"}, "texts.wording": {State: booking.TextsYes},
	} {
		_, err := w.changed(w.Owner, eve, booking.ContactInput{Texts: &in})
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != what {
			t.Errorf("%s: %s", what, e.Field)
		}
	}
	none := w.person("Nobody", "")
	if e := w.Refused(w.says(w.Owner, none, booking.TextsYes), fault.BadRequest, "invalid"); e.Field != "texts" {
		t.Error(e.Field)
	}
	w.Refused(w.says(w.ana, eve, booking.TextsYes), fault.Forbidden, "role")
	full := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 9}
	_, err := w.People.NewContact(ctx, full, booking.ContactInput{Name: "Di", Email: "di@x.example", Phone: other,
		Texts: &booking.TextsInput{State: booking.TextsYes, Wording: "x"}})
	w.Refused(err, fault.Forbidden, "area")

	// Another number is another question; the first one's answer comes back with it.
	c, err := w.People.UpdateContact(ctx, w.Owner, eve, booking.ContactInput{Name: "Eve", Email: "eve@x.example", Phone: other})
	if w.Must(err); c.Texts.State != booking.TextsUnknown {
		t.Errorf("at another number: %+v", c.Texts)
	}
	c, err = w.People.UpdateContact(ctx, w.Owner, eve, booking.ContactInput{Name: "Eve", Email: "eve@x.example", Phone: "0151 12345678"})
	if w.Must(err); c.Texts.State != booking.TextsYes {
		t.Errorf("at the first one again: %+v", c.Texts)
	}
	var file bytes.Buffer
	w.Must(w.People.ExportContacts(ctx, w.Owner, &file))
	if !strings.Contains(file.String(), ",texts\r\n") && !strings.Contains(file.String(), ",texts\n") || !strings.Contains(file.String(), ",yes") {
		t.Error(file.String())
	}
	im, err := w.People.ImportContacts(ctx, w.Owner, contact.ImportInput{File: file.Bytes()})
	if w.Must(err); w.texts(eve).State != booking.TextsYes {
		t.Errorf("after an import: %+v", im)
	}
}

// logged counts the entries of the audit log about a subject.
func (w *world) logged(action audit.Action, subject string) (n int) {
	w.T.Helper()
	page, err := w.Audit.AuditLog(w.T.Context(), w.Owner, audit.ListInput{})
	w.Must(err)
	for _, e := range page.Data {
		if e.Action == action && e.Subject == subject {
			n++
		}
	}
	return n
}

// STOP is of the number, whoever has it, and nobody but START from it ends that: for those whom it stopped.
func TestStopAndStart(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	eve, ned, una := w.person("Eve", mobile), w.person("Ned", mobile), w.person("Una", other)
	w.Must(w.says(w.Owner, eve, booking.TextsYes))
	w.Must(w.says(w.Owner, ned, booking.TextsNo))
	if w.sent(w.Salon, mobile, "START") {
		t.Error("there was nothing to end")
	}
	if got := w.texts(ned); got.State != booking.TextsNo {
		t.Errorf("START without STOP: %+v", got)
	}
	w.sent(w.Salon, mobile, "STOP")
	w.Clock.Set(w.Clock.Now().Add(1e9))
	since := w.texts(eve)
	w.sent(w.Salon, mobile, "STOP")
	for _, ref := range []string{eve, ned, w.person("Late", mobile)} {
		if got := w.texts(ref); got != since || got.State != booking.TextsStopped || got.By != booking.ByInvitee {
			t.Errorf("%s: %+v", ref, got)
		}
		for _, state := range []booking.TextsState{booking.TextsYes, booking.TextsNo} {
			w.Refused(w.says(w.Owner, ref, state), fault.Conflict, "texts_stopped")
		}
	}
	tick := func(ref, phone string) (got booking.TextsState) {
		c, err := w.People.ContactByID(ctx, w.Owner, ref)
		w.Must(err)
		w.Must(w.Write(ctx, func(tx app.Tx) (err error) {
			got, err = w.Text.Tick(tx, w.Workspace.ID, c.ID, phone, "Send me texts")
			return err
		}))
		return got
	}
	if got := tick(eve, mobile); got != booking.TextsStopped || w.texts(eve).State != booking.TextsStopped {
		t.Errorf("a tick after STOP: %v", got)
	}
	if got := tick(una, other); got != booking.TextsYes || w.texts(una).Wording != "Send me texts" || w.texts(una).By != booking.ByInvitee {
		t.Errorf("a tick: %v, %+v", got, w.texts(una))
	}
	if got := tick(una, "extension 12"); got != booking.TextsUnknown {
		t.Errorf("a number that no text can go to: %v", got)
	}
	if !w.sent(w.Salon, mobile, "START") {
		t.Error("START ends it")
	}
	for _, ref := range []string{eve, ned} {
		if got := w.texts(ref); got.State != booking.TextsYes || got.By != booking.ByInvitee || got.Wording != "START" {
			t.Errorf("after START: %+v", got)
		}
	}
	w.Must(w.says(w.Owner, ned, booking.TextsNo))
}

// What is noted of a contact while its number sends STOP waits for that, at another server, too.
func TestStopGoesBeforeAnAgreement(t *testing.T) {
	w := newWorld(t, nil)
	ctx, beside := t.Context(), w.Another()
	eve := w.person("Eve", mobile)
	done := make(chan error, 1)
	w.Must(w.Write(ctx, func(tx app.Tx) error {
		if err := w.Text.Stop(tx, w.Workspace.ID, mobile); err != nil {
			return err
		}
		select {
		case err := <-done:
			return fmt.Errorf("noted while STOP was: %w", err)
		default:
		}
		begun := make(chan bool)
		go func() {
			close(begun)
			_, err := beside.People.ChangeContact(ctx, w.Owner, eve, func(c *booking.Contact) (booking.ContactInput, error) {
				return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone,
					Texts: &booking.TextsInput{State: booking.TextsYes, Wording: "x"}}, nil
			})
			done <- err
		}()
		<-begun
		return nil
	}))
	w.Refused(<-done, fault.Conflict, "texts_stopped")

	// Many at once: whatever came before STOP is undone by it, and nothing after it is taken.
	w.sent(w.Salon, mobile, "START")
	var all sync.WaitGroup
	errs := make([]error, 24)
	for i := range errs {
		at := []*apptest.Salon{w.Salon, beside}[i%2]
		all.Go(func() {
			if i == len(errs)/2 {
				errs[i] = at.Write(ctx, func(tx app.Tx) error { return at.Text.Stop(tx, w.Workspace.ID, mobile) })
				return
			}
			_, errs[i] = at.People.ChangeContact(ctx, w.Owner, eve, func(c *booking.Contact) (booking.ContactInput, error) {
				return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone,
					Texts: &booking.TextsInput{State: booking.TextsYes, Wording: fmt.Sprint(i)}}, nil
			})
		})
	}
	all.Wait()
	for _, err := range errs {
		if e := fault.As(err); err != nil && (e == nil || e.Reason != "texts_stopped") {
			t.Error(err)
		}
	}
	if got := w.texts(eve); got.State != booking.TextsStopped {
		t.Errorf("%+v", got)
	}
	w.Refused(w.says(w.Owner, eve, booking.TextsYes), fault.Conflict, "texts_stopped")
}

// After a merge the kept number's state stands; of the same number the stricter.
func TestMergeTexts(t *testing.T) {
	yes, no, unknown := booking.TextsYes, booking.TextsNo, booking.TextsUnknown
	w := newWorld(t, nil)
	for i, x := range []struct {
		from, into  string // numbers
		gone, stays booking.TextsState
		want        booking.TextsState
	}{
		{mobile, other, no, yes, yes}, {mobile, other, yes, unknown, unknown}, {mobile, other, yes, no, no},
		{mobile, mobile, yes, yes, yes}, {mobile, mobile, no, yes, no}, {mobile, mobile, yes, no, no},
		{mobile, mobile, unknown, yes, unknown}, {mobile, mobile, yes, unknown, unknown}, {mobile, mobile, no, unknown, no},
		{mobile, "", yes, "", yes}, {mobile, "", no, "", no}, {"", other, "", yes, yes},
	} {
		from, into := w.person(fmt.Sprintf("From%d", i), x.from), w.person(fmt.Sprintf("Into%d", i), x.into)
		for ref, state := range map[string]booking.TextsState{from: x.gone, into: x.stays} {
			if state == yes || state == no {
				w.Must(w.says(w.Owner, ref, state))
			}
		}
		c, err := w.People.MergeContacts(t.Context(), w.Owner, from, into)
		w.Must(err)
		if c.Texts.State != x.want {
			t.Errorf("%+v: %+v", x, c.Texts)
		}
		if want := x.gone.Stricter(x.stays); x.from == x.into && want != x.want {
			t.Errorf("%+v: the stricter is %s", x, want)
		}
	}
	from, into := w.person("From", mobile), w.person("Into", mobile)
	w.Must(w.says(w.Owner, into, yes))
	w.sent(w.Salon, mobile, "STOP")
	if c, err := w.People.MergeContacts(t.Context(), w.Owner, from, into); err != nil || c.Texts.State != booking.TextsStopped {
		t.Error(errors.Join(err, fmt.Errorf("%+v", c.Texts)))
	}
}
