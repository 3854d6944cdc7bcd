package rest

import (
	"net/http"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// document is the OpenAPI description of the API.
type document struct {
	OpenAPI    string                          `json:"openapi"`
	Info       info                            `json:"info"`
	Servers    []server                        `json:"servers"`
	Security   []map[string][]string           `json:"security"`
	Tags       []tag                           `json:"tags"`
	Paths      map[string]map[string]operation `json:"paths"`
	Webhooks   map[string]map[string]operation `json:"webhooks"`
	Components components                      `json:"components"`

	operations []operation // in the order of routes, for the reference page
}

type info struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"` // of the API: see apiVersion
	Program     string `json:"x-program-version"`
}

type server struct {
	URL string `json:"url"`
}

type tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type operation struct {
	ID          string                 `json:"operationId"`
	Tags        []string               `json:"tags"`
	Security    *[]map[string][]string `json:"security,omitempty"`
	Summary     string                 `json:"summary"`
	Description string                 `json:"description"`
	Parameters  []parameter            `json:"parameters,omitempty"`
	RequestBody *content               `json:"requestBody,omitempty"`
	Responses   map[string]*response   `json:"responses"`

	method, path string
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required,omitempty"`
	Style       string  `json:"style,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
	Schema      *schema `json:"schema"`
	Example     any     `json:"example,omitempty"`
}

type content struct {
	Description string               `json:"description,omitempty"`
	Required    bool                 `json:"required,omitempty"`
	Content     map[string]mediaType `json:"content"`
}

type mediaType struct {
	Schema  *schema `json:"schema"`
	Example any     `json:"example,omitempty"`
}

type response struct {
	Ref         string               `json:"$ref,omitempty"`
	Description string               `json:"description,omitempty"`
	Headers     map[string]header    `json:"headers,omitempty"`
	Content     map[string]mediaType `json:"content,omitempty"`
}

type header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *schema `json:"schema,omitempty"`
}

type components struct {
	Schemas         map[string]*schema   `json:"schemas"`
	Headers         map[string]header    `json:"headers"`
	Parameters      map[string]parameter `json:"parameters,omitempty"`
	SecuritySchemes map[string]any       `json:"securitySchemes"`
}

// describe makes the document of the routes.
func describe(base, version string, routes []route) *document {
	if version == "" {
		version = "dev"
	}
	d := &document{
		OpenAPI:  "3.1.0",
		Info:     info{Title: "Daybook API", Description: introduction, Version: apiVersion, Program: version},
		Servers:  []server{{URL: base}},
		Security: []map[string][]string{{"bearer": {}}},
		Tags:     tags,
		Paths:    map[string]map[string]operation{},
		Webhooks: map[string]map[string]operation{},
		Components: components{
			Headers: headers,
			SecuritySchemes: map[string]any{"bearer": map[string]any{
				"type": "http", "scheme": "bearer",
				"description": "An API key of the workspace: `full` may do everything, `read-only` may only read. Keep it out of client-side code.",
			}},
		},
	}
	s := &schemas{named: map[string]*schema{}}
	for i := range routes {
		op := s.operation(&routes[i])
		if d.Paths[op.path] == nil {
			d.Paths[op.path] = map[string]operation{}
		}
		d.Paths[op.path][strings.ToLower(op.method)] = op
		d.operations = append(d.operations, op)
	}
	for _, kind := range catalog.EventKinds {
		d.Webhooks[string(kind)] = map[string]operation{"post": s.webhook(kind)}
	}
	d.Components.Schemas = s.named
	return d
}

func (s *schemas) operation(rt *route) operation {
	op := operation{
		ID: rt.id, Tags: []string{rt.tag}, Summary: rt.summary, Description: rt.text, method: rt.method, path: prefix + rt.path,
		Responses: map[string]*response{},
	}
	if strings.Contains(rt.path, "{id}") {
		op.Parameters = append(op.Parameters, parameter{Name: "id", In: "path", Required: true, Description: "The id of the " + idText(rt) + ".", Schema: &schema{Type: "string"}})
	}
	for i := range rt.params {
		op.Parameters = append(op.Parameters, rt.params[i].describe())
	}
	if rt.method == http.MethodPost {
		key := idempotencyKey
		if rt.unstored {
			key.Description = "Taken, but nothing is kept for it: the answer shows a secret."
		}
		op.Parameters = append(op.Parameters, key)
	}
	if rt.body != nil {
		op.RequestBody = &content{Required: !rt.bodyOptional, Content: jsonContent(s.of(rt.body), rt.bodyExample)}
	}
	for _, a := range rt.answers {
		h := headersOf("X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
		if rt.stored() {
			h["Idempotency-Replayed"] = headerRef("Idempotency-Replayed")
		}
		if a.location != "" {
			h["Location"] = header{Description: a.location, Schema: &schema{Type: "string", Format: "uri-reference"}}
		}
		op.Responses[strconv.Itoa(a.status)] = &response{Description: a.text, Headers: h}
		if a.body != nil {
			op.Responses[strconv.Itoa(a.status)].Content = jsonContent(s.of(a.body), a.example)
		}
	}
	for code, text := range errorsOf(rt) {
		op.Responses[strconv.Itoa(code.Status())] = s.failure(rt, code, text)
	}
	return op
}

// stored reports whether the operation's answer is kept for an Idempotency-Key.
func (rt *route) stored() bool { return rt.method == http.MethodPost && !rt.unstored }

func idText(rt *route) string {
	switch rt.tag {
	case "Event types":
		return "event type, or its slug"
	case "Contacts":
		return "contact"
	case "Webhooks":
		return "endpoint"
	}
	return "booking"
}

// errorsOf are the errors that an operation may answer.
func errorsOf(rt *route) map[fault.Code]string {
	all := map[fault.Code]string{
		fault.BadRequest:   "The request is malformed: `details.field` names what is wrong.",
		fault.Unauthorized: "The API key is missing, unknown or revoked.",
		fault.RateLimited:  "Too many requests with this key: wait `Retry-After` seconds, then try again with jitter.",
		fault.Internal:     "Something went wrong on the server's side. Try again; with an Idempotency-Key that is safe.",
	}
	if rt.method != http.MethodGet {
		all[fault.Forbidden] = "The key is read-only."
	}
	if rt.stored() {
		all[fault.Conflict] = "`details.reason` is `idempotency_mismatch`: the Idempotency-Key was used for another request."
	}
	if rt.method == http.MethodPost {
		all[fault.PayloadTooLarge] = "The body is larger than 1 MiB."
		all[fault.UnsupportedMediaType] = "The body is not `application/json`."
	}
	for _, e := range rt.errors {
		if rt.stored() && e.code == fault.Conflict {
			e.text += " Or `idempotency_mismatch`: the Idempotency-Key was used for another request."
		}
		all[e.code] = e.text
	}
	return all
}

func (s *schemas) failure(rt *route, code fault.Code, text string) *response {
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
	return &response{Description: text, Headers: h, Content: jsonContent(s.of(fault.ErrorBody{}), exampleError(rt, code))}
}

// webhook describes how an event of the kind is told to an endpoint.
func (s *schemas) webhook(kind catalog.EventKind) operation {
	return operation{
		ID: "on" + camel(string(kind)), Tags: []string{"Webhooks"},
		Summary: "Told of " + string(kind), Description: eventTexts[kind] + " Answer with any 2xx within 15 seconds; the guide to webhooks says what else counts.",
		Security: &[]map[string][]string{},
		Parameters: []parameter{
			{Name: "X-Service-Signature", In: "header", Required: true, Description: "`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the endpoint's secret; two `v1` while a rotated secret overlaps.", Schema: &schema{Type: "string"}},
			{Name: "webhook-id", In: "header", Required: true, Description: "The event's id: the same at every attempt.", Schema: &schema{Type: "string"}},
			{Name: "webhook-timestamp", In: "header", Required: true, Description: "When this attempt was signed, in Unix seconds.", Schema: &schema{Type: "string"}},
			{Name: "webhook-signature", In: "header", Required: true, Description: "`v1,<base64>`, as Standard Webhooks has it.", Schema: &schema{Type: "string"}},
		},
		RequestBody: &content{Required: true, Content: jsonContent(s.of(eventOf(kind)), exampleEvent(kind))},
		Responses: map[string]*response{
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

func (p *param) describe() parameter {
	out := parameter{Name: p.name, In: "query", Description: p.text, Required: p.required, Example: p.example, Schema: &schema{Type: "string", Default: p.fallback}}
	switch {
	case p.kind == "integer":
		out.Schema.Type, out.Schema.Minimum, out.Schema.Maximum = "integer", &p.min, &p.max
	case p.kind != "":
		out.Schema.Type = p.kind
	case p.list:
		out.Style, out.Explode = "form", new(bool)
		out.Schema = &schema{Type: "array", Items: &schema{Type: "string", Enum: list(app.Statuses...)}}
		out.Example = strings.Split(p.example.(string), ",")
	default:
		out.Schema.Enum = list(p.enum...)
		if p.enum == nil {
			out.Schema.MaxLength = p.longest()
		}
	}
	return out
}

func jsonContent(s *schema, example any) map[string]mediaType {
	return map[string]mediaType{"application/json": {Schema: s, Example: example}}
}

func headersOf(names ...string) map[string]header {
	all := map[string]header{}
	for _, name := range names {
		all[name] = headerRef(name)
	}
	return all
}

func headerRef(name string) header { return header{Ref: "#/components/headers/" + name} }
