package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/oauth"
	"daybook/app/rest/openapi"
	"daybook/app/right"
	"daybook/app/subjects"
	"daybook/app/waitlist"
)

// PublicOptions are the settings of the booking page, which bind public keys, too.
type PublicOptions struct {
	BookingsPerHour int    // of a network address, with those of the booking pages; below 1 is no limit
	Challenge       int    // zero bits of a proof of work; 0 asks for none
	FormKey         []byte // signs its keys; nil makes one for this process
}

// Door admits calls with public keys.
type Door struct {
	account   *account.Service
	app       *app.Service
	form      *gate.Service
	waits     *waitlist.Service
	most      int
	challenge *gate.Challenge
	calls     access.Calls
}

// NewPublic makes the door.
func NewPublic(s *subjects.Set, o PublicOptions) *Door {
	return &Door{account: s.Account, app: s.Service, form: s.Gate, waits: s.Waitlist, most: o.BookingsPerHour,
		challenge: gate.NewChallenge(o.Challenge, o.FormKey, s.Now)}
}

// Path begins the paths of the operations.
const Path = "/v1/public/"

// Visitor is the header with a token that a page draws for each visitor, which makes their Idempotency-Key their own.
const Visitor = "Daybook-Visitor"

const exposed = "X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed"

// Preflight answers what a browser asks before a page of another origin may send a request. It has no key yet, so every
// origin may ask: what counts is the request itself.
func Preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", "GET, POST")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, "+Visitor)
		h.Set("Access-Control-Max-Age", "7200")
	}
}

// Admit finds the public key of the request, lets pages of its origins read the answer, and counts the call of the
// network address. Errors: unauthorized; forbidden (another kind of key, another origin); rate_limited.
func (d *Door) Admit(w http.ResponseWriter, r *http.Request) (account.Key, error) {
	h := w.Header()
	h.Add("Vary", "Origin")
	value := access.Token(r)
	if value == "" {
		return account.Key{}, fault.New(fault.Unauthorized, "", "Send a public key as Authorization: Bearer pk_…")
	}
	if oauth.IsToken(value) {
		return account.Key{}, access.OfTools()
	}
	k, err := d.account.Authenticate(value)
	if err != nil {
		return k, err
	}
	if k.Scope != account.PublicScope {
		return k, right.NotPublic()
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin) // a page of another origin may read that it is refused
		if !k.Limits.Allows(origin) {
			return k, right.Foreign(origin)
		}
		h.Set("Access-Control-Expose-Headers", exposed)
	}
	left, err := d.calls.Count(d.app.Now(), access.From(r), k.ID.String()+" ", k.RateLimit)
	access.SetLimit(h, left)
	return k, err
}

// Attempt returns the visitor's own Idempotency-Key. The error is bad_request without a visitor.
func Attempt(r *http.Request, key string) (string, error) {
	visitor := r.Header.Values(Visitor)
	if len(visitor) != 1 || len(visitor[0]) < openapi.MinVisitor || len(visitor[0]) > openapi.MaxVisitor ||
		strings.ContainsFunc(visitor[0], func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", fault.Invalid(Visitor, "must come with an Idempotency-Key of a public key: %d to %d random characters "+
			"that your page draws for each visitor", openapi.MinVisitor, openapi.MaxVisitor)
	}
	if len(key) < 1 || len(key) > 255 {
		return key, nil // refused where keys are looked up
	}
	sum := sha256.Sum256([]byte(visitor[0] + "\n" + key))
	return hex.EncodeToString(sum[:]), nil
}

// spend asks for the proof of work of the booking form, if there is one, and counts a booking of the address.
func (d *Door) spend(c PublicCall, in *publicBooking) error {
	bits, err := d.form.Work(c.Context(), c.Actor().Workspace, d.challenge.Bits(), d.most)
	if err != nil {
		return err
	}
	if !d.challenge.Met(in.Key, in.Proof, bits) {
		return d.ask(bits)
	}
	f := gate.Form{Client: gate.Client{Address: c.From(), Most: d.most}, Proves: bits > 0,
		Purpose: c.Actor().Workspace.String() + "/" + in.EventType + "@" + in.Start + "/" +
			fault.EmailKey(in.Invitee.Email) + in.Invitee.Phone}
	if f.Proves {
		f.Key = in.Key
	}
	err = d.form.Spend(c.Context(), f)
	if errors.Is(err, gate.ErrSpent) {
		return d.ask(bits)
	}
	return err
}

func (d *Door) ask(bits int) error {
	return fault.Conflictf("proof_of_work", "This server asks for some work: find a proof, any text, for which the "+
		"SHA-256 of key, a colon and the proof begins with that many zero bits, and send the request again "+
		"with key and proof.").
		With("key", d.challenge.Key()).With("bits", bits)
}
