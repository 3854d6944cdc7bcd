package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// separate are the columns of a booking, each by itself.
const separate = `id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms,
	busy_end_ms, needs, created_ms, seats, price, no_show_fee, expires_ms, updated_ms, arrived_ms, done_ms, place,
	name, email, location, currency, internal_note, details,
	(SELECT d.domain FROM uid_domains d WHERE d.id = COALESCE(uid_domain, 1))`

// scanSeparate reads a row of separate, without a counter, by the types of database/sql.
func scanSeparate(t *testing.T, scan func(...any) error) booking.Booking {
	t.Helper()
	var n [20]sql.Null[int64]
	var s [7]sql.Null[string]
	var dest []any
	for i := range n {
		dest = append(dest, &n[i])
	}
	for i := range s {
		dest = append(dest, &s[i])
	}
	if err := scan(dest...); err != nil {
		t.Fatal(err)
	}
	money := func(i int) *money.Money {
		if !n[i].Valid || s[3].V == "" {
			return nil
		}
		return &money.Money{Amount: n[i].V, Currency: s[3].V}
	}
	at := func(i int) when.Instant { return when.Instant(n[i].V) }
	b := booking.Booking{
		ID: booking.BookingID(n[0].V), WorkspaceID: catalog.WorkspaceID(n[1].V), EventTypeID: catalog.EventTypeID(n[2].V),
		Host: catalog.HostRef{ID: catalog.HostID(n[3].V)}, ContactID: booking.ContactID(n[4].V), Status: statuses[n[5].V],
		Taken:    booking.Taken{Start: at(6), End: at(7), BusyStart: at(8), BusyEnd: at(9), Place: slot.Place(n[19].V)},
		NeedsPay: n[10].V&1 != 0, NeedsOK: n[10].V&2 != 0,
		HostNamed: n[10].V&4 != 0, CreatedAt: at(11), Seats: int(n[12].V), Price: money(13), NoShowFee: money(14),
		ExpiresAt: at(15), UpdatedAt: at(16), ArrivedAt: at(17), DoneAt: at(18),
		Invitee: booking.Invitee{Name: s[0].V, Email: s[1].V}, Location: s[2].V, InternalNote: s[4].V,
		Sequence: 1, UIDDomain: s[6].V, Answers: map[string]any{}, Metadata: map[string]string{},
		Payments: []booking.CounterPayment{}, AddOns: []booking.BookedAddOn{},
	}
	if s[5].V != "" {
		var d details
		if err := json.Unmarshal([]byte(s[5].V), &d); err != nil {
			t.Fatal(err)
		}
		b.Notes = d.Notes
	}
	if b.UpdatedAt == 0 {
		b.UpdatedAt = b.CreatedAt
	}
	if b.ExpiresAt != 0 {
		reason := booking.ForApproval
		if b.NeedsPay {
			reason = booking.ForPayment
		}
		b.PendingReason = &reason
	}
	return b
}

// A row is read as its columns are, whatever is in them: the numbers are one text in between.
func TestRowsAreReadAsTheyAre(t *testing.T) {
	db := enginetest.Open(t)
	s := New(db)
	raw, err := enginetest.Raw(t, db).Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	run := func(query string, args ...any) {
		t.Helper()
		if _, err := raw.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	if enginetest.OnPostgres() {
		run(`SET session_replication_role = replica`) // nothing that bookings refer to is there
	}
	run(`INSERT INTO uid_domains (id, domain) VALUES (12345, 'an''other, ü.example')`)
	const rows = 600
	random := rand.New(rand.NewPCG(29, 29))
	for range rows {
		values := oddRow(random)
		var places []string
		for i := range values {
			places = append(places, fmt.Sprint("$", i+1))
		}
		run(`INSERT INTO bookings (`+oddColumns+`) VALUES (`+strings.Join(places, ", ")+`)`, values...)
	}
	var want []booking.Booking
	if err := s.Each(`SELECT `+separate+` FROM bookings ORDER BY id`, nil, func(scan func(...any) error) error {
		want = append(want, scanSeparate(t, scan))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(want) != rows {
		t.Fatalf("%d rows", len(want))
	}
	var whole, short []booking.Booking
	r := bookingRows.New().(*bookingRow)
	for _, way := range []struct {
		columns string
		to      *[]booking.Booking
		scan    func(func(...any) error) (booking.Booking, error)
	}{{bookingColumns, &whole, scanBooking}, {briefColumns, &short,
		func(scan func(...any) error) (booking.Booking, error) { return r.scan(scan, brief) }}} {
		if err := s.Each(`SELECT `+way.columns+` FROM bookings ORDER BY id`, nil, func(scan func(...any) error) error {
			b, err := way.scan(scan)
			*way.to = append(*way.to, b)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	for i, b := range want {
		if !reflect.DeepEqual(whole[i], b) {
			t.Fatalf("row %d is read as\n%+v\nand its columns are\n%+v", i, whole[i], b)
		}
		b.WorkspaceID, b.ContactID, b.CreatedAt, b.UpdatedAt, b.ArrivedAt, b.DoneAt, b.Place = 0, 0, 0, 0, 0, 0, 0
		b.Price, b.NoShowFee, b.Location, b.InternalNote, b.UIDDomain, b.Invitee.Email = nil, nil, "", "", "", ""
		b.Notes = "" // of the details, those with add-ons are read
		if !reflect.DeepEqual(short[i], b) {
			t.Fatalf("the brief row %d is read as\n%+v\nand its columns are\n%+v", i, short[i], b)
		}
	}
}

// What is stored of a booking's rare fields has the names that it always had.
func TestDetailsKeepTheirNames(t *testing.T) {
	const stored = `{"notes":"n","participants":["Ana","Bo"],"deposit":{"amount":5,"currency":"EUR"},` +
		`"lateFee":{"amount":6,"currency":"EUR"},"where":{"kind":"video","url":"https://v.example/r"},"lateNotice":60}`
	var d details
	if err := json.Unmarshal([]byte(stored), &d); err != nil {
		t.Fatal(err)
	}
	var b booking.Booking
	d.into(&b)
	want := booking.Rare{Participants: []string{"Ana", "Bo"}, Deposit: &money.Money{Amount: 5, Currency: "EUR"},
		LateFee: &money.Money{Amount: 6, Currency: "EUR"},
		Where:   &booking.BookedWhere{Kind: catalog.Video, URL: "https://v.example/r"}}
	if !reflect.DeepEqual(b.Rare, want) || b.LateNotice != 60 || b.Notes != "n" {
		t.Errorf("it is read as %+v, %d, %q", b.Rare, b.LateNotice, b.Notes)
	}
	b.FreeCancel = 7 // as it is shown
	text, err := encodeDetails(&b)
	if err != nil {
		t.Fatal(err)
	}
	var was, is map[string]any
	if err := errors.Join(json.Unmarshal([]byte(stored), &was), json.Unmarshal([]byte(text.(string)), &is)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(is, was) {
		t.Errorf("it is stored as %s, want %s", text, stored)
	}
}

const oddColumns = `id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms,
	busy_end_ms, needs, created_ms, seats, price, no_show_fee, expires_ms, updated_ms, arrived_ms, done_ms, place,
	name, email, location, currency, internal_note, details, uid_domain`

// oddRow are values of oddColumns that the tables take.
func oddRow(random *rand.Rand) []any {
	number := func() int64 {
		numbers := []int64{0, 1, -1, 1 << 53, 1<<53 + 1, -1<<53 - 1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1,
			random.Int64(), -random.Int64(), random.Int64N(1000)}
		return numbers[random.IntN(len(numbers))]
	}
	orNull := func(v any) any {
		if random.IntN(3) == 0 {
			return nil
		}
		return v
	}
	text := func() string {
		texts := []string{"", " ", ",", ",,1", "'", `"`, `\`, `''; --`, "NULL", "0", "a\nb\r\n", "\x01\x1f\x7f", "Zoë Åström",
			"\u202eabc\u202c", "👩‍👩‍👧", "\ufeff", "\U0010ffff", "e\u0301", strings.Repeat("long, ", 20_000)}
		if !enginetest.OnPostgres() { // which refuses them
			texts = append(texts, "a\x00b", "\x00", "\xff\xfe", "\xed\xa0\x80")
		}
		return texts[random.IntN(len(texts))]
	}
	times := []int64{number(), number(), number(), number()}
	slices.Sort(times)
	if times[1] == times[2] {
		times = []int64{math.MinInt64, 0, math.MaxInt64, math.MaxInt64}
	}
	if enginetest.OnPostgres() { // an index has their differences
		for i := range times {
			times[i] /= 4
		}
		times[2]++
		times[3]++
	}
	var json any
	if random.IntN(3) == 0 {
		json = `{"notes":"a, \"b\" \u0007"}`
	}
	values := []any{random.Int64(), number(), number(), number(), number(), random.IntN(5), times[1], times[2], times[0],
		times[3], number(), number(), number()}
	for range 7 {
		values = append(values, orNull(number()))
	}
	return append(values, text(), text(), orNull(text()), orNull(text()), orNull(text()), json, orNull(12345))
}
