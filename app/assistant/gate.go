package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/access"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/serve"
)

const maxBody = 64 << 10

// call is what a call knows besides its arguments.
type call struct {
	setup     *catalog.Setup
	from      netip.Addr
	requestID string
}

type callOfRequest struct{}

func callOf(ctx context.Context) call {
	c, _ := ctx.Value(callOfRequest{}).(call)
	return c
}

// gate lets messages to a business's tools through that lets assistants book. There are no streams and no sessions: a
// GET is 405, as MCP's Streamable HTTP provides for servers without any. Web pages of other origins are refused, since
// what their visitors' browsers ask for would count as asked for by these visitors.
func (d *Door) gate(w http.ResponseWriter, r *http.Request) {
	if err := d.admit(w, r); err != nil {
		access.WriteError(w, err, d.log)
		return
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	c := call{from: serve.ClientIP(r.Context()), requestID: w.Header().Get("X-Request-Id")}
	var err error
	if c.setup, err = d.service.Guest.Open(r.Context(), r.PathValue("workspace")); err == nil {
		err = d.read(w, r, c.from)
	}
	if err != nil {
		access.WriteError(w, err, d.log)
		return
	}
	r.Header.Del("Mcp-Session-Id")
	d.tools.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callOfRequest{}, c)))
}

// admit checks origin and method.
func (d *Door) admit(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" {
		if !d.origins[strings.ToLower(origin)] {
			return fault.New(fault.Forbidden, "foreign_origin",
				"Pages of this origin may not call the tools. The operator of the server can allow it.")
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", "POST")
		h.Set("Access-Control-Allow-Headers", "Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name")
	} else if r.Method == http.MethodOptions {
		h.Set("Allow", "POST")
		return fault.New(fault.MethodNotAllowed, "", "This path takes POST.")
	}
	if r.Method != http.MethodPost && r.Method != http.MethodOptions {
		h.Set("Allow", "POST")
		return fault.New(fault.MethodNotAllowed, "",
			"This address is for AI assistants, which speak the Model Context Protocol (MCP) by POST; there is no "+
				"page to see. People book at %s/%s", d.service.BaseURL(), r.PathValue("workspace"))
	}
	return nil
}

// read checks type and size of the message, counts it, and keeps it in r. A subscription, which would stay open, is
// refused: nothing here changes by itself.
func (d *Door) read(w http.ResponseWriter, r *http.Request, from netip.Addr) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return fault.New(fault.UnsupportedMediaType, "", "Send the message as application/json.")
	}
	if _, err := d.calls.Count(d.service.Now(), from, "", d.service.Gate.Most(from, d.options.CallsPerMinute)); err != nil {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return fault.New(fault.PayloadTooLarge, "", "A message has at most 64 KiB.")
	} else if fault.As(err) != nil { // such as that it stopped coming
		return err
	} else if err != nil {
		return fault.New(fault.BadRequest, "", "The body of the request could not be read.")
	}
	var m struct{ Method string }
	if json.Unmarshal(body, &m) == nil && m.Method == string(mcp.MethodSubscriptionsListen) {
		return fault.New(fault.BadRequest, "", "Nothing changes here that could be listened to.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}
