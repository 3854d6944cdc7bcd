package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// Two workspaces of one database do what workspaces do, side by side, and all loops work for both. No transaction on
// the way touches rows of both, but for the statements that enginetest.Crossings names.
func TestNoTransactionTouchesTwoWorkspaces(t *testing.T) {
	enginetest.KeepApart(t)
	w := newWorld(t)
	both := []*world{w, {w.Beside("barber", "dan", "eve")}}
	for _, one := range both {
		one.live()
	}
	w.at("+2 12:00") // what was asked for lapses, and all is due
	for range 3 {
		w.loops()
	}
	w.at("+9 12:00")
	for _, one := range both {
		one.leave()
	}
	w.loops()
	var err error
	w.Must(w.Shop.DeleteWorkspace(t.Context(), both[1].Owner, "barber"))
	for more := true; more; {
		more, err = w.Upkeep.Sweep(t.Context(), 1000)
		w.Must(err)
	}
}

// A change that reads or writes a row of a second workspace fails, and its error says where.
func TestTwoWorkspacesInOneTransactionAreFound(t *testing.T) {
	enginetest.KeepApart(t)
	w := newWorld(t)
	other := w.Beside("barber", "dan")
	b, c := w.offer("cut", 1, nil), other.Offer("shave", 60, nil)
	mine, theirs := w.Booked("cut", "1T09", "ann"), other.Booked("shave", "1T09", "ann")
	for name, change := range map[string]func(tx app.Tx) error{
		"two event types": func(tx app.Tx) error { return errors.Join(tx.UpdateEventType(&b), tx.UpdateEventType(&c)) },
		"two bookings": func(tx app.Tx) error {
			_, one := tx.Booking(w.Workspace.ID, mine.ID)
			_, two := tx.Booking(other.Workspace.ID, theirs.ID)
			return errors.Join(one, two)
		},
	} {
		err := w.Store.Write(t.Context(), change)
		if err == nil || !strings.Contains(err.Error(), enginetest.ErrApart) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// live does every kind of thing that a workspace does.
func (w *world) live() {
	t, ctx := w.T, w.T.Context()
	t.Helper()
	hook, err := w.Webhook.CreateEndpoint(ctx, w.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: []string{"*"}})
	w.Must(err)
	_, err = w.Webhook.TestEndpoint(ctx, w.Owner, hook.ID.String())
	w.Must(err)
	w.Must(w.Mail.SetMailServer(ctx, w.Owner, ""))
	w.Offer("cut", 60, nil)
	w.Offer("ask", 60, func(e *catalog.EventType) { e.RequiresApproval = true })
	one, two, three := w.Booked("cut", "1T09", "ann"), w.Booked("cut", "1T10", "ben"), w.Booked("cut", "1T11", "cat")
	_, err = w.Reschedule(ctx, w.API, one.ID.String(), app.RescheduleInput{Start: apptest.At("2T13")})
	w.Must(err)
	_, err = w.Cancel(ctx, w.API, two.ID.String(), app.CancelInput{Reason: "ill"})
	w.Must(err)
	yes, no := w.Booked("ask", "1T12", "dot"), w.Booked("ask", "1T13", "eva")
	w.Booked("ask", "1T14", "fay") // lapses
	_, err = w.Confirm(ctx, w.Owner, yes.ID.String())
	w.Must(err)
	_, err = w.Decline(ctx, w.Owner, no.ID.String(), "full")
	w.Must(err)
	list := 50
	_, err = w.Webhook.Events(ctx, w.API, webhook.ListEventsInput{Limit: &list})
	w.Must(err)
	key, err := w.Account.CreateKey(ctx, w.Owner, account.KeyInput{Name: "till", Scope: account.FullScope})
	w.Must(err)
	k, err := w.Account.Authenticate(key.Value)
	w.Must(err)
	if _, err := w.Account.Allow(k); err != nil {
		t.Error(err)
	}
	_, err = w.Account.RotateKey(ctx, w.Owner, key.ID.String(), time.Hour)
	w.Must(err)
	_, link, err := w.Account.Invite(ctx, w.Owner, account.MemberInput{Email: w.Workspace.Slug + "@staff.example", Role: app.ManagerRole})
	w.Must(err)
	_, err = w.Account.InvitationOf(ctx, link[strings.LastIndexByte(link, '/')+1:])
	w.Must(err)
	_, err = w.Feed.FeedURL(ctx, w.Owner, "", false)
	w.Must(err)
	_, err = w.People.UpdateContact(ctx, w.Owner, three.ContactID.String(), booking.ContactInput{Name: "Cato", Email: "cato@mail.example"})
	w.Must(err)
	_, err = w.Shop.UpdateWorkspace(ctx, w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = []catalog.ConsentKind{{Key: "photos", Name: "Photos", Wording: "Photos may be shown."}}
	})
	w.Must(err)
	for _, ref := range []string{one.ContactID.String(), three.ContactID.String()} {
		consent, err := w.People.RecordConsent(ctx, w.Owner, ref, contact.ConsentInput{Kind: "photos", Signer: "Mia"})
		w.Must(err)
		_, err = w.People.WithdrawConsent(ctx, w.Owner, ref, consent.ID.String())
		w.Must(err)
		e, err := w.People.AddEntry(ctx, w.Owner, ref, contact.EntryInput{Kind: contact.NoteEntry, Text: "6/0 + 6 %"})
		w.Must(err)
		e, err = w.People.AddEntry(ctx, w.Owner, ref, contact.EntryInput{Text: "6/0 + 9 %", Corrects: e.ID.String()})
		w.Must(err)
		_, err = w.People.PinEntry(ctx, w.Owner, ref, e.ID.String(), true)
		w.Must(err)
		data, err := w.People.ReadFile(ctx, w.Owner, []byte("%PDF-1.7"))
		w.Must(err)
		f, err := w.People.AddFile(ctx, w.Owner, ref, contact.FileInput{}, data)
		w.Must(err)
		if ref == one.ContactID.String() {
			w.Must(w.People.DeleteFile(ctx, w.Owner, ref, f.ID.String()))
		}
	}
	_, err = w.People.MergeContacts(ctx, w.Owner, one.ContactID.String(), three.ContactID.String())
	w.Must(err)
}

// loops does what the loops do for all workspaces.
func (w *world) loops() {
	t, ctx := w.T, w.T.Context()
	t.Helper()
	w.sendMails()
	w.Must(w.Mail.TidyMails(ctx))
	_, err := w.Mail.DueMailServers(ctx)
	w.Must(err)
	waiting, err := w.Webhook.WaitingEndpoints(ctx)
	w.Must(err)
	var claims []webhook.Claim
	for _, one := range waiting {
		claims = append(claims, webhook.Claim{Lane: one.Lane, Limit: 10})
	}
	batches, err := w.Webhook.ClaimDeliveries(ctx, claims, time.Minute)
	w.Must(err)
	var outcomes []webhook.Outcome
	for _, b := range batches {
		for i, d := range b.Deliveries {
			o := webhook.Outcome{ID: d.ID, Endpoint: b.Endpoint, Lease: d.Lease, State: webhook.DeliveryDelivered, Status: 200}
			if i%3 == 1 {
				o.State, o.Status, o.Error = webhook.DeliveryFailed, 500, "no"
			}
			outcomes = append(outcomes, o)
		}
	}
	w.Must(w.Webhook.SettleDeliveries(ctx, outcomes))
	_, err = w.Webhook.PruneWebhooks(ctx, w.Clock.Now(), 10)
	w.Must(err)
	_, err = w.Lapse(ctx, 100)
	w.Must(err)
	_, err = w.Payment.ClaimPaymentJobs(ctx, 10, time.Minute)
	w.Must(err)
	for _, d := range w.Duties() {
		if d.Tend != nil {
			w.Must(d.Tend(ctx))
		}
	}
	w.Must(w.Upkeep.ReleaseLost(ctx))
	w.Must(w.Upkeep.ClockSetBack(ctx, time.Minute))
	w.Must(w.Account.PruneSessions(ctx))
}

// leave deletes what live made.
func (w *world) leave() {
	t, ctx := w.T, w.T.Context()
	t.Helper()
	people, err := w.People.Contacts(ctx, w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	for _, c := range people.Data {
		w.Must(w.People.DeleteContact(ctx, w.Owner, c.ID.String()))
	}
	hooks, err := w.Webhook.Endpoints(ctx, w.Owner)
	w.Must(err)
	for _, e := range hooks {
		w.Must(w.Webhook.DeleteEndpoint(ctx, w.Owner, e.ID.String()))
	}
	keys, err := w.Account.Keys(ctx, w.Owner)
	w.Must(err)
	for _, k := range keys {
		_, err := w.Account.RevokeKey(ctx, w.Owner, k.ID.String())
		w.Must(err)
	}
	members, err := w.Account.Members(ctx, w.Owner)
	w.Must(err)
	for _, m := range members {
		_, err := w.Account.RemoveMember(ctx, w.Owner, m.ID.String())
		w.Must(err)
	}
	w.Must(w.Feed.RevokeFeed(ctx, w.Owner, ""))
}
