package store_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/enginetest"
	"daybook/store/pgtest"
)

// counter passes connections on to a PostgreSQL server and counts the answers of each: how often the server was ready
// for the next query, and how often that was within a transaction.
type counter struct {
	mu    sync.Mutex
	conns []*[2]int
}

func newCounter(t *testing.T, to string) (*counter, string) {
	t.Helper()
	c := &counter{}
	return c, pgtest.Between(t, to, func(client, server net.Conn) {
		count := new([2]int)
		c.mu.Lock()
		c.conns = append(c.conns, count)
		c.mu.Unlock()
		go func() {
			defer server.Close()
			io.Copy(server, client)
		}()
		c.pass(count, client, bufio.NewReader(server))
	})
}

// pass hands the server's messages on, one by one, until one side is gone.
func (c *counter) pass(count *[2]int, to io.Writer, from *bufio.Reader) {
	for {
		head, err := from.Peek(5)
		if err != nil {
			return
		}
		kind, message := head[0], make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
		if _, err := io.ReadFull(from, message); err != nil {
			return
		}
		if kind == 'Z' {
			c.mu.Lock()
			count[0]++
			if message[5] == 'T' {
				count[1]++
			}
			c.mu.Unlock()
		}
		if _, err := to.Write(message); err != nil {
			return
		}
	}
}

// transactions counts the answers on the connections that had transactions while do ran.
func (c *counter) transactions(do func()) (answers int) {
	c.mu.Lock()
	before := make(map[*[2]int][2]int)
	for _, n := range c.conns {
		before[n] = *n
	}
	c.mu.Unlock()
	do()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.conns {
		if n[1] > before[n][1] {
			answers += n[0] - before[n][0]
		}
	}
	return answers
}

// all counts the answers on all connections while do ran.
func (c *counter) all(do func()) int {
	sum := func() (n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, conn := range c.conns {
			n += conn[0]
		}
		return n
	}
	before := sum()
	do()
	return sum() - before
}

// maxTrips: the lock with all that is read behind it, and the rows with the commit.
const maxTrips = 2

// A booking waits for the server a few times only, with one of several hosts too, and so does its cancellation.
func TestRoundTripsOfABooking(t *testing.T) {
	count, through := newCounter(t, enginetest.PlaceOnPostgres(t))
	x := newBenchAt(t, through)
	x.offerAny(3)
	next := 0
	book := func() {
		next++
		if err := x.book(next); err != nil {
			t.Fatal(err)
		}
	}
	var booked booking.Booking
	bookAny := func() {
		next++
		var err error
		booked, err = x.service.Book(t.Context(), x.actor, booking.BookInput{EventType: "any",
			Start:   x.start.AddDate(0, 1, 0).Add(time.Duration(next) * time.Hour).Format(time.RFC3339),
			Invitee: booking.Invitee{Name: "Someone Bench", Email: "p1@mail.example"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	cancel := func() {
		if _, err := x.service.Cancel(t.Context(), x.actor, booked.ID.String(), app.CancelInput{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 * x.db.Readers().Size() { // each connection prepares its statements
		book()
		bookAny()
		cancel()
	}
	bookAny()
	for name, do := range map[string]func(){"a booking": book, "a cancellation": cancel} {
		if n := count.transactions(do); n < 2 || n > maxTrips {
			t.Errorf("%s took %d round trips, of %d at most", name, n, maxTrips)
		}
	}
	if n := count.transactions(bookAny); n < 2 || n > maxTrips {
		t.Errorf("a booking with any of several hosts took %d round trips, of %d at most", n, maxTrips)
	}
}

// offerAny makes an event type of so many hosts.
func (x *bench) offerAny(hosts int) {
	x.b.Helper()
	err := x.store.Write(context.Background(), func(tx app.Tx) error {
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.BookingWindowDays = 1000, x.ws.ID, "any", "Any", 730
		e.DurationMinutes, e.SlotStepMinutes = 60, 60
		for i := range hosts {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: catalog.HostID(i + 1)})
		}
		return tx.InsertEventType(&e)
	})
	if err != nil {
		x.b.Fatal(err)
	}
}

// A search for the open times of two months waits for the server once, however many hosts there are.
func TestRoundTripsOfOpenTimes(t *testing.T) {
	count, through := newCounter(t, enginetest.PlaceOnPostgres(t))
	x := newBenchAt(t, through)
	x.offerAny(10)
	in := availability.OpenTimesInput{EventType: "any", From: when.At(x.start), To: when.At(x.start.AddDate(0, 0, 60))}
	search := func() {
		if open, _, err := x.service.OpenTimes(t.Context(), x.actor, in); err != nil || len(open) < 59*24 {
			t.Fatalf("%d open times, %v", len(open), err)
		}
	}
	trips := count.all(search)
	for range 20 { // each connection prepares the statement, and the set-up may be read again after the change above
		trips = min(trips, count.all(search))
	}
	if trips != 1 {
		t.Errorf("the search took %d round trips", trips)
	}
}
