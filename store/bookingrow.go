package store

import (
	"encoding/json"
	"fmt"
	"sync"

	"daybook/app/catalog"
	"daybook/app/cost"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/store/row"
	"daybook/store/state"
)

const bookingColumns = `id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms,
	busy_end_ms,
	name, email, location, price, no_show_fee, currency, needs, expires_ms, created_ms, updated_ms, details,
	(SELECT d.domain FROM uid_domains d WHERE d.id = COALESCE(uid_domain, 1)), arrived_ms, done_ms, counter,
	internal_note, seats, place`

// briefColumns are what a filter with Brief reads, and briefPlaces where bookingColumns has them. Of the details, which
// are long, only those with add-ons are read.
const briefColumns = `id, event_type_id, host_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms, name, needs,
	expires_ms, CASE WHEN details LIKE '%"addOns":%' THEN details END, seats`

var briefPlaces = [...]int{0, 2, 3, 5, 6, 7, 8, 9, 10, 16, 17, 20, 26}

// The states of bookings as the database has them.
var (
	statuses   = state.All
	statusCode = state.Code
	live       = state.Live
	is         = state.Is
)

const (
	needsPayment  = 1
	needsApproval = 2
	hostNamed     = 4 // no need, but a bit that costs no column
)

// details are the parts of a booking that most bookings do not have and no query asks for: a NULL when there are none.
type details struct {
	Phone        string               `json:"phone,omitempty"`
	TimeZone     string               `json:"timeZone,omitempty"`
	Locale       string               `json:"locale,omitempty"`
	Notes        string               `json:"notes,omitempty"`
	Answers      map[string]any       `json:"answers,omitempty"`
	Metadata     map[string]string    `json:"metadata,omitempty"`
	Previous     when.Instant         `json:"previousStart,omitzero"`
	Moves        int                  `json:"moves,omitempty"`
	Cancellation *record.Cancellation `json:"cancellation,omitempty"`
	NoShow       *record.NoShowRecord `json:"noShow,omitempty"`
	Payment      *record.Payment      `json:"payment,omitempty"`

	AddOns       []record.BookedAddOn `json:"addOns,omitempty"`
	Participants []string             `json:"participants,omitempty"`
	Deposit      *cost.Money          `json:"deposit,omitempty"`
	LateFee      *cost.Money          `json:"lateFee,omitempty"`
	Where        *record.BookedWhere  `json:"where,omitempty"`
	LateNotice   int                  `json:"lateNotice,omitempty"`
	Invitation   record.InvitationID  `json:"invitation,omitzero"`
}

// encodeDetails is the column's value: JSON, or nil when there is nothing in it.
func encodeDetails(b *record.Booking) (any, error) {
	text, err := json.Marshal(details{
		Phone: b.Invitee.Phone, TimeZone: b.Invitee.TimeZone, Locale: b.Invitee.Locale, Notes: b.Notes, Answers: b.Answers,
		Metadata: b.Metadata, Previous: b.PreviousStart, Moves: b.RescheduleCount, Cancellation: b.Cancellation,
		NoShow: b.NoShow, Payment: b.Payment, AddOns: b.AddOns, Participants: b.Participants, Deposit: b.Deposit,
		LateFee: b.LateFee, LateNotice: b.LateNotice, Where: b.Where, Invitation: b.Invitation,
	})
	if err != nil || string(text) == "{}" {
		return nil, err
	}
	return string(text), nil
}

func (d *details) into(b *record.Booking) {
	b.Invitee.Phone, b.Invitee.TimeZone, b.Invitee.Locale = d.Phone, d.TimeZone, d.Locale
	b.Notes, b.PreviousStart, b.RescheduleCount = d.Notes, d.Previous, d.Moves
	b.Cancellation, b.NoShow, b.Payment = d.Cancellation, d.NoShow, d.Payment
	b.Participants, b.Deposit, b.LateFee, b.LateNotice, b.Where = d.Participants, d.Deposit, d.LateFee,
		d.LateNotice, d.Where
	b.Invitation = d.Invitation
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
	values [28]any
	dest   [28]any
}

var bookingRows = sync.Pool{New: func() any {
	r := new(bookingRow)
	for i := range r.values {
		r.dest[i] = &r.values[i]
	}
	return r
}}

// scanBrief reads a row of briefColumns with a row that has read nothing else.
func scanBrief(scan func(...any) error, r *bookingRow) (b record.Booking, err error) {
	var dest [len(briefPlaces)]any
	for i, at := range briefPlaces {
		dest[i] = r.dest[at]
	}
	if err := scan(dest[:]...); err != nil {
		return b, err
	}
	return r.booking()
}

func (r *bookingRow) number(i int) int64 {
	n, _ := r.values[i].(int64)
	return n
}

func (r *bookingRow) text(i int) string {
	s, _ := r.values[i].(string)
	return s
}

func scanBooking(scan func(...any) error) (b record.Booking, err error) {
	r := bookingRows.Get().(*bookingRow)
	defer bookingRows.Put(r)
	if err := scan(r.dest[:]...); err != nil {
		return b, err
	}
	return r.booking()
}

func (r *bookingRow) booking() (b record.Booking, err error) {
	at := func(i int) when.Instant { return when.Instant(r.number(i)) }
	b = record.Booking{
		ID: record.BookingID(r.number(0)), WorkspaceID: catalog.WorkspaceID(r.number(1)),
		EventTypeID: catalog.EventTypeID(r.number(2)),
		Host:        catalog.HostRef{ID: catalog.HostID(r.number(3))}, ContactID: record.ContactID(r.number(4)),
		Start: at(6), End: at(7), BusyStart: at(8), BusyEnd: at(9),
		Invitee:  record.Invitee{Name: r.text(10), Email: r.text(11)},
		Location: r.text(12), ExpiresAt: at(17), CreatedAt: at(18), UpdatedAt: at(19), Answers: map[string]any{},
		Metadata: map[string]string{}, Payments: []record.CounterPayment{},
		UIDDomain: r.text(21), ArrivedAt: at(22), DoneAt: at(23), InternalNote: r.text(25),
		AddOns: []record.BookedAddOn{}, Seats: int(r.number(26)), Place: slot.Place(r.number(27)),
	}
	status, needs := int(r.number(5)), r.number(16)
	if status < 0 || status >= len(statuses) {
		return b, fmt.Errorf("booking %s has the unknown status %d", b.ID, status)
	}
	b.Status, b.NeedsPay, b.NeedsOK = statuses[status], needs&needsPayment != 0, needs&needsApproval != 0
	b.HostNamed = needs&hostNamed != 0
	if b.UpdatedAt == 0 {
		b.UpdatedAt = b.CreatedAt
	}
	if currency := r.text(15); currency != "" {
		b.Price, b.NoShowFee = money(r.values[13], currency), money(r.values[14], currency)
	}
	if b.ExpiresAt != 0 {
		reason := record.ForApproval
		if b.NeedsPay {
			reason = record.ForPayment
		}
		b.PendingReason = &reason
	}
	if err := readCounter(r.text(24), &b); err != nil {
		return b, err
	}
	raw := r.text(20)
	if raw == "" {
		return b, nil
	}
	var d details
	if err := json.Unmarshal([]byte(raw), &d); err != nil {
		return b, fmt.Errorf("booking %s: %w", b.ID, err)
	}
	d.into(&b)
	return b, nil
}

func money(amount any, currency string) *cost.Money {
	n, ok := amount.(int64)
	if !ok {
		return nil
	}
	return &cost.Money{Amount: n, Currency: currency}
}

// bookingValues returns the values of the columns that may change, in the order of the statements below.
func bookingValues(b *record.Booking) ([]any, error) {
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
		money *cost.Money
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
	counter, err := encodeCounter(b)
	if err != nil {
		return nil, err
	}
	return []any{
		b.EventTypeID, b.Host.ID, statusCode(b.Status), b.Start, b.End, b.BusyStart, b.BusyEnd, b.Invitee.Name,
		b.Invitee.Email,
		row.OrNull(b.Location), price, fee, currency, needs, row.OrNull(b.ExpiresAt), updatedMillis(b), d,
		row.OrNull(b.ArrivedAt), row.OrNull(b.DoneAt), counter, row.OrNull(b.InternalNote), max(1, b.Seats),
		row.OrNull(int64(b.Place)),
	}, nil
}

// updatedMillis is NULL for a booking that was never changed.
func updatedMillis(b *record.Booking) any {
	if b.UpdatedAt == b.CreatedAt {
		return nil
	}
	return b.UpdatedAt
}

func (t tx) insertBooking(b *record.Booking) error {
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
		append(values, b.ID, b.WorkspaceID, b.ContactID, b.CreatedAt, domain)...)
}

func (t tx) updateBooking(b *record.Booking) error {
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

// uidDomain is the number of a domain, which is given one when it is new.
func (t tx) uidDomain(domain string) (number int64, err error) {
	if t.uid.known != nil {
		if n, ok := t.uid.known.Load(domain); ok {
			return n.(int64), nil
		}
	}
	const query = `SELECT id FROM uid_domains WHERE domain = ?`
	err = row.Found(t.Scan(query, []any{domain}, &number))
	if err == fault.ErrNotFound {
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
