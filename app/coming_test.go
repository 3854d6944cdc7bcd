package app_test

import (
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/webhook"
	"daybook/app/when"
)

// said is what is known of whether the invitee comes: the answer, "asked" without one, "" for nothing.
func said(b *booking.Booking) string {
	switch {
	case b.Coming == nil:
		return ""
	case b.Coming.Answer == nil:
		return "asked"
	}
	return string(*b.Coming.Answer)
}

// Who may say whether an invitee comes, from when until when, what stays behind of it, and that nothing else changes.
func TestComing(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, nil)
	w.endpoint("*")
	w.endpoint("booking.confirmed_by_invitee", "booking.not_coming")
	b, other := w.Booked("cut", "1T09", "bo"), w.Booked("cut", "1T12", "eva")
	w.sendMails()
	id, ctx := b.ID.String(), t.Context()
	_, invitee, err := w.BookingByToken(ctx, tokenOf(b.ManageURL))
	w.Must(err)
	system := app.Actor{Kind: booking.BySystem, Workspace: w.Workspace.ID}
	answer := func(a app.Actor, yes bool, by booking.ComingBy) booking.Booking {
		t.Helper()
		got, err := w.AnswerComing(ctx, a, id, yes, by)
		w.Must(err)
		if !got.Status.Stands() || got.Cancellation != nil {
			t.Errorf("the answer made it %s", got.Status)
		}
		return got
	}
	if got := w.Again(b); got.Coming != nil || got.ConfirmedAt != 0 {
		t.Errorf("nobody has asked, and there is %+v", got.Coming)
	}
	w.Must(w.AskedComing(ctx, system, id, b.Start))
	asked := when.At(w.Now())
	if got := w.Again(b); said(&got) != "asked" || got.Coming.AskedAt != asked || got.Coming.AnsweredAt != 0 || got.Coming.By != nil {
		t.Errorf("asked: %+v", got.Coming)
	}
	w.Clock.Advance(time.Minute)
	got := answer(invitee, true, booking.ComingByPage)
	yes := when.At(w.Now())
	if said(&got) != "yes" || got.ConfirmedAt != yes || got.Coming.AnsweredAt != yes || got.Coming.AskedAt != asked || *got.Coming.By != booking.ComingByPage {
		t.Errorf("yes: %+v, confirmed at %s", got.Coming, got.ConfirmedAt)
	}
	w.Clock.Advance(time.Minute)
	if again := answer(system, true, booking.ComingByText); again.UpdatedAt != got.UpdatedAt || *again.Coming.By != booking.ComingByPage {
		t.Errorf("the same answer again made it %+v", again.Coming)
	}
	w.wantMails(kindsOf(w.sendMails()))
	if got = answer(system, false, booking.ComingByText); said(&got) != "no" || got.ConfirmedAt != 0 || *got.Coming.By != booking.ComingByText {
		t.Errorf("no: %+v", got.Coming)
	}
	w.wantMails(kindsOf(w.sendMails()), "team_not_coming>ana", "team_not_coming>boss")
	w.Must(w.AskedComing(ctx, system, id, b.Start))
	if got = w.Again(b); said(&got) != "no" || got.Coming.AskedAt != when.At(w.Now()) {
		t.Errorf("asked again: %+v", got.Coming)
	}
	if got = answer(w.API, true, booking.ComingSpoken); said(&got) != "yes" || got.Coming.By != nil {
		t.Errorf("spoken: %+v", got.Coming)
	}
	answer(w.Owner, false, booking.ComingSpoken)
	w.wantMails(kindsOf(w.sendMails())) // the team knows

	if _, refused := w.tally([]error{w.moved(other, "1T09")}, "slot_taken"); refused != 1 {
		t.Error("the time of who doesn't come was given away")
	}
	if other = w.Again(other); said(&other) != "" {
		t.Errorf("the other booking has %+v", other.Coming)
	}
	for who, a := range map[string]app.Actor{"a key that only reads": {Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 1, ReadOnly: true},
		"who decides": {Kind: booking.ByOwner, Workspace: w.Workspace.ID, Booking: b.ID}} {
		if _, err := w.AnswerComing(ctx, a, id, true, booking.ComingSpoken); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s answers: %v", who, err)
		}
	}
	_, err = w.AnswerComing(ctx, invitee, other.ID.String(), true, booking.ComingByPage)
	w.Refused(err, fault.NotFound, "")
	w.Must(w.AskedComing(ctx, system, id, b.Start.Add(time.Hour))) // the question was about another start
	if again := w.Again(b); again.Coming.AskedAt != got.Coming.AskedAt {
		t.Error("a question about another start was noted")
	}

	moved, err := w.Reschedule(ctx, w.API, id, app.RescheduleInput{Start: apptest.At("2T09")})
	w.Must(err)
	if stored := w.Again(b); moved.Coming != nil || stored.Coming != nil || stored.ConfirmedAt != 0 {
		t.Errorf("another start has %+v", stored.Coming)
	}
	w.sendMails()
	answer(invitee, false, booking.ComingByPage)
	w.wantMails(kindsOf(w.sendMails()), "team_not_coming>ana", "team_not_coming>boss") // it is another question
	w.at("+2 09:00")
	_, err = w.AnswerComing(ctx, invitee, id, true, booking.ComingByPage)
	w.Refused(err, fault.Conflict, "wrong_state")
	w.Must(w.AskedComing(ctx, system, id, moved.Start))
	if got = w.Again(b); said(&got) != "no" {
		t.Errorf("once it has begun it is %q", said(&got))
	}
	gone := w.Booked("cut", "3T09", "kim")
	_, err = w.Cancel(ctx, w.API, gone.ID.String(), app.CancelInput{})
	w.Must(err)
	_, err = w.AnswerComing(ctx, w.API, gone.ID.String(), true, booking.ComingSpoken)
	w.Refused(err, fault.Conflict, "wrong_state")

	history, err := w.History(ctx, w.API, id)
	w.Must(err)
	var acts []booking.Action
	for _, h := range history {
		acts = append(acts, h.Action)
	}
	if want := []booking.Action{"created", "asked_coming", "coming", "not_coming", "asked_coming", "coming", "not_coming", "rescheduled",
		"not_coming"}; !slices.Equal(acts, want) {
		t.Errorf("the history has %v, want %v", acts, want)
	}
	told := map[catalog.EventKind]int{}
	limit := 100
	deliveries, err := w.Webhook.Deliveries(ctx, w.Owner, webhook.ListDeliveriesInput{Limit: &limit})
	w.Must(err)
	for _, d := range deliveries.Data {
		told[d.Event]++
	}
	if told[catalog.BookingConfirmedByInvitee] != 2 || told[catalog.BookingNotComing] != 3 {
		t.Errorf("endpoints are told %v", told)
	}
}

// A change of the service that leaves the start leaves what was said; a change of the length, too.
func TestComingStaysWithTheStart(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("wash", 1, nil)
	b := w.Booked("cut", "1T09", "bo")
	_, err := w.AnswerComing(t.Context(), w.API, b.ID.String(), true, booking.ComingSpoken)
	w.Must(err)
	wash := "wash"
	_, err = w.Edit(t.Context(), w.Owner, b.ID.String(), booking.EditInput{EventType: &wash}, "")
	w.Must(err)
	if got := w.Again(b); said(&got) != "yes" || got.EventType != "wash" || got.ConfirmedAt == 0 {
		t.Errorf("the service is %s, and it is said %q", got.EventType, said(&got))
	}
}

// The link of a visit answers for all of it that hasn't begun, at once; that of one of its bookings for that one. The team has
// one mail of it.
func TestComingOfAVisit(t *testing.T) {
	w := newMailWorld(t)
	w.cut("cut", 1, 60)
	w.cut("nails", 1, 30)
	v := w.visited(visit("1T09:00", "Mia", "cut", "nails"))
	w.sendMails()
	ctx := t.Context()
	states := func() (all []string) {
		for _, b := range v.Items {
			b = w.Again(b)
			all = append(all, said(&b))
		}
		return all
	}
	want := func(what string, all ...string) {
		t.Helper()
		if got := states(); !slices.Equal(got, all) {
			t.Errorf("%s: %v, want %v", what, got, all)
		}
	}
	_, invitee, err := w.VisitByToken(ctx, tokenOf(v.ManageURL))
	w.Must(err)
	w.Must(w.AskedComing(ctx, app.Actor{Kind: booking.BySystem, Workspace: w.Workspace.ID}, v.Items[0].ID.String(), v.Items[0].Start))
	want("one question", "asked", "asked")
	_, err = w.AnswerVisitComing(ctx, invitee, v.ID.String(), false, booking.ComingByPage)
	w.Must(err)
	want("a no", "no", "no")
	w.wantMails(kindsOf(w.sendMails()), "team_not_coming>ana", "team_not_coming>boss")
	_, one, err := w.BookingByToken(ctx, tokenOf(v.Items[1].ManageURL))
	w.Must(err)
	_, err = w.AnswerComing(ctx, one, v.Items[1].ID.String(), true, booking.ComingByPage)
	w.Must(err)
	want("one of it", "no", "yes")
	w.at("+1 09:10")
	seen, err := w.AnswerVisitComing(ctx, invitee, v.ID.String(), false, booking.ComingByPage)
	if w.Must(err); len(seen.Items) != 2 {
		t.Errorf("the visit is %+v", seen)
	}
	want("what hasn't begun", "no", "no")
	w.at("+1 10:10")
	_, err = w.AnswerVisitComing(ctx, invitee, v.ID.String(), true, booking.ComingByPage)
	w.Refused(err, fault.Conflict, "wrong_state")
}

// Of a series each date is answered alone.
func TestComingOfASeries(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 2))
	w.Must(err)
	_, invitee, err := w.BookingByToken(t.Context(), tokenOf(made.Bookings[0].ManageURL))
	w.Must(err)
	_, err = w.AnswerComing(t.Context(), invitee, made.Bookings[1].ID.String(), true, booking.ComingByPage)
	w.Must(err)
	first, second := w.Again(made.Bookings[0]), w.Again(made.Bookings[1])
	if said(&first) != "" || said(&second) != "yes" {
		t.Errorf("the dates have %q and %q", said(&first), said(&second))
	}
}

// Many answers at one moment are one after the other: the history has each change once, and ends with what the booking says.
func TestContestOfAnswers(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "1T09", "bo")
	w.sendMails()
	_, invitee, err := w.BookingByToken(t.Context(), tokenOf(b.ManageURL))
	w.Must(err)
	errs := w.contest(func(at *apptest.Salon, i int) error {
		_, err := at.AnswerComing(t.Context(), invitee, b.ID.String(), i/2%2 == 0, booking.ComingByPage)
		return err
	})
	if done, _ := w.tally(errs, ""); done != contenders {
		t.Errorf("%d of %d were taken", done, contenders)
	}
	history, err := w.History(t.Context(), w.API, b.ID.String())
	w.Must(err)
	last := booking.ActCreated
	for _, h := range history[1:] {
		if h.Action == last {
			t.Errorf("%s follows itself", h.Action)
		}
		last = h.Action
	}
	if got := w.Again(b); (last == booking.ActComing) != (said(&got) == "yes") || last == booking.ActCreated {
		t.Errorf("the history ends with %s, the booking says %q", last, said(&got))
	}
	w.wantMails(kindsOf(w.sendMails()), "team_not_coming>ana", "team_not_coming>boss") // once, whatever was said in between
}

// A reminder that is sent by hand asks, however its service is set up; not at once again, and not who wants none.
func TestAskComing(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "3T09", "bo")
	w.sendMails()
	id, ctx := b.ID.String(), t.Context()
	m, err := w.Mail.AskComing(ctx, w.Owner, id)
	if w.Must(err); m.Kind != catalog.MailReminder || !m.Facts.Asks || m.Facts.Start != b.Start || m.Facts.Sequence != 0 {
		t.Errorf("the mail is %+v", m)
	}
	w.wantMails(kindsOf(w.sendMails()), "reminder>bo")
	_, err = w.Mail.AskComing(ctx, w.Owner, id)
	w.Refused(err, fault.Conflict, "sent_lately")
	w.Clock.Advance(2 * time.Minute)
	again, err := w.Mail.AskComing(ctx, w.API, id)
	if w.Must(err); again.ID != m.ID || again.Resends != 1 {
		t.Errorf("asked again by %+v", again)
	}
	w.wantMails(kindsOf(w.sendMails()), "reminder>bo")
	for range 9 {
		w.Clock.Advance(2 * time.Minute)
		_, err = w.Mail.AskComing(ctx, w.Owner, id)
		w.Must(err)
		w.sendMails()
	}
	w.Clock.Advance(2 * time.Minute)
	_, err = w.Mail.AskComing(ctx, w.Owner, id)
	w.Refused(err, fault.Conflict, "sent_often")

	w.refuses(w.Workspace.ID, "eva@example.com", catalog.TopicReminders)
	eva := w.Booked("cut", "3T12", "eva")
	if eva.Invitee.Email != "eva@example.com" {
		w.refuses(w.Workspace.ID, eva.Invitee.Email, catalog.TopicReminders)
	}
	_, err = w.Mail.AskComing(ctx, w.Owner, eva.ID.String())
	w.Refused(err, fault.Conflict, "unsubscribed")
	_, err = w.Cancel(ctx, w.API, id, app.CancelInput{})
	w.Must(err)
	_, err = w.Mail.AskComing(ctx, w.Owner, id)
	w.Refused(err, fault.Conflict, "wrong_state")
}

// The reminders that are planned stay so after an answer.
func TestAnswersLeaveReminders(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes, e.AsksComing = []int{24 * 60, 60}, true })
	b := w.Booked("cut", "3T09", "bo")
	w.sendMails()
	_, err := w.AnswerComing(t.Context(), w.API, b.ID.String(), false, booking.ComingSpoken)
	w.Must(err)
	w.Clock.Advance(24 * time.Hour)
	w.wantMails(kindsOf(w.sendMails()), "team_not_coming>ana", "team_not_coming>boss")
	w.at("+2 09:00")
	w.wantMails(kindsOf(w.sendMails()), "reminder>bo")
	w.at("+3 08:00")
	w.wantMails(kindsOf(w.sendMails()), "reminder>bo")
}
