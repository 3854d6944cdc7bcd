package access

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"daybook/app/fault"
)

// status of each code, as app/contract.md lists them under Errors.
var status = map[fault.Code]int{
	fault.BadRequest: 400, fault.Unauthorized: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.MethodNotAllowed: 405, fault.Conflict: 409,
	fault.PayloadTooLarge: 413, fault.UnsupportedMediaType: 415, fault.RateLimited: 429, fault.Internal: 500, fault.Unavailable: 503,
}

// Status is the HTTP status of a code.
func Status(c fault.Code) int {
	if s, ok := status[c]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// ErrorBody is the body of every error under /api.
type ErrorBody struct {
	Error ErrorObject `json:"error"`
}

// ErrorObject says what went wrong; clients branch on Code.
type ErrorObject struct {
	Code      fault.Code     `json:"code"`
	Message   string         `json:"message"`
	Details   map[string]any `json:"details,omitempty"`
	RequestID string         `json:"requestId"`
}

// Describe is what the caller is told of err: all of an *app.Error, and nothing of any other, which is logged instead.
func Describe(err error, requestID string, log *slog.Logger) ErrorBody {
	e := fault.As(err)
	if e == nil {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) { // the caller hung up
			level = slog.LevelDebug
		}
		log.Log(context.Background(), level, "request failed", "err", err, "requestId", requestID)
		e = &fault.Error{Code: fault.Internal, Message: "Something went wrong on our side. Try again; if it stays, report the request id."}
	}
	return ErrorBody{ErrorObject{Code: e.Code, Message: e.Message, Details: e.DetailsObject(), RequestID: requestID}}
}

// Encode is the body as JSON with a newline behind it. Its texts are for people: < and > stand as they are.
func (b ErrorBody) Encode() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(b)
	return text.Bytes(), err
}

// WriteError answers err with its status, headers and body. The request id is the X-Request-Id that w has already.
func WriteError(w http.ResponseWriter, err error, log *slog.Logger) {
	body := Describe(err, w.Header().Get("X-Request-Id"), log)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	switch body.Error.Code {
	case fault.Unauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case fault.RateLimited, fault.Unavailable:
		if seconds, ok := body.Error.Details["retryAfter"].(int); ok {
			h.Set("Retry-After", strconv.Itoa(seconds))
		}
	}
	text, encodeErr := body.Encode()
	if encodeErr != nil {
		log.Error("error body", "err", encodeErr)
	}
	w.WriteHeader(Status(body.Error.Code))
	w.Write(text) // the client may be gone
}
