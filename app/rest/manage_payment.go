package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/payment"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

var listPayments = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/payments", ID: "listPayments", Tag: "Payments",
	Summary: "List payments",
	Text: "Lists the payments through the payment provider, the newest first. What was paid at the counter stands with " +
		"each booking, and on its receipt.",
	Params: []openapi.Param{
		{Name: "disputed", Kind: "boolean", Text: "Only those whose payer disputes them.", Example: true},
		openapi.Limit(50), openapi.Cursor,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of payments.", Body: fault.Page[payment.Record]{}, Lists: "payments"}},
	Errors:    []openapi.Error{{Code: fault.Forbidden, Text: "The key lacks the area `payments`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	page, err := s.Payment.Payments(c.Context(), c.Actor(), c.Flag("disputed"), c.Number("limit"), c.Text("cursor"))
	return respond(http.StatusOK, page, err)
}}

var getPayment = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/payments/{id}", ID: "getPayment", Tag: "Payments",
	Summary: "Retrieve a payment",
	Text: "Answers one payment through the payment provider, by the `id` that `payment.succeeded` brings. To give it " +
		"back: `POST /api/v1/payments/{id}/refund`.",
	Successes: []openapi.Success{{Status: 200, Text: "The payment.", Body: payment.Record{}}},
	Errors:    []openapi.Error{missing("payment"), {Code: fault.Forbidden, Text: "The key lacks the area `payments`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	p, err := s.Payment.Payment(c.Context(), c.Actor(), c.Path("id"))
	return respond(http.StatusOK, p, err)
}}
