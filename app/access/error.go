package access

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"daybook/app/fault"
)

// Describe returns the error body for err: everything in a *fault.Error. Any other error is logged, and the body only
// says that something went wrong.
func Describe(err error, requestID string, log *slog.Logger) fault.ErrorBody {
	e := fault.As(err)
	if e == nil {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) { // the caller hung up
			level = slog.LevelDebug
		}
		log.Log(context.Background(), level, "request failed", "err", err, "requestId", requestID)
		e = fault.New(fault.Internal, "",
			"Something went wrong on our side. Try again; if it stays, report the request id.")
	}
	if e.Code == fault.Unavailable && err != error(e) && !fault.IsLogged(err) { // its cause is not for the caller
		log.Warn("not available", "err", err, "requestId", requestID)
	}
	return fault.ErrorBody{Error: fault.ErrorObject{Code: e.Code, Message: e.Error(), Details: e.DetailsObject(),
		RequestID: requestID}}
}

// WriteError writes the response for err: status, headers and body. The request id is the X-Request-Id that w has.
func WriteError(w http.ResponseWriter, err error, log *slog.Logger) {
	body := Describe(err, w.Header().Get("X-Request-Id"), log)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	switch body.Error.Code {
	case fault.Unauthorized:
		if h.Get("WWW-Authenticate") == "" {
			h.Set("WWW-Authenticate", "Bearer")
		}
	case fault.RateLimited, fault.Unavailable:
		if seconds, ok := body.Error.Details["retryAfter"].(int); ok {
			h.Set("Retry-After", strconv.Itoa(seconds))
		}
	}
	text, encodeErr := body.Encode()
	if encodeErr != nil {
		log.Error("error body", "err", encodeErr)
	}
	w.WriteHeader(body.Error.Code.Status())
	w.Write(text) // the client may be gone
}
