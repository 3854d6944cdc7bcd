package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/pass"
	"daybook/app/rest/openapi"
)

var noSuchPass = openapi.Error{Code: fault.NotFound, Text: "There is no such pass in the workspace."}

var listPasses = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/passes", ID: "listPasses", Tag: "Passes and vouchers",
	Summary: "List passes and vouchers",
	Text: "Lists what customers have paid ahead, the latest first. A pass is sold as a line of a sale: a product with `pass`, or a voucher of any amount. " +
		"It pays by a payment with `pass`, or by `payWith` of a new booking.",
	Params: []openapi.Param{
		{Name: "contact", Text: "Only those of this contact.", MaxLength: maxID, Example: "ct_1p4s8ywa0g0m3"},
		{Name: "sale", Text: "Only those that were sold in this sale.", MaxLength: maxID, Example: "sa_1p4s8ywa0g0m3"},
		{Name: "owed", Text: "`1`: only those on which something is left.", Enum: []string{"1"}, Example: "1"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of passes.", Body: fault.Page[pass.Pass]{}, Lists: "passes"}},
}, handle: func(d *door, c *call) (app.Response, error) {
	q := &c.query
	page, err := d.Pass.Passes(c.ctx, c.actor, pass.Query{Contact: q.text("contact"), Sale: q.text("sale"), Owed: q.text("owed") == "1",
		Cursor: q.text("cursor"), Limit: q.number("limit")})
	return encoded(page, err)
},
}

var getPass = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/passes/{id}", ID: "getPass", Tag: "Passes and vouchers",
	Summary:   "Retrieve a pass",
	Text:      "Answers one pass or voucher, never its code.",
	Successes: []openapi.Success{{Status: 200, Text: "The pass.", Body: pass.Pass{}}},
	Errors:    []openapi.Error{noSuchPass},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Pass.Pass(c.ctx, c.actor, c.id()))
},
}

var listPassEntries = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/passes/{id}/entries", ID: "listPassEntries", Tag: "Passes and vouchers",
	Summary:   "List what became of a pass",
	Text:      "Lists what was put on a pass and taken from it, the oldest first. The balance is the sum; an entry never changes.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of entries.", Body: fault.Page[pass.Entry]{}, Lists: "entries"}},
	Errors:    []openapi.Error{noSuchPass},
}, handle: func(d *door, c *call) (app.Response, error) {
	page, err := d.Pass.PassEntries(c.ctx, c.actor, c.id(), c.query.text("cursor"), c.query.number("limit"))
	return encoded(page, err)
},
}

// passCode is the code of a pass, as it is answered once.
type passCode struct {
	PassID string `json:"passId"`
	Code   string `json:"code"`
}

var passCodeFields = field.Resource{
	Text: "The code of a pass. It is answered once.",
	Fields: []field.Field{
		{Name: "passId", Text: "Identifier of the pass.", Example: "pass_1p4s8ywa0g0m3"},
		{Name: "code", Text: "Sixteen letters and digits. Whoever has it can use the pass.", Example: "7M2K-Q9TD-4WXZ-0H5C"},
	},
}

var showPassCode = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/passes/{id}/code", ID: "showPassCode", Tag: "Passes and vouchers",
	Summary: "Get the code of a pass",
	Text: "Answers the code with which a pass was sold, once: after that only its hash is kept. Each further call makes a new code, and ends the " +
		"one before. The answer is not kept for an Idempotency-Key.",
	BodyOptional: true, Unstored: true,
	Successes: []openapi.Success{{Status: 200, Text: "The code.", Body: passCode{}}},
	Errors: []openapi.Error{
		noSuchPass,
		{Code: fault.Conflict, Text: "`details.reason` is `pass_blocked` or `pass_empty`: it can't be used any more."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	code, p, err := d.Pass.PassCode(c.ctx, c.actor, c.id())
	return encoded(passCode{p.ID.String(), code}, err)
},
}

// passFindBody is the body of findPass.
type passFindBody struct {
	Code string `json:"code"`
}

var passFindFields = field.Resource{
	Text:   "The pass that is looked for.",
	Fields: []field.Field{{Name: "code", Text: "Its code, however it is typed.", Least: 1, Most: 64, Required: true}},
}

var findPass = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/pass-codes", ID: "findPass", Tag: "Passes and vouchers",
	Summary:     "Find a pass by its code",
	Text:        "Answers the pass that has this code. It is no GET, so that no code stands in an address.",
	Body:        passFindBody{},
	BodyType:    openapi.Type{Name: "PassFindRequest", Fields: &passFindFields},
	BodyExample: map[string]any{"code": "7M2K-Q9TD-4WXZ-0H5C"},
	Successes:   []openapi.Success{{Status: 200, Text: "The pass.", Body: pass.Pass{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "`details.reason` is `pass_unknown`: no pass has this code."},
		{Code: fault.Conflict, Text: "`details.reason` is `pass_replaced`: it was printed again since, with another code."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in passFindBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Code == "" || len(in.Code) > 64 {
		return app.Response{}, fault.Invalid("code", "is required: the code of a pass, at most 64 characters")
	}
	return encoded(d.Pass.PassWithCode(c.ctx, c.actor, in.Code))
},
}
