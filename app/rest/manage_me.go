package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/right"
	"daybook/app/subjects"
	"daybook/app/when"
)

// Me is whose key a call has, and what it may do.
type Me struct {
	Workspace Workspace `json:"workspace"`
	Key       MyKey     `json:"key"`
}

// Workspace is the one that a key is of.
type Workspace struct {
	ID       catalog.WorkspaceID `json:"id"`
	Slug     string              `json:"slug"`
	Name     string              `json:"name"`
	TimeZone string              `json:"timeZone"`
	Currency string              `json:"currency"`
}

// MyKey is the key of a call.
type MyKey struct {
	ID        app.KeyID     `json:"id"`
	Name      string        `json:"name"`
	Scope     account.Scope `json:"scope"`
	Areas     []string      `json:"areas"`
	Limits    *Limits       `json:"limits"`
	RateLimit int           `json:"rateLimit"`
	CreatedAt when.Instant  `json:"createdAt"`
}

// Limits are what a restricted key may do at most; a list that is empty limits nothing.
type Limits struct {
	Rights     []string              `json:"rights"`
	EventTypes []catalog.EventTypeID `json:"eventTypes"`
	Hosts      []catalog.HostID      `json:"hosts"`
	Until      when.Instant          `json:"until"`
	Addresses  []string              `json:"addresses"`
}

// limitsOf returns nil for a key without limits.
func limitsOf(l *right.Limits) *Limits {
	if l == nil {
		return nil
	}
	shown := Limits{l.Rights.List(), append([]catalog.EventTypeID{}, l.EventTypes...),
		append([]catalog.HostID{}, l.Hosts...), l.Until, []string{}}
	for _, a := range l.Addresses {
		shown.Addresses = append(shown.Addresses, a.String())
	}
	return &shown
}

var meFields = field.Resource{
	Text: "Whose key this is, and what it may do.",
	Fields: []field.Field{
		{Name: "workspace", Text: "The workspace that the key is of: it sees and changes no other."},
		{Name: "key", Text: "The key of this request."},
	},
}

// workspaceFields are those of its description that a key is told.
var workspaceFields = func() field.Resource {
	r := field.Resource{Text: "The workspace that a key is of."}
	for _, name := range []string{"id", "slug", "name", "timeZone", "currency"} {
		f := *catalog.WorkspaceFields.Field(name)
		f.Format, f.Enum, f.Null = "", nil, false
		r.Fields = append(r.Fields, f)
	}
	return r
}()

var myKeyFields = field.Resource{
	Text: "An API key, without its value.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the key; it stays when the key is rotated.", Example: "key_1p4s8yvz00n1b"},
		{Name: "name", Text: "What its owner calls it.", Example: "Website"},
		{Name: "scope", Text: "`full` may change things, `read-only` may read.",
			Enum: field.Values(account.FullScope, account.ReadOnlyScope)},
		{Name: "areas", Text: "What it was granted besides: what stands behind each is listed under rights."},
		{Name: "limits", Text: "What it may do at most; null for a key without limits.", Null: true},
		{Name: "rateLimit", Text: "Requests that it has in any 60 seconds.", Example: 120},
		{Name: "createdAt", Text: "When it was made."},
	},
}

var limitsFields = field.Resource{
	Text: "What a restricted key may do at most. A list that is empty limits nothing.",
	Fields: []field.Field{
		{Name: "rights", Text: "All that it may do.", Enum: field.Values(right.Names...)},
		{Name: "eventTypes", Text: "Ids of the only event types that it knows."},
		{Name: "hosts", Text: "Ids of the only hosts that it knows."},
		{Name: "until", Text: "When it ends; null for never.", Null: true},
		{Name: "addresses", Text: "The networks from which it may be used.", Example: []string{"203.0.113.0/24"}},
	},
}

var getMe = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/me", ID: "getMe", Tag: "Key",
	Summary:   "Retrieve your own key",
	Text:      "Answers what the key of this request is and may do, and the workspace that it is of. Every key may ask.",
	Successes: []openapi.Success{{Status: 200, Text: "The key and its workspace.", Body: Me{}}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	a, k := c.Actor(), c.Key()
	setup, err := s.SetupFor(a)
	if err != nil {
		return app.Response{}, err
	}
	w := &setup.Workspace
	return respond(http.StatusOK, Me{
		Workspace{w.ID, w.Slug, w.Name, w.TimeZone, w.Currency},
		MyKey{k.ID, k.Name, k.Scope, a.Areas.Names(), limitsOf(k.Limits), k.RateLimit, k.CreatedAt},
	}, nil)
}}
