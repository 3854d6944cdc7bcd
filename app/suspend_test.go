package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/upkeep/health"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// While a workspace is suspended, nobody gets in and nothing goes out; then all goes on as it was.
func TestASuspendedWorkspace(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, nil)
	w.endpoint("booking.created")
	key := w.Key(account.FullScope)
	const email, password = "suspended@salon.example", "correct horse battery"
	_, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID), account.UserInput{Email: email, Role: app.OwnerRole, Password: password})
	w.Must(err)
	session, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: password, Address: "192.0.2.1"})
	w.Must(err)
	w.at("10:00")
	b := w.Booked("cut", "1T11", "ida")
	w.writeMails()
	link := b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:]
	feed, err := w.Feed.FeedURL(t.Context(), w.Owner, "", false)
	w.Must(err)
	feed = strings.TrimSuffix(feed[strings.LastIndexByte(feed, '/')+1:], ".ics")
	doors := map[string]func() error{
		"an API key":         func() error { _, err := w.Account.CheckKey(key.Value); return err },
		"a session":          func() error { _, err := w.Account.SessionOf(t.Context(), session); return err },
		"a customer's link":  func() error { _, _, err := w.BookingByToken(t.Context(), link); return err },
		"a calendar address": func() error { _, err := w.Feed.CalendarByToken(t.Context(), feed); return err },
	}
	sends := func() (mails, hooks, due int) {
		t.Helper()
		has, err := w.Mail.HasDueMails(t.Context())
		w.Must(err)
		if has {
			mails = 1
		}
		waiting, err := w.Webhook.WaitingEndpoints(t.Context())
		w.Must(err)
		all, err := w.Health.Figures(t.Context())
		w.Must(err)
		for _, q := range all.Work {
			if q.Queue == "mail" || q.Queue == "webhooks" {
				due += min(1, q.Due)
			}
			if q.Due > health.MostWaiting || (q.Due > 0) != (q.Since != 0) {
				t.Errorf("%+v", q)
			}
		}
		return mails, len(waiting), due
	}
	open := func(when string) {
		t.Helper()
		for name, enter := range doors {
			if err := enter(); err != nil {
				t.Errorf("%s, %s: %v", when, name, err)
			}
		}
		if mails, hooks, due := sends(); mails != 1 || hooks != 1 || due != 2 {
			t.Errorf("%s: mails %d, endpoints %d, queues %d", when, mails, hooks, due)
		}
	}
	open("before")
	busy, err := w.Webhook.WaitingEndpoints(t.Context())
	w.Must(err)
	lane := busy[0].Lane
	if _, err := w.Shop.SuspendWorkspace(t.Context(), w.Owner); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an owner suspends: %v", err)
	}
	operator := app.Operator(w.Workspace.ID)
	first, err := w.Shop.SuspendWorkspace(t.Context(), operator)
	w.Must(err)
	w.Clock.Advance(time.Second)
	again, err := w.Shop.SuspendWorkspace(t.Context(), operator)
	if w.Must(err); again.SuspendedAt != first.SuspendedAt || first.SuspendedAt == 0 {
		t.Errorf("suspended at %v, then %v", first.SuspendedAt, again.SuspendedAt)
	}
	for name, enter := range doors {
		if e := fault.As(enter()); e == nil || e.Code != fault.Forbidden || e.Reason != "workspace_suspended" {
			t.Errorf("%s while suspended: %v", name, e)
		}
	}
	if mails, hooks, due := sends(); mails+hooks+due != 0 {
		t.Errorf("while suspended: mails %d, endpoints %d, queues %d", mails, hooks, due)
	}
	batches, err := w.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: lane, Limit: 1}}, time.Minute)
	w.Must(err)
	for _, b := range batches { // of a lane that was busy before
		if len(b.Deliveries) != 0 {
			t.Errorf("%d deliveries were claimed while suspended", len(b.Deliveries))
		}
	}
	for _, id := range []catalog.WorkspaceID{0, w.Workspace.ID} {
		if claimed, err := w.Mail.ClaimMails(t.Context(), id, time.Minute, 10); err != nil || len(claimed) != 0 {
			t.Errorf("%d mails were claimed, %v", len(claimed), err)
		}
	}
	if again := w.Again(b); again.Status != b.Status {
		t.Errorf("the booking is %s", again.Status)
	}
	_, _, err = w.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: password, Address: "192.0.2.1"})
	if e := fault.As(err); e == nil || e.Reason != "workspace_suspended" {
		t.Errorf("who knows the password: %v", err)
	}
	w.Clock.Advance(72 * time.Hour) // longer than mails have to be sent
	w.Must(w.Mail.TidyMails(t.Context()))
	_, err = w.Shop.ResumeWorkspace(t.Context(), operator)
	w.Must(err)
	open("after")
	lines, err := w.Audit.AuditLog(t.Context(), w.Owner, audit.ListInput{Topic: "workspace"})
	w.Must(err)
	if len(lines.Data) != 3 || lines.Data[0].Action != "workspace.resumed" || lines.Data[1].Action != "workspace.suspended" {
		t.Errorf("the log has %+v", lines.Data)
	}
}

// An endpoint that fails is switched off after five days of failure, in which the days of a suspension don't count.
func TestASuspensionIsNoFailureOfAnEndpoint(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	e := w.endpoint("booking.created")
	fail := func(start, invitee string) webhook.Endpoint {
		t.Helper()
		w.Booked("cut", start, invitee)
		waiting, err := w.Webhook.WaitingEndpoints(t.Context())
		w.Must(err)
		batches, err := w.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: waiting[0].Lane, Limit: 10}}, time.Minute)
		w.Must(err)
		var outcomes []webhook.Outcome
		for _, b := range batches {
			for _, d := range b.Deliveries {
				outcomes = append(outcomes, webhook.Outcome{Workspace: w.Workspace.ID, ID: d.ID, Endpoint: e.ID, Lease: d.Lease, State: webhook.DeliveryFailed, Status: 500})
			}
		}
		if len(outcomes) != 1 {
			t.Fatalf("%d deliveries were due", len(outcomes))
		}
		w.Must(w.Webhook.SettleDeliveries(t.Context(), outcomes))
		now, err := w.Webhook.Endpoint(t.Context(), w.Owner, e.ID.String())
		w.Must(err)
		return now
	}
	first := fail("1T11", "ida")
	if first.FailingSince == 0 {
		t.Fatal("it doesn't fail")
	}
	operator := app.Operator(w.Workspace.ID)
	_, err := w.Shop.SuspendWorkspace(t.Context(), operator)
	w.Must(err)
	w.Clock.Advance(6 * 24 * time.Hour)
	_, err = w.Shop.ResumeWorkspace(t.Context(), operator)
	w.Must(err)
	if again := fail("10T11", "bo"); !again.Enabled || again.FailingSince != first.FailingSince.Add(6*when.Day) {
		t.Errorf("after a suspension of six days: %+v, was failing since %v", again, first.FailingSince)
	}
}

// What waits for a suspended workspace keeps no events of others for longer than they are kept.
func TestASuspendedWorkspaceKeepsNoEventsOfOthers(t *testing.T) {
	w := newMailWorld(t)
	other := w.Beside("other", "dan")
	w.offer("cut", 1, nil)
	w.endpoint("booking.created")
	w.at("10:00")
	w.Booked("cut", "1T11", "ida")
	other.Offer("cut", 60, nil)
	other.Booked("cut", "1T11", "bo")
	_, err := w.Shop.SuspendWorkspace(t.Context(), app.Operator(w.Workspace.ID))
	w.Must(err)
	_, err = w.Webhook.PruneWebhooks(t.Context(), w.Clock.Now().AddDate(50, 0, 0), 100) // ids go on from those of tests in later years
	w.Must(err)
	events := func(id catalog.WorkspaceID) (n int) {
		t.Helper()
		w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow(fmt.Sprintf(`SELECT COUNT(*) FROM events WHERE workspace_id = %d`, id)).Scan(&n))
		return n
	}
	if events(w.Workspace.ID) == 0 || events(other.Workspace.ID) != 0 {
		t.Errorf("%d events wait, %d of others are kept", events(w.Workspace.ID), events(other.Workspace.ID))
	}
}

// What was let in before its workspace was suspended books and changes nothing after it, whoever asks for it. What the
// system ends goes on, and what the business cancels together waits until the workspace is open again.
func TestASuspensionEndsWhatWasLetInBefore(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("ask", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	w.at("10:00")
	b, other := w.Booked("cut", "1T11", "ida"), w.Booked("cut", "1T14", "eva")
	asked := w.Booked("ask", "1T15", "max")
	scope := bulk.Scope{Host: other.Host.ID, From: other.Start, To: other.End}
	seen, err := w.Bulk.Within(ctx, w.Owner, scope, bulk.Most)
	w.Must(err)
	together, err := w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Form: "f", Scope: scope, Listed: listed(seen)})
	w.Must(err)
	operator := app.Operator(w.Workspace.ID)
	_, err = w.Shop.SuspendWorkspace(ctx, operator)
	w.Must(err)
	input := func() booking.BookInput { return apptest.Input("cut", apptest.At("1T12"), "bo") }
	guest := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	own := guest
	own.Booking = b.ID
	for name, do := range map[string]func() error{
		"a customer books":   func() error { _, err := w.Book(ctx, guest, input()); return err },
		"a program books":    func() error { _, err := w.Book(ctx, w.API, input()); return err },
		"the owner books":    func() error { _, err := w.Book(ctx, w.Owner, input()); return err },
		"a customer cancels": func() error { _, err := w.Cancel(ctx, own, b.ID.String(), booking.CancelInput{}); return err },
		"the owner moves": func() error {
			_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T13")})
			return err
		},
		"the owner confirms": func() error { _, err := w.Confirm(ctx, w.Owner, asked.ID.String()); return err },
		"a program holds": func() error {
			_, err := w.Hold(ctx, w.API, app.HoldInput{EventType: "cut", Start: apptest.At("1T12")})
			return err
		},
		"a customer's visit": func() error {
			_, err := w.BookVisit(ctx, guest, booking.VisitInput{Start: apptest.At("1T12"), Invitee: input().Invitee, Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "cut"}}})
			return err
		},
	} {
		if e := fault.As(do()); e == nil || e.Code != fault.Forbidden || e.Reason != "workspace_suspended" {
			t.Errorf("%s: %v", name, e)
		}
	}
	w.aMinuteLater()
	if got := w.became(together); got != "eva open" {
		t.Errorf("cancelled together, while suspended: %s", got)
	}
	w.Clock.Set(asked.ExpiresAt.Time())
	_, err = w.Lapse(ctx, 10)
	w.Must(err)
	if now := w.Again(asked); now.Status != booking.Cancelled {
		t.Errorf("a request that nobody decides on is %s", now.Status)
	}
	if now := w.Again(b); now.Status != booking.Confirmed || now.Start != b.Start {
		t.Errorf("%s at %s", now.Status, now.Start)
	}
	_, err = w.Shop.ResumeWorkspace(ctx, operator)
	w.Must(err)
	w.Must(w.Bulk.CarryOut(ctx))
	if got := w.became(together); got != "eva cancelled" {
		t.Errorf("cancelled together, after it: %s", got)
	}
}
