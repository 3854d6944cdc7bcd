package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var recordPayment = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/payments", ID: "recordPayment", Tag: "Payments",
	IfMatch: bookingMatch,
	Summary: "Record money that was taken at the counter",
	Text: "Adds a payment to the booking's `payments`: the new one is the last. More than is `due` is refused, unless " +
		"it is sent as `tip`. When nothing is due any more, what was paid goes on a numbered receipt. " +
		"`payment.recorded` is sent to endpoints that name it. Send an `Idempotency-Key`: a repetition without one " +
		"records the money again.",
	Body:        counter.Input{},
	BodyType:    openapi.Type{Name: "PaymentRequest", Fields: &counter.InputFields},
	BodyExample: map[string]any{"amount": 4500, "method": "cash", "tip": 500},
	Successes: []openapi.Success{{Status: 201, Text: "The booking, with the payment.", Body: booking.Booking{},
		Location: "The booking."}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest,
			Text: "A field is wrong, or `details.reason` is `overpaid`: `amount` is more than is due."},
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict,
			Text: "`details.reason` is `wrong_state`: nothing can be paid for it now; or `too_many_payments`."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in counter.Input
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	b, err := d.Counter.Record(c.ctx, c.actor, c.id(), in)
	answer, err := c.booking(b, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/bookings/"+b.ID.String()
	}
	return answer, err
},
}

var refundPayment = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/payments/{id}/refund", ID: "refundPayment", Tag: "Payments",
	Summary: "Give a payment back",
	Text: "Gives a payment back, all that is left of it or an amount. Money that was taken at the counter is due again; " +
		"the receipt that it stands on is reversed by a numbered one, and what stays of it stands on a new one; " +
		"`payment.voided` is sent to endpoints that name it. A payment that was made online is refunded at Stripe, which " +
		"takes a while: the booking's `payment` shows it, and `payment.refunded` is sent, once it is done.",
	Body:         counter.RefundInput{},
	BodyType:     openapi.Type{Name: "RefundRequest", Fields: &counter.RefundInputFields},
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 200, Text: "The booking.", Body: booking.Booking{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "`amount` is below 1, or more than is left of the payment."},
		{Code: fault.NotFound, Text: "There is no such payment in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `nothing_to_refund`: nothing is left of it."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in counter.RefundInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return c.booking(d.Counter.GiveBack(c.ctx, c.actor, c.id(), in.Amount))
},
}

var issueReceipt = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/receipt", ID: "issueReceipt", Tag: "Payments",
	IfMatch: bookingMatch,
	Summary: "Issue a receipt for what was paid so far",
	Text: "Puts what was paid at the counter and stands on no receipt yet on a new one, though something is still due. " +
		"Once nothing is due that happens by itself.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 201, Text: "The receipt.", Body: counter.Receipt{}, Location: "The receipt."}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `nothing_to_receipt`; or `in_sale`: the open sale with `details.saleId` will have it."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	r, err := d.Counter.IssueReceipt(c.ctx, c.actor, c.id())
	answer, err := encoded(r, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/receipts/"+r.ID.String()
	}
	return answer, err
},
}

var listReceipts = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/receipts", ID: "listReceipts", Tag: "Payments",
	Summary: "List receipts",
	Text:    "Lists the workspace's receipts and their reversals, the latest first.",
	Params: []openapi.Param{
		{Name: "booking", Text: "Only those of this booking, by its id; an unknown one gives an empty list with a `hint`.",
			MaxLength: maxID, Example: "bk_1p4s8ywa0g0m3"},
		{Name: "from", Text: "Only those that were issued at or after it: a time, or a day in `timeZone`.",
			Example: "2026-12-01"},
		{Name: "to", Text: "Only those that were issued before it.", Example: "2027-01-01"},
		{Name: "timeZone", Text: "IANA time zone of bare dates; UTC when left out.", Example: "Europe/Berlin"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of receipts.", Body: receiptList{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	q := &c.query
	page, err := d.Counter.Receipts(c.ctx, c.actor, counter.ReceiptQuery{
		Booking: q.text("booking"), From: q.text("from"), To: q.text("to"), TimeZone: q.text("timeZone"),
		Cursor: q.text("cursor"), Limit: q.number("limit")})
	return encoded(receiptList{page, q.datesZone()}, err)
},
}

// receiptList is a page of receipts.
type receiptList struct {
	fault.Page[counter.Receipt]
	DatesTimeZone string `json:"datesTimeZone,omitempty"`
}

var getReceipt = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/receipts/{id}", ID: "getReceipt", Tag: "Payments",
	Summary:   "Retrieve a receipt",
	Text:      "Answers one receipt.",
	Successes: []openapi.Success{{Status: 200, Text: "The receipt.", Body: counter.Receipt{}}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such receipt in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Counter.Receipt(c.ctx, c.actor, c.id()))
},
}

var getTill = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/till", ID: "getTill", Tag: "Payments",
	Summary: "What a day brought in at the counter",
	Text:    "Answers what a day brought in by method, the cash that is expected, and how it was counted.",
	Params: []openapi.Param{{Name: "day", Text: "The day in the workspace's time zone; today when left out.",
		Example: "2026-12-01"}},
	Successes: []openapi.Success{{Status: 200, Text: "The day.", Body: counter.Day{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Counter.Day(c.ctx, c.actor, c.query.text("day")))
},
}

var closeTill = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/till/close", ID: "closeTill", Tag: "Payments",
	Summary:  "Close a day",
	Text:     "Notes the cash that was counted beside what is expected. A day may be closed again: the last count counts.",
	Body:     counter.CloseInput{},
	BodyType: openapi.Type{Name: "TillCloseRequest", Fields: &counter.CloseInputFields},
	BodyExample: map[string]any{"counted": 24500, "opening": 10000,
		"note": "5 short: change for the parking meter"},
	Successes: []openapi.Success{{Status: 200, Text: "The day.", Body: counter.Day{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in counter.CloseInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	return encoded(d.Counter.Close(c.ctx, c.actor, in))
},
}
