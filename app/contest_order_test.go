package app_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// turnstile holds up those on PostgreSQL who need what a statement has locked, until it is opened.
type turnstile struct {
	t    *testing.T
	raw  *sql.DB
	held *sql.Tx
}

func shut(w *world, lock string) *turnstile {
	w.T.Helper()
	if !enginetest.OnPostgres() {
		w.T.Skip("on SQLite writes come one after the other")
	}
	raw := enginetest.Raw(w.T, w.Store.Engine)
	held, err := raw.Begin()
	w.Must(err)
	_, err = held.Exec(lock)
	w.Must(err)
	return &turnstile{w.T.(*testing.T), raw, held}
}

// waits waits until n transactions wait for somebody.
func (g *turnstile) waits(n int) {
	g.t.Helper()
	apptest.Eventually(g.t, fmt.Sprint(n, " transactions that wait"), func() bool {
		var waiting int
		if err := g.raw.QueryRow(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).
			Scan(&waiting); err != nil {
			g.t.Fatal(err)
		}
		return waiting >= n
	})
}

func (g *turnstile) open() {
	g.t.Helper()
	if err := g.held.Rollback(); err != nil {
		g.t.Fatal(err)
	}
}

// writesTo locks a table for all who write to it.
func writesTo(table string) string { return "LOCK TABLE " + table + " IN SHARE MODE" }

// behind runs each of do at a server of its own while a statement's locks are held, the next when the one before waits
// for them, and returns their errors.
func (w *world) behind(lock string, do ...func(at *apptest.Salon) error) []error {
	w.T.Helper()
	g := shut(w, lock)
	errs := make([]error, len(do))
	var all sync.WaitGroup
	for i, f := range do {
		at := w.Another()
		all.Go(func() { errs[i] = f(at) })
		g.waits(i + 1)
	}
	g.open()
	all.Wait()
	return errs
}

// Two who hold the set-up link take it at one moment: one becomes the owner.
func TestContestSetupLinkIsTakenOnce(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	take := func(n int) func(at *apptest.Salon) error {
		return func(at *apptest.Salon) error {
			_, _, err := at.Account.TakeSetupLink(context.Background(), link[strings.LastIndex(link, "/")+1:], account.FirstInput{
				Email: fmt.Sprintf("o%d@salon.example", n), Password: ownersPassword,
				Workspace: catalog.WorkspaceInput{Slug: fmt.Sprint("salon-", n), Name: "Salon", TimeZone: "UTC"},
			})
			return err
		}
	}
	if done, refused := w.tally(w.behind(writesTo("workspaces"), take(0), take(1)), "setup_link"); done != 1 || refused != 1 {
		t.Errorf("%d took it, %d were refused", done, refused)
	}
}

// The longest booking counts, whichever host's is saved last: the search for a host's bookings looks back as far.
func TestLongestBookingIsTheLongest(t *testing.T) {
	w := newWorld(t)
	for n, minutes := range []int{240, 30} {
		w.Offer([]string{"long", "short"}[n], minutes, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: catalog.HostID(n + 1)}} })
	}
	book := func(eventType string) func(at *apptest.Salon) error {
		return func(at *apptest.Salon) error {
			_, err := at.Book(context.Background(), w.API, apptest.Input(eventType, "1T08", eventType))
			return err
		}
	}
	w.Must(errors.Join(w.behind("SELECT 1 FROM workspaces FOR UPDATE", book("long"), book("short"))...))
	ws, err := w.WorkspaceBySlug(t.Context(), "salon")
	w.Must(err)
	if ws.LongestBooking != 4*time.Hour {
		t.Errorf("the longest booking takes %v", ws.LongestBooking)
	}
}

// Who has signed in with a password that is changed at the same moment is signed out by that, too.
func TestContestNoSessionOutlivesItsPassword(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	var token string
	errs := w.behind(writesTo("sessions"), func(at *apptest.Salon) error {
		_, err := at.Account.SetPassword(context.Background(), app.Operator(0), owner.Email, "another "+ownersPassword)
		return err
	}, func(at *apptest.Salon) (err error) {
		token, _, err = at.Account.SignIn(context.Background(), account.SignInInput{Email: owner.Email, Password: ownersPassword, Address: "192.0.2.1"})
		return err
	})
	if errs[0] != nil || !fault.Is(errs[1], fault.Unauthorized) {
		t.Errorf("got %v", errs)
	}
	if _, err := w.Account.SessionOf(t.Context(), token); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the session lives: %v", err)
	}
}

// A member keeps the role that an owner gives while the member chooses a password.
func TestContestRoleIsKept(t *testing.T) {
	w := newWorld(t)
	w.owner()
	u, link, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "bo@salon.example", Role: app.OwnerRole})
	w.Must(err)
	w.Must(errors.Join(w.behind(writesTo("users"), func(at *apptest.Salon) error {
		_, err := at.Account.ChangeMember(context.Background(), w.Owner, u.ID.String(), account.MemberInput{Role: app.ManagerRole})
		return err
	}, func(at *apptest.Salon) error {
		_, _, err := at.Account.TakeInvitation(context.Background(), link[strings.LastIndex(link, "/")+1:], ownersPassword, "")
		return err
	})...))
	if u, err = w.Account.Member(t.Context(), w.Owner, u.ID.String()); err != nil || u.Role != app.ManagerRole || u.PasswordHash == "" {
		t.Errorf("%s, password %v, %v", u.Role, u.PasswordHash != "", err)
	}
}

// A contact is deleted, or has a booking ahead: never both, whoever comes first.
func TestContestContactIsDeletedOrBooks(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	c, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "P", Email: "p@mail.example"})
	w.Must(err)
	var booked booking.Booking
	book := func(start string) func(at *apptest.Salon) error {
		return func(at *apptest.Salon) error {
			b, err := at.Book(context.Background(), w.API, apptest.Input("cut", start, "P"))
			if err != nil {
				return err
			}
			booked = b
			if c, err := at.People.ContactByID(context.Background(), w.Owner, b.ContactID.String()); err != nil || c.Email != b.Invitee.Email {
				return fmt.Errorf("the booking of %q belongs to the contact %q, %w", b.Invitee.Email, c.Email, err)
			}
			return nil
		}
	}
	remove := func(at *apptest.Salon) error {
		return at.People.DeleteContact(context.Background(), w.Owner, c.ID.String())
	}
	errs := w.behind(writesTo("booking_history"), book("1T09"), remove)
	if e := fault.As(errs[1]); errs[0] != nil || e == nil || e.Reason != "has_upcoming" {
		t.Errorf("booked first: %v", errs)
	}
	_, err = w.Cancel(t.Context(), w.API, booked.ID.String(), app.CancelInput{})
	w.Must(err)
	if err := errors.Join(w.behind("SELECT 1 FROM contacts FOR UPDATE", remove, book("1T10"))...); err != nil {
		t.Errorf("deleted first: %v", err)
	}
}

// What is written in an own field while that is removed is counted with the others, or is refused because it comes after.
func TestContestFieldIsRemovedOrWritten(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	c, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "P", Email: "p@mail.example"})
	w.Must(err)
	dog := []catalog.ContactField{{Key: "dog", Label: "Dog", Type: catalog.TextField, OnForm: catalog.Asked}}
	w.Must(w.asksFor(w.Salon, dog))
	book := func(who string) func(at *apptest.Salon) error {
		return func(at *apptest.Salon) error {
			in := apptest.Input("cut", "1T09", who)
			in.ContactFields = map[string]any{"dog": "Rex"}
			_, err := at.Book(context.Background(), w.API, in)
			return err
		}
	}
	give := func(at *apptest.Salon) error {
		_, err := at.People.ChangeContact(context.Background(), w.Owner, c.ID.String(), func(c *booking.Contact) (booking.ContactInput, error) {
			return booking.ContactInput{Name: c.Name, Email: c.Email, Fields: map[string]any{"dog": "Waldi"}}, nil
		})
		return err
	}
	remove := func(deletes ...string) func(at *apptest.Salon) error {
		return func(at *apptest.Salon) error { return w.asksFor(at, nil, deletes...) }
	}
	counted := func(errs []error, values int) {
		t.Helper()
		if e := fault.As(errs[1]); errs[0] != nil || e == nil || e.Reason != "field_values" || e.DetailsObject()["values"] != values {
			t.Errorf("written first: %v, want %d values", errs, values)
		}
	}
	counted(w.behind(writesTo("booking_fields"), book("A"), remove()), 2) // with the booking, and of the contact that it made
	counted(w.behind(writesTo("contact_fields"), give, remove()), 3)

	errs := w.behind(writesTo("removed_fields"), remove("dog"), give, book("B"))
	if errs[0] != nil || !fault.Is(errs[1], fault.BadRequest) || !fault.Is(errs[2], fault.BadRequest) {
		t.Errorf("removed first: %v", errs)
	}
	for _, table := range []string{"contact_fields", "booking_fields"} {
		var n int
		w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n))
		if n != 0 {
			t.Errorf("%d values are left in %s", n, table)
		}
	}
}

// asksFor sets the own fields at a server.
func (w *world) asksFor(at *apptest.Salon, fields []catalog.ContactField, deletes ...string) error {
	_, err := at.Shop.SetContactFields(context.Background(), w.Owner, fields, deletes)
	return err
}

// A workspace that is deleted while one of its bookings changes leaves nothing of the booking.
func TestContestDeletedWorkspaceLeavesNoBooking(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "1T09", "P")
	errs := w.behind(writesTo("booking_history"), func(at *apptest.Salon) error {
		_, err := at.Cancel(context.Background(), w.API, b.ID.String(), app.CancelInput{})
		return err
	}, func(at *apptest.Salon) error { return at.Shop.DeleteWorkspace(context.Background(), w.Owner, "salon") })
	w.Must(errors.Join(errs...))
	for more := true; more; {
		w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
			more, err = tx.SweepWorkspace(1000)
			return err
		}))
	}
	for _, table := range []string{"bookings", "booking_history", "events", "hosts", "contacts"} {
		var left int
		w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow("SELECT COUNT(*) FROM " + table).Scan(&left))
		if left != 0 {
			t.Errorf("%d rows of %s are left", left, table)
		}
	}
}

// A mail that a loop claims between the look and the update of who sends it again is sent once.
func TestContestAMailIsResentOrClaimed(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.Booked("cut", "3T09", "bo")
	_, err := w.Mail.WriteMails(t.Context(), 10)
	w.Must(err)
	page, err := w.Mail.Mails(t.Context(), app.Operator(w.Workspace.ID), mail.ListInput{State: "waiting"})
	w.Must(err)
	lease := when.At(w.Clock.Now().Add(time.Minute))
	g := shut(w, fmt.Sprintf("UPDATE mails SET sending = 1, due_ms = %d", lease))
	var refused error
	var all sync.WaitGroup
	at := w.Another()
	all.Go(func() {
		_, refused = at.Mail.ResendMail(context.Background(), app.Operator(w.Workspace.ID), page.Data[0].ID.String())
	})
	g.waits(1)
	w.Must(g.held.Commit())
	all.Wait()
	w.Refused(refused, fault.Conflict, "in_progress")
}

// deadlocks is how many there were in the database. The server counts those of a connection when that ends.
func (g *turnstile) deadlocks() (n int) {
	g.t.Helper()
	const others = ` FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
	var pids string
	err := g.raw.QueryRow(`SELECT COALESCE(string_agg(CAST(pid AS TEXT), ','), '0') FROM (SELECT pid, pg_terminate_backend(pid)` +
		others + `) ended`).Scan(&pids)
	if err != nil {
		g.t.Fatal(err)
	}
	apptest.Eventually(g.t, "the connections end", func() bool {
		var left int
		if err := g.raw.QueryRow(`SELECT COUNT(*)` + others + ` AND pid IN (` + pids + `)`).Scan(&left); err != nil {
			g.t.Fatal(err)
		}
		return left == 0
	})
	err = g.raw.QueryRow(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).Scan(&n)
	if err != nil {
		g.t.Fatal(err)
	}
	return n
}

// moneyMeets has money taken and given back at two hosts, who wait for the number of a receipt, while a host gets time
// off, a receipt is mailed, a day closed and a contact deleted.
func (w *world) moneyMeets(round int) {
	w.T.Helper()
	var paid [3]booking.Booking
	var receipts [3]string
	ctx := context.Background()
	take := func(at *apptest.Salon, n int) (booking.Booking, error) {
		return at.Counter.Record(ctx, w.Owner, paid[n].ID.String(), counter.Input{Tip: 100, Method: booking.ByCash})
	}
	for n := range paid {
		slug := fmt.Sprintf("money-%d-%d", round, n)
		w.Offer(slug, 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: catalog.HostID(1 + n%2)}} })
		paid[n] = w.Booked(slug, fmt.Sprintf("%dT%02d", round+1, 12+n), fmt.Sprintf("payer-%d-%d", round, n))
		b, err := take(w.Salon, n)
		w.Must(err)
		paid[n], receipts[n] = b, b.Payments[0].Receipt.String()
	}
	gone := w.Booked(fmt.Sprintf("money-%d-2", round), fmt.Sprintf("%dT15", round+1), "gone")
	_, err := w.Cancel(ctx, w.Owner, gone.ID.String(), app.CancelInput{})
	w.Must(err)
	gone, err = w.Store.Reader(ctx).Booking(w.Workspace.ID, gone.ID)
	w.Must(err)
	w.Must(errors.Join(w.behind("SELECT 1 FROM receipt_counters FOR UPDATE", func(at *apptest.Salon) error {
		_, err := take(at, 0)
		return err
	}, func(at *apptest.Salon) error {
		_, err := take(at, 1)
		return err
	}, func(at *apptest.Salon) error {
		_, err := at.Shop.AddTimeOff(ctx, w.Owner, catalog.HostID(1).String(), "2027-03-02T10:00", "2027-03-02T11:00", "")
		return err
	}, func(at *apptest.Salon) error {
		return at.Counter.MailReceipt(ctx, w.Owner, receipts[0], "payer@mail.example")
	}, func(at *apptest.Salon) error {
		_, err := at.Counter.GiveBack(ctx, w.Owner, paid[2].Payments[0].ID.String(), nil)
		return err
	}, func(at *apptest.Salon) error {
		counted := int64(1)
		_, err := at.Counter.Close(ctx, w.Owner, counter.CloseInput{Counted: &counted})
		return err
	}, func(at *apptest.Salon) error {
		return at.People.DeleteContact(ctx, w.Owner, gone.ContactID.String())
	})...))
}

// A booking that is longer than all before, and an endpoint that is disabled because it is gone, meet changes of the
// same hosts and endpoints by the owner: all lock the workspace first, so that none of them is a deadlock's victim.
func TestContestWithoutDeadlocks(t *testing.T) {
	w := newWorld(t)
	g := shut(w, "SELECT 1")
	g.open()
	for round := range 2 {
		slug := fmt.Sprint("longer-", round)
		w.Offer(slug, 30+30*round, nil)
		e := w.endpoint("booking.created")
		w.Must(errors.Join(w.behind("SELECT 1 FROM workspaces FOR UPDATE", func(at *apptest.Salon) error {
			_, err := at.Shop.AddTimeOff(context.Background(), w.Owner, catalog.HostID(1).String(), "2027-03-01T10:00", "2027-03-01T11:00", slug)
			return err
		}, func(at *apptest.Salon) error {
			_, err := at.Book(context.Background(), w.API, apptest.Input(slug, fmt.Sprintf("%dT08", round+1), "bo"))
			return err
		})...))
		_, err := w.Webhook.TestEndpoint(t.Context(), w.API, e.ID.String())
		w.Must(err)
		claimed, err := w.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: e.ID, Limit: 9}}, time.Minute)
		w.Must(err)
		var outcomes []webhook.Outcome
		for _, c := range claimed[0].Deliveries {
			outcomes = append(outcomes, webhook.Outcome{Workspace: w.Workspace.ID, ID: c.ID, Endpoint: e.ID, Lease: c.Lease, State: webhook.DeliveryFailed, Gone: true})
		}
		w.Must(errors.Join(w.behind("SELECT 1 FROM workspaces FOR UPDATE", func(at *apptest.Salon) error {
			_, err := at.Webhook.RotateSecret(context.Background(), w.API, e.ID.String(), time.Hour)
			return err
		}, func(at *apptest.Salon) error {
			return at.Webhook.SettleDeliveries(context.Background(), outcomes)
		})...))
		if got, err := w.Webhook.Endpoint(t.Context(), w.API, e.ID.String()); err != nil || got.Enabled {
			t.Errorf("the endpoint that is gone: %+v, %v", got, err)
		}
		w.moneyMeets(round)
	}
	if n := g.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// Two changes of one booking are both kept, also when its event type is given to another host between them.
func TestContestChangesMeetWhoeverIsTheHost(t *testing.T) {
	w := newWorld(t)
	g := shut(w, "SELECT 1")
	g.open()
	e := w.Offer("cut", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
	b := w.Booked("cut", "1T09", "bo")
	changing, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var errs [2]error
	var ended atomic.Bool
	var all sync.WaitGroup
	one, two := w.Another(), w.Another()
	all.Go(func() {
		_, errs[0] = one.Change(context.Background(), w.API, b.ID.String(), func(ch *app.Change) error {
			once.Do(func() { close(changing); <-goOn })
			ch.Booking.Notes = "from the first"
			ch.Note(booking.ActPaymentProcessing, "")
			return nil
		})
	})
	<-changing
	e.Hosts = []catalog.HostRef{{ID: 2}}
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.UpdateEventType(&e) }))
	all.Go(func() {
		defer ended.Store(true)
		_, errs[1] = two.Cancel(context.Background(), w.API, b.ID.String(), app.CancelInput{})
	})
	apptest.Eventually(t, "the second waits, or is done", func() bool {
		var waiting int
		err := g.raw.QueryRow(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).
			Scan(&waiting)
		return err == nil && (waiting > 0 || ended.Load())
	})
	close(goOn)
	all.Wait()
	got, err := w.Booking(t.Context(), w.API, b.ID.String())
	w.Must(errors.Join(errs[0], errs[1], err))
	if got.Status != booking.Cancelled || got.Notes != "from the first" {
		t.Errorf("the booking is %s, its notes are %q", got.Status, got.Notes)
	}
}
