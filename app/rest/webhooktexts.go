package rest

import (
	"maps"

	"daybook/app/catalog"
	"daybook/app/payment"
)

// What the document says of webhooks.
func init() {
	maps.Copy(typeTexts, map[string]string{
		"WebhookEndpoint":        "An address that is told of events.",
		"WebhookEndpointList":    "A page of endpoints.",
		"NewWebhookEndpoint":     "An endpoint with its signing secret, which is shown this once.",
		"WebhookEndpointRequest": "An endpoint to be registered.",
		"WebhookDelivery":        "One event told to one endpoint.",
		"Event":                  "Something that happened: the body of a webhook. `event` says what, and so what `data` is.",
		"EventList":              "A page of events.",
		"BookingEvent":           "A booking was confirmed, moved or cancelled.",
		"NoShowEvent":            "An invitee did not come.",
		"PaymentEvent":           "Money came in or went back.",
		"BookingEventData":       "A booking as an event tells of it.",
		"NoShowEventData":        "A booking that was not come to, as an event tells of it.",
		"PaymentEventData":       "A payment as an event tells of it.",
	})
	maps.Copy(fieldTexts, map[string]about{
		"WebhookEndpoint.id":                  {text: "Identifier of the endpoint.", example: "wh_1p4s8yvz04k2c"},
		"WebhookEndpoint.url":                 {text: "Where events are sent.", format: "uri"},
		"WebhookEndpoint.events":              {text: "The events that it wants."},
		"WebhookEndpoint.enabled":             {text: "Whether it is told of events."},
		"WebhookEndpoint.disabledReason":      {text: "Why it is told of nothing: `by_owner`, `gone` (it answered 410) or `failing` (five days of nothing but failure).", null: true},
		"WebhookEndpoint.disabledAt":          {text: "Since when.", null: true},
		"WebhookEndpoint.failingSince":        {text: "The first failure since the last success.", null: true},
		"WebhookEndpoint.previousSecretUntil": {text: "Until when the secret from before the last rotation signs too.", null: true},
		"WebhookEndpoint.createdAt":           {text: "When it was registered."},
		"WebhookEndpoint.latestDelivery":      {text: "What became of the latest event; null when there was none."},
		"NewWebhookEndpoint.id":               {text: "Identifier of the endpoint.", example: "wh_1p4s8yvz04k2c"},
		"NewWebhookEndpoint.url":              {text: "Where events are sent.", format: "uri"},
		"NewWebhookEndpoint.events":           {text: "The events that it wants."},
		"NewWebhookEndpoint.secret":           {text: "Signs every delivery. It is shown this once.", example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"},
		"NewWebhookEndpoint.enabled":          {text: "Whether it is told of events."},
		"NewWebhookEndpoint.createdAt":        {text: "When it was registered."},
		"WebhookEndpointList.data":            {text: "The endpoints."},
		"WebhookEndpointList.hasMore":         {text: "Whether there is another page."},
		"WebhookEndpointList.nextCursor":      {text: "The `cursor` of the next page; null on the last."},
		"WebhookEndpointList.hint":            {text: hintText},
		"WebhookEndpointRequest.url":          {text: "Where to send: an https:// address on the public internet, or one that the operator allows.", format: "uri", maxLength: 2000},
		"WebhookEndpointRequest.events":       {text: "The events to send, at least one; `*` is all of them.", enum: append(list(catalog.EventKinds...), "*")},

		"WebhookDelivery.id":             {text: "Identifier of the delivery."},
		"WebhookDelivery.eventId":        {text: "Id of the event."},
		"WebhookDelivery.event":          {text: "What happened."},
		"WebhookDelivery.endpointId":     {text: "Id of the endpoint."},
		"WebhookDelivery.state":          {text: "`pending` will be tried (again); `delivered` was answered 2xx; `failed` was given up and can be sent again by the owner."},
		"WebhookDelivery.attempts":       {text: "How often it was tried."},
		"WebhookDelivery.responseStatus": {text: "The status of the last answer; null when there was none."},
		"WebhookDelivery.error":          {text: "What went wrong in the last attempt; null when nothing did."},
		"WebhookDelivery.durationMs":     {text: "How long the last attempt took."},
		"WebhookDelivery.nextAttemptAt":  {text: "When it is tried next; null when it is not, or just now.", null: true},
		"WebhookDelivery.createdAt":      {text: "When it was made, together with its event."},

		"BookingEvent.event":              {text: "What happened.", enum: list(catalog.BookingCreated, catalog.BookingRescheduled, catalog.BookingCancelled)},
		"NoShowEvent.event":               {text: "What happened.", enum: list(catalog.BookingNoShow)},
		"PaymentEvent.event":              {text: "What happened.", enum: list(catalog.PaymentSucceeded, catalog.PaymentRefunded)},
		"BookingEvent.data":               {text: "The whole booking as the change left it, with `reason` and `by`."},
		"NoShowEvent.data":                {text: "The whole booking as the change left it, with `reason`, `by` and `fee`."},
		"PaymentEvent.data":               {text: "The payment."},
		"BookingEventData.reason":         {text: "Why, as it was given; empty when it was not."},
		"BookingEventData.by":             {text: "Through whose hands."},
		"NoShowEventData.reason":          {text: "Why, as it was given; empty when it was not."},
		"NoShowEventData.by":              {text: "Through whose hands."},
		"NoShowEventData.fee":             {text: "What becomes of the no-show fee; null where there is none."},
		"PaymentEventData.id":             {text: "Identifier of the payment."},
		"PaymentEventData.bookingId":      {text: "Id of the booking that is paid."},
		"PaymentEventData.kind":           {text: "What is paid: the price, or the fee for not coming.", enum: list(payment.PaysBooking, payment.PaysFee)},
		"PaymentEventData.amount":         {text: "In minor units."},
		"PaymentEventData.currency":       {text: "ISO 4217 code."},
		"PaymentEventData.status":         {text: "Where the payment stands.", enum: list("succeeded", "refunded", "partially_refunded")},
		"PaymentEventData.refundedAmount": {text: "How much went back so far, in minor units."},
		"PaymentEventData.invitee":        {text: "Who paid."},
		"BookingEvent.test":               {text: "True for an event that was made up to test an endpoint; absent otherwise."},

		"BookingEvent.id":        {text: "Identifier of the event; events are listed in its order.", example: "evt_1p4s8ywa0g0m3"},
		"BookingEvent.createdAt": {text: "When it happened, with milliseconds."},
		"EventList.data":         {text: "The events, oldest first."},
		"EventList.hasMore":      {text: "Whether there is another page."},
		"EventList.nextCursor":   {text: "The `cursor`, or `after`, of the next page; null on the last, where the last event's id goes on."},
	})
}

// eventTexts say when an event is sent.
var eventTexts = map[catalog.EventKind]string{
	catalog.BookingCreated:     "A booking is confirmed: at once, or when it was paid or approved.",
	catalog.BookingRescheduled: "A confirmed booking has another start.",
	catalog.BookingCancelled:   "A confirmed booking won't take place.",
	catalog.BookingNoShow:      "The invitee did not come.",
	catalog.PaymentSucceeded:   "A price or a no-show fee was paid.",
	catalog.PaymentRefunded:    "Money went back, all or part of it.",
}
