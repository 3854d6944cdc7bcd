package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the driver

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/sqlite"
)

// bare is the floor: net/http, prepared statements, what it needs to know of the workspace in maps, and the encoder of
// bookings. It knows no keys, limits, rights, filters, holds, mails or webhooks.
type bare struct {
	baseURL     string // of the product, whose links it answers
	workspace   catalog.WorkspaceID
	types       map[catalog.EventTypeID]string
	bySlug      map[string]catalog.EventType
	names       map[catalog.HostID]string
	key         []byte // signs links
	one, list   *sql.Stmt
	busy        *sql.Stmt
	writes      chan *write
	defaultZone *time.Location
}

const readDSN = "?_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=mmap_size(2147483648)" +
	"&_pragma=cache_size(-16384)"

// serveFloor serves the database, with links of that address, until SIGTERM.
func serveFloor(path, baseURL string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	f := &bare{baseURL: baseURL, types: map[catalog.EventTypeID]string{}, bySlug: map[string]catalog.EventType{},
		names: map[catalog.HostID]string{}}
	if err := f.learn(path); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+path+readDSN)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	for text, stmt := range map[string]**sql.Stmt{
		`SELECT ` + columns + ` FROM bookings WHERE id = ?`: &f.one,
		`SELECT ` + columns + ` FROM bookings WHERE workspace_id = ? AND start_ms >= ?
			ORDER BY start_ms, id LIMIT 51`: &f.list,
		`SELECT busy_start_ms, busy_end_ms FROM bookings INDEXED BY bookings_bare WHERE host_id = ? AND ` + bareOnly + `
			AND busy_start_ms >= ? AND busy_start_ms < ?`: &f.busy,
	} {
		if *stmt, err = db.Prepare(text); err != nil {
			return err
		}
	}
	if f.writes, err = startWriter(path); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/bookings/{id}", f.get)
	mux.HandleFunc("GET /api/v1/bookings", f.page)
	mux.HandleFunc("GET /api/v1/availability", f.open)
	mux.HandleFunc("POST /api/v1/bookings", f.book)
	mux.HandleFunc("POST /all-rows", f.book)
	static := []byte(strings.Repeat("x", 20_000))
	mux.HandleFunc("GET /static", func(w http.ResponseWriter, r *http.Request) { w.Write(static) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "floor at http://%s\n", l.Addr())
	go http.Serve(l, mux)
	<-ctx.Done()
	return nil
}

// learn reads what the floor needs to know of the workspace.
func (f *bare) learn(path string) error {
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer db.Close()
	s := app.New(app.Config{Store: store.New(db)})
	w, err := s.WorkspaceBySlug(context.Background(), "door")
	if err != nil {
		return err
	}
	setup, err := s.Setup(w.ID)
	if err != nil {
		return err
	}
	f.workspace, f.defaultZone = w.ID, setup.Zone
	if f.key, err = linkKey(setup); err != nil {
		return err
	}
	for _, h := range setup.Hosts {
		f.names[h.ID] = h.Name
	}
	for _, e := range setup.EventTypes {
		f.types[e.ID], f.bySlug[e.Slug] = e.Slug, e
	}
	return nil
}

// bareOnly is the term of the index of bookings without buffers, which these all are.
const bareOnly = `status < 3 AND needs < 8 AND busy_end_ms - busy_start_ms = end_ms - start_ms`

// linkKey is the key that signs the workspace's links.
func linkKey(s *catalog.Setup) ([]byte, error) { return (&vault.Vault{}).Open(s.Workspace.LinkKey) }

// nextCursor is that of a page.
func nextCursor(page []byte) string {
	var p struct{ NextCursor string }
	json.Unmarshal(page, &p) // what is no page has none
	return p.NextCursor
}

const columns = `id, event_type_id, host_id, contact_id, status, start_ms, end_ms, name, email, location, price,
	currency, created_ms, updated_ms, details, seats`

// scan reads a row into the struct that is answered.
func (f *bare) scan(row interface{ Scan(...any) error }, b *booking.Booking) error {
	var status int
	var location, currency, details *string
	var price, updated *int64
	err := row.Scan(&b.ID, &b.EventTypeID, &b.Host.ID, &b.ContactID, &status, &b.Start, &b.End, &b.Invitee.Name,
		&b.Invitee.Email, &location, &price, &currency, &b.CreatedAt, &updated, &details, &b.Seats)
	if err != nil {
		return err
	}
	b.Status, b.UpdatedAt, b.Location = booking.Confirmed, b.CreatedAt, *location
	b.Price = &money.Money{Amount: *price, Currency: *currency}
	if details != nil {
		if err := json.Unmarshal([]byte(*details), &b.Invitee); err != nil {
			return err
		}
	}
	f.name(b)
	return nil
}

// name fills in what isn't in the row.
func (f *bare) name(b *booking.Booking) {
	b.EventType, b.Host.Name = f.types[b.EventTypeID], f.names[b.Host.ID]
	b.Answers, b.Metadata, b.Payments = map[string]any{}, map[string]string{}, []booking.CounterPayment{}
	b.AddOns, b.Due = []booking.BookedAddOn{}, b.Price
	if b.Price != nil {
		b.Paid = &money.Money{Currency: b.Price.Currency}
	}
	if b.ContactID != 0 {
		b.Contact = &booking.ContactRef{ID: b.ContactID}
	}
	b.ManageURL = f.baseURL + "/booking/" + f.token(b.ID)
}

var base32Text = base32.NewEncoding(id.Base32).WithPadding(base32.NoPadding)

func (f *bare) token(id booking.BookingID) string {
	text := strings.TrimPrefix(id.String(), "bk_")
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte(text))
	return text + base32Text.EncodeToString(mac.Sum(nil)[:16])
}

func (f *bare) get(w http.ResponseWriter, r *http.Request) {
	at, err := id.Parse[booking.BookingIDKind](r.PathValue("id"))
	var b booking.Booking
	if err == nil {
		err = f.scan(f.one.QueryRow(at), &b)
	}
	answer(w, 200, err, func(dst []byte) ([]byte, error) { return b.AppendJSON(dst) })
}

func (f *bare) page(w http.ResponseWriter, r *http.Request) {
	from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
	if err != nil {
		answer(w, 0, err, nil)
		return
	}
	rows, err := f.list.Query(f.workspace, from.UnixMilli())
	if err != nil {
		answer(w, 0, err, nil)
		return
	}
	all := make([]booking.Booking, 0, 51)
	for rows.Next() && err == nil {
		all = all[:len(all)+1]
		err = f.scan(rows, &all[len(all)-1])
	}
	rows.Close()
	answer(w, 200, err, func(dst []byte) (_ []byte, err error) {
		dst = append(dst, `{"data":[`...)
		for i := range all[:min(len(all), 50)] {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = all[i].AppendJSON(dst); err != nil {
				return nil, err
			}
		}
		if len(all) <= 50 {
			return append(dst, `],"hasMore":false,"nextCursor":null}`...), nil
		}
		last := all[49]
		return append(append(append(dst, `],"hasMore":true,"nextCursor":"`...), floorList.Cursor(int64(last.Start),
			int64(last.ID))...), `"}`...), nil
	})
}

// floorList is the list that the floor's cursors are of. It is asked with the door's, see placeIn.
var floorList = fault.List{"floor"}

// placeIn is the first number of a cursor of the door's: where its list goes on.
func placeIn(cursor string) (int64, error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, err
	}
	parts := strings.Split(string(raw), ".")
	if len(parts) < 2 {
		return 0, fmt.Errorf("no cursor: %q", raw)
	}
	return strconv.ParseInt(parts[1], 36, 64)
}

// open reads the busy spans of the days, sorts and merges them, sweeps each day, and appends the JSON: for one host,
// one zone and no rules but the length.
func (f *bare) open(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	e := f.bySlug[q.Get("eventType")]
	zone := f.defaultZone
	from, err := time.ParseInLocation(time.DateOnly, q.Get("from"), zone)
	days, _ := strconv.Atoi(q.Get("days"))
	limit, _ := strconv.Atoi(q.Get("limit"))
	to := from.Add(time.Duration(days) * day)
	begin := from.UnixMilli()
	if cursor := q.Get("cursor"); cursor != "" && err == nil {
		if begin, err = placeIn(cursor); err == nil {
			begin++
		}
	}
	var busy []slot.Span
	if err == nil {
		rows, failed := f.busy.Query(e.Hosts[0].ID, begin-day.Milliseconds(), to.UnixMilli())
		err = failed
		for err == nil && rows.Next() {
			var s slot.Span
			err = rows.Scan(&s.Start, &s.End)
			busy = append(busy, s)
		}
		if failed == nil {
			rows.Close()
		}
	}
	answer(w, 200, err, func(dst []byte) ([]byte, error) {
		return sweep(dst, merged(busy), time.UnixMilli(begin).In(zone), to, e.Hosts[0].ID.String(),
			int64(e.DurationMinutes)*60_000, limit), nil
	})
}

func merged(busy []slot.Span) []slot.Span {
	slices.SortFunc(busy, func(a, b slot.Span) int { return int(a.Start - b.Start) })
	all := busy[:0]
	for _, s := range busy {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, s)
	}
	return all
}

func sweep(dst []byte, busy []slot.Span, from, to time.Time, host string, length int64, limit int) []byte {
	dst = append(dst, `{"data":[`...)
	zone, last := from.Location(), int64(0)
	y, m, d := from.Date()
	for k, n, i := 0, 0, 0; ; k++ {
		opens := time.Date(y, m, d+k, 9, 0, 0, 0, zone).UnixMilli()
		closes := time.Date(y, m, d+k, 17, 0, 0, 0, zone).UnixMilli()
		if opens >= to.UnixMilli() {
			break
		}
		for start := opens; start+length <= closes; start += length {
			for i < len(busy) && busy[i].End <= start {
				i++
			}
			if start < from.UnixMilli() || start >= to.UnixMilli() || i < len(busy) && busy[i].Start < start+length {
				continue
			}
			if n++; n > limit {
				dst = append(append(append(dst, `],"hasMore":true,"nextCursor":"`...), floorList.Cursor(last)...), '"')
				return append(dst, `,"timeZone":"Europe/Berlin","datesTimeZone":"Europe/Berlin","nextAvailable":null}`...)
			}
			if n > 1 {
				dst = append(dst, ',')
			}
			last = start
			dst = time.UnixMilli(start).UTC().AppendFormat(append(dst, `{"start":"`...), "2006-01-02T15:04:05Z")
			dst = time.UnixMilli(start+length).UTC().AppendFormat(append(dst, `","end":"`...), "2006-01-02T15:04:05Z")
			dst = time.UnixMilli(start).In(zone).AppendFormat(append(dst, `","local":"`...), time.RFC3339)
			dst = append(append(append(dst, `","hosts":["`...), host...), `"]}`...)
		}
	}
	return append(dst, `],"hasMore":false,"nextCursor":null,"timeZone":"Europe/Berlin","datesTimeZone":"Europe/Berlin","nextAvailable":null}`...)
}

// answer writes what encode appends, or the error.
func answer(w http.ResponseWriter, status int, err error, encode func([]byte) ([]byte, error)) {
	var body []byte
	if err == nil {
		body, err = encode(make([]byte, 0, 2048))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body = append(body, '\n')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

// book decodes a request, writes the booking and its event, at /all-rows with all rows that a booking has, and answers
// the booking.
func (f *bare) book(w http.ResponseWriter, r *http.Request) {
	var in struct {
		EventType string
		Start     time.Time
		Invitee   struct{ Name, Email string }
	}
	err := json.NewDecoder(r.Body).Decode(&in)
	e := f.bySlug[in.EventType]
	if err != nil || e.ID == 0 {
		answer(w, 0, fmt.Errorf("%q: %w", in.EventType, err), nil)
		return
	}
	now := time.Now()
	start := when.At(in.Start)
	b := booking.Booking{ID: id.New[booking.BookingIDKind](now), WorkspaceID: f.workspace, EventTypeID: e.ID,
		Host: catalog.HostRef{ID: e.Hosts[0].ID}, ContactID: 1, Status: booking.Confirmed,
		Taken:   booking.Taken{Start: start, End: start.Add(time.Duration(e.DurationMinutes) * time.Minute)},
		Invitee: booking.Invitee{Name: in.Invitee.Name, Email: in.Invitee.Email}, Seats: 1, CreatedAt: when.At(now),
		UpdatedAt: when.At(now)}
	f.name(&b)
	job := &write{b: &b, all: r.URL.Path == "/all-rows", event: id.New[booking.EventIDKind](now), done: make(chan error, 1)}
	job.body, err = booking.EncodeBookingEvent(job.event, "booking.created", b.CreatedAt, &b, "", booking.ByAPI)
	if err == nil {
		f.writes <- job
		err = <-job.done
	}
	answer(w, http.StatusCreated, err, func(dst []byte) ([]byte, error) { return b.AppendJSON(dst) })
}
