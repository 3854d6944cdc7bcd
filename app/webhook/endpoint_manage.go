package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/when"
)

// EndpointInput describes a new endpoint.
type EndpointInput struct {
	URL    string   `json:"url"`
	Events []string `json:"events"` // kinds; "*" is catalog.CommonKinds
}

// EndpointInputFields describes what an endpoint is made of.
var EndpointInputFields = field.Resource{
	Text: "An endpoint to be registered.",
	Fields: []field.Field{
		{Name: "url", Text: "Where to send: an https:// address on the public internet, or one that the operator allows.",
			Format: "uri", Most: MaxURL, Required: true},
		{Name: "events",
			Text: "The events to send, at least one; `*` is all but `payment.recorded` and `payment.voided`, which are sent " +
				"only where they are named.",
			Enum: append(field.Values(catalog.EventKinds...), "*"), Required: true},
	},
}

// CreateEndpoint registers an endpoint. Its secret is in the result and is never shown again. It asks DNS, so don't
// call it in a transaction. Errors: bad_request, forbidden, conflict too_many_endpoints.
func (s *Service) CreateEndpoint(ctx context.Context, a app.Actor, in EndpointInput) (NewEndpoint, error) {
	if err := a.May(app.MayManageEndpoints); err != nil {
		return NewEndpoint{}, err
	}
	kinds, err := checkKinds(in.Events)
	in.URL = strings.TrimSpace(in.URL)
	if err := fault.Join(err, s.checkEndpointURL(ctx, in.URL)); err != nil {
		return NewEndpoint{}, err
	}
	now, secret := s.Core.Now(), newSecret()
	e := Endpoint{
		ID: id.New[catalog.EndpointIDKind](now), WorkspaceID: a.Workspace, URL: in.URL, Events: kinds, Enabled: true,
		CreatedAt: when.At(now), Secret: s.Core.Vault().Seal([]byte(secret)),
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		all, err := tx.Endpoints(a.Workspace, maxEndpoints)
		if err != nil {
			return err
		}
		if len(all) == maxEndpoints {
			return fault.Conflictf("too_many_endpoints",
				"This workspace has %d webhook endpoints, the most there may be; delete one first.", maxEndpoints)
		}
		if err := tx.InsertEndpoint(&e); err != nil {
			return err
		}
		return audit.Note(tx, now, a, audit.Entry{Action: audit.EndpointCreated, Subject: e.ID.String()})
	})
	if err != nil {
		return NewEndpoint{}, err
	}
	return NewEndpoint{e, secret}, nil
}

// newSecret makes a signing secret in the format of Standard Webhooks.
func newSecret() string {
	var random [32]byte
	rand.Read(random[:])
	return "whsec_" + base64.StdEncoding.EncodeToString(random[:])
}

func checkKinds(texts []string) (kinds []catalog.EventKind, err error) {
	for _, text := range texts {
		switch kind := catalog.EventKind(strings.TrimSpace(text)); {
		case kind == "*":
			return catalog.CommonKinds, nil
		case !slices.Contains(catalog.EventKinds, kind):
			return nil, fault.Invalid("events", "%q is no event; there are %s", text, listKinds())
		case !slices.Contains(kinds, kind):
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return nil, fault.Invalid("events", "is required: one or more of %s", listKinds())
	}
	return kinds, nil
}

func listKinds() string {
	texts := make([]string, len(catalog.EventKinds))
	for i, k := range catalog.EventKinds {
		texts[i] = string(k)
	}
	return strings.Join(texts, ", ")
}

// Endpoints returns the workspace's endpoints, the oldest first, each with its latest delivery.
func (s *Service) Endpoints(ctx context.Context, a app.Actor) ([]Endpoint, error) {
	if err := a.May(app.MaySeeEndpoints); err != nil {
		return nil, err
	}
	return s.Reader(ctx).Endpoints(a.Workspace, maxEndpoints)
}

// EndpointPage returns one page of Endpoints. The error is bad_request.
func (s *Service) EndpointPage(ctx context.Context, a app.Actor, limit *int,
	after string) (fault.Page[Endpoint], error) {
	if err := a.May(app.MaySeeEndpoints); err != nil {
		return fault.Page[Endpoint]{}, err
	}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return fault.Page[Endpoint]{}, err
	}
	rows, err := s.Endpoints(ctx, a)
	if err != nil {
		return fault.Page[Endpoint]{}, err
	}
	list := fault.List{"webhook-endpoints"}
	if after != "" {
		var last int64
		if err := list.Read(after, &last); err != nil {
			return fault.Page[Endpoint]{}, err
		}
		rows = slices.DeleteFunc(rows, func(e Endpoint) bool { return e.ID <= catalog.EndpointID(last) })
	}
	return fault.PageOf(rows, n, func(e *Endpoint) string { return list.Cursor(int64(e.ID)) }), nil
}

// Endpoint returns one endpoint. The error is not_found.
func (s *Service) Endpoint(ctx context.Context, a app.Actor, ref string) (Endpoint, error) {
	if err := a.May(app.MaySeeEndpoints); err != nil {
		return Endpoint{}, err
	}
	r := s.Reader(ctx)
	e, err := findEndpoint(r, a, ref)
	if err != nil {
		return e, err
	}
	return e, e.addLatest(r)
}

// addLatest reads the endpoint's latest delivery.
func (e *Endpoint) addLatest(r Reader) error {
	latest, err := r.Deliveries(e.WorkspaceID, DeliveryFilter{Endpoint: e.ID, Limit: 1})
	if len(latest) > 0 {
		e.LatestDelivery = &latest[0]
	}
	return err
}

func findEndpoint(r Reader, a app.Actor, ref string) (Endpoint, error) {
	missing := fault.Missing("webhook endpoint", ref)
	id, err := id.Parse[catalog.EndpointIDKind](ref)
	if err != nil {
		return Endpoint{}, missing
	}
	e, err := r.Endpoint(id)
	if err == nil && e.WorkspaceID != a.Workspace {
		return Endpoint{}, missing
	}
	return e, fault.OrMissing(err, missing)
}

// EndpointWorkspace returns the workspace of an endpoint or a delivery, by its id, for the operator of all workspaces.
// Errors: forbidden, not_found.
func (s *Service) EndpointWorkspace(ctx context.Context, a app.Actor, ref string) (catalog.WorkspaceID, error) {
	if err := a.May(app.MayOperate); err != nil {
		return 0, err
	}
	missing := fault.New(fault.NotFound, "",
		`There is no webhook endpoint or delivery "%s"; list them with: daybook webhooks list`, ref)
	endpoint, err := id.Parse[catalog.EndpointIDKind](ref)
	if err != nil {
		delivery, err := id.Parse[booking.DeliveryIDKind](ref)
		if err != nil {
			return 0, missing
		}
		if endpoint, err = s.Reader(ctx).EndpointOf(delivery); err != nil {
			return 0, fault.OrMissing(err, missing)
		}
	}
	e, err := s.Reader(ctx).Endpoint(endpoint)
	return e.WorkspaceID, fault.OrMissing(err, missing)
}

// RotateSecret gives an endpoint a new secret; the old one also signs until overlap has passed. Errors: bad_request,
// forbidden, not_found.
func (s *Service) RotateSecret(ctx context.Context, a app.Actor, ref string,
	overlap time.Duration) (NewEndpoint, error) {
	if err := a.May(app.MayManageEndpoints); err != nil {
		return NewEndpoint{}, err
	}
	if overlap < 0 || overlap > maxOverlap {
		return NewEndpoint{}, fault.Invalid("overlap", "must lie between 0s and %dh", maxOverlap/time.Hour)
	}
	secret := newSecret()
	e, err := s.changeEndpoint(ctx, a, ref, audit.SecretRotated, func(e *Endpoint) error {
		e.PreviousSecret, e.PreviousUntil = "", 0
		if overlap > 0 {
			e.PreviousSecret, e.PreviousUntil = e.Secret, when.At(s.Core.Now().Add(overlap))
		}
		e.Secret = s.Core.Vault().Seal([]byte(secret))
		return nil
	})
	return NewEndpoint{e, secret}, err
}

// EndpointPatch says what to change about an endpoint. Fields that are nil stay as they are.
type EndpointPatch struct {
	URL     *string   `json:"url"`
	Events  *[]string `json:"events"`
	Enabled *bool     `json:"enabled"`
}

// EndpointPatchFields describes what can be changed about an endpoint.
var EndpointPatchFields = field.Resource{
	Text: "What to change about an endpoint; what is left out stays.",
	Fields: []field.Field{
		{Name: "url", Text: "Where to send from now on: as for a new endpoint.", Format: "uri", Most: MaxURL},
		{Name: "events", Text: "The events to send from now on, in place of those before: as for a new endpoint.",
			Enum: EndpointInputFields.Field("events").Enum},
		{Name: "enabled", Text: "Whether to send events to it. Switching it off gives up what waits for it."},
	},
}

// ChangeEndpoint changes an endpoint if check, which gets it as it is, returns nil. It asks DNS about another URL, so
// don't change the URL in a transaction. Errors: bad_request, forbidden, not_found and those of check.
func (s *Service) ChangeEndpoint(ctx context.Context, a app.Actor, ref string, in EndpointPatch,
	check func(*Endpoint) error) (e Endpoint, err error) {
	if err := a.May(app.MayManageEndpoints); err != nil {
		return e, err
	}
	var kinds []catalog.EventKind
	if in.Events != nil {
		kinds, err = checkKinds(*in.Events)
	}
	if in.URL != nil {
		url := strings.TrimSpace(*in.URL)
		err = fault.Join(err, s.checkEndpointURL(ctx, url))
		in.URL = &url
	}
	if err != nil {
		return e, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if e, err = findEndpoint(tx, a, ref); err != nil {
			return err
		}
		if err := check(&e); err != nil {
			return err
		}
		was := e
		if in.URL != nil {
			e.URL = *in.URL
		}
		if in.Events != nil {
			e.Events = kinds
		}
		if in.Enabled != nil && *in.Enabled != e.Enabled {
			e.switchTo(*in.Enabled, when.At(s.Core.Now()))
		}
		if err := tx.UpdateEndpoint(&e); err != nil {
			return err
		}
		if err := tx.SaveFailing(e.WorkspaceID, e.ID, e.FailingSince); err != nil {
			return err
		}
		if err := s.noteChange(tx, a, &was, &e); err != nil {
			return err
		}
		return e.addLatest(tx)
	})
	return e, err
}

// noteChange logs in what an endpoint differs from what it was.
func (s *Service) noteChange(tx Tx, a app.Actor, was, e *Endpoint) error {
	entry := audit.Entry{Action: audit.EndpointChanged, Subject: e.ID.String()}
	if was.URL != e.URL {
		entry.Fields = append(entry.Fields, "url")
	}
	if !slices.Equal(was.Events, e.Events) {
		entry.Fields = append(entry.Fields, "events")
	}
	if len(entry.Fields) > 0 {
		if err := audit.Note(tx, s.Now(), a, entry); err != nil {
			return err
		}
	}
	switch {
	case was.Enabled == e.Enabled:
		return nil
	case e.Enabled:
		entry.Action = audit.EndpointEnabled
	default:
		entry.Action = audit.EndpointDisabled
	}
	entry.Fields = nil
	return audit.Note(tx, s.Now(), a, entry)
}

// EnableEndpoint lets an endpoint get events again, from now on. Errors: forbidden, not_found.
func (s *Service) EnableEndpoint(ctx context.Context, a app.Actor, ref string) (Endpoint, error) {
	return s.changeEndpoint(ctx, a, ref, audit.EndpointEnabled,
		func(e *Endpoint) error { e.switchTo(true, 0); return nil })
}

// DisableEndpoint stops sending events to an endpoint. Its pending deliveries fail, and can be sent again later.
// Errors: forbidden, not_found.
func (s *Service) DisableEndpoint(ctx context.Context, a app.Actor, ref string) (Endpoint, error) {
	return s.changeEndpoint(ctx, a, ref, audit.EndpointDisabled, func(e *Endpoint) error {
		if e.Enabled {
			e.switchTo(false, when.At(s.Core.Now()))
		}
		return nil
	})
}

// switchTo is what the owner chooses.
func (e *Endpoint) switchTo(on bool, at when.Instant) {
	if on {
		e.Enabled, e.DisabledReason, e.DisabledAt, e.FailingSince = true, "", 0, 0
		return
	}
	e.disable(DisabledByOwner, at)
}

func (e *Endpoint) disable(why DisabledReason, at when.Instant) {
	e.Enabled, e.DisabledReason, e.DisabledAt = false, why, at
}

// DeleteEndpoint deletes an endpoint and its secret if all checks, which get it as it is, return nil. Its log is
// deleted as it gets old. Errors: forbidden, not_found and those of checks.
func (s *Service) DeleteEndpoint(ctx context.Context, a app.Actor, ref string, checks ...func(*Endpoint) error) error {
	_, err := s.changeEndpoint(ctx, a, ref, audit.EndpointDeleted, func(e *Endpoint) error {
		if err := fault.Agree(e, checks); err != nil {
			return err
		}
		e.Enabled, e.Secret, e.PreviousSecret, e.PreviousUntil, e.DeletedAt = false, "", "", 0, when.At(s.Core.Now())
		return nil
	})
	return err
}

func (s *Service) changeEndpoint(ctx context.Context, a app.Actor, ref string, what audit.Action,
	change func(*Endpoint) error) (e Endpoint, err error) {
	if err := a.May(app.MayManageEndpoints); err != nil {
		return e, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if e, err = findEndpoint(tx, a, ref); err != nil {
			return err
		}
		enabled := e.Enabled
		if err := change(&e); err != nil {
			return err
		}
		if err := tx.UpdateEndpoint(&e); err != nil {
			return err
		}
		if err := tx.SaveFailing(e.WorkspaceID, e.ID, e.FailingSince); err != nil {
			return err
		}
		if what == audit.EndpointEnabled && enabled || what == audit.EndpointDisabled && !enabled { // it was already
			return e.addLatest(tx)
		}
		if err := audit.Note(tx, s.Now(), a, audit.Entry{Action: what, Subject: e.ID.String()}); err != nil {
			return err
		}
		return e.addLatest(tx)
	})
	return e, err
}
