package rest_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/store/enginetest"

	_ "modernc.org/sqlite"

	"daybook/app"
)

// The benchmarks run the door and its floor in turns, through ServeHTTP: no network, whose cost would hide the door's.
// x-floor is the median of the rounds' ratios: the door's throughput in parts of the floor's. The floors are in
// benchfloor_test.go: the least code that does the same work.
//
//	CGO_ENABLED=0 go test ./app/rest -run '^$' -bench . -benchtime 30x

func BenchmarkGet(b *testing.B) {
	w := newBench(b)
	against(b, w.getFloor(), w.door, func(i int) (floor, door *http.Request) {
		id := w.ids[i*7919%len(w.ids)]
		return w.request(fmt.Sprintf("/floor/%d", id)), w.request("/api/v1/bookings/" + id.String())
	}, 300)
}

func BenchmarkList50(b *testing.B) {
	w := newBench(b)
	against(b, w.listFloor(), w.door, func(i int) (floor, door *http.Request) {
		from := when.At(apptest.Monday.Add(time.Duration(i*37%1000) * time.Hour))
		return w.request(fmt.Sprintf("/floor?from=%d", from)), w.request("/api/v1/bookings?limit=50&from=" + from.String())
	}, 30)
}

func BenchmarkAvailability60Days(b *testing.B) {
	w := newBench(b)
	floor := w.availabilityFloor()
	request := func(int) (*http.Request, *http.Request) {
		return w.request("/floor"), w.request("/api/v1/availability?eventType=hour&days=60")
	}
	f, d := request(0)
	var got, want page
	floor.ServeHTTP(&want, f)
	w.door.ServeHTTP(&got, d)
	if !bytes.Equal(got.Bytes(), want.Bytes()) || !bytes.Contains(got.Bytes(), []byte(`"start":"2027-01`)) {
		b.Fatalf("the floor answers something else:\n%s\n%s", want.Bytes(), got.Bytes())
	}
	against(b, floor, w.door, request, 60)
}

// BenchmarkCreate has no floor here (package store has one for writes): it shows what one caller waits for.
func BenchmarkCreate(b *testing.B) {
	w := newBench(b)
	slots := 0
	for b.Loop() {
		slots++
		body := bookingBody("class", when.At(apptest.Monday.Add(day+time.Hour+time.Duration(slots%8)*time.Hour)).String(), fmt.Sprintf("n%d@x.example", slots))
		r := w.request("/api/v1/bookings")
		r.Method, r.Body, r.ContentLength = http.MethodPost, readCloser{bytes.NewReader([]byte(body))}, int64(len(body))
		r.Header.Set("Content-Type", "application/json")
		var p page
		w.door.ServeHTTP(&p, r)
		if p.status != 201 && p.status != 409 {
			b.Fatal(p.status, p.String())
		}
	}
}

// BenchmarkCancel cancels another booking each time; nobody waits. -benchtime 500x is as many as there may be.
func BenchmarkCancel(b *testing.B) {
	w := newBench(b)
	n := 0
	for b.Loop() {
		r := w.request("/api/v1/bookings/" + w.ids[n%len(w.ids)].String() + "/cancel")
		r.Method, n = http.MethodPost, n+1
		var p page
		w.door.ServeHTTP(&p, r)
		if p.status != 200 {
			b.Fatal(p.status, p.String())
		}
	}
}

// against times floor and door in turns, each batch requests at once.
func against(b *testing.B, floor, door http.Handler, request func(i int) (floor, door *http.Request), batch int) {
	b.Helper()
	var ratios, floors, doors []float64
	var p page
	run := func(h http.Handler, requests []*http.Request) float64 {
		began := time.Now()
		for _, r := range requests {
			p.Reset()
			clear(p.header)
			h.ServeHTTP(&p, r)
			if p.status >= 300 {
				b.Fatal(p.status, p.String())
			}
		}
		return float64(time.Since(began).Nanoseconds()) / float64(len(requests)) / 1000
	}
	n := 0
	for b.Loop() {
		var f, d []*http.Request
		for range batch {
			x, y := request(n)
			f, d, n = append(f, x), append(d, y), n+1
		}
		floors = append(floors, run(floor, f))
		doors = append(doors, run(door, d))
		ratios = append(ratios, floors[len(floors)-1]/doors[len(doors)-1])
	}
	for _, list := range [][]float64{ratios, floors, doors} {
		slices.Sort(list)
	}
	b.ReportMetric(ratios[len(ratios)/2], "x-floor")
	b.ReportMetric(floors[len(floors)/2], "floor-µs")
	b.ReportMetric(doors[len(doors)/2], "door-µs")
	b.ReportMetric(0, "ns/op")
}

// page is a ResponseWriter that costs nothing.
type page struct {
	bytes.Buffer
	header http.Header
	status int
}

func (p *page) Header() http.Header {
	if p.header == nil {
		p.header = http.Header{}
	}
	return p.header
}

func (p *page) WriteHeader(status int) { p.status = status }

// bench is a world with 10,000 bookings, and a connection of its own for the floors.
type bench struct {
	*world
	db   *sql.DB
	hour catalog.EventType
	ids  []booking.BookingID
}

func newBench(b *testing.B) *bench {
	enginetest.OnlySQLite(b, "compares with the file read by hand")
	w := &bench{world: newWorld(b)}
	w.hour = w.eventType("hour", 60, func(e *catalog.EventType) { e.SlotStepMinutes = 180 })
	w.Must(w.Store.Write(b.Context(), func(tx app.Tx) error {
		for i := range 10_000 {
			if err := w.insert(tx, i); err != nil {
				return err
			}
		}
		return nil
	}))
	db, err := sql.Open("sqlite", "file:"+w.Place+"?_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=mmap_size(2147483648)&_pragma=cache_size(-16384)")
	w.Must(err)
	db.SetMaxIdleConns(4)
	b.Cleanup(func() { db.Close() })
	w.db = db
	return w
}

// insert saves the i-th booking: those of bob lie years back and ahead, an hour apart; 200 of ana's fill the next 60 days.
func (w *bench) insert(tx app.Tx, i int) error {
	host, start := bob, when.At(apptest.Monday.Add(time.Duration(i-5000)*time.Hour))
	if i%50 == 0 {
		n := i / 50
		host, start = ana, when.At(apptest.Monday.Add(time.Duration(n*30/100)*day+time.Duration(1+n%4*2)*time.Hour))
	}
	contact := booking.Contact{ID: booking.ContactID(i + 1), WorkspaceID: w.Workspace.ID, Name: "Bo Berg", Email: fmt.Sprintf("bo%d@x.example", i), CreatedAt: when.At(apptest.Monday)}
	if err := tx.InsertContact(&contact); err != nil {
		return err
	}
	b := booking.Booking{
		ID: booking.BookingID(int64(i+1) << 20), WorkspaceID: w.Workspace.ID, EventTypeID: w.hour.ID,
		Taken:  booking.Taken{Start: start, End: start.Add(time.Hour), BusyStart: start, BusyEnd: start.Add(time.Hour)},
		Status: booking.Confirmed, Host: catalog.HostRef{ID: host}, ContactID: contact.ID, Invitee: booking.Invitee{Name: contact.Name, Email: contact.Email},
		Location: "Lindenstr. 4, Berlin", Price: &money.Money{Amount: 4500, Currency: "EUR"}, CreatedAt: when.At(apptest.Monday), UpdatedAt: when.At(apptest.Monday),
	}
	w.ids = append(w.ids, b.ID)
	return tx.SaveBooking(&b, true, []booking.Step{{History: booking.HistoryEntry{At: b.CreatedAt, Action: "created", To: b.Status, Start: b.Start}}})
}

func (w *bench) request(path string) *http.Request {
	r, err := http.NewRequest("GET", base+path, nil)
	w.Must(err)
	r.Header.Set("Authorization", "Bearer "+w.full)
	r.RequestURI = path
	return r
}
