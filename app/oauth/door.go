package oauth

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/serve"
)

// Door serves the endpoints.
type Door struct {
	service *Service
	log     *slog.Logger
}

// NewDoor makes a Door. With a nil log nothing is logged.
func NewDoor(s *Service, log *slog.Logger) *Door {
	return &Door{s, cmp.Or(log, slog.New(slog.DiscardHandler))}
}

const maxBody = 64 << 10

// Routes mounts the door. Web pages of any origin may ask, as programs in browsers do (RFC 9728 §3.1, RFC 8414 §3.1 and
// the browser-based clients of RFC 9700): nothing here looks at a cookie.
func (d *Door) Routes(mux *http.ServeMux) {
	mux.Handle(ServerMetadataPath, d.open("GET, HEAD", d.server))
	mux.Handle(ResourceMetadataPath, d.open("GET, HEAD", d.resource("")))
	for _, path := range ResourcePaths {
		mux.Handle(ResourceMetadataPath+path, d.open("GET, HEAD", d.resource(path)))
	}
	mux.Handle(TokenPath, d.open("POST", d.token))
	mux.Handle(RegisterPath, d.open("POST", d.register))
	mux.Handle(RevokePath, d.open("POST", d.revoke))
}

// open answers the methods, and tells browsers that any page may ask.
func (d *Door) open(methods string, h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate")
		if r.Method == http.MethodOptions {
			header.Set("Access-Control-Allow-Methods", methods)
			header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, MCP-Protocol-Version")
			header.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !strings.Contains(", "+methods+",", ", "+r.Method+",") {
			header.Set("Allow", methods)
			d.write(w, http.StatusMethodNotAllowed, answer{Code: InvalidRequest, Text: "this address takes " + methods})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := h(w, r); err != nil {
			d.fail(w, r, err)
		}
	})
}

// answer is an error as RFC 6749 §5.2 and RFC 7591 §3.2.2 have it.
type answer struct {
	Code ErrorCode `json:"error"`
	Text string    `json:"error_description"`
}

func (d *Door) fail(w http.ResponseWriter, r *http.Request, err error) {
	if wrong := (*Error)(nil); errors.As(err, &wrong) {
		if wrong.Code == InvalidClient && r.Header.Get("Authorization") != "" { // RFC 6749 §5.2
			w.Header().Set("WWW-Authenticate", "Basic")
		}
		d.write(w, wrong.Status(), answer{wrong.Code, wrong.Text})
		return
	}
	if e := fault.As(err); e != nil && (e.Code == fault.RateLimited || e.Code == fault.Unavailable) {
		if seconds, ok := e.Details["retryAfter"].(int); ok {
			w.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
		d.write(w, e.Code.Status(), answer{TemporarilyUnavailable, "try again after Retry-After seconds"})
		return
	}
	if e := fault.As(err); e != nil && e.Code == fault.BadRequest { // such as a body that stopped coming
		d.write(w, e.Code.Status(), answer{InvalidRequest, e.Error()})
		return
	}
	if r.Context().Err() == nil {
		d.log.Error("an agent's program could not be answered", "error", err.Error(), "requestId",
			serve.RequestID(r.Context()))
	}
	d.write(w, http.StatusInternalServerError, answer{"server_error", "something went wrong on our side"})
}

// write sends JSON that nobody may keep (RFC 6749 §5.1).
func (d *Door) write(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
		h.Set("Pragma", "no-cache")
	}
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // the client is gone
		d.log.Debug("an answer was not taken", "error", err.Error())
	}
}

func (d *Door) server(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", "max-age=300")
	d.write(w, http.StatusOK, d.service.ServerMetadata())
	return nil
}

func (d *Door) resource(path string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "max-age=300")
		w.Header().Set("Vary", "Host")
		d.write(w, http.StatusOK, d.service.ResourceMetadata(r.Host, path))
		return nil
	}
}

func invalid(text string) error { return &Error{Code: InvalidRequest, Text: text} }

// form reads the parameters of a POST, from its body only (RFC 6749 §3.2). A client that puts its id into Authorization
// is taken at its word, as long as it claims no secret: nobody has one here (§2.3.1).
func form(r *http.Request) (url.Values, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return nil, invalid("send the parameters as application/x-www-form-urlencoded")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, invalid("the body is too large, or ended too early")
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, invalid("the body is no form")
	}
	if r.Header.Get("Authorization") == "" {
		return values, nil
	}
	name, secret, ok := r.BasicAuth()
	id, err := url.QueryUnescape(name)
	if !ok || err != nil || secret != "" || id == "" || values.Has("client_id") && values.Get("client_id") != id {
		return nil, &Error{Code: InvalidClient, Text: "clients have no secret here: send client_id only"}
	}
	values.Set("client_id", id)
	return values, nil
}

func (d *Door) token(w http.ResponseWriter, r *http.Request) error {
	values, err := form(r)
	if err != nil {
		return err
	}
	tokens, err := d.service.Token(r.Context(), values)
	if err == nil {
		d.write(w, http.StatusOK, tokens)
	}
	return err
}

func (d *Door) revoke(w http.ResponseWriter, r *http.Request) error {
	values, err := form(r)
	if err != nil {
		return err
	}
	if err := d.service.RevokeToken(r.Context(), values); err != nil {
		return err
	}
	d.write(w, http.StatusOK, struct{}{})
	return nil
}

func (d *Door) register(w http.ResponseWriter, r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return &Error{Code: InvalidClientMetadata, Text: "send the metadata as application/json"}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return &Error{Code: InvalidClientMetadata, Text: "the metadata is too large, or ended too early"}
	}
	registered, err := d.service.Register(r.Context(), addressOf(r), body)
	if err == nil {
		d.write(w, http.StatusCreated, registered)
	}
	return err
}

// addressOf returns the network address that the request comes from.
func addressOf(r *http.Request) netip.Addr {
	if a := serve.ClientIP(r.Context()); a.IsValid() {
		return a
	}
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap()
}
