package report_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/store/enginetest"
)

// asked are questions of every form.
var asked = []report.AnalyticsInput{
	{From: "2020-01-01"}, {}, {From: "2020-01-01", NoDays: true}, {From: "2020-01-01", TimeZone: "Asia/Tokyo"},
	{From: "2020-01-01", TimeZone: "Asia/Tokyo", NoDays: true, Zeros: true}, {From: "2026-12-02T11:00:00Z", To: "2026-12-09T10:00:00Z"},
	{From: "2020-01-01", To: "2026-12-05", TimeZone: "Europe/Berlin"}, {From: "2020-01-01", TimeZone: "America/St_Johns"},
}

var errUndo = errors.New("undo")

// figures are the answers to all questions, as JSON, and those about one host.
func figures(t *testing.T, r *report.Service, a app.Actor) (all []string) {
	t.Helper()
	setup, err := r.Core.Setup(a.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	questions := slices.Clone(asked)
	for _, in := range asked {
		in.Host = setup.Hosts[0].ID.String()
		questions = append(questions, in)
	}
	for _, in := range questions {
		res, err := r.Analytics(t.Context(), a, in)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

// exactly fails unless the answers are those that come of reading every booking: what is kept is deleted for them in a
// transaction that is undone.
func exactly(t *testing.T, s *apptest.Salon, when string) {
	t.Helper()
	got := figures(t, s.Report, s.Owner)
	var want []string
	err := s.Store.Write(t.Context(), func(tx app.Tx) error {
		if err := tx.(report.Tx).ForgetSums(s.Workspace.ID, -1<<62, 1<<62); err != nil {
			return err
		}
		want = figures(t, s.Report.In(tx), s.Owner)
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s, %+v:\n%s, want\n%s", when, asked[i%len(asked)], got[i], want[i])
		}
	}
}

// kept counts the days whose sums are kept, and those of them that are marked as changed.
func kept(t *testing.T, s *apptest.Salon) (days, marks int) {
	t.Helper()
	r := s.Store.Reader(t.Context()).(report.Reader)
	if err := r.DaySums(s.Workspace.ID, 0, 0, func(report.DaySums) { days++ }); err != nil {
		t.Fatal(err)
	}
	all, err := r.DayMarks(s.Workspace.ID)
	if err != nil {
		t.Fatal(err)
	}
	return days, len(all)
}

// salon has bookings in the past and ahead, of three services.
func salon(t *testing.T) *apptest.Salon {
	s := apptest.New(t, apptest.Options{})
	priced := func(amount int64, currency string) func(*catalog.EventType) {
		return func(e *catalog.EventType) { e.Price = &money.Money{Amount: amount, Currency: currency} }
	}
	s.Offer("cut", 3, priced(4500, "EUR"))
	s.Offer("talk", 3, nil)
	s.Offer("export", 3, priced(0, "USD"))
	return s
}

// Whatever happens to bookings, figures are what they would be without any sums, with sums made now and then.
func TestSumsAreExact(t *testing.T) {
	s := salon(t)
	random := rand.New(rand.NewPCG(19, 7))
	var all []booking.Booking
	pick := func() *booking.Booking {
		if len(all) == 0 {
			return &booking.Booking{}
		}
		return &all[random.IntN(len(all))]
	}
	ctx, owner, shampoo := t.Context(), s.Owner, sold(s, "Shampoo", 990)
	done := map[string]int{}
	used := 0
	for i := range 200 {
		step, err := "", error(nil)
		b := pick()
		switch n := random.IntN(32); {
		case n < 8:
			step = "book"
			var booked booking.Booking
			start := fmt.Sprintf("%dT%02d", 1+random.IntN(12)+int(s.Clock.Now().Sub(apptest.Monday).Hours()/24), 9+random.IntN(7))
			booked, err = s.Book(ctx, s.API, apptest.Input([]string{"cut", "talk", "export"}[random.IntN(3)], start,
				fmt.Sprint("p", random.IntN(20))))
			if err == nil {
				all = append(all, booked)
			}
		case n < 10:
			step = "cancel"
			_, err = s.Cancel(ctx, owner, b.ID.String(), app.CancelInput{})
		case n < 12:
			step = "move"
			_, err = s.Reschedule(ctx, owner, b.ID.String(), app.RescheduleInput{
				Start: b.Start.Time().Add(time.Duration(random.IntN(72)) * time.Hour).Format(time.RFC3339)})
		case n < 14:
			step = "pay"
			in := counter.Input{Amount: 1000, Tip: int64(random.IntN(300)), Method: booking.ByCard}
			for i := range all {
				if _, err = s.Counter.Record(ctx, owner, all[i].ID.String(), in); err == nil {
					break
				}
			}
		case n == 14:
			step = "give back"
			err = errUndo
			for i := range all {
				now, _ := s.Booking(ctx, owner, all[i].ID.String())
				for _, p := range now.Payments {
					if _, err = s.Counter.GiveBack(ctx, owner, p.ID.String(), nil); err == nil {
						break
					}
				}
			}
		case n == 15:
			step = "no-show"
			for i := range all {
				if _, err = s.MarkNoShow(ctx, owner, all[i].ID.String()); err == nil {
					break
				}
			}
		case n == 16:
			step = "delete a contact"
			for i := range all {
				if err = s.People.DeleteContact(ctx, owner, all[i].ContactID.String()); err == nil {
					break
				}
			}
		case n == 17:
			step = "merge"
			_, err = s.People.MergeContacts(ctx, owner, b.ContactID.String(), pick().ContactID.String())
		case n == 18:
			step = "another zone"
			zone := []string{"Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"}[random.IntN(4)]
			_, err = s.Shop.UpdateWorkspace(ctx, owner, func(w *catalog.Workspace) { w.TimeZone = zone })
		case n == 19:
			step = "written by an older binary"
			set := []string{`price = price + 700`, `status = 4`, `currency = 'CHF' WHERE price > 0`, `start_ms = start_ms + 3600000,
				end_ms = end_ms + 3600000, busy_start_ms = busy_start_ms + 3600000, busy_end_ms = busy_end_ms + 3600000`}[random.IntN(4)]
			set, where, _ := strings.Cut(set, " WHERE")
			err = s.SQL(fmt.Sprintf(`UPDATE bookings SET %s WHERE id = %d AND %s`, set, int64(b.ID), cmp.Or(where, "TRUE")))
		case n == 20:
			step = "paid online"
			err = s.SQL(fmt.Sprintf(`INSERT INTO payments (id, workspace_id, booking_id, kind, attempt, status, amount, currency,
				created_ms, paid_ms) SELECT %d, workspace_id, id, 0, %d, 2, 4500, 'EUR', 1, %d FROM bookings WHERE id = %d`, 1000+i, i,
				s.Clock.Now().UnixMilli(), int64(b.ID)))
		case n == 21:
			step = "refunded"
			err = s.SQL(`UPDATE payments SET refunded = refunded + 500 WHERE id = (SELECT MIN(id) FROM payments
				WHERE refunded < 4500)`)
		case n == 28:
			step = "another host"
			host := []int64{1, 2, 3}[random.IntN(3)]
			err = s.SQL(fmt.Sprintf(`UPDATE bookings SET host_id = (SELECT MIN(id) + %d FROM hosts) WHERE id = %d`, host-1, int64(b.ID)))
		case n == 29:
			step = "sell"
			off := money.Rate(1000 * (1 + random.IntN(50)))
			for i := range all {
				_, err = s.Counter.Sell(ctx, owner, counter.SaleInput{Discount: &counter.Discount{Percent: &off}, Lines: []counter.SaleLineInput{
					{Kind: counter.ServiceLine, BookingID: all[i].ID.String()}, {Kind: counter.ProductLine, ProductID: shampoo.String()}}})
				if err == nil {
					break
				}
			}
		case n == 30:
			step = "pay a sale"
			var page fault.Page[counter.Sale]
			if page, err = s.Counter.Sales(ctx, owner, counter.SaleQuery{Status: "open"}); err == nil {
				err = errUndo
				for _, x := range page.Data {
					if _, err = s.Counter.PaySale(ctx, owner, x.ID.String(), []counter.SalePaymentInput{{Method: booking.ByCash, Amount: x.Due}}); err == nil {
						break
					}
				}
			}
		case n == 31:
			step = "days are over"
			err = s.Report.WriteDays(ctx)
		case n < 24:
			step = "time passes"
			s.Clock.Advance(time.Duration(1+random.IntN(20)) * time.Hour)
		default:
			step = "sum"
			err = s.Report.SumDays(ctx, s.Workspace.ID)
		}
		if err == nil {
			done[step]++
		}
		exactly(t, s, fmt.Sprintf("after step %d, %s (%v)", i, step, err))
		days, marks := kept(t, s)
		if days > 0 && marks > 0 {
			used++
		}
	}
	for _, step := range []string{"book", "cancel", "move", "pay", "give back", "no-show", "delete a contact", "merge", "another zone",
		"written by an older binary", "paid online", "refunded", "time passes", "sum", "another host", "sell", "pay a sale", "days are over"} {
		if done[step] == 0 {
			t.Errorf("no step %q went through: %v", step, done)
		}
	}
	if used < 20 {
		t.Errorf("only %d steps had sums of which some were marked", used)
	}
	t.Log(done, used)
}

// Sums are made of every day, once, and not made again unless something changed.
func TestDaysAreSummedOnce(t *testing.T) {
	s := salon(t)
	for day := 1; day < 9; day++ {
		s.Booked("cut", fmt.Sprintf("%dT09", day), "eva")
	}
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	days, marks := kept(t, s)
	if days < 8 || marks != 0 {
		t.Fatalf("%d days are kept, %d marked", days, marks)
	}
	turn := func() (n int) {
		s.Must(s.Store.Write(t.Context(), func(tx app.Tx) error {
			return tx.(interface {
				Scan(string, []any, ...any) error
			}).Scan(`SELECT turn FROM day_sum_turns WHERE workspace_id = ?`, []any{s.Workspace.ID}, &n)
		}))
		return n
	}
	before := turn()
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	if now := turn(); now != before {
		t.Errorf("what is exact was made again: %d turns more", now-before)
	}
	s.Booked("talk", "3T12", "bob")
	if _, marks := kept(t, s); marks != 1 {
		t.Errorf("a booking left %d marks", marks)
	}
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	if now := turn(); now <= before || now > before+2 {
		t.Errorf("one changed day of UTC, two of Berlin, took %d turns", now-before)
	}
	if now, marks := kept(t, s); now != days || marks != 0 {
		t.Errorf("%d days are kept, %d marked", now, marks)
	}
	exactly(t, s, "after one changed day")
}

// Sums that can't be read are not believed, and made anew.
func TestBrokenSumsAreMadeAnew(t *testing.T) {
	s := salon(t)
	for day := 1; day < 9; day++ {
		s.Booked("cut", fmt.Sprintf("%dT09", day), "eva")
	}
	want := figures(t, s.Report, s.Owner)
	blob := "BLOB"
	if enginetest.OnPostgres() {
		blob = "BYTEA"
	}
	for _, broken := range []string{`''`, `substr(sums, 1, length(sums) - 1)`, `substr(sums, 1, 12)`} {
		s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
		s.Must(s.SQL(`UPDATE day_sums SET sums = CAST(` + broken + ` AS ` + blob + `)`))
		if got := figures(t, s.Report, s.Owner); !slices.Equal(got, want) {
			t.Errorf("%s: %s, want %s", broken, got[0], want[0])
		}
	}
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	if days, _ := kept(t, s); days < 8 {
		t.Errorf("%d days are kept", days)
	}
}

// Sums that nobody asks for are forgotten, and so are marks where there are no sums.
func TestUnaskedSumsAreForgotten(t *testing.T) {
	s := salon(t)
	s.Booked("cut", "1T09", "eva")
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	prune := func() {
		for _, d := range s.Duties() {
			if d.Prune != nil {
				s.Must(d.Prune(t.Context()))
			}
		}
	}
	s.Clock.Advance(59 * 24 * time.Hour)
	prune()
	if days, _ := kept(t, s); days == 0 {
		t.Errorf("%d days are kept before the time is over", days)
	}
	s.Clock.Advance(2 * 24 * time.Hour)
	prune()
	s.Must(s.SQL(`INSERT INTO day_marks (workspace_id, day, mark) VALUES (7, 7, 7)`))
	prune()
	marks, err := s.Store.Reader(t.Context()).(report.Reader).DayMarks(7)
	s.Must(err)
	if days, _ := kept(t, s); days != 0 || len(marks) != 0 {
		t.Errorf("%d days are kept, %d marks", days, len(marks))
	}
	exactly(t, s, "without sums")
}

// A question that passes many bookings has their days summed for the next one, by the loop.
func TestQuestionsAskForSums(t *testing.T) {
	s := salon(t)
	s.Booked("cut", "1T09", "eva")
	s.Must(s.SQL(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms,
		busy_start_ms, busy_end_ms, name, email, created_ms)
		WITH RECURSIVE n(i, h) AS (SELECT 1, CAST(3600000 AS BIGINT) UNION ALL SELECT i + 1, h FROM n WHERE i < 1500)
		SELECT i, workspace_id, event_type_id, host_id, contact_id, 3, start_ms - i * h, end_ms - i * h,
			busy_start_ms - i * h, busy_end_ms - i * h, name, email, 1 FROM bookings, n WHERE id > 10000`))
	want := figures(t, s.Report, s.Owner)
	ended := make(chan error, 1)
	go func() { ended <- s.Report.KeepSums(t.Context()) }()
	t.Cleanup(func() { s.Must(<-ended) })
	apptest.Eventually(t, "the days are not summed", func() bool { days, _ := kept(t, s); return days > 60 })
	if got := figures(t, s.Report, s.Owner); !slices.Equal(got, want) {
		t.Errorf("%s, want %s", got[0], want[0])
	}
}

// Bookings that are made, cancelled and paid while days are summed, by two servers, are never left out.
func TestContestSumsStayExact(t *testing.T) {
	s := salon(t)
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	var writers, summers sync.WaitGroup
	over := make(chan struct{})
	for _, r := range []*report.Service{s.Report, s.Another().Report} {
		summers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				if err := r.SumDays(t.Context(), s.Workspace.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 6 {
		writers.Go(func() {
			for i := range 14 {
				b, err := s.Book(t.Context(), s.API, apptest.Input("cut", fmt.Sprintf("%dT%02d", 1+i, 9+n), fmt.Sprintf("p%d-%d", n, i)))
				if err == nil && i%3 == 0 {
					_, err = s.Cancel(t.Context(), s.Owner, b.ID.String(), app.CancelInput{})
				} else if err == nil {
					_, err = s.Counter.Record(t.Context(), s.Owner, b.ID.String(), counter.Input{Amount: 500, Method: booking.ByCash})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(over)
	summers.Wait()
	exactly(t, s, "after the contest")
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	if _, marks := kept(t, s); marks != 0 {
		t.Errorf("%d marks are left", marks)
	}
	exactly(t, s, "summed after the contest")
}
