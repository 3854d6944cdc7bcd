package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/when"
)

var resendMail = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/bookings/{id}/resend", ID: "resendMail", Tag: "Bookings",
	IfMatch: bookingMatch,
	Summary: "Send the invitee's mail again",
	Text: "Queues the latest mail that told the invitee of the booking as it is now (the confirmation, the move, that " +
		"it waits, that it is cancelled), as a new message to the same address. Reminders and refunds are not sent again. " +
		"The answer is there before the mail is: it goes out as other mails do, and waits while there is no mail server.",
	BodyOptional: true,
	Successes:    []openapi.Success{{Status: 202, Text: "The mail that is sent.", Body: queuedMail{}}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such booking in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `no_email`: the invitee has no e-mail address; `overtaken`: no " +
			"mail has told them of the booking as it is now; `in_progress`: it is being sent right now; `sent_lately`: it " +
			"went out less than a minute ago, wait `details.retryAfter` seconds; or `sent_often`: it was sent 10 times."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	m, err := d.Mail.SendAgain(c.ctx, c.actor, c.id())
	answer, err := encoded(queuedMail{m.ID.String(), m.BookingID, m.Kind, m.To, m.DueAt}, err)
	if err == nil {
		answer.Status = http.StatusAccepted
	}
	return answer, err
},
}

// queuedMail is the answer of resendMail.
type queuedMail struct {
	ID        string            `json:"id"`
	BookingID booking.BookingID `json:"bookingId"`
	Kind      catalog.MailKind  `json:"kind"`
	To        string            `json:"to"`
	DueAt     when.Instant      `json:"dueAt"`
}

var queuedMailFields = field.Resource{
	Text: "A mail that is about to be sent.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the mail.", Example: "ml_1p4s8ywa0g0m3"},
		{Name: "bookingId", Text: "Id of the booking that it tells of."},
		{Name: "kind", Text: "What it tells: one of the kinds in an event type's `mailsOff`.", Example: "confirmed"},
		{Name: "to", Text: "The address that it goes to.", Example: "mia@example.com"},
		{Name: "dueAt", Text: "When it is to be sent."},
	},
}
