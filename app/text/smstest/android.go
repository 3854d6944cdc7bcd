package smstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Android is a stand-in for SMS Gateway for Android, the phone's own server and its cloud:
// github.com/capcom6/android-sms-gateway. Its fields are set before it is used.
type Android struct {
	Service
	User, Password string
	Signing        string // of the app, Settings, Webhooks
}

// NewAndroid returns a phone.
func NewAndroid() *Android {
	return &Android{User: "sms", Password: "pa55-w0rd-of-phone", Signing: "aB3xK9signing"}
}

// ServeHTTP implements http.Handler.
func (s *Android) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.work) }

func (s *Android) work(w http.ResponseWriter, r *http.Request) {
	if user, password, _ := r.BasicAuth(); user != s.User || password != s.Password {
		w.Header().Set("WWW-Authenticate", `Basic realm="Access to SMS Gateway"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	id, one := strings.CutPrefix(r.URL.Path, "/messages/")
	switch {
	case r.Method == http.MethodGet && one:
		m := s.find(func(m *Sent) bool { return m.ID == id })
		if m == nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		answer(w, http.StatusOK, s.message(m))
	case r.Method == http.MethodPost && r.URL.Path == "/messages":
		s.create(w, r)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *Android) refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]any{"message": message})
}

func (s *Android) create(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID           string   `json:"id"`
		Message      *string  `json:"message"`
		PhoneNumbers []string `json:"phoneNumbers"`
		TTL          int      `json:"ttl"`
		TextMessage  *struct {
			Text string `json:"text"`
		} `json:"textMessage"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Content-Type") != "application/json" {
		s.refuse(w, http.StatusBadRequest, "Failed to convert request body")
		return
	}
	switch {
	case in.TextMessage == nil && in.Message == nil:
		s.refuse(w, 400, "Must specify exactly one of: textMessage, dataMessage, or message")
	case in.TextMessage != nil && in.Message != nil:
		s.refuse(w, 400, "Cannot specify multiple message types simultaneously")
	case in.TextMessage == nil || in.TextMessage.Text == "":
		s.refuse(w, 400, "Text message is empty")
	case len(in.PhoneNumbers) == 0:
		s.refuse(w, 400, "Empty phone numbers list")
	case !e164.MatchString(in.PhoneNumbers[0]):
		s.refuse(w, 400, "Invalid phone number "+in.PhoneNumbers[0])
	case s.find(func(m *Sent) bool { return m.ID == in.ID }) != nil:
		s.refuse(w, http.StatusConflict, "Message with the same ID already exists")
	default:
		m := Sent{ID: in.ID, To: in.PhoneNumbers[0], Text: in.TextMessage.Text, Reference: in.ID, State: "Pending"}
		if m.ID == "" {
			m.ID = fmt.Sprint("generated-", len(s.Sent()))
		}
		s.keep(m)
		answer(w, http.StatusAccepted, s.message(&m))
	}
}

func (s *Android) message(m *Sent) map[string]any {
	var wrong any
	if m.State == "Failed" {
		wrong = "RESULT_ERROR_NO_SERVICE"
	}
	return map[string]any{"id": m.ID, "deviceId": "ffffffffceb0b1db", "state": m.State, "isHashed": false, "isEncrypted": false,
		"recipients": []any{map[string]any{"phoneNumber": m.To, "state": m.State, "error": wrong}}, "states": map[string]any{}}
}

// Report makes the webhook of an event such as sms:delivered, at that time.
func (s *Android) Report(t testing.TB, address string, m Sent, event string, at time.Time) *http.Request {
	t.Helper()
	payload := map[string]any{"messageId": m.ID, "sender": nil, "recipient": m.To, "phoneNumber": m.To, "simNumber": 1}
	if event == "sms:failed" {
		payload["reason"] = "RESULT_ERROR_GENERIC_FAILURE"
	}
	return s.signed(t, address, event, "e-"+m.ID, payload, at)
}

// Write makes the webhook of a message that a person wrote, at that time.
func (s *Android) Write(t testing.TB, address, id, from, text string, at time.Time) *http.Request {
	t.Helper()
	return s.signed(t, address, "sms:received", id, map[string]any{"messageId": "1c2b", "message": text, "sender": from, "recipient": nil,
		"phoneNumber": from, "simNumber": 1, "receivedAt": "2026-12-01T15:46:11.000+01:00"}, at)
}

// WritePictures makes the webhook of a message with so many pictures, at that time.
func (s *Android) WritePictures(t testing.TB, address, id, from, text string, pictures int, at time.Time) *http.Request {
	t.Helper()
	all := []any{}
	for i := range pictures {
		all = append(all, map[string]any{"partId": i, "contentType": "image/jpeg", "name": "photo.jpg", "size": 12, "data": "/9j/4AAQ"})
	}
	return s.signed(t, address, "mms:downloaded", id, map[string]any{"messageId": "mms_1", "sender": from, "recipient": nil, "simNumber": 1,
		"body": text, "subject": nil, "attachments": all, "receivedAt": "2026-12-01T15:46:11.000+01:00"}, at)
}

func (s *Android) signed(t testing.TB, address, event, id string, payload any, at time.Time) *http.Request {
	t.Helper()
	body, err := json.Marshal(map[string]any{"deviceId": "ffffffffceb0b1db", "event": event, "id": id, "payload": payload,
		"webhookId": "LreFUt-Z3sSq0JufY9uWB"})
	if err != nil {
		t.Fatal(err)
	}
	stamp := fmt.Sprint(at.Unix())
	return post(t, address, "application/json; charset=UTF-8", string(body), "X-Timestamp", stamp,
		"X-Signature", hexMAC(s.Signing, string(body)+stamp))
}
