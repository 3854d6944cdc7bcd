package openapi

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/payment"
)

const (
	instantText = "ISO 8601, UTC"
	hintText    = "What to ask instead, where the list is empty for a reason that is easily missed."

	datesZoneText = "The time zone in which the bare dates of `from` and `to` were read; left out where none was given."
)

// Objects say what each object of the document is.
var Objects = map[string]string{
	"BookingList":   "A page of bookings.",
	"EventTypeList": "A page of event types.",
	"ContactList":   "A page of contacts.",
	"Slot":          "An open, bookable time.",
	"SlotItem":      "A service of a visit in an open time.",
	"Offer":         "What an open time takes with one host.",
	"ClosedSlot":    "A time of a host's grid that is not open, or a span in which the host does not work.",
	"UsualHours":    "The weekly hours of a host.",
	"SlotList":      "A page of open slots.",
	"Error":         "Every error's body.",
	"ErrorObject":   "What went wrong. Branch on `code` and `details.reason`, never on `message`.",
	"Fault":         "One input that is wrong.",
	"ErrorDetails":  "What helps the caller go on. More may be added.",

	"WebhookEndpointList": "A page of endpoints.",
	"Event":               "Something that happened: the body of a webhook. `event` says what, and so what `data` is.",
	"EventList":           "A page of events.",
	"BookingEvent":        "A booking was confirmed, moved or cancelled.",
	"NoShowEvent":         "An invitee did not come.",
	"PaymentEvent":        "Money came in or went back.",
	"InvitationList":      "A page of invitation links.",
	"ReceiptList":         "A page of receipts.",
	"PictureList":         "A page of pictures.",
	"CounterPaymentEvent": "Money was taken at the counter, or given back. Sent only to endpoints that name the event, " +
		"and not listed.",
	"CounterPaymentEventData":   "Money at the counter as it is sent in an event.",
	"ContactEvent":              "Somebody is new in the list of contacts. Sent only to endpoints that name the event.",
	"ResourceCalendarEvent":     "The sign-in to a calendar of a resource is refused. Sent only to endpoints that name it.",
	"ResourceCalendarEventData": "A calendar of a resource, as it is sent in an event.",
	"CalendarEvent":             "The sign-in to a host's other calendar is refused. Sent only to endpoints that name it.",
	"ContactEventData":          "A contact, without personal data: those are read by its id.",
	"CalendarEventData":         "A host's other calendar, as it is sent in an event.",
	"BookingEventData":          "A booking as it is sent in an event.",
	"NoShowEventData":           "A booking whose invitee did not come, as it is sent in an event.",
	"PaymentEventData":          "A payment as it is sent in an event.",
}

// Fields describe the fields of the objects, by Object.field.
var Fields = map[string]Field{

	"Slot.start": {Text: "When it begins, " + instantText + ": the `start` to book."},
	"Slot.end":   {Text: "When it ends, " + instantText + "."},
	"Slot.local": {Text: "`start` in the asked time zone, with its offset.", Format: "date-time",
		Example: "2026-12-01T10:00:00+01:00"},
	"Slot.hosts":          {Text: "Ids of the hosts that are free."},
	"Slot.seatsRemaining": {Text: "How many seats are left over all hosts; only where the event type has several."},
	"Slot.offers":         {Text: "What it takes with each of `hosts`; only where length or price depend on the host."},
	"Slot.items": {Text: "The services of a visit, in the arrangement that ends first: give them to `POST /api/v1/visits` as they are. " +
		"Only where `items` were asked for; `hosts` are then theirs."},
	"SlotItem.eventType":  {Text: "Slug of the event type.", Example: "haircut"},
	"SlotItem.host":       {Text: "Id of the host."},
	"SlotItem.start":      {Text: "When it begins, " + instantText + "."},
	"SlotItem.end":        {Text: "When it ends, " + instantText + "."},
	"SlotItem.addOns":     {Text: "Ids of its add-ons, as they were asked for; left out when none."},
	"Offer.host":          {Text: "Id of the host."},
	"Offer.end":           {Text: "When it ends with that host, " + instantText + "."},
	"Offer.price":         {Text: "What it costs with that host; null is free."},
	"ClosedSlot.start":    {Text: "When it would begin, or the span begins."},
	"ClosedSlot.end":      {Text: "When it would end, or the span ends."},
	"ClosedSlot.host":     {Text: "Id of the host."},
	"ClosedSlot.reason":   {Text: "Why it is not open."},
	"UsualHours.host":     {Text: "Id of the host."},
	"UsualHours.name":     {Text: "Name of the host.", Example: "Clara"},
	"UsualHours.timeZone": {Text: "IANA time zone they are in.", Example: "Europe/Berlin"},
	"UsualHours.weekly": {Text: "Ranges of local time by day, mon to sun; a day that isn't there is off. Overrides of " +
		"single dates and time off are not in it.",
		Example: map[string]any{"mon": []string{"09:00-12:00", "13:00-17:00"}}},
	"ClosedSlot.resources": {Text: "The rooms, chairs and equipment of which one is needed and none is free, where that is " +
		"the reason (`resource_taken`), or is so by their calendars (`busy`): the first five."},
	"ClosedSlot.others": {Text: "The hosts of whom too few are free beside the host, where `hosts_taken` is the reason: the " +
		"first five."},
	"ClosedSlot.part": {Text: "Which part of a service in parts the reason stands against, counted from 1; left out for any " +
		"other, and where it stands against the start itself."},
	"ClosedSlot.holiday": {Text: "Name of the public holiday, where the time off is one.", Example: "Karfreitag"},

	"BookingList.data":          {Text: "The bookings."},
	"BookingList.hasMore":       {Text: "Whether there is another page."},
	"BookingList.nextCursor":    {Text: "The `cursor` of the next page; null on the last."},
	"EventTypeList.data":        {Text: "The event types."},
	"EventTypeList.hasMore":     {Text: "Whether there is another page."},
	"EventTypeList.nextCursor":  {Text: "The `cursor` of the next page; null on the last."},
	"ContactList.data":          {Text: "The contacts."},
	"ContactList.hasMore":       {Text: "Whether there is another page."},
	"ContactList.nextCursor":    {Text: "The `cursor` of the next page; null on the last."},
	"BookingList.hint":          {Text: hintText},
	"BookingList.datesTimeZone": {Text: datesZoneText},
	"EventTypeList.hint":        {Text: hintText},
	"ContactList.hint":          {Text: hintText},
	"SlotList.data":             {Text: "The open slots, earliest first."},
	"SlotList.hasMore":          {Text: "Whether there is another page."},
	"SlotList.nextCursor":       {Text: "The `cursor` of the next page; null on the last."},
	"SlotList.datesTimeZone":    {Text: datesZoneText},
	"SlotList.timeZone":         {Text: "The time zone of `local`."},
	"SlotList.nextAvailable":    {Text: "The first open start after the range, when the range has none.", Null: true},
	"SlotList.searchedUntil": {
		Text: "Present when the search ended early: nothing is open before it, later there may be. Ask again with `from` " +
			"at it.",
	},
	"SlotList.usualHours": {Text: "With `explain`: the weekly hours of the hosts."},
	"SlotList.closed":     {Text: "The times that are not open, when `explain` asks for them."},

	"Error.error":           {Text: "What went wrong."},
	"ErrorObject.code":      {Text: "Stable and machine-readable: branch on it."},
	"ErrorObject.message":   {Text: "For people: what is wrong and what to do. It may change."},
	"ErrorObject.details":   {Text: "What helps the caller go on, when there is anything.", As: ErrorDetails{}},
	"ErrorObject.requestId": {Text: "The id of the request, for the operator's logs."},
	"ErrorDetails.reason": {Text: "A finer code, stable, in snake_case. More may be added.", Enum: errorReasons,
		Example: "slot_taken"},
	"ErrorDetails.reasons": {Text: "All that stands against the start, told to those who may `override` it. What is " +
		"booked can't be overridden."},
	"ErrorDetails.field": {Text: "The input that is wrong, as a path.", Example: "invitee.email"},
	"ErrorDetails.fields": {Text: "All inputs that are wrong, when there are several: `field` is the first of " +
		"them."},
	"Fault.field":               {Text: "The input, as a path.", Example: "invitee.email"},
	"Fault.message":             {Text: "What is wrong with it, for people."},
	"ErrorDetails.requires":     {Text: "What the event type requires and the invitee lacks, when `reason` is `requirement`."},
	"ErrorDetails.alternatives": {Text: "The next open slots, at most 3, when a slot is taken."},
	"ErrorDetails.reasonsOf": {Text: "Whose `reasons` they are, where there are several hosts: the one for whom they are the " +
		"easiest to override. Another may be taken, as `reason` says."},
	"ErrorDetails.otherHosts": {Text: "Who else is free at that time, when the host of a move is not: name one as " +
		"host."},
	"ErrorDetails.timeZone": {Text: "The zone of `local` in `alternatives`: the invitee's where it is known, else " +
		"the business's.", Example: "Europe/Berlin"},
	"ErrorDetails.seriesId":   {Text: "The series that the invitee has on these dates already.", Example: "sr_1p4s8yvz04k2c"},
	"ErrorDetails.dates":      {Text: "The dates of a series, and what stands against those that are skipped."},
	"ErrorDetails.bookingId":  {Text: "The booking that the invitee has at that time already."},
	"ErrorDetails.status":     {Text: "The status that does not allow what was asked for."},
	"ErrorDetails.retryAfter": {Text: "Seconds to wait, as in the Retry-After header."},
	"ErrorDetails.maxBytes":   {Text: "How large a body may be."},
	"ErrorDetails.values":     {Text: "How many contacts have a value in a field that would be removed."},
	"ErrorDetails.limit":      {Text: "How many there may be, or how many bytes."},
	"ErrorDetails.url":        {Text: "Where the visitor books, when only the booking page can."},
	"ErrorDetails.key":        {Text: "What the proof of work is for, when the server asks for one."},
	"ErrorDetails.bits":       {Text: "With how many zero bits the proof's hash must begin."},

	"WebhookEndpointList.data":       {Text: "The endpoints."},
	"WebhookEndpointList.hasMore":    {Text: "Whether there is another page."},
	"WebhookEndpointList.nextCursor": {Text: "The `cursor` of the next page; null on the last."},
	"WebhookEndpointList.hint":       {Text: hintText},

	"BookingEvent.event": {Text: "What happened.",
		Enum: Values(catalog.EventKindsOf(catalog.BookingData)...)},
	"NoShowEvent.event": {Text: "What happened.", Enum: Values(catalog.EventKindsOf(catalog.NoShowData)...)},
	"PaymentEvent.event": {Text: "What happened.",
		Enum: Values(catalog.EventKindsOf(catalog.PaymentData)...)},
	"CounterPaymentEvent.event": {Text: "What happened.",
		Enum: Values(catalog.EventKindsOf(catalog.CounterData)...)},
	"CounterPaymentEvent.data":          {Text: "The payment as it is now, and what is paid and due of its booking."},
	"CounterPaymentEventData.bookingId": {Text: "Id of the booking."},
	"CounterPaymentEventData.paid":      {Text: "What was paid of the booking, after this."},
	"CounterPaymentEventData.due":       {Text: "What is still due of the booking, after this; null where it is free."},
	"CounterPaymentEventData.invitee":   {Text: "Who paid."},
	"ContactEvent.event": {Text: "What happened.",
		Enum: Values(catalog.EventKindsOf(catalog.ContactData)...)},
	"ContactEvent.data":          {Text: "Which contact."},
	"ContactEventData.id":        {Text: "Id of the contact, to read it by.", Example: "ct_1p4s8ywa0g0m3"},
	"ContactEventData.createdAt": {Text: "When it was made."},
	"CalendarEvent.event": {Text: "What happened.",
		Enum: Values(catalog.EventKindsOf(catalog.CalendarData)...)},
	"CalendarEvent.data":     {Text: "The connection."},
	"CalendarEventData.id":   {Text: "Id of the connection.", Example: "cc_1p4s8ywa0g"},
	"CalendarEventData.name": {Text: "What the owner calls it.", Example: "iCloud"},
	"CalendarEventData.host": {Text: "The host who is busy by it."},
	"ResourceCalendarEvent.event": {Text: "What happened.",
		Enum: Values(catalog.EventKindsOf(catalog.ResourceCalendarData)...)},
	"ResourceCalendarEvent.data":         {Text: "The connection."},
	"ResourceCalendarEventData.id":       {Text: "Id of the connection.", Example: "cc_1p4s8ywa0g"},
	"ResourceCalendarEventData.name":     {Text: "What the owner calls it.", Example: "Treatment room"},
	"ResourceCalendarEventData.resource": {Text: "The room, chair or equipment that is taken by it."},
	"InvitationList.data":                {Text: "The invitations."},
	"InvitationList.hasMore":             {Text: "Whether there is another page."},
	"InvitationList.nextCursor":          {Text: "The `cursor` of the next page; null on the last."},
	"InvitationList.hint":                {Text: hintText},
	"ReceiptList.data":                   {Text: "The receipts."},
	"ReceiptList.hasMore":                {Text: "Whether there is another page."},
	"ReceiptList.nextCursor":             {Text: "The `cursor` of the next page; null on the last."},
	"ReceiptList.hint":                   {Text: hintText},
	"ReceiptList.datesTimeZone":          {Text: datesZoneText},
	"PictureList.data":                   {Text: "The pictures."},
	"PictureList.hasMore":                {Text: "Whether there is another page."},
	"PictureList.nextCursor":             {Text: "The `cursor` of the next page; null on the last."},
	"PictureList.hint":                   {Text: hintText},
	"BookingEvent.data":                  {Text: "The whole booking as the change left it, with `reason` and `by`."},
	"NoShowEvent.data":                   {Text: "The whole booking as the change left it, with `reason`, `by` and `fee`."},
	"PaymentEvent.data":                  {Text: "The payment."},
	"BookingEventData.reason":            {Text: "Why, as it was given; empty when it was not."},
	"BookingEventData.by":                {Text: "Who did it."},
	"NoShowEventData.reason":             {Text: "Why, as it was given; empty when it was not."},
	"NoShowEventData.by":                 {Text: "Who did it."},
	"NoShowEventData.fee":                {Text: "What becomes of the no-show fee; null where there is none."},
	"PaymentEventData.id":                {Text: "Identifier of the payment."},
	"PaymentEventData.bookingId":         {Text: "Id of the booking that is paid."},
	"PaymentEventData.kind": {Text: "What is paid: the price, a deposit on it, or the fee for not coming or for " +
		"cancelling late.", Enum: Values(payment.Kinds...)},
	"PaymentEventData.for": {Text: "What the money is for, in the words of a booking's `payment`.",
		Enum: Values(booking.Purposes...)},
	"PaymentEventData.amount":   {Text: "In minor units."},
	"PaymentEventData.currency": {Text: "ISO 4217 code."},
	"PaymentEventData.status": {Text: "Where the payment stands.",
		Enum: Values("succeeded", "refunded", "partially_refunded", "failed")},
	"PaymentEventData.refundedAmount": {Text: "How much went back so far, in minor units."},
	"PaymentEventData.invitee":        {Text: "Who paid."},
	"BookingEvent.test":               {Text: "True for an event that was made up to test an endpoint; absent otherwise."},

	"BookingEvent.sequence": {Text: "Its place among the events of its booking: a later one has a greater number, not always " +
		"the next. Webhooks can come out of order: of events whose data is the booking, ignore one with a smaller one than you " +
		"have seen; never skip one of a payment. Absent in events that are not about a booking, in tests, and in those from " +
		"before they were numbered."},
	"BookingEvent.imported": {Text: "True where a booking was imported from another program: nobody was told. Absent otherwise."},
	"BookingEvent.id": {Text: "Identifier of the event; events are listed in its order.",
		Example: "evt_1p4s8ywa0g0m3"},
	"BookingEvent.createdAt": {Text: "When it happened, with milliseconds."},
	"EventList.data":         {Text: "The events, oldest first unless `order` says otherwise."},
	"EventList.hasMore":      {Text: "Whether there is another page."},
	"EventList.nextCursor": {Text: "The `cursor`, or `after`, of the next page; null on the last, where the last " +
		"event's id goes on."},
}
