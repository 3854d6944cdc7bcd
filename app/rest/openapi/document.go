package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// Document is the OpenAPI description of the API.
type Document struct {
	OpenAPI    string                          `json:"openapi"`
	Info       Info                            `json:"info"`
	Servers    []Server                        `json:"servers"`
	Security   []map[string][]string           `json:"security"`
	Tags       []Tag                           `json:"tags"`
	Paths      map[string]map[string]Operation `json:"paths"`
	Webhooks   map[string]map[string]Operation `json:"webhooks"`
	Components Components                      `json:"components"`

	Operations []Operation `json:"-"` // in the order of the routes, for the reference page
}

// Info is the head of the document.
type Info struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"` // of the API: see apiVersion
	Program     string `json:"x-program-version"`
}

// Server is the address of the API.
type Server struct {
	URL string `json:"url"`
}

// Tag is a group of operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Operation is a method of a path, or the delivery of an event to a webhook.
type Operation struct {
	ID          string                 `json:"operationId"`
	Tags        []string               `json:"tags"`
	Security    *[]map[string][]string `json:"security,omitempty"`
	Summary     string                 `json:"summary"`
	Description string                 `json:"description"`
	Parameters  []Parameter            `json:"parameters,omitempty"`
	RequestBody *Content               `json:"requestBody,omitempty"`
	Responses   map[string]*Response   `json:"responses"`

	Method string `json:"-"`
	Path   string `json:"-"`
}

// Parameter is a parameter of an operation, in its path, query or headers.
type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required,omitempty"`
	Style       string  `json:"style,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
	Schema      *Schema `json:"schema"`
	Example     any     `json:"example,omitempty"`

	Sampled bool `json:"-"` // the samples of the documentation give it
}

// Content is the body of a request.
type Content struct {
	Description string               `json:"description,omitempty"`
	Required    bool                 `json:"required,omitempty"`
	Content     map[string]MediaType `json:"content"`
}

// MediaType is the shape of a body, with an example.
type MediaType struct {
	Schema  *Schema `json:"schema"`
	Example any     `json:"example,omitempty"`
}

// Response is one answer of an operation.
type Response struct {
	Ref         string               `json:"$ref,omitempty"`
	Description string               `json:"description,omitempty"`
	Headers     map[string]Header    `json:"headers,omitempty"`
	Content     map[string]MediaType `json:"content,omitempty"`
}

// Header is a header of an answer.
type Header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
}

// Components are what operations refer to by name.
type Components struct {
	Schemas         map[string]*Schema   `json:"schemas"`
	Headers         map[string]Header    `json:"headers"`
	Parameters      map[string]Parameter `json:"parameters,omitempty"`
	SecuritySchemes map[string]any       `json:"securitySchemes"`
}

// API is the API that a document describes.
type API struct {
	Base, Prefix string                      // the server's address, and the prefix of the paths of all operations
	Version      string                      // of the program
	Routes       []*Route                    // in the order of the document
	Types        map[reflect.Type]Type       // those whose name in the document differs from their Go name
	DryRun       any                         // of the type that a POST answers with dryRun
	Errors       map[fault.Code]*fault.Error // errors of the door itself, for examples: too large, not JSON
}

// Describe generates the document of an API.
func Describe(of API) *Document {
	version := cmp.Or(of.Version, "dev")
	d := &Document{
		OpenAPI:  "3.1.0",
		Info:     Info{Title: "Daybook API", Description: introduction, Version: apiVersion, Program: version},
		Servers:  []Server{{URL: of.Base}},
		Security: []map[string][]string{{"bearer": {}}},
		Tags:     tags,
		Paths:    map[string]map[string]Operation{},
		Webhooks: map[string]map[string]Operation{},
		Components: Components{
			Headers: headers,
			SecuritySchemes: map[string]any{"bearer": map[string]any{
				"type": "http", "scheme": "bearer",
				"description": "An API key of the workspace: `full` may do everything, `read-only` may only read. Keep it out " +
					"of client-side code.",
			}, "publicKey": map[string]any{
				"type": "http", "scheme": "bearer",
				"description": "A public key (`pk_…`), which stands in a web page: for open times and booking, as visitors may.",
			}},
		},
	}
	s := &describer{API: of, Set: NewSet(of.Types)}
	for _, each := range of.Routes {
		op := s.operation(each)
		if d.Paths[op.Path] == nil {
			d.Paths[op.Path] = map[string]Operation{}
		}
		d.Paths[op.Path][strings.ToLower(op.Method)] = op
		d.Operations = append(d.Operations, op)
	}
	for _, kind := range catalog.EventKinds {
		d.Webhooks[string(kind)] = map[string]Operation{"post": s.webhook(kind)}
	}
	d.Components.Schemas = s.Named
	return d
}

// describer generates the operations of a document and the schemas that they refer to.
type describer struct {
	API
	*Set
}

func (s *describer) operation(rt *Route) Operation {
	op := Operation{
		ID: rt.ID, Tags: []string{rt.Tag}, Summary: rt.Summary, Description: rt.Text, Method: rt.Method,
		Path:      s.Prefix + rt.Path,
		Responses: map[string]*Response{},
	}
	if rt.Public {
		op.Security = &[]map[string][]string{{"publicKey": {}}}
	}
	if strings.Contains(rt.Path, "{id}") {
		op.Parameters = append(op.Parameters,
			Parameter{Name: "id", In: "path", Required: true, Description: "The id of the " + idText(rt) + ".",
				Schema: &Schema{Type: "string"}})
	}
	for _, p := range []Parameter{{Name: "date", Description: "The day, such as `2026-12-24`.", Example: "2026-12-24"},
		{Name: "entry", Description: "The `id` of the time off in its list.", Example: ExampleTimeOff},
		{Name: "file", Description: "The id of the file.", Example: "cf_1p4s8ywa0g0q2"},
		{Name: "consent", Description: "The id of the consent.", Example: "cs_1p4s8ywa0g0q3"},
		{Name: "health", Description: "The id of the health entry.", Example: "he_1p4s8ywa0g0q4"}} {
		if rt.Tag == "Contacts" && p.Name == "entry" {
			p.Description, p.Example = "The id of the entry.", "en_1p4s8ywa0g0q1"
		}
		if strings.Contains(rt.Path, "{"+p.Name+"}") {
			p.In, p.Required, p.Schema = "path", true, &Schema{Type: "string"}
			op.Parameters = append(op.Parameters, p)
		}
	}
	for i := range rt.Params {
		op.Parameters = append(op.Parameters, rt.Params[i].describe())
	}
	if rt.Method == http.MethodPost {
		key := idempotencyKey
		if rt.Unstored {
			key.Description = "Taken, but nothing is kept for it: the answer shows a secret."
		}
		if rt.Media != nil {
			key.Description = "Taken, but nothing is kept for it: the same file again gets the same answer."
		}
		if rt.Another {
			key.Description = "Taken, but nothing is kept for it: the same file again is another one. List the files before you " +
				"try again."
		}
		op.Parameters = append(op.Parameters, key)
	}
	if rt.Public && rt.Method == http.MethodPost {
		op.Parameters = append(op.Parameters, visitor)
	}
	if rt.IfMatch != "" {
		op.Parameters = append(op.Parameters, Parameter{Name: "If-Match", In: "header", Description: rt.IfMatch,
			Schema: &Schema{Type: "string"}})
	}
	if rt.Body != nil {
		op.RequestBody = &Content{Required: !rt.BodyOptional, Content: jsonContent(s.Of(rt.Body), rt.BodyExample)}
	}
	if rt.Media != nil {
		op.RequestBody = &Content{Required: true, Content: files(rt.Media)}
	}
	if rt.Method == http.MethodGet && slices.ContainsFunc(rt.Successes, func(a Success) bool { return a.ETag }) {
		op.Parameters = append(op.Parameters, Parameter{Name: "If-None-Match", In: "header", Schema: &Schema{Type: "string"},
			Description: "The `ETag` of the answer that you have: 304 without a body while that is still the same."})
		op.Responses["304"] = &Response{Description: "It is still the version in `If-None-Match`.",
			Headers: headersOf("X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")}
	}
	for _, a := range rt.Successes {
		h := headersOf("X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
		if rt.stored() {
			h["Idempotency-Replayed"] = headerRef("Idempotency-Replayed")
		}
		if a.ETag {
			h["ETag"] = Header{Description: "The version of the resource: every change gives it another one.",
				Schema: &Schema{Type: "string"}}
		}
		if a.Location != "" {
			h["Location"] = Header{Description: a.Location, Schema: &Schema{Type: "string", Format: "uri-reference"}}
		}
		op.Responses[strconv.Itoa(a.Status)] = &Response{Description: a.Text, Headers: h}
		if a.Body != nil {
			op.Responses[strconv.Itoa(a.Status)].Content = jsonContent(s.Of(a.Body), a.Example)
		}
		if a.Media != nil {
			op.Responses[strconv.Itoa(a.Status)].Content = files(a.Media)
		}
	}
	if rt.Method == http.MethodPost && !rt.Public {
		s.dryRun(rt, &op)
	}
	for code, text := range errorsOf(rt) {
		op.Responses[strconv.Itoa(code.Status())] = s.failure(rt, code, text)
	}
	return op
}

// stored reports whether the operation's answer is stored under an Idempotency-Key.
func (rt *Route) stored() bool {
	return rt.Method == http.MethodPost && !rt.Unstored && rt.Media == nil
}

func idText(rt *Route) string {
	switch rt.Tag {
	case "Payments":
		for path, what := range map[string]string{"/v1/payments/": "payment", "/v1/receipts/": "receipt"} {
			if strings.HasPrefix(rt.Path, path) {
				return what
			}
		}
	case "Event types":
		return "event type, or its slug"
	case "Contacts":
		return "contact"
	case "Members":
		return "member"
	case "Hosts":
		return "host"
	case "Resources":
		return "resource"
	case "Products":
		return "product"
	case "Webhooks":
		return "endpoint"
	case "Holds":
		return "hold"
	case "Visits":
		return "visit"
	case "Series":
		return "series"
	case "Waitlist":
		return "waitlist entry"
	case "Invitations":
		return "invitation"
	case "Pictures":
		return "picture"
	}
	return "booking"
}

const unavailable = "The database can't be reached or is overloaded at the moment, and nothing was done: " +
	"wait `Retry-After` seconds, then try again."

// errorsOf returns the errors of an operation.
func errorsOf(rt *Route) map[fault.Code]string {
	all := map[fault.Code]string{
		fault.BadRequest:   "The request is malformed: `details.field` names what is wrong.",
		fault.Unauthorized: "The API key is missing, unknown or revoked.",
		fault.RateLimited:  "Too many requests with this key: wait `Retry-After` seconds, then try again with jitter.",
		fault.Internal:     "Something went wrong on the server's side. Try again; with an Idempotency-Key that is safe.",
	}
	if rt.Path != "/openapi.json" {
		all[fault.Unavailable] = unavailable
		all[fault.Forbidden] = "The key is restricted: it lacks the right, or may not be used from this address."
	}
	if rt.Method != http.MethodGet {
		all[fault.Forbidden] = "The key is read-only, or restricted: it lacks the right, or this address may not use it."
	}
	if rt.stored() {
		all[fault.Conflict] = "`details.reason` is `idempotency_mismatch`: the Idempotency-Key was used for another request."
	}
	if rt.Method == http.MethodPost || rt.Method == http.MethodPatch {
		all[fault.PayloadTooLarge] = "The body is larger than 1 MiB."
		all[fault.UnsupportedMediaType] = "The body is not `application/json`."
	}
	if rt.Public {
		all[fault.Forbidden] = "It is no public key, or pages of this origin may not use it."
		all[fault.RateLimited] = "Too many requests or bookings from this network address: wait `Retry-After` seconds."
	}
	if rt.IfMatch != "" {
		all[fault.PreconditionFailed] = "It has changed since the version in `If-Match`, or that is empty."
	}
	for _, e := range rt.Errors {
		if rt.stored() && e.Code == fault.Conflict {
			e.Text += " Or `idempotency_mismatch`: the Idempotency-Key was used for another request."
		}
		all[e.Code] = e.Text
	}
	return all
}

func (s *describer) failure(rt *Route, code fault.Code, text string) *Response {
	h := headersOf("X-Request-Id")
	switch code {
	case fault.Unauthorized:
		h["WWW-Authenticate"] = headerRef("WWW-Authenticate")
	case fault.RateLimited, fault.Unavailable:
		h["Retry-After"] = headerRef("Retry-After")
	case fault.Conflict:
		if rt.stored() {
			h["Idempotency-Replayed"] = headerRef("Idempotency-Replayed")
		}
	}
	if code != fault.Unauthorized {
		for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			h[name] = headerRef(name)
		}
	}
	return &Response{Description: text, Headers: h,
		Content: jsonContent(s.Of(fault.ErrorBody{}), s.exampleError(rt, code))}
}

// webhook describes the delivery of an event of the kind to an endpoint.
func (s *describer) webhook(kind catalog.EventKind) Operation {
	return Operation{
		ID: "on" + camel(string(kind)), Tags: []string{"Webhooks"},
		Summary:     "Told of " + string(kind),
		Description: kind.When() + " Answer with any 2xx within 15 seconds; the guide to webhooks says what else counts.",
		Security:    &[]map[string][]string{},
		Parameters: []Parameter{
			{Name: "X-Service-Signature", In: "header", Required: true,
				Description: "`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the endpoint's secret; two `v1` while a " +
					"rotated secret overlaps.", Schema: &Schema{Type: "string"}},
			{Name: "webhook-id", In: "header", Required: true, Description: "The event's id: the same at every attempt.",
				Schema: &Schema{Type: "string"}},
			{Name: "webhook-timestamp", In: "header", Required: true,
				Description: "When this attempt was signed, in Unix seconds.", Schema: &Schema{Type: "string"}},
			{Name: "webhook-signature", In: "header", Required: true, Description: "`v1,<base64>`, as Standard Webhooks has it.",
				Schema: &Schema{Type: "string"}},
		},
		RequestBody: &Content{Required: true, Content: jsonContent(s.Of(EventOf(kind)), ExampleEvent(kind))},
		Responses: map[string]*Response{
			"2XX": {Description: "It was received."},
			"410": {Description: "Nobody wants it any more: the endpoint is disabled at once."},
		},
	}
}

// camel is booking.no_show as BookingNoShow.
func camel(text string) (all string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '_' }) {
		all += strings.ToUpper(word[:1]) + word[1:]
	}
	return all
}

func (p *Param) describe() Parameter {
	out := Parameter{Name: p.Name, In: "query", Description: p.Text, Required: p.Required, Example: p.Example, Sampled: p.Required || p.Sampled,
		Schema: &Schema{Type: "string", Default: p.Default}}
	switch {
	case p.Kind == "integer":
		out.Schema.Type, out.Schema.Minimum, out.Schema.Maximum = "integer", &p.Min, &p.Max
	case p.Kind != "":
		out.Schema.Type = p.Kind
	case p.List:
		out.Style, out.Explode = "form", new(bool)
		out.Schema = &Schema{Type: "array",
			Items: &Schema{Type: "string", Enum: Values(p.Enum...)}}
		out.Example = strings.Split(p.Example.(string), ",")
	default:
		out.Schema.Enum = Values(p.Enum...)
		if p.Enum == nil {
			out.Schema.MaxLength = p.Longest()
		}
	}
	return out
}

// files are the bodies that are files of these media types.
func files(media []string) map[string]MediaType {
	all := make(map[string]MediaType, len(media))
	for _, kind := range media {
		all[kind] = MediaType{Schema: &Schema{}}
	}
	return all
}

func jsonContent(s *Schema, example any) map[string]MediaType {
	return map[string]MediaType{"application/json": {Schema: s, Example: example}}
}

func headersOf(names ...string) map[string]Header {
	all := map[string]Header{}
	for _, name := range names {
		all[name] = headerRef(name)
	}
	return all
}

func headerRef(name string) Header { return Header{Ref: "#/components/headers/" + name} }

// JSON returns the document as JSON: always the same bytes.
func (d *Document) JSON() []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(d); err != nil {
		panic(err) // its types all have JSON
	}
	return text.Bytes()
}
