package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
)

var saleErrors = []openapi.Error{
	{Code: fault.BadRequest, Text: "A field is wrong; or `details.reason` is `overpaid`: the payments are more than is due; or " +
		"`discount_too_high`: more would be taken off than is open."},
	{Code: fault.NotFound, Text: "There is no such sale, booking, product or contact in the workspace."},
	{Code: fault.Conflict, Text: "`details.reason` is `in_sale`: the booking is in another open sale, `details.saleId`; " +
		"`sale_fixed`: something was paid, or the sale is over; `wrong_state`; `too_many_payments`."},
}

var createSale = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/sales", ID: "createSale", Tag: "Sales",
	Summary: "Sell several things at once",
	Text: "Makes a sale of services that were booked, products and a tip, with its discounts. With `payments` it is paid at once, " +
		"all of them or none; else it is `open`, and its lines follow their bookings. What is paid for a service is one of its booking's `payments`. " +
		"A discount is taken off after those of lines, and shared over services, add-ons and products in proportion; never off a tip. " +
		"Once nothing is due the sale has one receipt. Daybook is no certified cash register. Send an `Idempotency-Key`: a repetition without one sells again.",
	Body: counter.SaleInput{},
	BodyExample: map[string]any{
		"lines": []any{
			map[string]any{"kind": "service", "bookingId": "bk_1p4s8ywa0g0m3"},
			map[string]any{"kind": "product", "productId": "pd_1p4s8yvz04k2c", "quantity": 1},
			map[string]any{"kind": "tip", "amount": 500},
		},
		"discount": map[string]any{"percent": 10, "reason": "Ten visits"},
		"payments": []any{
			map[string]any{"method": "cash", "amount": 3000, "tendered": 5000},
			map[string]any{"method": "card", "amount": 2711},
		},
	},
	Successes: []openapi.Success{{Status: 201, Text: "The sale.", Body: counter.Sale{}, Location: "The new sale."}},
	Errors:    saleErrors,
}, handle: func(d *door, c *call) (app.Response, error) {
	var in counter.SaleInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	sale, err := d.Counter.Sell(c.ctx, c.actor, in)
	answer, err := encoded(sale, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/sales/"+sale.ID.String()
	}
	return answer, err
},
}

var listSales = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/sales", ID: "listSales", Tag: "Sales",
	Summary: "List sales",
	Text:    "Lists the workspace's sales, the latest first. What was paid for a booking without a sale stands with it.",
	Params: []openapi.Param{
		{Name: "status", Text: "Only those with this status.", Enum: saleStatuses(), Example: "open"},
		{Name: "booking", Text: "Only those that have this booking.", MaxLength: maxID, Example: "bk_1p4s8ywa0g0m3"},
		{Name: "contact", Text: "Only those of this contact.", MaxLength: maxID, Example: "ct_1p4s8ywa0g0m3"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of sales.", Body: fault.Page[counter.Sale]{}, Lists: "sales"}},
}, handle: func(d *door, c *call) (app.Response, error) {
	q := &c.query
	page, err := d.Counter.Sales(c.ctx, c.actor, counter.SaleQuery{Status: q.text("status"), Booking: q.text("booking"),
		Contact: q.text("contact"), Cursor: q.text("cursor"), Limit: q.number("limit")})
	return encoded(page, err)
},
}

func saleStatuses() (all []string) {
	for _, s := range counter.SaleStatuses {
		all = append(all, string(s))
	}
	return all
}

var getSale = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/sales/{id}", ID: "getSale", Tag: "Sales",
	Summary:   "Retrieve a sale",
	Text:      "Answers one sale; an open one as its bookings are now.",
	Successes: []openapi.Success{{Status: 200, Text: "The sale.", Body: counter.Sale{}}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such sale in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Counter.Sale(c.ctx, c.actor, c.id()))
},
}

var changeSale = route{Route: openapi.Route{
	Method: http.MethodPatch, Path: "/v1/sales/{id}", ID: "changeSale", Tag: "Sales",
	Summary: "Change an open sale",
	Text: "Gives an open sale, for which nothing was paid yet, other lines, discount and customer, in place of those that it has. " +
		"With `payments` it is paid at once.",
	Body:        counter.SaleInput{},
	BodyExample: map[string]any{"lines": []any{map[string]any{"kind": "product", "productId": "pd_1p4s8yvz04k2c", "quantity": 2}}},
	Successes:   []openapi.Success{{Status: 200, Text: "The sale.", Body: counter.Sale{}}},
	Errors:      saleErrors,
}, handle: func(d *door, c *call) (app.Response, error) {
	var in counter.SaleInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return encoded(d.Counter.ChangeSale(c.ctx, c.actor, c.id(), in))
},
}

// salePaymentsBody is the body of paySale.
type salePaymentsBody struct {
	Payments []counter.SalePaymentInput `json:"payments"`
}

var salePaymentsFields = field.Resource{
	Text: "How a sale is paid.",
	Fields: []field.Field{
		{Name: "payments", Text: "All of them or none; an empty list settles a sale of which nothing is due.", Required: true},
	},
}

var paySale = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/sales/{id}/payments", ID: "paySale", Tag: "Sales",
	Summary: "Pay a sale",
	Text: "Takes payments for an open sale, all of them or none. Each goes to its open lines in proportion to what is due of them, to the " +
		"tip last. An empty list settles a sale of which nothing is due. Send an `Idempotency-Key`: a repetition without one takes the money again.",
	Body:        salePaymentsBody{},
	BodyType:    openapi.Type{Name: "SalePaymentsRequest", Fields: &salePaymentsFields},
	BodyExample: map[string]any{"payments": []any{map[string]any{"method": "cash", "amount": 3000, "tendered": 5000}}},
	Successes:   []openapi.Success{{Status: 201, Text: "The sale, with the payments.", Body: counter.Sale{}, Location: "The sale."}},
	Errors:      saleErrors,
}, handle: func(d *door, c *call) (app.Response, error) {
	var in salePaymentsBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Payments == nil {
		return app.Response{}, fault.Invalid("payments", "is required")
	}
	sale, err := d.Counter.PaySale(c.ctx, c.actor, c.id(), in.Payments)
	answer, err := encoded(sale, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/sales/"+sale.ID.String()
	}
	return answer, err
},
}

var refundSale = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/sales/{id}/refund", ID: "refundSale", Tag: "Sales",
	Summary: "Give money of a sale back",
	Text: "Gives back all of a sale, or what `lines`, `amount` and `payments` say. What was for a service is due again for its booking; " +
		"products that are wholly given back are counted again unless `restock` is false. The receipt is reversed, and what stays of it stands on a new one.",
	Body:         counter.SaleRefundInput{},
	BodyType:     openapi.Type{Name: "SaleRefundRequest", Fields: &counter.SaleRefundInputFields},
	BodyOptional: true,
	BodyExample:  map[string]any{"lines": []any{2}},
	Successes:    []openapi.Success{{Status: 200, Text: "The sale.", Body: counter.Sale{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "`amount` is below 1, or more than is left; or a line or payment isn't of the sale."},
		{Code: fault.NotFound, Text: "There is no such sale in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `nothing_to_refund`: nothing is left of it."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in counter.SaleRefundInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return encoded(d.Counter.RefundSale(c.ctx, c.actor, c.id(), in))
},
}

var voidSale = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/sales/{id}/void", ID: "voidSale", Tag: "Sales",
	Summary:      "Give an open sale up",
	Text:         "Ends an open sale for which nothing was paid. Its bookings cost what they did before.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The sale.", Body: counter.Sale{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such sale in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `sale_fixed`: something was paid, or it is over."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return encoded(d.Counter.VoidSale(c.ctx, c.actor, c.id()))
},
}
