package payment

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"daybook/app/fault"
)

// payer is what the door needs of the Service.
type payer interface {
	CheckoutURL(ctx context.Context, token string) (string, error)
	CheckoutDone(ctx context.Context, token string) (string, error)
	VisitCheckoutURL(ctx context.Context, token string) (string, error)
	VisitCheckoutDone(ctx context.Context, token string) (string, error)
}

// Pay returns the door to the payment page, to be mounted at /booking/{token}/pay: it makes the page when it is opened.
// Done, at /booking/{token}/paid, is where the invitee comes back to. fail shows an error; nil is a plain text.
func Pay(s payer, log *slog.Logger, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return forward(s.CheckoutURL, log, fail)
}

// Done returns the handler to which the invitee comes back, see Pay.
func Done(s payer, log *slog.Logger, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return forward(s.CheckoutDone, log, fail)
}

// PayVisit and VisitDone are Pay and Done for a visit, to be mounted at /visit/{token}/pay and /visit/{token}/paid.
func PayVisit(s payer, log *slog.Logger, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return forward(s.VisitCheckoutURL, log, fail)
}

// VisitDone returns the handler to which the invitee of a visit comes back, see PayVisit.
func VisitDone(s payer, log *slog.Logger, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return forward(s.VisitCheckoutDone, log, fail)
}

func forward(to func(context.Context, string) (string, error), log *slog.Logger,
	fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	if fail == nil {
		fail = func(w http.ResponseWriter, _ *http.Request, err error) { plain(w, err, log) }
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer") // the path lets its holder cancel
		switch r.Method {
		case http.MethodGet, http.MethodPost:
		case http.MethodHead: // those who only look make no payment page
			w.WriteHeader(http.StatusOK)
			return
		default:
			w.Header().Set("Allow", "GET, HEAD, POST")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		url, err := to(r.Context(), r.PathValue("token"))
		if err != nil {
			fail(w, r, err)
			return
		}
		http.Redirect(w, r, url, http.StatusSeeOther)
	})
}

func plain(w http.ResponseWriter, err error, log *slog.Logger) {
	e := fault.As(err)
	switch {
	case errors.Is(err, context.Canceled): // the browser hung up
		log.Debug("not forwarded to the payment page", "error", err)
	case e == nil:
		log.Error("can't forward to the payment page", "error", err)
		http.Error(w, "Something went wrong on our side. Please try again.", http.StatusInternalServerError)
	case e.Code == fault.NotFound, e.Code == fault.Forbidden: // such as of a suspended workspace
		http.Error(w, e.Error(), e.Code.Status())
	default:
		w.Header().Set("Retry-After", "60")
		http.Error(w, e.Error(), http.StatusServiceUnavailable)
	}
}
