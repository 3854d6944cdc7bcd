package dashboard

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/when"
	"daybook/views/dash"
)

// What the calendar reads of many bookings is the same as what is read of one, as far as it goes.
func TestBriefBookings(t *testing.T) {
	w := newWorld(t)
	w.Apply(fmt.Sprintf(`
workspace: {slug: %s}
eventTypes:
  - {slug: yoga, title: Yoga, durationMinutes: 60, seats: 20, hosts: [%s], addOns: [{id: mat, title: Mat}]}
`, w.Workspace.Slug, w.setup().Hosts[0].Email))
	for i, in := range []booking.BookInput{{Seats: 3}, {AddOns: []string{"mat"}, Notes: "by the door"}} {
		in.EventType, in.Start = "yoga", on(quietDay, "09:00").AddDate(0, 0, i).Format(time.RFC3339)
		in.Invitee = booking.Invitee{Name: "Bo Berg", Email: fmt.Sprintf("bo%d@mail.example", i)}
		_, err := w.Book(t.Context(), w.Owner, in)
		w.Must(err)
	}
	from := saturday.AddDate(0, 0, -60)
	whole, _, err := w.Calendar(t.Context(), w.Owner, "", from, from.AddDate(0, 0, 120), false)
	w.Must(err)
	brief, _, err := w.Calendar(t.Context(), w.Owner, "", from, from.AddDate(0, 0, 120), true)
	w.Must(err)
	if len(whole) < 100 || len(brief) != len(whole) {
		t.Fatalf("%d of %d bookings", len(brief), len(whole))
	}
	var pending, chosen, seats, missed int
	for i := range whole {
		b := &whole[i]
		want := booking.Booking{ID: b.ID, WorkspaceID: b.WorkspaceID, EventTypeID: b.EventTypeID, Status: b.Status,
			Taken:         booking.Taken{Start: b.Start, End: b.End, BusyStart: b.BusyStart, BusyEnd: b.BusyEnd, Parts: b.Parts},
			ExpiresAt:     b.ExpiresAt,
			PendingReason: b.PendingReason, NeedsPay: b.NeedsPay, NeedsOK: b.NeedsOK, HostNamed: b.HostNamed, Seats: b.Seats,
			AddOns: b.AddOns, Invitee: booking.Invitee{Name: b.Invitee.Name}}
		want.Host.ID = b.Host.ID
		got := brief[i]
		if len(got.AddOns)+len(got.Parts) > 0 || got.Visit != nil { // the details are read whole, or not at all
			got.Invitee = booking.Invitee{Name: got.Invitee.Name}
			want.Resources, want.KeepsSpans, want.Visit = b.Resources, b.KeepsSpans, b.Visit
			want.Participants, want.Notes, want.Where, want.Invitation = b.Participants, b.Notes, b.Where, b.Invitation
			want.Payment, want.Deposit, want.LateFee, want.LateNotice = got.Payment, b.Deposit, b.LateFee, b.LateNotice
			want.Answers, want.Metadata, want.Cancellation, want.NoShow = b.Answers, b.Metadata, b.Cancellation, b.NoShow
			want.PreviousStart, want.RescheduleCount, want.Sequence = b.PreviousStart, b.RescheduleCount, b.Sequence
		} else {
			want.Answers, want.Metadata, want.Sequence = map[string]any{}, map[string]string{}, 1
		}
		want.Payments = []booking.CounterPayment{}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
		if b.PendingReason != nil {
			pending++
		}
		if b.Seats > 1 {
			seats++
		}
		if len(got.AddOns) > 0 {
			chosen++
		}
		if b.Status == booking.NoShow {
			missed++
		}
	}
	if pending == 0 || chosen == 0 || seats == 0 || missed == 0 {
		t.Errorf("too little to compare: %d pending, %d with add-ons, %d with seats, %d missed", pending, chosen, seats, missed)
	}
}

// The team and the bookings a day of fullWeek: as many as a cell of the week shows.
const team, bookedInDay = 25, 8

// fullWeek has 1,400 bookings in the week of 14 December 2026.
func fullWeek(t testing.TB) (w *world, owner *visitor) {
	t.Helper()
	w = newEmptyWorld(t)
	var hosts, all strings.Builder
	for i := range team {
		fmt.Fprintf(&hosts, "  - {name: Host %d, email: h%[1]d@mail.example, timeZone: Europe/Berlin, weekly: {", i)
		for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
			fmt.Fprintf(&hosts, "%s: ['08:00-12:30', '13:00-18:00'], ", day)
		}
		fmt.Fprintf(&hosts, "}}\n")
		fmt.Fprintf(&all, "h%d@mail.example, ", i)
	}
	w.Apply("workspace: {slug: salon, name: Bench, timeZone: Europe/Berlin, currency: EUR}\nhosts:\n" + hosts.String() +
		"eventTypes:\n  - {slug: cut, title: Cut, durationMinutes: 30, slotStepMinutes: 30, bookingWindowDays: 60, hosts: [" +
		all.String() + "]}\n")
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	e := setup.EventType("cut")
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
		for i := range team * 7 * bookedInDay {
			at := on("2026-12-14", "08:00").AddDate(0, 0, i/team/bookedInDay).Add(time.Duration(i/team%bookedInDay) * time.Hour)
			c := booking.Contact{ID: booking.ContactID(i + 1), WorkspaceID: w.Workspace.ID, Name: fmt.Sprint("Person ", i),
				Email: fmt.Sprintf("p%d@mail.example", i), CreatedAt: when.At(saturday)}
			if err := tx.InsertContact(&c); err != nil {
				return err
			}
			k := booking.Booking{ID: booking.BookingID(i + 1), WorkspaceID: w.Workspace.ID, EventTypeID: e.ID, ContactID: c.ID,
				Host: e.Hosts[i%team], Status: booking.Confirmed, Taken: booking.Taken{Start: when.At(at), End: when.At(at.Add(30 * time.Minute))},
				Seats: 1, CreatedAt: c.CreatedAt, UpdatedAt: c.CreatedAt, Invitee: booking.Invitee{Name: c.Name, Email: c.Email}}
			k.BusyStart, k.BusyEnd = k.Start, k.End
			if err := tx.SaveBooking(&k, true, nil); err != nil {
				return err
			}
		}
		return nil
	}))
	_, err = w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID),
		account.UserInput{Email: "o@mail.example", Role: app.OwnerRole, Password: "correct horse battery"})
	w.Must(err)
	w.salon.Email, w.salon.Password = "o@mail.example", "correct horse battery"
	return w, w.as(w.salon.Email, w.salon.Password)
}

// A week of 1,400 bookings shows each where it is, in under 100 KB, and opens any of them.
func TestFullWeekInABrowser(t *testing.T) {
	w, owner := fullWeek(t)
	b := w.browse()
	b.signIn(w)
	week := dash.CalendarPath + "?span=week&date=2026-12-15"
	b.look("light", 1440, 900)
	b.open(week)
	got := browser.Eval[[]int](t, b.ctx, `(()=>{
		const cells = [...document.querySelectorAll(".plan tbody td")], all = [...document.querySelectorAll("[data-booking]")];
		const wrong = all.filter((x) => {
			const n = +x.querySelector("b").textContent.split(" ")[1], cell = x.closest("td"), row = cell.parentElement;
			return row.rowIndex - 1 != n % 25 || cell.cellIndex - 1 != Math.floor(n / 200);
		});
		return [cells.length, all.length, new Set(all.map((x) => x.href)).size, wrong.length,
			cells.filter((c) => c.querySelectorAll("[data-booking]").length != 8).length,
			document.querySelectorAll(".plan-more").length];
	})()`)
	if want := []int{7 * team, 1400, 1400, 0, 0, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	r, err := http.NewRequest("GET", w.server.URL+week, nil)
	w.Must(err)
	r.Header.Set("Accept-Encoding", "gzip")
	if packed := owner.do(r); packed.header.Get("Content-Encoding") != "gzip" || len(packed.body) > 100_000 {
		t.Errorf("%d bytes: %v", len(packed.body), packed.header)
	}
	shot(b, "full-week-1440-light")
	b.do(chromedp.Click(chromedp.CSS(".plan tbody tr:nth-child(3) td:nth-child(5) [data-booking]")))
	b.until(`document.querySelector("#panel-h")`)
	b.sees("Person 602")
	b.until(`document.querySelector("[data-booking][aria-current]").textContent.includes("Person 602")`)
	b.look("light", 390, 844)
	b.open(week)
	if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
		t.Errorf("scrolls sideways by %d", wide)
	}
	shot(b, "full-week-390-light")
}
