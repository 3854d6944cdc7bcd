package smstest

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Seven is a stand-in for seven.io: docs.seven.io/en/rest-api, with the codes of the official clients. Its fields are
// set before it is used.
type Seven struct {
	Service
	Key     string // API key
	Signing string // signing key
	Texts   int    // that the balance still pays for
	Hidden  bool   // the logbook lags behind, and has nothing yet
	Status  int    // with which a wrong key is refused; the documents don't say
}

// NewSeven returns an account with some money.
func NewSeven() *Seven {
	return &Seven{Key: "k3vF0pA5J8sD2qWm", Signing: "sign-7f3a9c1b5d", Texts: 1000, Status: 200}
}

var (
	sevenSender = regexp.MustCompile(`^([A-Za-z0-9 ._-]{1,11}|\+?[0-9]{1,16})$`)
	sevenNumber = regexp.MustCompile(`^(\+|00)?[1-9][0-9]{7,14}$`)
)

// ServeHTTP implements http.Handler.
func (s *Seven) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.work) }

func (s *Seven) work(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Api-Key") != s.Key {
		answer(w, s.Status, "900")
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "POST /sms":
		s.create(w, r)
	case "GET /journal/outbound":
		s.journal(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Seven) create(w http.ResponseWriter, r *http.Request) {
	var in struct {
		To, From, Text string
		ForeignID      string `json:"foreign_id"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Content-Type") != "application/json" {
		answer(w, 200, "301")
		return
	}
	code := "100"
	switch {
	case in.To == "":
		code = "301"
	case in.Text == "":
		code = "305"
	case !sevenNumber.MatchString(in.To):
		code = "202"
	case in.From != "" && !sevenSender.MatchString(in.From):
		code = "201"
	case utf8.RuneCountInString(in.Text) > 1520:
		code = "401"
	case len(s.Sent()) >= s.Texts:
		code = "500"
	}
	if code != "100" {
		answer(w, 200, code)
		return
	}
	m := Sent{ID: strconv.Itoa(77000000001 + len(s.Sent())), To: "+" + strings.TrimLeft(in.To, "+0"), From: in.From, Text: in.Text,
		Reference: in.ForeignID, State: "TRANSMITTED"}
	s.keep(m)
	answer(w, 200, map[string]any{"success": "100", "total_price": 0.075, "balance": 3.218, "debug": "false", "sms_type": "direct",
		"messages": []any{map[string]any{"id": m.ID, "sender": in.From, "recipient": m.To[1:], "text": in.Text, "encoding": "gsm",
			"label": nil, "parts": 1, "udh": nil, "is_binary": false, "price": 0.075, "success": true, "error": nil, "error_text": nil}}})
}

func (s *Seven) journal(w http.ResponseWriter, r *http.Request) {
	q, all := r.URL.Query(), []any{}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 100
	}
	sent := s.Sent()
	for i := len(sent) - 1; i >= 0 && len(all) < limit && !s.Hidden; i-- {
		m := sent[i]
		if to := q.Get("to"); to != "" && to != m.To[1:] || q.Get("id") != "" && q.Get("id") != m.ID {
			continue
		}
		var reference any
		if m.Reference != "" {
			reference = m.Reference
		}
		all = append(all, map[string]any{"id": m.ID, "to": m.To[1:], "from": m.From, "text": m.Text, "timestamp": "2026-12-01 05:50:58.802",
			"price": "0.0750", "dlr": m.State, "label": nil, "foreign_id": reference, "type": "direct", "channel": "SMS"})
	}
	answer(w, 200, all)
}

// Report makes the webhook of a text's status, at that time.
func (s *Seven) Report(t testing.TB, address string, m Sent, status string, at time.Time) *http.Request {
	t.Helper()
	data := map[string]any{"msg_id": m.ID, "status": status, "timestamp": "2026-12-01 08:08:00.000000"}
	if m.Reference != "" {
		data["foreign_id"] = m.Reference
	}
	return s.signed(t, address, map[string]any{"data": data, "webhook_event": "dlr", "webhook_timestamp": "2026-12-01T08:08:00+01:00"}, at)
}

// Write makes the webhook of a message that a person wrote, from a number without its plus, at that time.
func (s *Seven) Write(t testing.TB, address, id, from, text string, at time.Time) *http.Request {
	t.Helper()
	return s.signed(t, address, map[string]any{"data": map[string]any{"id": id, "sender": strings.TrimPrefix(from, "+"), "system": "491771783130",
		"text": text, "time": "1605878104", "message_type": "SMS"}, "webhook_event": "sms_mo", "webhook_timestamp": "2026-12-01 11:55:44"}, at)
}

func (s *Seven) signed(t testing.TB, address string, event any, at time.Time) *http.Request {
	t.Helper()
	body, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	nonce, stamp := "fpPRhAd1s8GXacfR39mWqKPynmmXfJnc", fmt.Sprint(at.Unix())
	signature := hexMAC(s.Signing, fmt.Sprintf("%s\n%s\nPOST\n%s\n%x", stamp, nonce, address, md5.Sum(body)))
	return post(t, address, "application/json", string(body), "X-Signature", signature, "X-Timestamp", stamp, "X-Nonce", nonce)
}
