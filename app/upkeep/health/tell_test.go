package health_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/finding"
)

// step looks, d later.
func (b *bed) step(d time.Duration) {
	b.T.Helper()
	b.Clock.Advance(d)
	b.Must(b.Health.Step(b.T.Context()))
}

func (b *bed) wantMails(boss int) {
	b.T.Helper()
	if n := b.mails()["boss@salon.example"]; n != boss {
		b.T.Errorf("%d mails, want %d", n, boss)
	}
}

// Owners are mailed once of a problem: not again after a restart, by another server, or while it comes and goes; again
// when it was well for an hour.
func TestMailedOnce(t *testing.T) {
	b := newBed(t)
	b.step(0)
	b.space.Free = 90e6
	b.step(time.Minute)
	b.step(4 * time.Minute)
	b.wantMails(0) // it may be over in a moment
	b.step(2 * time.Minute)
	b.wantMails(1)
	b.step(time.Hour)
	b.wantMails(1)
	b.Connect() // a restart
	b.step(time.Hour)
	b.wantMails(1)
	if err := b.another("one").Health.Step(t.Context()); err != nil {
		t.Error(err)
	}
	b.wantMails(1)
	b.space.Free = 50 * gb
	b.step(time.Minute)
	b.step(30 * time.Minute)
	b.space.Free = 90e6 // a relapse within the hour
	b.step(time.Minute)
	b.step(10 * time.Minute)
	b.wantMails(1)
	b.space.Free = 50 * gb
	b.step(time.Minute)
	b.step(time.Hour)
	b.space.Free = 500e6 // after it was well
	b.step(time.Minute)
	b.wantMails(1)
	b.step(6 * time.Minute)
	b.wantMails(2)
	b.space.Free = 90e6 // worse is no new problem
	b.step(10 * time.Minute)
	b.wantMails(2)
}

// A problem that is over before owners are told is forgotten.
func TestBriefTrouble(t *testing.T) {
	b := newBed(t)
	for range 5 {
		b.space.Free = 90e6
		b.step(time.Minute)
		b.step(4 * time.Minute)
		b.space.Free = 50 * gb
		b.step(time.Minute)
	}
	b.wantMails(0)
	if text, err := b.Store.ServerValue("told"); err != nil || text != "{}" {
		t.Errorf("%q, %v", text, err)
	}
}

// Several servers that look at the same moment queue one mail for each owner; each machine tells its own problems.
func TestServersTellOnce(t *testing.T) {
	b := newBed(t)
	b.owner("second@salon.example")
	b.space.Free = 90e6
	one, two := b.another("one"), b.another("one")
	b.Must(one.Health.Step(t.Context()))
	b.Must(two.Health.Step(t.Context()))
	b.Clock.Advance(6 * time.Minute)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { b.Must(one.Health.Step(t.Context())) })
		all.Go(func() { b.Must(two.Health.Step(t.Context())) })
	}
	all.Wait()
	if to := b.mails(); to["boss@salon.example"] != 1 || to["second@salon.example"] != 1 || len(to) != 2 {
		t.Errorf("mails: %v", to)
	}
	three := b.another("three")
	b.Must(three.Health.Step(t.Context()))
	b.Clock.Advance(6 * time.Minute)
	b.Must(three.Health.Step(t.Context()))
	b.Must(one.Health.Step(t.Context()))
	b.wantMails(2)
	b.space.Free = 50 * gb
	for range 3 { // that one is well says nothing of three
		b.Must(one.Health.Step(t.Context()))
		b.Clock.Advance(time.Hour)
	}
	b.space.Free = 90e6
	b.Must(three.Health.Step(t.Context()))
	b.Clock.Advance(6 * time.Minute)
	b.Must(three.Health.Step(t.Context()))
	b.wantMails(2)
}

// Who switched these mails off gets none; nobody else than the owners of the first workspace does.
func TestNobodyElseIsTold(t *testing.T) {
	b := newBed(t)
	other := b.Beside("other", "zoe")
	b.ownerOf(other.Workspace.ID, "zoe@other.example")
	_, err := b.Shop.UpdateWorkspace(t.Context(), b.Owner, func(w *catalog.Workspace) {
		w.Settings.MailsOff = []catalog.MailKind{catalog.MailTeamServer}
	})
	b.Must(err)
	b.space.Free = 90e6
	b.step(0)
	b.step(6 * time.Minute)
	b.wantMails(0)
	all, err := b.Mail.Mails(t.Context(), app.Operator(other.Workspace.ID), mail.ListInput{})
	b.Must(err)
	if len(all.Data) != 0 {
		t.Errorf("the other workspace's owners got %+v", all.Data)
	}
	r, err := b.Health.Report(t.Context(), other.Owner)
	b.Must(err)
	if len(r.Findings) != 3 || r.Keeps {
		t.Errorf("the other workspace's owners see %+v", r)
	}
	if found, err := b.Health.Trouble(t.Context(), other.Owner); err != nil || len(found) != 0 {
		t.Errorf("the other workspace's owners hear of %+v, %v", found, err)
	}
}

// Mails that don't go out are told on Today, not by mail; a workspace sees its own.
func TestStuckMails(t *testing.T) {
	b := newBed(t)
	other := b.Beside("other", "zoe")
	b.wants("mail", finding.OK, "No mail waits")
	now := when.At(b.Clock.Now())
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error {
		for _, due := range []when.Instant{now, now.Add(5 * when.Day)} { // the second waits for its time
			m := mail.Mail{ID: id.New[mail.MailIDKind](b.Clock.Now()), WorkspaceID: other.Workspace.ID, Kind: catalog.MailTeamEndpoint,
				To: "zoe@other.example", DueAt: due, Until: due.Add(2 * when.Day), Facts: mail.Facts{For: mail.ToOwner}}
			if err := tx.(mail.Tx).InsertMails(m); err != nil {
				return err
			}
		}
		return nil
	}))
	b.Clock.Advance(30 * time.Minute)
	b.wants("mail", finding.OK, "waited for 30 minutes")
	b.Clock.Advance(31 * time.Minute)
	b.wants("mail", finding.Warning, "Mails don’t go out: the oldest has waited for 61 minutes")
	b.Clock.Advance(5 * time.Hour)
	b.wants("mail", finding.Failed, "6 hours")
	b.step(0)
	b.step(10 * time.Minute)
	b.wantMails(0)
	found, err := b.Health.Trouble(t.Context(), b.Owner)
	b.Must(err)
	if len(found) != 1 || found[0].Check != "mail" {
		t.Errorf("Today says %+v", found)
	}
	r, err := b.Health.Report(t.Context(), other.Owner)
	b.Must(err)
	if r.Findings[0].State != finding.Failed {
		t.Errorf("%+v", r.Findings)
	}
	mine, err := b.Mail.OldestUnsent(t.Context(), b.Workspace.ID)
	if err != nil || mine != 0 {
		t.Errorf("%v, %v", mine, err)
	}
}

// Deliveries that nobody sends are told; those that wait for their next try are not.
func TestStuckWebhooks(t *testing.T) {
	b := newBed(t)
	b.Offer("cut", 60, nil)
	other := b.Beside("other", "zoe")
	_, err := b.Webhook.CreateEndpoint(t.Context(), b.Owner, webhook.EndpointInput{URL: "https://hooks.example.com/x", Events: []string{"*"}})
	b.Must(err)
	b.wants("webhooks", finding.OK, "No delivery is late")
	start := b.Clock.Now().Add(3 * when.Day).UTC().Truncate(when.Day).Add(10 * time.Hour)
	b.Booked("cut", start.Format(time.RFC3339), "mia")
	b.Clock.Advance(14 * time.Minute)
	b.wants("webhooks", finding.OK, "late by 14 minutes")
	b.Clock.Advance(2 * time.Minute)
	b.wants("webhooks", finding.Warning, "Webhooks don’t go out")
	b.step(0)
	b.step(6 * time.Minute)
	b.wantMails(1)
	b.Clock.Advance(2 * time.Hour)
	b.wants("webhooks", finding.Failed, "2 hours")
	r, err := b.Health.Report(t.Context(), other.Owner)
	b.Must(err)
	if r.Findings[1].State != finding.OK {
		t.Errorf("of the other workspace: %+v", r.Findings)
	}
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error { // a try was made, and the next is in an hour
		all, err := tx.(webhook.Tx).ClaimDeliveries(1, b.Workspace.ID, endpointOf(b), when.At(b.Clock.Now()), when.At(b.Clock.Now()).Add(time.Minute), 9)
		if err != nil {
			return err
		}
		for _, c := range all {
			if _, err := tx.(webhook.Tx).SettleDelivery(&webhook.Outcome{ID: c.ID, Workspace: c.Workspace, Endpoint: endpointOf(b), Lease: c.Lease,
				State: webhook.DeliveryPending, Next: when.At(b.Clock.Now()).Add(time.Hour), Status: 500}); err != nil {
				return err
			}
		}
		return nil
	}))
	b.wants("webhooks", finding.OK, "No delivery is late")
}

func endpointOf(b *bed) catalog.EndpointID {
	all, err := b.Webhook.Endpoints(b.T.Context(), b.Owner)
	b.Must(err)
	return all[0].ID
}

// What Today says of a workspace's own mails and endpoints, Health never calls good, whoever looks after the server.
func TestHealthSaysWhatTodaySays(t *testing.T) {
	b := newBed(t)
	other := b.Beside("other", "zoe")
	b.wants("mail", finding.OK, "No mail waits")
	now := when.At(b.Clock.Now())
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error {
		for _, ws := range []catalog.WorkspaceID{b.Workspace.ID, other.Workspace.ID} {
			m := mail.Mail{ID: id.New[mail.MailIDKind](b.Clock.Now()), WorkspaceID: ws, Kind: catalog.MailTeamEndpoint,
				To: "boss@salon.example", DueAt: now, Until: now.Add(2 * when.Day), CreatedAt: now, Facts: mail.Facts{For: mail.ToOwner}}
			if err := tx.(mail.Tx).InsertMails(m); err != nil {
				return err
			}
		}
		return nil
	}))
	b.Clock.Advance(time.Minute)
	b.wants("mail", finding.OK, "")
	b.Clock.Advance(13 * time.Minute)
	for name, a := range map[string]app.Actor{"keeper": b.Owner, "other": other.Owner} {
		said, err := b.Mail.Trouble(t.Context(), a)
		b.Must(err)
		if said.Stuck.Count != 1 {
			t.Errorf("%s: Today says %+v", name, said)
		}
		r, err := b.Health.Report(t.Context(), a)
		b.Must(err)
		for _, f := range r.Findings {
			if f.Check == "mail" && (f.State != finding.Warning || !strings.Contains(f.Message(views.Locales[0], time.UTC), "waited for 14 minutes")) {
				t.Errorf("%s: %s, %s", name, f.State, f.Message(views.Locales[0], time.UTC))
			}
		}
	}
	r, err := b.Health.Report(t.Context(), app.Operator(0)) // of all workspaces: greylisting takes that long
	b.Must(err)
	if i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Check == "mail" }); r.Findings[i].State != finding.OK {
		t.Errorf("doctor says %+v", r.Findings[i])
	}
	b.Mail.ShareMailServer(nil)
	b.wants("mail", finding.Warning, "No mail server is set up")
	e, err := b.Webhook.CreateEndpoint(t.Context(), b.Owner, webhook.EndpointInput{URL: "https://hooks.example.com/x", Events: []string{"*"}})
	b.Must(err)
	b.wants("webhooks", finding.OK, "No delivery is late")
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error {
		e.Enabled, e.DisabledReason, e.DisabledAt = false, webhook.DisabledFailing, now
		return tx.(webhook.Tx).UpdateEndpoint(&e.Endpoint)
	}))
	b.wants("webhooks", finding.Warning, "The webhook to hooks.example.com fails")
}
