package stripe

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"github.com/stripe/stripe-go/v85/webhook"

	"daybook/app/access"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/payment"
)

// maxEvent bounds the body of an event; Stripe's are a few kilobytes.
const maxEvent = 1 << 20

// hooked is what the door uses of the Service.
type hooked interface {
	SigningSecret(ctx context.Context, workspace string) (catalog.WorkspaceID, string, error)
	AcceptProviderEvent(ctx context.Context, ws catalog.WorkspaceID, e payment.ProviderEvent) error
}

// Hook returns the door that receives Stripe's events, to be mounted at /api/stripe/{workspace}. It answers 200 once
// the event is saved; after any other answer Stripe sends it again.
func Hook(s hooked, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := accept(s, w, r); err != nil {
			access.WriteError(w, err, log)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		io.WriteString(w, "{\"received\":true}\n") //nolint:errcheck // the caller may be gone
	})
}

func accept(s hooked, w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return fault.New(fault.MethodNotAllowed, "", "Stripe's events are sent here by POST.")
	}
	ws, secret, err := s.SigningSecret(r.Context(), r.PathValue("workspace"))
	if err != nil {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	if errors.As(err, new(*http.MaxBytesError)) {
		return fault.New(fault.PayloadTooLarge, "", "The body is larger than 1 MiB.").
			With("maxBytes", maxEvent)
	}
	if fault.As(err) != nil { // such as that it stopped coming
		return err
	}
	if err != nil {
		return fault.New(fault.BadRequest, "incomplete_body", "The body could not be read to its end.")
	}
	event, err := webhook.ConstructEventWithOptions(body, r.Header.Get("Stripe-Signature"), secret,
		webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true})
	if err != nil {
		return refusal(err)
	}
	e, err := eventOf(&event)
	if err != nil || e.ID == "" {
		return fault.New(fault.BadRequest, "invalid_event", "The body is no event of Stripe's.")
	}
	return s.AcceptProviderEvent(r.Context(), ws, e)
}

// refusal says what is wrong with the signature of an event.
func refusal(err error) error {
	switch {
	case errors.Is(err, webhook.ErrNotSigned), errors.Is(err, webhook.ErrInvalidHeader):
		return fault.New(fault.BadRequest, "not_signed", "The header Stripe-Signature is missing or malformed.")
	case errors.Is(err, webhook.ErrTooOld):
		return fault.New(fault.BadRequest, "signature_too_old",
			"The signature is older than five minutes: check this server's clock.")
	case errors.Is(err, webhook.ErrNoValidSignature):
		return fault.New(fault.BadRequest, "wrong_signature",
			"The signature does not fit: check that the signing secret is that of this webhook endpoint.")
	}
	return fault.New(fault.BadRequest, "invalid_event", "The body is no event of Stripe's.")
}
