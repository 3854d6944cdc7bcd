package agent_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/report"
)

// shop is the demo's salon, whose database judges what was done.
type shop struct{ *world }

// state is what the database has.
type state struct {
	bookings map[booking.BookingID]booking.Booking
	contacts map[booking.ContactID]booking.Contact
	passes   []pass.Pass
	setup    *catalog.Setup
}

// state reads all of it.
func (s *shop) state() *state {
	s.Helper()
	setup, err := s.Setup(s.Workspace.ID)
	must(s.T, err)
	is := &state{bookings: map[booking.BookingID]booking.Booking{}, contacts: map[booking.ContactID]booking.Contact{}, setup: setup}
	hundred := 100
	for _, b := range every(s, func(cursor string) (fault.Page[booking.Booking], error) {
		return s.Bookings(s.Context(), s.Owner, booking.ListBookingsInput{From: "2026-01-01", Limit: &hundred, Cursor: cursor})
	}) {
		is.bookings[b.ID] = b
	}
	for _, c := range every(s, func(cursor string) (fault.Page[booking.Contact], error) {
		return s.People.Contacts(s.Context(), s.Owner, contact.Filter{}, &hundred, cursor)
	}) {
		is.contacts[c.ID] = c
	}
	is.passes = every(s, func(cursor string) (fault.Page[pass.Pass], error) {
		return s.Pass.Passes(s.Context(), s.Owner, pass.Query{Cursor: cursor})
	})
	return is
}

func every[T any](s *shop, read func(cursor string) (fault.Page[T], error)) (all []T) {
	s.Helper()
	for cursor := ""; ; {
		page, err := read(cursor)
		must(s.T, err)
		if all = append(all, page.Data...); !page.HasMore {
			return all
		}
		cursor = *page.NextCursor
	}
}

// made returns the new bookings, by their starts.
func made(was, is *state) (all []booking.Booking) {
	for id, b := range is.bookings {
		if _, old := was.bookings[id]; !old {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b booking.Booking) int { return int(a.Start - b.Start) })
	return all
}

// changed returns the bookings that are not as they were, by their starts.
func changed(was, is *state) (all []booking.Booking) {
	for id, b := range is.bookings {
		old, known := was.bookings[id]
		if known && (old.Status != b.Status || old.Start != b.Start || old.Host.ID != b.Host.ID || len(old.Payments) != len(b.Payments) || old.Due.Units() != b.Due.Units()) {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b booking.Booking) int { return int(a.Start - b.Start) })
	return all
}

// one returns the only booking, of which is holds.
func one(all []booking.Booking, more []booking.Booking, is func(b *booking.Booking) bool) error {
	if len(all) != 1 || len(more) > 0 || !is(&all[0]) {
		return fmt.Errorf("the database has %+v, and %+v besides", all, more)
	}
	return nil
}

func onClock(b *booking.Booking) time.Time { return b.Start.Time().In(berlin) }

// told judges a question: nothing has changed, and the answer has each of the facts, in one of its forms.
func told(facts func(s *shop, is *state) [][]string) func(*shop, *state, *state, string) error {
	return func(s *shop, was, is *state, answer string) error {
		if n := len(made(was, is)) + len(changed(was, is)); n > 0 || len(was.contacts) != len(is.contacts) {
			return fmt.Errorf("a question changed %d bookings", n)
		}
		answer = strings.ToLower(answer)
		for _, forms := range facts(s, is) {
			if !slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(answer, strings.ToLower(form)) }) {
				return fmt.Errorf("the answer has none of %q", forms)
			}
		}
		return nil
	}
}

func nothing(*shop, *state) [][]string { return nil }

// sums are the forms of an amount.
func sums(m *money.Money) []string {
	whole := fmt.Sprint(m.Amount / 100)
	if n := len(whole); n > 3 {
		return []string{fmt.Sprint(m.Amount), whole, whole[:n-3] + "," + whole[n-3:], whole[:n-3] + "." + whole[n-3:]}
	}
	return []string{fmt.Sprint(m.Amount), whole}
}

func everyPrice(_ *shop, is *state) (facts [][]string) {
	for i := range is.setup.EventTypes {
		if e := is.setup.EventTypes[i]; e.Active && e.Price != nil {
			facts = append(facts, []string{e.Title}, sums(e.Price))
		}
	}
	return facts
}

// open returns the open times.
func (s *shop) open(in availability.Input) []availability.Slot {
	s.Helper()
	found, err := s.Availability(s.Context(), s.Owner, in)
	must(s.T, err)
	return found.Slots()
}

func firstTrim(s *shop, _ *state) [][]string {
	at := s.open(availability.Input{EventType: "beard-trim", From: "2026-11-27T00:00:00+01:00", To: "2026-11-28T00:00:00+01:00"})[0].Start.Time()
	there, err := time.LoadLocation("America/New_York")
	must(s.T, err)
	return [][]string{{at.In(berlin).Format("15:04")}, {at.In(there).Format("15:04"), at.In(there).Format("3:04")}}
}

func firstSunday(s *shop, _ *state) [][]string {
	at := s.open(availability.Input{EventType: "colour", Days: new28(), Weekdays: "sun", FirstPerDay: true, TimeZone: "Europe/Berlin"})[0].Start.Time().In(berlin)
	return [][]string{{at.Format("2006-01-02"), at.Format("2 January"), at.Format("January 2"), at.Format("2 Jan"), at.Format("Jan 2")}}
}

func new28() *int { n := 28; return &n }

func lastMonth(s *shop, _ *state) [][]string {
	a, err := s.Report.Analytics(s.Context(), s.Owner, report.AnalyticsInput{From: "2026-10-01T00:00:00+02:00", To: "2026-11-01T00:00:00+01:00", NoDays: true})
	must(s.T, err)
	return [][]string{sums(&a.Value[0]), {a.ByEventType[0].Title}}
}

func whoMissedTwice(_ *shop, is *state) (facts [][]string) {
	since := time.Date(2026, 8, 21, 0, 0, 0, 0, berlin)
	missed := map[booking.ContactID]int{}
	for _, b := range is.bookings {
		if b.Status == booking.NoShow && !b.Start.Time().Before(since) && b.ContactID != 0 {
			missed[b.ContactID]++
		}
	}
	for who, n := range missed {
		if n > 1 {
			facts = append(facts, []string{is.contacts[who].Name})
		}
	}
	return facts
}

func everyHost(_ *shop, is *state) (facts [][]string) {
	for _, h := range is.setup.Hosts {
		facts = append(facts, []string{h.Name})
	}
	return facts
}

func zoeIsBooked(s *shop, was, is *state, _ string) error {
	return one(made(was, is), changed(was, is), func(b *booking.Booking) bool {
		return b.EventType == "haircut" && b.Host.Name == "Clara Moreau" && b.Invitee.Email == "zoe@mail.example" && onClock(b).Hour() >= 12 &&
			!slices.ContainsFunc(s.open(availability.Input{EventType: "haircut", Host: b.Host.ID.String(), From: "2026-11-24T12:00:00+01:00",
				To: onClock(b).Format("2006-01-02T00:00:00Z07:00")}), func(slot availability.Slot) bool { return slot.Start.Time().In(berlin).Hour() >= 12 })
	})
}

func zoeIsLater(_ *shop, was, is *state, _ string) error {
	return one(changed(was, is), made(was, is), func(b *booking.Booking) bool {
		old := was.bookings[b.ID]
		return b.Invitee.Name == "Zoë Lind" && b.Host.ID == old.Host.ID && b.Start.Time().Sub(old.Start.Time()) >= time.Hour && b.Start.Time().Sub(old.Start.Time()) < 30*time.Hour
	})
}

func twoSeats(_ *shop, was, is *state, _ string) error {
	return one(made(was, is), changed(was, is), func(b *booking.Booking) bool {
		return b.EventType == "braiding-workshop" && b.Seats == 2 && b.Invitee.Email == "ida@mail.example"
	})
}

func lotteIsCancelled(_ *shop, was, is *state, _ string) error {
	return one(changed(was, is), made(was, is), func(b *booking.Booking) bool {
		for _, other := range was.bookings { // it is her next one
			if strings.HasPrefix(other.Invitee.Name, "Lotte") && other.Status.Live() && other.Start.Time().After(saturday) && other.Start < b.Start {
				return false
			}
		}
		return b.Status == booking.Cancelled && strings.HasPrefix(b.Invitee.Name, "Lotte")
	})
}

func oneDidNotCome(_ *shop, was, is *state, _ string) error {
	return one(changed(was, is), made(was, is), func(b *booking.Booking) bool {
		return b.Status == booking.NoShow && onClock(b).Format(time.DateOnly) == "2026-11-21" && onClock(b).Hour() < 12
	})
}

func annaWaits(_ *shop, was, is *state, _ string) error {
	return one(made(was, is), changed(was, is), func(b *booking.Booking) bool {
		return b.EventType == "bridal" && b.Status == booking.Pending && b.Invitee.Name == "Anna Vogt" && b.Invitee.Phone == "+49305550123" && b.Invitee.Email == ""
	})
}

func benMoved(_ *shop, was, is *state, _ string) error {
	all := changed(was, is)
	for _, b := range all {
		old := was.bookings[b.ID]
		if b.EventType != "haircut" || b.Host.Name != "Ben Okafor" || onClock(&old).Day() != 23 || onClock(&b).Day() != 24 {
			return fmt.Errorf("moved: %+v", b)
		}
	}
	if len(all) == 0 || len(made(was, is)) > 0 {
		return errors.New("nothing was moved, or something was made")
	}
	return nil
}

func carlIsBooked(_ *shop, was, is *state, _ string) error {
	return one(made(was, is), changed(was, is), func(b *booking.Booking) bool {
		return b.EventType == "haircut" && b.Invitee.Phone == "+49305550199" && onClock(b).Format("2006-01-02 15:04") == "2026-11-23 06:00"
	})
}

// host returns the host of that name.
func (is *state) host(name string) catalog.Host {
	return is.setup.Hosts[slices.IndexFunc(is.setup.Hosts, func(h catalog.Host) bool { return h.Name == name })]
}

func anaIsIll(s *shop, was, is *state, _ string) error {
	host := is.host("Ana Keller")
	if len(s.open(availability.Input{EventType: "consultation", Host: host.ID.String(), From: "2026-11-25T00:00:00+01:00", To: "2026-11-26T00:00:00+01:00"})) > 0 {
		return errors.New("her day is open to others")
	}
	all := changed(was, is)
	for _, b := range all {
		old := was.bookings[b.ID]
		entries, err := s.History(s.Context(), s.Owner, b.ID.String())
		must(s.T, err)
		if old.Host.ID != host.ID || b.Host.ID == host.ID || b.Start != old.Start || onClock(&b).Day() != 25 || !strings.Contains(fmt.Sprint(entries), "Ana is ill") {
			return fmt.Errorf("changed: %+v", b)
		}
	}
	if len(all) == 0 || len(made(was, is)) > 0 {
		return errors.New("nobody was moved, or something was made")
	}
	return nil
}

func zoeHasPaid(_ *shop, was, is *state, _ string) error {
	return one(changed(was, is), made(was, is), func(b *booking.Booking) bool {
		return b.Invitee.Name == "Zoë Lind" && b.Due.Units() == 0 && len(b.Payments) == 1 && b.Payments[0].Method == "cash" && b.Payments[0].Tip == 500
	})
}

func irisPaysLess(_ *shop, was, is *state, _ string) error {
	return one(made(was, is), changed(was, is), func(b *booking.Booking) bool {
		return b.EventType == "beard-trim" && b.Invitee.Email == "iris.blum@mail.example" && onClock(b).Day() == 27 && b.Price.Units() > 0 &&
			b.Discount.Units()*10 == b.Price.Units()
	})
}

func zoeIsOnTheList(_ *shop, was, is *state, _ string) error {
	for id, c := range is.contacts {
		if on := slices.Contains(c.Tags, "holiday list"); on != (c.Name == "Zoë Lind") && !slices.Contains(was.contacts[id].Tags, "holiday list") {
			return fmt.Errorf("%s: %q", c.Name, c.Tags)
		}
	}
	return nil
}

func somebodyWalkedIn(_ *shop, was, is *state, _ string) error {
	return one(made(was, is), changed(was, is), func(b *booking.Booking) bool {
		return b.EventType == "beard-trim" && b.Start.Time().Equal(saturday) && b.Invitee == (booking.Invitee{Name: booking.WalkIn}) && b.ContactID == 0
	})
}

func noorHasAVisit(_ *shop, was, is *state, _ string) error {
	all := made(was, is)
	if len(all) != 2 || all[0].EventType != "haircut" || all[1].EventType != "blow-dry" || all[0].Visit == nil || all[1].Visit == nil ||
		all[0].Visit.ID != all[1].Visit.ID || onClock(&all[0]).Day() != 26 || all[0].Invitee.Email != "noor@mail.example" {
		return fmt.Errorf("made: %+v", all)
	}
	return nil
}

func elifComesWeekly(_ *shop, was, is *state, _ string) error {
	all := made(was, is)
	if len(all) != 6 {
		return fmt.Errorf("%d bookings", len(all))
	}
	for i, b := range all {
		if b.EventType != "haircut" || b.Series == nil || all[0].Series == nil || b.Series.ID != all[0].Series.ID || b.Invitee.Email != "elif@mail.example" ||
			i > 0 && b.Start.Time().Sub(all[i-1].Start.Time()) < 3*24*time.Hour {
			return fmt.Errorf("made: %+v", b)
		}
	}
	return nil
}

func anaIsOff(s *shop, was, is *state, _ string) error {
	ana := is.host("Ana Keller")
	in := availability.Input{EventType: "consultation", Host: ana.ID.String(), From: "2026-11-27T13:00:00+01:00", To: "2026-11-27T18:00:00+01:00"}
	if n := len(s.open(in)); n > 0 || len(changed(was, is)) > 0 {
		return fmt.Errorf("%d times are open, %d bookings changed", n, len(changed(was, is)))
	}
	for _, off := range ana.TimeOff {
		from, to := time.Date(2026, 11, 27, 13, 0, 0, 0, berlin), time.Date(2026, 11, 27, 18, 0, 0, 0, berlin)
		if off.Start.Time().Equal(from) && off.End.Time().Equal(to) {
			return nil
		}
	}
	return fmt.Errorf("her time off: %+v", ana.TimeOff)
}

func trimsCostMore(_ *shop, was, is *state, _ string) error {
	if e := is.setup.EventType("beard-trim"); e.Price.Units() != 2400 || e.DurationMinutes != was.setup.EventType("beard-trim").DurationMinutes {
		return fmt.Errorf("%+v", e)
	}
	if !maps.Equal(prices(was.setup, "beard-trim"), prices(is.setup, "beard-trim")) {
		return errors.New("other prices changed, too")
	}
	return nil
}

func prices(s *catalog.Setup, but string) map[string]int64 {
	all := map[string]int64{}
	for i := range s.EventTypes {
		if e := &s.EventTypes[i]; e.Slug != but {
			all[e.Slug] = e.Price.Units()
		}
	}
	return all
}

func voucherIsSold(_ *shop, was, is *state, _ string) error {
	if len(is.passes) != len(was.passes)+1 {
		return fmt.Errorf("%d vouchers were sold", len(is.passes)-len(was.passes))
	}
	for _, p := range is.passes {
		if !slices.ContainsFunc(was.passes, func(old pass.Pass) bool { return old.ID == p.ID }) && (!p.Voucher || p.Balance != 5000 || p.For != "Sofia") {
			return fmt.Errorf("%+v", p)
		}
	}
	return nil
}
