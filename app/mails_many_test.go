package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/subjects"
	"daybook/app/when"
)

// refuses ends a recipient's mails of a topic.
func (w *world) refuses(ws catalog.WorkspaceID, email string, topic catalog.MailTopic) {
	w.T.Helper()
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error {
		return tx.(mail.Tx).RefuseMail(ws, email, topic, when.At(w.Clock.Now()))
	}))
}

// hourOf is the i-th hour from Tuesday on in which everybody works.
func hourOf(i int) string {
	return fmt.Sprintf("%dT%02d", 1+i/6, 9+i%6)
}

// Many changes in one plan are told as they would be one by one: who has unsubscribed from a topic in one workspace
// gets the other topics, and the mails of another workspace; an invitee who is deleted between the plan and its writing
// gets nothing, and neither does the team about that; of a booking that has moved, or is cancelled, no reminder of
// before is left.
func TestMailsOfManyChangesInOnePlan(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = []int{60} })
	other := w.Beside("other", "dan")
	other.Offer("cut", 60, func(e *catalog.EventType) { e.ReminderMinutes = []int{60} })

	w.refuses(w.Workspace.ID, "EVA@mail.example", catalog.TopicReminders)
	w.refuses(w.Workspace.ID, "boss@salon.example", catalog.TopicTeam)
	w.refuses(w.Workspace.ID, "ann@mail.example", catalog.TopicTeam) // of which she gets none

	w.Booked("cut", "1T09", "ann")
	moved := w.Booked("cut", "1T10", "bea")
	erased := w.Booked("cut", "1T11", "cyd")
	w.Booked("cut", "1T12", "eva")
	cancelled := w.Booked("cut", "1T13", "fay")
	other.Booked("cut", "1T09", "eva")
	_, err := w.Reschedule(t.Context(), w.API, moved.ID.String(), app.RescheduleInput{Start: apptest.At("2T10")})
	w.Must(err)
	_, err = w.Cancel(t.Context(), w.API, cancelled.ID.String(), app.CancelInput{})
	w.Must(err)

	held := &beforeWrite{Store: w.Store, do: func() {
		_, err := w.Cancel(t.Context(), w.API, erased.ID.String(), app.CancelInput{})
		w.Must(err)
		owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
		w.Must(w.People.DeleteContact(t.Context(), owner, erased.ContactID.String()))
		for more := true; more; {
			more, err = w.Upkeep.Sweep(t.Context(), 100)
			w.Must(err)
		}
	}}
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	if n, err := s.Mail.WriteMails(t.Context(), 100); n != 8 || err != nil {
		t.Fatalf("looked at %d changes, %v", n, err)
	}
	w.wantMails(w.mails(),
		"confirmed>ann", "team_new>ana", "reminder>ann",
		"confirmed>bea", "team_new>ana",
		"confirmed>eva", "team_new>ana",
		"confirmed>fay", "team_new>ana",
		"moved>bea", "team_moved>ana", "reminder>bea",
		"cancelled>fay", "team_cancelled>ana")
	limit := 100
	page, err := w.Mail.Mails(t.Context(), app.Operator(other.Workspace.ID), mail.ListInput{Limit: &limit})
	w.Must(err)
	slices.Reverse(page.Data)
	w.wantMails(kindsOf(page.Data), "confirmed>eva", "team_new>dan", "reminder>eva")
}

// A plan of more bookings than a statement asks for tells each of its own; one whose row is gone costs no other its
// mails.
func TestMailsOfMoreThanAStatement(t *testing.T) {
	const many = 70
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = []int{60} })
	for i := range many {
		w.Booked("cut", hourOf(i), fmt.Sprint("p", i))
	}
	for i := 0; i < many; i += 2 {
		w.refuses(w.Workspace.ID, fmt.Sprintf("p%d@mail.example", i), catalog.TopicReminders)
	}
	n, err := w.Mail.WriteMails(t.Context(), 100)
	w.Must(err)
	all, err := w.Store.Mails(w.Workspace.ID, mail.Filter{Limit: 1000})
	w.Must(err)
	told := map[string]int{}
	for i := range all {
		to, _, _ := strings.Cut(all[i].To, "@")
		told[string(all[i].Kind)+">"+to]++
		if b, err := w.Store.BookingByID(all[i].BookingID); err != nil || all[i].Facts.Start != b.Start ||
			all[i].Facts.For == mail.ToInvitee && all[i].To != b.Invitee.Email {
			t.Errorf("%s to %s is about %s, %v", all[i].Kind, all[i].To, b.ID, err)
		}
	}
	for i := range many {
		if told[fmt.Sprint("confirmed>p", i)] != 1 || told[fmt.Sprint("reminder>p", i)] != i%2 {
			t.Errorf("p%d: %v", i, told)
		}
	}
	if n != many || told["team_new>ana"] != many || len(all) != 2*many+many/2 {
		t.Errorf("%d changes, %d mails, %d to the team", n, len(all), told["team_new>ana"])
	}
}

// What is asked of many at once is what is asked of each, whatever their number; those who are not there are left out.
func TestManyAreAskedAtOnce(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	var ids []booking.BookingID
	var of []mail.Subscription
	for i := range 66 {
		b := w.Booked("cut", hourOf(i), fmt.Sprint("p", i))
		ids = append(ids, b.ID)
		of = append(of, mail.Subscription{Workspace: w.Workspace.ID, EmailKey: fault.EmailKey(b.Invitee.Email),
			Topic: catalog.TopicReminders})
	}
	for _, i := range []int{0, 7, 8, 63, 65} {
		w.refuses(w.Workspace.ID, of[i].EmailKey, catalog.TopicReminders)
	}
	r := w.Store.Reader(t.Context()).(mail.Reader)
	for _, n := range []int{0, 1, 2, 8, 9, 64, 65, 66} {
		bookings, err := r.BookingsByID(append(ids[:n:n], 1))
		w.Must(err)
		emails, err := r.InviteeEmails(append(ids[:n:n], 1))
		w.Must(err)
		refused, err := r.RefusedMails(append(of[:n:n], mail.Subscription{Workspace: 77, EmailKey: of[0].EmailKey, Topic: of[0].Topic},
			mail.Subscription{Workspace: w.Workspace.ID, EmailKey: of[0].EmailKey, Topic: catalog.TopicTeam}))
		w.Must(err)
		if len(bookings) != n || len(emails) != n {
			t.Errorf("of %d: %d bookings, %d addresses", n, len(bookings), len(emails))
		}
		for i := range n {
			one, err := r.BookingByID(ids[i])
			w.Must(err)
			if b := bookings[ids[i]]; b == nil || b.ID != one.ID || b.Start != one.Start || b.Invitee != one.Invitee ||
				emails[one.ID] != one.Invitee.Email {
				t.Errorf("of %d: booking %d is %+v, %q", n, i, b, emails[one.ID])
			}
			if want := slices.Contains([]int{0, 7, 8, 63, 65}, i); slices.Contains(refused, of[i]) != want {
				t.Errorf("of %d: %d refused %v", n, i, !want)
			}
		}
		if slices.ContainsFunc(refused, func(s mail.Subscription) bool { return !slices.Contains(of[:n], s) }) {
			t.Errorf("of %d: %v", n, refused)
		}
	}
}
