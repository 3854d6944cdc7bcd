package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/app/rest/openapi"
	"daybook/app/serve"
	"daybook/app/subjects"
)

// door is the Service as HTTP sees it.
type door struct {
	*subjects.Set
	log    *slog.Logger
	public *Door
}

// call is one request while it is handled.
type call struct {
	ctx   context.Context
	r     *http.Request
	route *route
	key   account.Key
	actor app.Actor
	query query
	body  []byte
	out   []byte // the body of the answer

	picture *picture.Converted // see route.prepare
	file    *contact.FileData  // see route.prepare
}

var calls = sync.Pool{New: func() any { return new(call) }}

// release lets later calls reuse the buffers, unless they have grown beyond what most answers need.
func (c *call) release() {
	if cap(c.body)+cap(c.out) > 256<<10 {
		return
	}
	*c = call{body: c.body[:0], out: c.out[:0]}
	calls.Put(c)
}

// maxID is the limit, in bytes, of an id in a path or a query; all real ones are shorter.
const maxID = 64

// id returns the path's {id}, cut to maxID: nothing has a longer id or slug.
func (c *call) id() string { return c.part("id") }

// part returns a part of the path.
func (c *call) part(name string) string { return cut(c.r.PathValue(name), maxID) }

// handle checks a request in this order before its handler runs: key and rate (401, 429), scope (403), query or body
// (400, 413, 415).
func (d *door) handle(rt *route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := calls.Get().(*call)
		defer c.release()
		c.ctx, c.r, c.route = r.Context(), r, rt
		answer, replayed, err := d.respond(c, w)
		if err != nil {
			access.WriteError(w, d.placed(c, err), d.log)
			return
		}
		if replayed {
			w.Header().Set("Idempotency-Replayed", "true")
		}
		if answer.ETag != "" && len(answer.Body) > 0 && answer.Media == "" { // which also has what belongs to others, such as the host's name
			answer.ETag = fault.AnswerETag(answer.ETag, bytes.TrimSuffix(answer.Body, newline))
		}
		if r.Method == http.MethodGet && unchanged(r.Header.Values("If-None-Match"), answer.ETag) {
			h := w.Header()
			h["Etag"], h["Cache-Control"] = []string{answer.ETag}, noStore
			w.WriteHeader(http.StatusNotModified)
			return
		}
		write(w, answer)
	}
}

// unchanged reports whether If-None-Match names the answer: the caller has it already.
func unchanged(headers []string, version string) bool {
	if version == "" {
		return false
	}
	for one := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == version {
			return true
		}
	}
	return false
}

func (d *door) respond(c *call, w http.ResponseWriter) (app.Response, bool, error) {
	key, err := d.admit(c, w)
	if err != nil {
		return app.Response{}, false, err
	}
	if c.key, c.actor = key, key.Actor(booking.ByAPI); !c.actor.Business() {
		c.actor.From = access.From(c.r) // a visitor's: what they cause is bounded by it
	}
	if c.r.Method == http.MethodPost {
		return d.change(c, w)
	}
	if c.r.Method == http.MethodPatch {
		if err := c.actor.May(app.MayChange); err != nil {
			return app.Response{}, false, err
		}
		if err := c.readBody(w); err != nil {
			return app.Response{}, false, err
		}
	}
	if c.r.Method == http.MethodDelete {
		if err := c.actor.May(app.MayChange); err != nil {
			return app.Response{}, false, err
		}
	}
	if err := c.query.parse(c.route.Params, c.r.URL.RawQuery); err != nil {
		return app.Response{}, false, err
	}
	answer, err := c.route.handle(d, c)
	return answer, false, err
}

// admit finds the key of the request and counts it. Public keys and others have routes of their own.
func (d *door) admit(c *call, w http.ResponseWriter) (account.Key, error) {
	if c.route.Public {
		return d.public.Admit(w, c.r)
	}
	return access.Admit(d.Account, w, c.r)
}

// change handles a POST. A read-only key is refused before the body is read.
func (d *door) change(c *call, w http.ResponseWriter) (app.Response, bool, error) {
	if c.route.IfMatch == bookingMatch {
		c.ctx = app.OnlyIf(c.ctx, c.id(), c.match())
	}
	if err := c.actor.May(app.MayChange); err != nil {
		return app.Response{}, false, err
	}
	if err := c.query.parse(c.route.Params, c.r.URL.RawQuery); err != nil {
		return app.Response{}, false, err
	}
	if c.route.Media != nil {
		leave, err := d.Service.Upload(c.ctx, c.actor.Workspace)
		if err != nil {
			return app.Response{}, false, err
		}
		defer leave()
		longer, done := serve.Upload(w, c.r)
		defer done()
		c.r, c.ctx = longer, longer.Context()
	}
	if err := c.readBody(w); err != nil {
		return app.Response{}, false, err
	}
	dry, err := c.dryRun()
	if err != nil {
		return app.Response{}, false, err
	}
	if dry && c.route.Public {
		return app.Response{}, false, fault.Invalid(openapi.DryRun, "isn't for public keys")
	}
	if c.route.Body == nil && c.route.Media == nil && len(c.body) > 0 { // a slip of dryRun must not be ignored
		if err := c.decode(&emptyBody{}); err != nil {
			return app.Response{}, false, err
		}
	}
	if c.route.prepare != nil {
		if err := c.route.prepare(d, c); err != nil {
			return app.Response{}, false, err
		}
	}
	keys, given := c.r.Header["Idempotency-Key"]
	if given {
		if err := checkIdempotencyKey(keys); err != nil {
			return app.Response{}, false, err
		}
	}
	if dry { // nothing is kept for a key, and nothing that was kept is answered
		answer, err := d.rehearse(c)
		return answer, false, err
	}
	if !given {
		answer, err := c.route.handle(d, c)
		return answer, false, err
	}
	if c.route.Unstored || c.route.Media != nil {
		if n := len(keys[0]); n < 1 || n > app.MaxIdempotencyKey {
			return app.Response{}, false, fault.Invalid("Idempotency-Key", "must have 1 to %d characters", app.MaxIdempotencyKey)
		}
		answer, err := c.route.handle(d, c)
		return answer, false, err
	}
	attempt := keys[0]
	if c.route.Public {
		if attempt, err = Attempt(c.r, attempt); err != nil {
			return app.Response{}, false, err
		}
	}
	return d.Once(c.ctx, c.actor, app.OnceAttempt{Key: attempt, Fingerprint: c.fingerprint()},
		func(tx app.Tx) (app.Response, error) {
			return c.route.handle(&door{d.Set.In(tx), d.log, d.public}, c)
		}, func(err error) (app.Response, error) { // stored and replayed like a success
			body, encodeErr := access.Describe(err, w.Header().Get("X-Request-Id"), d.log).Encode()
			return app.Response{Status: http.StatusConflict, Body: body}, encodeErr
		})
}

func checkIdempotencyKey(keys []string) error {
	if len(keys) > 1 {
		return fault.Invalid("Idempotency-Key", "must be given once")
	}
	for _, b := range []byte(keys[0]) {
		if b < 0x20 || b > 0x7e {
			return fault.Invalid("Idempotency-Key", "must be of printable ASCII characters")
		}
	}
	return nil // the Service checks its length
}

// fingerprint distinguishes a retry from another request with the same Idempotency-Key.
func (c *call) fingerprint() []byte {
	h := sha256.New()
	h.Write([]byte(c.r.Method + "\n" + c.r.URL.Path + "\n"))
	h.Write(c.body)
	return h.Sum(nil)
}

// Header values that all answers share; nothing changes them in place.
var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"}
	newline  = []byte{'\n'} // ends every body, so that a shell's prompt starts on a new line
)

func write(w http.ResponseWriter, a app.Response) {
	h := w.Header()
	if a.Status == http.StatusNoContent {
		h["Cache-Control"] = noStore
		w.WriteHeader(a.Status)
		return
	}
	h["Cache-Control"] = noStore
	if a.Media != "" {
		serve.Attach(h, a.Media, a.Name)
	} else {
		h["Content-Type"] = jsonType
	}
	if a.Media == "" && !bytes.HasSuffix(a.Body, newline) {
		a.Body = append(a.Body, newline...)
	}
	h["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	if a.ETag != "" {
		h["Etag"] = []string{a.ETag}
	}
	if a.Location != "" {
		h.Set("Location", a.Location)
	}
	w.WriteHeader(a.Status)
	w.Write(a.Body) // the client may be gone
}
