package invitation_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/invitation"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store/enginetest"
)

const (
	ana catalog.HostID = 1 + iota
	bob
)

// world is a salon that is always open, with a hidden service of ana and bob, and one that everybody sees.
type world struct {
	*apptest.Salon
	visitor app.Actor
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{Hosts: []string{"ana", "bob"}, Hours: "00:00-24:00"})}
	both := func(hidden bool) func(e *catalog.EventType) {
		return func(e *catalog.EventType) {
			e.Hidden, e.Hosts = hidden, []catalog.HostRef{{ID: ana}, {ID: bob}}
			e.MinimumNoticeMinutes = 0
		}
	}
	w.Offer("vip", 60, both(true))
	w.Offer("cut", 60, both(false))
	w.visitor = app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	return w
}

// invite makes a link as the owner, and returns its token: also of one that is mailed.
func (w *world) invite(in invitation.Input) (invitation.Invitation, string) {
	w.T.Helper()
	l, err := w.Invitation.CreateInvitation(w.T.Context(), w.Owner, in)
	w.Must(err)
	if l.Email != "" {
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		return l, invitation.MailedToken(setup, l.ID)
	}
	return l, l.URL[strings.LastIndexByte(l.URL, '/')+1:]
}

// by books by a link.
func (w *world) by(s *subjects.Set, token, eventType, start, person string) (booking.Booking, error) {
	in := apptest.Input(eventType, start, person)
	in.Invitation = token
	return s.Book(w.T.Context(), w.visitor, in)
}

// used is how often the link counts as used.
func (w *world) used(l invitation.Invitation) int {
	w.T.Helper()
	l, err := w.Invitation.Invitation(w.T.Context(), w.Owner, l.ID.String())
	w.Must(err)
	return l.Used
}

func uses(n int) *int { return &n }

// A hidden service is as one that isn't there to whoever has no link, and in every way of asking; the business and who
// has a link see and book it.
func TestHiddenIsUnknown(t *testing.T) {
	w := newWorld(t)
	_, token := w.invite(invitation.Input{EventType: "vip"})
	_, foreign := w.invite(invitation.Input{EventType: "cut"})
	_, opened, err := w.Invitation.Open(t.Context(), token)
	w.Must(err)
	ask := map[string]func(a app.Actor, slug string) error{
		"get": func(a app.Actor, slug string) error { _, err := w.EventType(a, slug); return err },
		"availability": func(a app.Actor, slug string) error {
			_, err := w.Availability(t.Context(), a, availability.Input{EventType: slug})
			return err
		},
		"open times": func(a app.Actor, slug string) error {
			_, _, err := w.OpenTimes(t.Context(), a, availability.OpenTimesInput{EventType: slug, To: when.At(w.Clock.Now())})
			return err
		},
		"next times": func(a app.Actor, slug string) error {
			_, _, err := w.NextOpenTimes(t.Context(), a, availability.OpenTimesInput{EventType: slug}, 1)
			return err
		},
		"book": func(a app.Actor, slug string) error {
			_, err := w.Book(t.Context(), a, apptest.Input(slug, "1T09:00", "mia"))
			return err
		},
		"book with nonsense": func(a app.Actor, slug string) error {
			in := apptest.Input(slug, "1T09:00", "mia")
			in.Invitation = "nonsense"
			_, err := w.Book(t.Context(), a, in)
			return err
		},
		"book by the link of another service": func(a app.Actor, slug string) error {
			in := apptest.Input(slug, "1T09:00", "mia")
			in.Invitation = foreign
			_, err := w.Book(t.Context(), a, in)
			return err
		},
	}
	for name, do := range ask {
		hidden, unknown := fault.As(do(w.visitor, "vip")), fault.As(do(w.visitor, "xip"))
		if hidden == nil || unknown == nil {
			t.Fatalf("%s: %v, of an unknown one %v", name, hidden, unknown)
		}
		if said := strings.ReplaceAll(hidden.Error(), "vip", "xip"); said != unknown.Error() || hidden.Code != fault.NotFound ||
			unknown.Code != hidden.Code || !reflect.DeepEqual(hidden.DetailsObject(), unknown.DetailsObject()) {
			t.Errorf("%s: hidden is %#v, unknown is %#v", name, hidden, unknown)
		}
	}
	p, err := w.EventTypes(w.visitor, nil, "")
	w.Must(err)
	if len(p.Data) != 1 || p.Data[0].Slug != "cut" {
		t.Errorf("the visitor's list has %v", p.Data)
	}
	for who, a := range map[string]app.Actor{"owner": w.Owner, "key": w.API, "agent": {Kind: booking.ByAgent, Workspace: w.Workspace.ID},
		"read-only key": {Kind: booking.ByAPI, ReadOnly: true, Workspace: w.Workspace.ID}, "who has the link": opened} {
		w.Must(ask["get"](a, "vip"))
		w.Must(ask["availability"](a, "vip"))
		if p, err := w.EventTypes(a, nil, ""); err != nil || len(p.Data) != 2 {
			t.Errorf("%s sees %v, %v", who, p.Data, err)
		}
	}
	w.Booked("vip", "1T09:00", "kim") // the business needs no link
	if _, err := w.by(w.Set, token, "vip", "1T10:00", "mia"); err != nil {
		t.Error(err)
	}
}

// Each booking takes a use, and gives it back once: when it is cancelled, declined or lapses.
func TestUsesAreGivenBackOnce(t *testing.T) {
	w := newWorld(t)
	w.Alter("vip", func(e *catalog.EventType) { e.RequiresApproval = true })
	l, token := w.invite(invitation.Input{EventType: "vip", Uses: uses(2)})
	ends := map[string]func(b booking.Booking) error{
		"cancelled": func(b booking.Booking) error {
			_, err := w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
			return err
		},
		"declined": func(b booking.Booking) error {
			_, err := w.Decline(t.Context(), w.Owner, b.ID.String(), "")
			return err
		},
		"lapsed": func(booking.Booking) error {
			w.Clock.Advance(48 * time.Hour)
			_, err := w.Lapse(t.Context(), 10)
			return err
		},
	}
	n := 0
	for _, how := range []string{"cancelled", "declined", "lapsed"} {
		n++
		b, err := w.by(w.Set, token, "vip", fmt.Sprintf("%dT09:00", 5*n), "mia")
		w.Must(err)
		if w.used(l) != 1 {
			t.Errorf("%s: used %d times while it is booked", how, w.used(l))
		}
		w.Must(ends[how](b))
		_, _ = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
		if w.used(l) != 0 {
			t.Errorf("%s: used %d times after it", how, w.used(l))
		}
	}
	first, err := w.by(w.Set, token, "vip", "20T09:00", "mia")
	w.Must(err)
	_, err = w.by(w.Set, token, "vip", "20T09:00", "mia") // sent twice
	w.Refused(err, fault.Conflict, "already_booked")
	_, err = w.by(w.Set, token, "vip", "20T10:00", "bo")
	w.Must(err)
	_, err = w.by(w.Set, token, "vip", "20T09:00", "mia") // nothing is said of a booking by a link that is used
	w.Refused(err, fault.NotFound, "invitation_used")
	_, err = w.by(w.Set, token, "vip", "20T11:00", "cy")
	w.Refused(err, fault.NotFound, "invitation_used")
	w.Must(w.Invitation.RevokeInvitation(t.Context(), w.Owner, l.ID.String()))
	w.Must(w.Invitation.RevokeInvitation(t.Context(), w.Owner, l.ID.String()))
	w.Must(ends["cancelled"](first))
	if w.used(l) != 1 {
		t.Errorf("used %d times after one of two was cancelled", w.used(l))
	}
	_, err = w.by(w.Set, token, "vip", "20T11:00", "cy")
	w.Refused(err, fault.NotFound, "invitation_invalid")
}

// 64 ask at once, at two servers: no link is used once too often, and what is given back meanwhile counts.
func TestContestForInvitations(t *testing.T) {
	w := newWorld(t)
	servers := []*subjects.Set{w.Set, w.Another().Set}
	const clients = 64
	for _, most := range []int{1, 5} {
		l, token := w.invite(invitation.Input{EventType: "vip", Uses: uses(most)})
		errs := make([]error, clients)
		begin := make(chan struct{})
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				<-begin
				b, err := w.by(servers[i%2], token, "vip", apptest.Hours(24*most+i/2), fmt.Sprint("p", most, "n", i))
				errs[i] = err
				if err == nil && most > 1 && i%3 == 0 {
					_, err := servers[i%2].Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
					errs[i] = errors.Join(err, errCancelled)
				}
			})
		}
		close(begin)
		all.Wait()
		live, refused := 0, 0
		for _, err := range errs {
			switch e := fault.As(err); {
			case err == nil:
				live++
			case e != nil && e.Reason == "invitation_used":
				refused++
			case err.Error() != errCancelled.Error():
				t.Error(err)
			}
		}
		if live > most || most == 1 && (live != 1 || refused != clients-1) || w.used(l) != live {
			t.Errorf("%d uses: %d bookings stand, %d were refused, the link counts %d", most, live, refused, w.used(l))
		}
	}
}

var errCancelled = errors.New("cancelled again")

// A link fixes the host and who books, says why it can't be used, and is for one service of one workspace.
func TestWhatALinkFixes(t *testing.T) {
	w := newWorld(t)
	_, withBob := w.invite(invitation.Input{EventType: "cut", Host: bob.String(), Uses: uses(9)})
	b, err := w.by(w.Set, withBob, "cut", "1T09:00", "mia")
	w.Must(err)
	if b.Host.ID != bob || !b.HostNamed {
		t.Errorf("the booking is with %v, named %v", b.Host, b.HostNamed)
	}
	in := apptest.Input("cut", "1T10:00", "mia")
	in.Invitation, in.Host = withBob, ana.String()
	_, err = w.Book(t.Context(), w.visitor, in)
	w.Refused(err, fault.BadRequest, "invalid")

	mailed, own := w.invite(invitation.Input{EventType: "vip", Email: "Mia@mail.example"})
	if mailed.URL != "" {
		t.Error("who makes a link for somebody else sees it")
	}
	_, err = w.by(w.Set, own, "vip", "2T09:00", "bo")
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "invitee.email" {
		t.Errorf("another address is refused at %s", e.Field)
	}
	in = apptest.Input("vip", "2T09:00", "mia")
	in.Invitation, in.Invitee.Email, in.Invitee.Phone = own, "", "+49 30 901820"
	if b, err = w.Book(t.Context(), w.visitor, in); err != nil || b.Invitee.Email != "Mia@mail.example" {
		t.Errorf("booked for %q, %v", b.Invitee.Email, err)
	}

	soon := w.Clock.Now().Add(time.Hour).Format(time.RFC3339)
	_, expiring := w.invite(invitation.Input{EventType: "cut", ExpiresAt: soon})
	_, hiddenExpiring := w.invite(invitation.Input{EventType: "vip", ExpiresAt: soon})
	w.Clock.Advance(time.Hour)
	_, err = w.by(w.Set, expiring, "cut", "3T09:00", "mia")
	w.Refused(err, fault.Conflict, "invitation_expired")
	_, err = w.by(w.Set, hiddenExpiring, "vip", "3T09:00", "mia")
	w.Refused(err, fault.NotFound, "invitation_expired")
	_, _, err = w.Invitation.Open(t.Context(), expiring)
	w.Refused(err, fault.NotFound, "invitation_expired")
	_, err = w.by(w.Set, "nonsense", "cut", "3T09:00", "mia")
	w.Refused(err, fault.BadRequest, "invitation_invalid")
	_, err = w.by(w.Set, own, "cut", "3T09:00", "mia")
	w.Refused(err, fault.BadRequest, "invitation_invalid")

	other := w.Beside("other", "cyd")
	other.Offer("cut", 60, nil)
	foreign, err := other.Invitation.CreateInvitation(t.Context(), other.Owner, invitation.Input{EventType: "cut"})
	w.Must(err)
	_, err = w.by(w.Set, foreign.URL[strings.LastIndexByte(foreign.URL, '/')+1:], "cut", "3T09:00", "mia")
	w.Refused(err, fault.BadRequest, "invitation_invalid")
	_, err = w.Invitation.Invitation(t.Context(), w.Owner, foreign.ID.String())
	w.Refused(err, fault.NotFound, "")
}

// Who makes links is told what is wrong; staff make theirs, for themselves.
func TestWhoMakesLinks(t *testing.T) {
	w := newWorld(t)
	staff := app.Actor{Kind: booking.ByOwner, User: 3, Role: app.StaffRole, Host: bob, Workspace: w.Workspace.ID}
	l, err := w.Invitation.CreateInvitation(t.Context(), staff, invitation.Input{EventType: "vip"})
	w.Must(err)
	if l.Host == nil || l.Host.ID != bob || l.Uses != 1 || l.ExpiresAt != 0 || !strings.HasPrefix(l.URL, "https://book.example/_i/") {
		t.Errorf("bob's link is %+v", l)
	}
	_, err = w.Invitation.CreateInvitation(t.Context(), staff, invitation.Input{EventType: "vip", Host: ana.String()})
	w.Refused(err, fault.NotFound, "")
	ofOwner, _ := w.invite(invitation.Input{EventType: "vip"})
	w.Refused(w.Invitation.RevokeInvitation(t.Context(), staff, ofOwner.ID.String()), fault.NotFound, "")
	if p, err := w.Invitation.Invitations(t.Context(), staff, invitation.ListInput{}); err != nil || len(p.Data) != 1 || p.Data[0].ID != l.ID || p.Data[0].URL != "" {
		t.Errorf("bob sees %+v, %v", p.Data, err)
	}
	if p, err := w.Invitation.Invitations(t.Context(), w.Owner, invitation.ListInput{EventType: "vip", Limit: uses(1)}); err != nil || len(p.Data) != 1 || p.Data[0].ID != ofOwner.ID || !p.HasMore {
		t.Errorf("the owner's first page has %+v, %v", p, err)
	}
	for field, in := range map[string]invitation.Input{
		"eventType": {}, "expiresAt": {EventType: "vip", ExpiresAt: "2026-01-01T00:00:00Z"},
		"uses": {EventType: "vip", Uses: uses(0)}, "email": {EventType: "vip", Email: "mia"},
	} {
		_, err := w.Invitation.CreateInvitation(t.Context(), w.Owner, in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != field {
			t.Errorf("%+v is refused at %s, want %s", in, e.Field, field)
		}
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
		for i := range 100 { // as many as may be mailed in a day
			l := invitation.Invitation{ID: id.New[booking.InvitationIDKind](w.Clock.Now()), WorkspaceID: w.Workspace.ID,
				EventTypeID: setup.EventType("vip").ID, Email: "mia@mail.example", Uses: 1}
			if err := tx.(invitation.Tx).InsertInvitationLink(&l, fmt.Append(nil, "hash", i)); err != nil {
				return err
			}
		}
		return nil
	}))
	_, err = w.Invitation.CreateInvitation(t.Context(), w.Owner, invitation.Input{EventType: "vip", Email: "mia@mail.example"})
	w.Refused(err, fault.RateLimited, "too_many_mails")
}

// Links that can't be used any more are forgotten after a while, those of a person with the person.
func TestLinksAreForgotten(t *testing.T) {
	w := newWorld(t)
	count := func() int {
		t.Helper()
		n := 0
		w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM invitation_links`).Scan(&n))
		return n
	}
	prune := func() {
		t.Helper()
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
	}
	kept, _ := w.invite(invitation.Input{EventType: "vip"})
	w.invite(invitation.Input{EventType: "vip", ExpiresAt: w.Clock.Now().Add(time.Hour).Format(time.RFC3339)})
	revoked, _ := w.invite(invitation.Input{EventType: "vip"})
	w.Must(w.Invitation.RevokeInvitation(t.Context(), w.Owner, revoked.ID.String()))
	_, once := w.invite(invitation.Input{EventType: "vip"})
	_, err := w.by(w.Set, once, "vip", "1T09:00", "mia")
	w.Must(err)
	back, again := w.invite(invitation.Input{EventType: "vip"})
	b, err := w.by(w.Set, again, "vip", "1T10:00", "mia")
	w.Must(err)
	_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Clock.Advance(89 * when.Day)
	prune()
	if n := count(); n != 5 {
		t.Errorf("%d links after 89 days, want all 5", n)
	}
	w.Clock.Advance(5 * when.Day)
	prune()
	if n := count(); n != 2 || w.used(kept) != 0 || w.used(back) != 0 {
		t.Errorf("%d links after 94 days, want the two that can be used", n)
	}
	c, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Zoe", Email: "zoe@mail.example"})
	w.Must(err)
	w.invite(invitation.Input{EventType: "vip", Email: "ZOE@mail.example"})
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, c.ID.String()))
	for more := true; more; {
		w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) { more, err = tx.SweepErasure(100); return err }))
	}
	if n := count(); n != 2 {
		t.Errorf("%d links after the recipient of one was erased, want 2", n)
	}
	var out strings.Builder
	w.Must(w.Invitation.ExportInvitations(t.Context(), w.Owner, &out))
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.Contains(out.String(), kept.ID.String()) || strings.Contains(out.String(), "_i/") {
		t.Errorf("the export is %s", out.String())
	}
}
