package rest_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/mail/smtp"
	"daybook/app/rest"
	"daybook/app/subjects"
	"daybook/store/enginetest"
	"daybook/store/pgtest"
)

// The connection to PostgreSQL is cut at each message of a booking, before the server gets it and after. A booking that
// was answered is there; one that failed is there at most once, and once when it is asked for again with its
// Idempotency-Key; each has its history, its event and its mails, and the next booking works.
func TestConnectionIsCutAtEveryMessage(t *testing.T) {
	place := enginetest.PlaceOnPostgres(t)
	with := func(c *subjects.Config) { c.BaseURL.Host = "book.test" }
	s := apptest.New(t, apptest.Options{Empty: true, Place: place, With: with})
	weekly := `{mon: [W], tue: [W], wed: [W], thu: [W], fri: [W], sat: [W], sun: [W]}`
	s.Apply("workspace: {slug: salon, name: Salon, timeZone: UTC}\n" +
		"hosts:\n  - {name: Ana, email: ana@salon.example, weekly: " + strings.ReplaceAll(weekly, "W", `"00:00-24:00"`) + "}\n" +
		"eventTypes:\n  - {slug: cut, title: Cut, durationMinutes: 15, hosts: [ana@salon.example]}\n")
	proxy := pgtest.NewProxy(t, place)
	cut := apptest.New(t, apptest.Options{Place: proxy.URL, With: with})
	door := rest.New(cut.Set, rest.Options{Version: "test"})
	key := s.Key(account.FullScope).Value

	slot := 0
	book := func() (status int, id, body string) {
		start := apptest.Monday.AddDate(0, 0, 2).Add(time.Duration(slot) * 15 * time.Minute).Format(time.RFC3339)
		r := httptest.NewRequest("POST", "/api/v1/bookings", strings.NewReader(bookingBody("cut", start, fmt.Sprintf("p%d@mail.example", slot))))
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", fmt.Sprint("slot ", slot))
		rec := httptest.NewRecorder()
		door.ServeHTTP(rec, r)
		var b struct{ ID string }
		if err := json.Unmarshal(rec.Body.Bytes(), &b); err != nil {
			t.Fatalf("slot %d: %d %s, %v", slot, rec.Code, rec.Body, err)
		}
		if rec.Code >= 500 && (rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") == "") {
			t.Errorf("slot %d: %d %v %s", slot, rec.Code, rec.Header(), rec.Body)
		}
		return rec.Code, b.ID, rec.Body.String()
	}
	answered, failed, uncertain, messages := 0, 0, 0, 0
	for spared := 0; spared < 2; messages++ {
		spared = 0
		for _, after := range []bool{false, true} {
			proxy.Cut(messages+1, after)
			status, id, body := book()
			if proxy.Spared() {
				spared++
			}
			switch {
			case status == http.StatusCreated:
				answered++
			case status >= 500:
				failed++
				if strings.Contains(body, `"reason":"uncertain"`) {
					uncertain++
				}
			default:
				t.Fatalf("cut at message %d, after %v: %d %s", messages+1, after, status, body)
			}
			apptest.Eventually(t, "the booking is answered", func() bool {
				again, same, body := book()
				if again < 500 && again != http.StatusCreated || again == http.StatusCreated && id != "" && same != id {
					t.Fatalf("cut at message %d, after %v, asked again: %d %s", messages+1, after, again, body)
				}
				return again == http.StatusCreated
			})
			slot++
		}
	}
	t.Logf("a booking is at most %d messages; of %d bookings %d were answered and %d failed at first, %d of them uncertain", messages-1, slot, answered, failed, uncertain)
	if messages < 10 || failed == 0 || uncertain == 0 {
		t.Errorf("%d messages, %d failures: was anything cut?", messages, failed)
	}

	s.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	for n := 1; n > 0; {
		var err error
		n, err = s.Mail.WriteMails(t.Context(), 100)
		s.Must(err)
	}
	raw, err := sql.Open("pgx", place)
	s.Must(err)
	defer raw.Close()
	for what, query := range map[string]string{
		"bookings":        `SELECT COUNT(*) FROM bookings`,
		"starts":          `SELECT COUNT(DISTINCT start_ms) FROM bookings`,
		"contacts":        `SELECT COUNT(*) FROM contacts`,
		"history":         `SELECT COUNT(*) FROM booking_history`,
		"its bookings":    `SELECT COUNT(DISTINCT booking_id) FROM booking_history`,
		"events":          `SELECT COUNT(*) FROM events WHERE kind = 'booking.created'`,
		"told bookings":   `SELECT COUNT(DISTINCT booking_id) FROM events`,
		"mails":           `SELECT COUNT(*) FROM mails WHERE kind = 'confirmed' AND recipient LIKE 'p%@mail.example'`,
		"mailed bookings": `SELECT COUNT(DISTINCT booking_id) FROM mails`,
	} {
		var n int
		if err := raw.QueryRow(query).Scan(&n); err != nil || n != slot {
			t.Errorf("%s: %d, want %d, %v", what, n, slot, err)
		}
	}
}
