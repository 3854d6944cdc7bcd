package rest_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
)

const columns = `id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms,
	name, email, location, price, no_show_fee, currency, needs, expires_ms, created_ms, updated_ms, details`

func (w *bench) prepare(query string) *sql.Stmt {
	stmt, err := w.db.Prepare(query)
	w.Must(err)
	return stmt
}

// scan reads a row into the struct that the door answers, and nothing more.
func scan(row interface{ Scan(...any) error }, b *booking.Booking) error {
	var status, needs int
	var location, currency, details *string
	var price, fee, expires, updated *int64
	err := row.Scan(&b.ID, &b.WorkspaceID, &b.EventTypeID, &b.Host.ID, &b.ContactID, &status, &b.Start, &b.End, &b.BusyStart, &b.BusyEnd,
		&b.Invitee.Name, &b.Invitee.Email, &location, &price, &fee, &currency, &needs, &expires, &b.CreatedAt, &updated, &details)
	if err != nil {
		return err
	}
	b.UpdatedAt, b.Status, b.Location, b.Price = b.CreatedAt, booking.Confirmed, *location, &money.Money{Amount: *price, Currency: *currency}
	return nil
}

func respond(rw http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(200)
	rw.Write(append(text, '\n'))
}

func (w *bench) getFloor() http.Handler {
	stmt := w.prepare(`SELECT ` + columns + ` FROM bookings WHERE id = ?`)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /floor/{id}", func(rw http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
		var b booking.Booking
		if err := scan(stmt.QueryRowContext(context.Background(), id), &b); err != nil {
			panic(err)
		}
		respond(rw, &b)
	})
	return mux
}

func (w *bench) listFloor() http.Handler {
	stmt := w.prepare(`SELECT ` + columns + ` FROM bookings WHERE workspace_id = ? AND start_ms >= ? ORDER BY start_ms, id LIMIT 51`)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /floor", func(rw http.ResponseWriter, r *http.Request) {
		from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
		rows, err := stmt.QueryContext(context.Background(), w.Workspace.ID, from)
		if err != nil {
			panic(err)
		}
		page := fault.Page[booking.Booking]{Data: make([]booking.Booking, 0, 51)}
		for rows.Next() {
			page.Data = page.Data[:len(page.Data)+1]
			if err := scan(rows, &page.Data[len(page.Data)-1]); err != nil {
				panic(err)
			}
		}
		rows.Close()
		if len(page.Data) > 50 {
			next := strconv.FormatInt(int64(page.Data[49].ID), 36)
			page.Data, page.HasMore, page.NextCursor = page.Data[:50], true, &next
		}
		respond(rw, &page)
	})
	return mux
}

// availabilityFloor reads the busy spans of 60 days, sorts and merges them, sweeps each day every three hours, and appends
// the JSON, for one host, one zone and no rules but the length.
func (w *bench) availabilityFloor() http.Handler {
	stmt := w.prepare(`SELECT busy_start_ms, busy_end_ms FROM bookings WHERE host_id = ? AND status < 3 AND busy_end_ms - busy_start_ms = end_ms - start_ms AND busy_start_ms < ? AND busy_start_ms >= ?`)
	zone, err := time.LoadLocation("Europe/Berlin")
	w.Must(err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /floor", func(rw http.ResponseWriter, r *http.Request) {
		from := w.Clock.Now()
		to := from.Add(60 * day)
		rows, err := stmt.QueryContext(context.Background(), ana, to.Add(time.Hour).UnixMilli(), from.Add(-time.Hour).UnixMilli())
		if err != nil {
			panic(err)
		}
		var busy [][2]int64
		for rows.Next() {
			var s [2]int64
			if err := rows.Scan(&s[0], &s[1]); err != nil {
				panic(err)
			}
			busy = append(busy, s)
		}
		rows.Close()
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(200)
		rw.Write(sweep(nil, merge(busy), from, to, zone))
	})
	return mux
}

func merge(busy [][2]int64) [][2]int64 {
	slices.SortFunc(busy, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	merged := busy[:0]
	for _, s := range busy {
		if n := len(merged); n > 0 && s[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], s[1])
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

func sweep(dst []byte, busy [][2]int64, from, to time.Time, zone *time.Location) []byte {
	dst = append(dst, `{"data":[`...)
	host := ana.String()
	hour, n, i := time.Hour.Milliseconds(), 0, 0
	y, m, d := from.In(zone).Date()
	for k := 0; ; k++ {
		opens, closes := time.Date(y, m, d+k, 9, 0, 0, 0, zone).UnixMilli(), time.Date(y, m, d+k, 17, 0, 0, 0, zone).UnixMilli()
		if opens >= to.UnixMilli() {
			break
		}
		for start := opens; start+hour <= closes; start += 3 * hour {
			for i < len(busy) && busy[i][1] <= start {
				i++
			}
			if start < from.UnixMilli() || start >= to.UnixMilli() || i < len(busy) && busy[i][0] < start+hour {
				continue
			}
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = time.UnixMilli(start).UTC().AppendFormat(append(dst, `{"start":"`...), "2006-01-02T15:04:05Z")
			dst = time.UnixMilli(start+hour).UTC().AppendFormat(append(dst, `","end":"`...), "2006-01-02T15:04:05Z")
			dst = time.UnixMilli(start).In(zone).AppendFormat(append(dst, `","local":"`...), time.RFC3339)
			dst = append(append(append(dst, `","hosts":["`...), host...), `"]}`...)
		}
	}
	return append(dst, `],"hasMore":false,"nextCursor":null,"timeZone":"Europe/Berlin","nextAvailable":null}`+"\n"...)
}
