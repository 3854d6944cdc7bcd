package text

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/serve"
	"daybook/app/text/sms"
)

// missesAnHour is how many posts that can't be verified are told so in an hour from one network address.
const missesAnHour = 20

// Door is where the senders of texts post what became of them, and what people write.
type Door struct {
	service  *Service
	log      *slog.Logger
	clientIP func(context.Context) netip.Addr // serve.ClientIP
}

// NewDoor returns the door. It answers 204 once a post is saved; after any other answer most senders post it again.
func NewDoor(s *Service, log *slog.Logger) *Door { return &Door{s, log, serve.ClientIP} }

// Routes adds the routes: of senders that sign or sign in, and of those that know a secret address. Logs show the secret as
// any other {token}.
func (d *Door) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /api/texts/{workspace}", d.take)
	mux.HandleFunc("POST /api/texts/{workspace}/{token}", d.take)
}

func (d *Door) take(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, sms.MaxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		http.Error(w, "The body is larger than 64 KiB.", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "The body could not be read to its end.", http.StatusBadRequest)
		return
	}
	address := d.service.Core.BaseURL() + r.URL.EscapedPath()
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	ws, err := id.Parse[catalog.WorkspaceIDKind](r.PathValue("workspace"))
	if err != nil {
		err = fault.Missing("workspace", "")
	} else {
		err = d.service.Inbound(r.Context(), ws, r, address, body)
	}
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.Is(err, sms.ErrTooLong):
		http.Error(w, "More was posted than a sender posts.", http.StatusRequestEntityTooLarge)
	case errors.Is(err, sms.ErrUnverified):
		if errors.Is(err, sms.ErrStale) {
			d.log.Warn("a sender's post is too old, or a clock is wrong", "workspace", ws.String())
		}
		d.miss(w, r, http.StatusForbidden, "It can't be shown that the workspace's sender of texts posted this.")
	case fault.Is(err, fault.NotFound):
		d.miss(w, r, http.StatusNotFound, "There is no such workspace.")
	default:
		d.log.Error("a sender's post can't be taken", "workspace", ws.String(), "error", err)
		http.Error(w, "", http.StatusInternalServerError)
	}
}

// miss answers a post that can't be verified, and counts it for its network address.
func (d *Door) miss(w http.ResponseWriter, r *http.Request, status int, why string) {
	err := d.service.gate.Count(r.Context(), gate.Client{Address: d.clientIP(r.Context()), Most: missesAnHour, What: "text inbound "})
	switch {
	case fault.Is(err, fault.RateLimited):
		w.Header().Set("Retry-After", "3600")
		status, why = http.StatusTooManyRequests, "Too many posts that can't be verified come from this address."
	case err != nil:
		d.log.Error("a sender's post can't be counted", "error", err)
		status, why = http.StatusInternalServerError, ""
	}
	http.Error(w, why, status)
}
