package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/store/engine"
)

// bookingColumns are few, because a column costs the driver more than what is in it: see row.Numbers. The numbers that
// every booking has, and the price, are one, and those of few bookings another.
const bookingColumns = `concat_ws(',', id, workspace_id, event_type_id, host_id, COALESCE(contact_id, 0), status, start_ms, end_ms,
	busy_start_ms, busy_end_ms, needs, created_ms, seats, COALESCE(CAST(price AS TEXT), '')),
	CASE WHEN COALESCE(no_show_fee, expires_ms, updated_ms, arrived_ms, done_ms, place) IS NOT NULL THEN concat_ws(',',
	COALESCE(CAST(no_show_fee AS TEXT), ''), COALESCE(CAST(expires_ms AS TEXT), ''),
	COALESCE(CAST(updated_ms AS TEXT), ''), COALESCE(CAST(arrived_ms AS TEXT), ''),
	COALESCE(CAST(done_ms AS TEXT), ''), COALESCE(CAST(place AS TEXT), '')) END,
	name, details, email, location, currency, counter, internal_note,
	(SELECT d.domain FROM uid_domains d WHERE d.id = COALESCE(uid_domain, 1))`

// briefColumns are what a filter with Brief reads: the first of bookingColumns, with nothing for what isn't read. Of
// the details, which are long, only those with add-ons, parts, several hosts, a visit or an answer are read.
const briefColumns = `concat_ws(',', id, 0, event_type_id, host_id, 0, status, start_ms, end_ms, busy_start_ms,
	busy_end_ms, needs, 0, seats, ''), CASE WHEN expires_ms IS NOT NULL THEN ',' || expires_ms || ',,,,' END,
	name, CASE WHEN details LIKE '%"addOns":%' OR details LIKE '%"parts":%'
	OR details LIKE '%"others":%' OR details LIKE '%"visit":%' OR details LIKE '%"coming":%' THEN details END`

// The states of bookings as the database has them.
var (
	statuses   = All
	statusCode = Code
	live       = Live
	is         = Is
)

const (
	needsPayment  = 1
	needsApproval = 2
	hostNamed     = 4 // no need, but a bit that costs no column
	inSpans       = 8 // likewise: booking_spans has all its times; see ownTime
)

// details are the parts of a booking that most bookings do not have and no query asks for: a NULL when there are none.
type details struct {
	Phone        string                `json:"phone,omitempty"`
	TimeZone     string                `json:"timeZone,omitempty"`
	Locale       string                `json:"locale,omitempty"`
	Notes        string                `json:"notes,omitempty"`
	Answers      map[string]any        `json:"answers,omitempty"`
	Metadata     map[string]string     `json:"metadata,omitempty"`
	Previous     when.Instant          `json:"previousStart,omitzero"`
	Moves        int                   `json:"moves,omitempty"`
	Cancellation *booking.Cancellation `json:"cancellation,omitempty"`
	NoShow       *booking.NoShowRecord `json:"noShow,omitempty"`
	Payment      *booking.Payment      `json:"payment,omitempty"`

	storedTaken

	AddOns []booking.BookedAddOn `json:"addOns,omitempty"`
	booking.Rare
	LateFee    *money.Money         `json:"lateFee,omitempty"` // that of Rare, which has another name in the API
	LateNotice int                  `json:"lateNotice,omitempty"`
	Invitation booking.InvitationID `json:"invitation,omitzero"`
	Marks      booking.ImportMarks  `json:"importMarks,omitempty"`
	Events     int                  `json:"events,omitempty"` // beyond the first
}

// encodeDetails returns the column's value: JSON, or nil when there is nothing in it.
func encodeDetails(b *booking.Booking) (any, error) {
	rare := b.Rare
	rare.LateFee, rare.FreeCancel, rare.ConfirmedAt, rare.ContactFields = nil, 0, 0, nil
	text, err := json.Marshal(details{
		Phone: b.Invitee.Phone, TimeZone: b.Invitee.TimeZone, Locale: b.Invitee.Locale, Notes: b.Notes, Answers: b.Answers,
		Metadata: b.Metadata, Previous: b.PreviousStart, Moves: b.RescheduleCount, Cancellation: b.Cancellation,
		NoShow: b.NoShow, Payment: b.Payment, storedTaken: storeTaken(&b.Taken), AddOns: b.AddOns, Rare: rare, LateFee: b.LateFee,
		LateNotice: b.LateNotice, Invitation: b.Invitation, Marks: b.ImportMarks,
		Events: max(0, b.Sequence-1),
	})
	if err != nil || string(text) == "{}" {
		return nil, err
	}
	return string(text), nil
}

func (d *details) into(b *booking.Booking) {
	b.Invitee.Phone, b.Invitee.TimeZone, b.Invitee.Locale = d.Phone, d.TimeZone, d.Locale
	b.Notes, b.PreviousStart, b.RescheduleCount = d.Notes, d.Previous, d.Moves
	b.Cancellation, b.NoShow, b.Payment = d.Cancellation, d.NoShow, d.Payment
	b.Rare = d.Rare
	restoreTaken(&d.storedTaken, b)
	b.Sequence = 1 + d.Events
	b.LateFee, b.LateNotice, b.Invitation, b.ImportMarks = d.LateFee, d.LateNotice, d.Invitation, d.Marks
	if d.AddOns != nil {
		b.AddOns = d.AddOns
	}
	if d.Answers != nil {
		b.Answers = d.Answers
	}
	if d.Metadata != nil {
		b.Metadata = d.Metadata
	}
}

// bookingRow takes a row of bookingColumns. database/sql hands a value to an any as it is, and converts it into
// anything else by reflection, which took a quarter of a list. The tables are STRICT, so a value has the type
// that is asked for.
type bookingRow struct {
	values  [10]any
	dest    [10]any
	numbers [20]int64
	nulls   uint64 // of the numbers
}

const (
	usual = 14 // of the numbers; the others are in the second column
	brief = 4  // of the columns
)

var bookingRows = sync.Pool{New: func() any {
	r := new(bookingRow)
	for i := range r.values {
		r.dest[i] = &r.values[i]
	}
	return r
}}

func (r *bookingRow) text(i int) string {
	s, _ := r.values[i].(string)
	return s
}

func scanBooking(scan func(...any) error) (b booking.Booking, err error) {
	r := bookingRows.Get().(*bookingRow)
	defer bookingRows.Put(r)
	return r.scan(scan, len(r.dest))
}

// scan reads a row of so many columns. One that reads brief rows has read no others.
func (r *bookingRow) scan(scan func(...any) error, columns int) (b booking.Booking, err error) {
	if err := scan(r.dest[:columns]...); err != nil {
		return b, err
	}
	if r.nulls, err = engine.Numbers(r.text(0), r.numbers[:usual]); err != nil {
		return b, err
	}
	others, nulls := r.numbers[usual:], ^uint64(0)
	if r.values[1] == nil {
		clear(others)
	} else if nulls, err = engine.Numbers(r.text(1), others); err != nil {
		return b, err
	}
	r.nulls |= nulls << usual
	return r.booking()
}

func (r *bookingRow) booking() (b booking.Booking, err error) {
	n := &r.numbers
	at := func(i int) when.Instant { return when.Instant(n[i]) }
	b = booking.Booking{
		ID: booking.BookingID(n[0]), WorkspaceID: catalog.WorkspaceID(n[1]), EventTypeID: catalog.EventTypeID(n[2]),
		Host: catalog.HostRef{ID: catalog.HostID(n[3])}, ContactID: booking.ContactID(n[4]),
		Taken:    booking.Taken{Start: at(6), End: at(7), BusyStart: at(8), BusyEnd: at(9), Place: slot.Place(n[19])},
		Invitee:  booking.Invitee{Name: r.text(2), Email: r.text(4)},
		Location: r.text(5), ExpiresAt: at(15), CreatedAt: at(11), UpdatedAt: at(16), Answers: map[string]any{},
		Metadata: map[string]string{}, Payments: []booking.CounterPayment{},
		UIDDomain: r.text(9), ArrivedAt: at(17), DoneAt: at(18), InternalNote: r.text(8),
		AddOns: []booking.BookedAddOn{}, Seats: int(n[12]), Sequence: 1,
	}
	status, needs := int(n[5]), n[10]
	if status < 0 || status >= len(statuses) {
		return b, fmt.Errorf("booking %s has the unknown status %d", b.ID, status)
	}
	b.Status, b.NeedsPay, b.NeedsOK = statuses[status], needs&needsPayment != 0, needs&needsApproval != 0
	b.HostNamed = needs&hostNamed != 0
	if b.UpdatedAt == 0 {
		b.UpdatedAt = b.CreatedAt
	}
	if currency := r.text(6); currency != "" {
		b.Price, b.NoShowFee = r.money(13, currency), r.money(14, currency)
	}
	if b.ExpiresAt != 0 {
		reason := booking.ForApproval
		if b.NeedsPay {
			reason = booking.ForPayment
		}
		b.PendingReason = &reason
	}
	if err := readCounter(r.text(7), &b); err != nil {
		return b, err
	}
	raw := r.text(3)
	if raw == "" {
		return b, nil
	}
	var d details
	if err := json.Unmarshal([]byte(raw), &d); err != nil {
		return b, fmt.Errorf("booking %s: %w", b.ID, err)
	}
	d.into(&b)
	b.Untimed = needs&inSpans != 0 && len(b.Parts) == 0 && b.Imported != nil
	return b, nil
}

func (r *bookingRow) money(i int, currency string) *money.Money {
	if r.nulls&(1<<i) != 0 {
		return nil
	}
	return &money.Money{Amount: r.numbers[i], Currency: currency}
}

// bookingValues returns the values of the columns that may change, in the order of the statements below.
func bookingValues(b *booking.Booking) ([]any, error) {
	d, err := encodeDetails(b)
	if err != nil {
		return nil, err
	}
	if b.Price != nil && b.NoShowFee != nil && b.Price.Currency != b.NoShowFee.Currency { // they share a column
		return nil, fmt.Errorf("booking %s: the price is in %s and the no-show fee in %s", b.ID, b.Price.Currency,
			b.NoShowFee.Currency)
	}
	var price, fee, currency any
	for _, m := range []struct {
		money *money.Money
		to    *any
	}{{b.Price, &price}, {b.NoShowFee, &fee}} {
		if m.money != nil {
			*m.to, currency = m.money.Amount, m.money.Currency
		}
	}
	needs := 0
	if b.NeedsPay {
		needs |= needsPayment
	}
	if b.NeedsOK {
		needs |= needsApproval
	}
	if b.HostNamed {
		needs |= hostNamed
	}
	if len(b.Parts) > 0 || b.Untimed { // whose times in booking_spans are none
		needs |= inSpans
	}
	counter, err := encodeCounter(b)
	if err != nil {
		return nil, err
	}
	return []any{
		b.EventTypeID, b.Host.ID, statusCode(b.Status), b.Start, b.End, b.BusyStart, b.BusyEnd, b.Invitee.Name, b.Invitee.Email,
		engine.OrNull(b.Location), price, fee, currency, needs, engine.OrNull(b.ExpiresAt), updatedMillis(b), d,
		engine.OrNull(b.ArrivedAt), engine.OrNull(b.DoneAt), counter, engine.OrNull(b.InternalNote), max(1, b.Seats),
		engine.OrNull(int64(b.Place)),
	}, nil
}

// updatedMillis is NULL for a booking that was never changed.
func updatedMillis(b *booking.Booking) any {
	if b.UpdatedAt == b.CreatedAt {
		return nil
	}
	return b.UpdatedAt
}

func (t tx) insertBooking(b *booking.Booking) error {
	values, err := bookingValues(b)
	if err != nil {
		return err
	}
	domain, err := t.uidDomain(b.UIDDomain)
	if err != nil {
		return err
	}
	return t.Later(`INSERT INTO bookings (event_type_id, host_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms,
		name, email, location, price, no_show_fee,
		currency, needs, expires_ms, updated_ms, details, arrived_ms, done_ms, counter, internal_note, seats, place,
		id,
		workspace_id, contact_id, created_ms, uid_domain)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(values, b.ID, b.WorkspaceID, engine.OrNull(b.ContactID), b.CreatedAt, domain)...)
}

func (t tx) updateBooking(b *booking.Booking) error {
	values, err := bookingValues(b)
	if err != nil {
		return err
	}
	return t.Later(`UPDATE bookings
		SET event_type_id = ?, host_id = ?, status = ?, start_ms = ?, end_ms = ?, busy_start_ms = ?, busy_end_ms = ?,
		name = ?, email = ?, location = ?, price = ?, no_show_fee = ?, currency = ?, needs = ?, expires_ms = ?,
		updated_ms = ?, details = ?, arrived_ms = ?, done_ms = ?, counter = ?, internal_note = ?, seats = ?,
		place = ?
		WHERE id = ? AND workspace_id = ?`,
		append(values, b.ID, b.WorkspaceID)...)
}

// uidDomain is what a transaction has looked up of uid_domains. Once the transaction is committed, its Store knows it.
type uidDomain struct {
	known  *sync.Map // of the Store; nil knows none
	domain string
	number int64
}

// uidDomain returns the number of a domain, which is given one when it is new.
func (t tx) uidDomain(domain string) (number int64, err error) {
	if t.uid.known != nil {
		if n, ok := t.uid.known.Load(domain); ok {
			return n.(int64), nil
		}
	}
	const query = `SELECT id FROM uid_domains WHERE domain = ?`
	err = engine.Found(t.Scan(query, []any{domain}, &number))
	if errors.Is(err, fault.ErrNotFound) {
		if _, err := t.Exec(`INSERT INTO uid_domains (domain) VALUES (?) ON CONFLICT (domain) DO NOTHING`,
			domain); err != nil {
			return 0, err
		}
		err = t.Scan(query, []any{domain}, &number)
	}
	if err == nil {
		t.uid.domain, t.uid.number = domain, number
	}
	return number, err
}
