package rest

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// about is what the document says of a field beyond its Go type.
type about struct {
	text      string
	format    string
	pattern   string
	enum      []any
	maxLength int
	min, max  int // of a number; both 0 is unbounded
	entries   int // of a map, at most
	valueMax  int // length of a map's texts, at most
	fallback  any
	null      bool
	example   any
	as        any // the type to describe instead of the field's own
}

func (a *about) applyTo(p *schema) {
	p.Description, p.Pattern, p.MaxLength, p.MaxProperties, p.Default = a.text, a.pattern, a.maxLength, a.entries, a.fallback
	if a.format != "" {
		p.Format = a.format
	}
	if a.enum != nil && p.Items != nil {
		p.Items.Enum = a.enum
	} else if a.enum != nil {
		p.Enum = a.enum
	}
	if a.max != 0 {
		p.Minimum, p.Maximum = &a.min, &a.max
	} else if a.min != 0 {
		p.Minimum = &a.min
	}
	if a.example != nil {
		p.Examples = []any{a.example}
	}
	if of, ok := p.AdditionalProperties.(*schema); ok && a.valueMax > 0 {
		of.MaxLength = a.valueMax
	}
}

// errorDetails is what `details` of an error may hold.
type errorDetails struct {
	Reason       string            `json:"reason,omitempty"`
	Field        string            `json:"field,omitempty"`
	Fields       []fault.Fault     `json:"fields,omitempty"`
	Alternatives []app.Slot        `json:"alternatives,omitempty"`
	TimeZone     string            `json:"timeZone,omitempty"`
	OtherHosts   []catalog.HostRef `json:"otherHosts,omitempty"`
	BookingID    string            `json:"bookingId,omitempty"`
	Status       app.Status        `json:"status,omitempty"`
	RetryAfter   int               `json:"retryAfter,omitempty"`
	MaxBytes     int               `json:"maxBytes,omitempty"`
}

const (
	instantText = "ISO 8601, UTC"
	hintText    = "What to ask instead, where the list is empty for a reason that is easily missed."
)

var typeTexts = map[string]string{
	"Booking":           "One invitee's time with one host. `end`, the buffers, price and fee are fixed when it is booked: a later change of the event type touches no booking.",
	"BookingList":       "A page of bookings.",
	"Invitee":           "The person who comes.",
	"Host":              "The person or room that is booked.",
	"Money":             "An amount in the minor units of its currency: 4500 EUR is forty-five euros. Free is null.",
	"Payment":           "What became of the price paid online.",
	"Cancellation":      "Why a booking won't take place.",
	"NoShow":            "That the invitee did not come, and what it cost.",
	"Fee":               "What became of a no-show fee.",
	"EventType":         "A bookable service and its rules.",
	"EventTypeList":     "A page of event types.",
	"Question":          "A question of the booking form.",
	"Contact":           "A person in the workspace's list. The e-mail address, compared without case, is the key.",
	"ContactList":       "A page of contacts.",
	"Slot":              "An open, bookable time.",
	"ClosedSlot":        "A time of a host's grid that is not open.",
	"SlotList":          "A page of open slots.",
	"BookingRequest":    "A booking to be made.",
	"InviteeRequest":    "Who comes. The contact with this e-mail address is matched, or created.",
	"RescheduleRequest": "Where a booking is to move.",
	"CancelRequest":     "Why a booking is cancelled. All fields are optional, and so is the body.",
	"DeclineRequest":    "Why a booking is declined. All fields are optional, and so is the body.",
	"ContactRequest":    "A contact to be made.",
	"Error":             "Every error's body.",
	"ErrorObject":       "What went wrong. Branch on `code` and `details.reason`, never on `message`.",
	"Fault":             "One input that is wrong.",
	"ErrorDetails":      "What helps the caller go on. More may be added.",
}

var fieldTexts = map[string]about{
	"Booking.id":              {text: "Identifier of the booking.", example: exampleID},
	"Booking.eventType":       {text: "Slug of the event type.", example: "haircut"},
	"Booking.eventTypeId":     {text: "Id of the event type.", example: exampleEventType},
	"Booking.start":           {text: "When it begins, " + instantText + "."},
	"Booking.end":             {text: "When it ends, " + instantText + "."},
	"Booking.status":          {text: "`pending` waits for payment or approval and holds its time; `confirmed` and `rescheduled` will take place; `cancelled` and `no_show` hold no time."},
	"Booking.invitee":         {text: "Who comes."},
	"Booking.host":            {text: "Who is booked."},
	"Booking.location":        {text: "Where it takes place; empty when that was not set."},
	"Booking.notes":           {text: "What the invitee wrote."},
	"Booking.answers":         {text: "Answers to the event type's questions, by their keys."},
	"Booking.metadata":        {text: "Your own texts, by your own keys."},
	"Booking.price":           {text: "The price when it was booked; null is free."},
	"Booking.payment":         {text: "What became of the price; null where nothing is paid online."},
	"Booking.pendingReason":   {text: "What a pending booking waits for next."},
	"Booking.expiresAt":       {text: "When a pending booking lapses.", null: true},
	"Booking.previousStart":   {text: "Where it was before its last move.", null: true},
	"Booking.rescheduleCount": {text: "How often it was moved."},
	"Booking.cancellation":    {text: "Why it was cancelled; null unless it was."},
	"Booking.noShow":          {text: "Set when the invitee did not come."},
	"Booking.hostChanged":     {text: "Only in the answer to a move, and in its event: true where another host has the booking now."},
	"Booking.previousHost":    {text: "Who had the booking before a move that changed its host."},
	"Booking.manageUrl":       {text: "Where the invitee sees, moves and cancels the booking. Whoever has it may do so: it is absent for read-only keys.", format: "uri"},
	"Booking.createdAt":       {text: "When it was made."},
	"Booking.updatedAt":       {text: "When it was last changed."},

	"Invitee.name":     {text: "Name of the invitee."},
	"Invitee.email":    {text: "E-mail address of the invitee.", format: "email"},
	"Invitee.phone":    {text: "Telephone number, when given."},
	"Invitee.timeZone": {text: "IANA time zone, when given."},
	"Invitee.locale":   {text: "Language tag, when given."},
	"Host.id":          {text: "Id of the host.", example: exampleHost},
	"Host.name":        {text: "Name of the host."},
	"Money.amount":     {text: "In minor units."},
	"Money.currency":   {text: "ISO 4217 code.", example: "EUR"},

	"Payment.kind":           {text: "`price`: what the booking costs. `card`: nothing is to be paid; the invitee saves a card at `url`, which a no-show fee can be charged to."},
	"Payment.status":         {text: "Where the payment stands: `unpaid`, `processing` (the invitee has paid, the money is on its way), `paid`, `refunded`, `partially_refunded` or `failed`.", enum: list("unpaid", "processing", "paid", "refunded", "partially_refunded", "failed", "requires_action")},
	"Payment.amount":         {text: "In minor units."},
	"Payment.currency":       {text: "ISO 4217 code."},
	"Payment.refundedAmount": {text: "How much went back, when any did."},
	"Payment.url":            {text: "Where the invitee pays, while that is due.", format: "uri"},
	"Cancellation.reason":    {text: "As it was given."},
	"Cancellation.by":        {text: "Through whose hands."},
	"Cancellation.at":        {text: "When."},
	"NoShow.at":              {text: "When it was recorded."},
	"NoShow.fee":             {text: "The fee, where one is configured."},
	"Fee.status":             {text: "Where the charge stands: `pending`, `succeeded`, `failed`, `requires_action`, `refunded` or `partially_refunded`.", enum: list("pending", "succeeded", "failed", "requires_action", "refunded", "partially_refunded")},
	"Fee.amount":             {text: "In minor units."},
	"Fee.currency":           {text: "ISO 4217 code."},
	"Fee.url":                {text: "Where the invitee can pay it, once the charge has failed or needs their authentication: send it to them.", format: "uri"},

	"EventType.id":                        {text: "Identifier of the event type.", example: exampleEventType},
	"EventType.slug":                      {text: "Its name in URLs.", example: "haircut"},
	"EventType.title":                     {text: "Its name."},
	"EventType.description":               {text: "What it is."},
	"EventType.durationMinutes":           {text: "How long it takes."},
	"EventType.price":                     {text: "What it costs; null is free."},
	"EventType.noShowFee":                 {text: "What not coming costs; null is nothing."},
	"EventType.requiresApproval":          {text: "Whether a booking waits for approval."},
	"EventType.location":                  {text: "Where it takes place."},
	"EventType.hosts":                     {text: "Who serves it."},
	"EventType.questions":                 {text: "What the booking form asks."},
	"EventType.seats":                     {text: "How many invitees share one session."},
	"EventType.bookingUrl":                {text: "Its booking page.", format: "uri"},
	"EventType.active":                    {text: "Whether it can be booked."},
	"EventType.slotStepMinutes":           {text: "How far apart its starts lie."},
	"EventType.bufferBeforeMinutes":       {text: "Time kept free before it."},
	"EventType.bufferAfterMinutes":        {text: "Time kept free after it."},
	"EventType.minimumNoticeMinutes":      {text: "How far ahead it must be booked at least."},
	"EventType.bookingWindowDays":         {text: "How far ahead it can be booked at most."},
	"EventType.maxPerDay":                 {text: "How many sessions a host has of it a day at most; 0 is no cap."},
	"EventType.cancellationNoticeMinutes": {text: "Until how long before the start an invitee may cancel or move it."},
	"EventType.refundOnCancel":            {text: "When an invitee's cancellation refunds what was paid."},
	"EventType.payment":                   {text: "Where its price is paid."},
	"EventType.reminderMinutes":           {text: "When the invitee is reminded by mail, in minutes before the start; empty is never."},
	"EventType.mailsOff":                  {text: "The kinds of mail that are not sent for it.", enum: list(catalog.MailKinds...)},
	"EventType.createdAt":                 {text: "When it was made."},
	"Question.key":                        {text: "Under which the answer is kept."},
	"Question.label":                      {text: "What is asked."},
	"Question.type":                       {text: "What kind of answer it takes.", enum: list(catalog.QuestionTypes...)},
	"Question.required":                   {text: "Whether it must be answered."},
	"Question.options":                    {text: "The answers to choose from, of a choice."},

	"Contact.id":            {text: "Identifier of the contact."},
	"Contact.name":          {text: "Name of the person."},
	"Contact.email":         {text: "E-mail address, the key.", format: "email"},
	"Contact.phone":         {text: "Telephone number, or empty."},
	"Contact.timeZone":      {text: "IANA time zone, or empty."},
	"Contact.notes":         {text: "The business's own notes."},
	"Contact.bookings":      {text: "How many bookings the person ever made."},
	"Contact.noShows":       {text: "To how many of them the person did not come."},
	"Contact.lastBookingAt": {text: "Start of the latest one.", null: true},
	"Contact.createdAt":     {text: "When the contact was made."},

	"Slot.start":          {text: "When it begins, " + instantText + ": the `start` to book."},
	"Slot.end":            {text: "When it ends, " + instantText + "."},
	"Slot.local":          {text: "`start` in the asked time zone, with its offset.", format: "date-time", example: "2026-12-01T10:00:00+01:00"},
	"Slot.hosts":          {text: "Ids of the hosts that are free."},
	"Slot.seatsRemaining": {text: "How many seats are left over all hosts; only where the event type has several."},
	"ClosedSlot.start":    {text: "When it would begin."},
	"ClosedSlot.end":      {text: "When it would end."},
	"ClosedSlot.host":     {text: "Id of the host."},
	"ClosedSlot.reason":   {text: "Why it is not open."},

	"BookingList.data":         {text: "The bookings."},
	"BookingList.hasMore":      {text: "Whether there is another page."},
	"BookingList.nextCursor":   {text: "The `cursor` of the next page; null on the last."},
	"EventTypeList.data":       {text: "The event types."},
	"EventTypeList.hasMore":    {text: "Whether there is another page."},
	"EventTypeList.nextCursor": {text: "The `cursor` of the next page; null on the last."},
	"ContactList.data":         {text: "The contacts."},
	"ContactList.hasMore":      {text: "Whether there is another page."},
	"ContactList.nextCursor":   {text: "The `cursor` of the next page; null on the last."},
	"BookingList.hint":         {text: hintText},
	"EventTypeList.hint":       {text: hintText},
	"ContactList.hint":         {text: hintText},
	"SlotList.data":            {text: "The open slots, earliest first."},
	"SlotList.hasMore":         {text: "Whether there is another page."},
	"SlotList.nextCursor":      {text: "The `cursor` of the next page; null on the last."},
	"SlotList.timeZone":        {text: "The time zone of `local`."},
	"SlotList.nextAvailable":   {text: "The first open start after the range, when the range has none.", null: true},
	"SlotList.searchedUntil": {
		text: "Present when the search ended early: nothing is open before it, later there may be. Ask again with `from` at it.",
	},
	"SlotList.closed": {text: "The times that are not open, when `explain` asks for them."},

	"BookingRequest.eventType": {text: "Slug or id of the event type.", maxLength: maxRef, example: "haircut"},
	"BookingRequest.start":     {text: "An ISO 8601 time with a zone. It must be one that availability offers.", format: "date-time", example: "2026-12-01T09:00:00Z"},
	"BookingRequest.invitee":   {text: "Who comes."},
	"BookingRequest.host":      {text: "Id of the host to book. Without it, the free one with the fewest bookings that week is taken.", maxLength: maxRef},
	"BookingRequest.notes":     {text: "What the invitee wants to say.", maxLength: 2000},
	"BookingRequest.answers":   {text: "Answers to the event type's questions, by their keys.", entries: 50},
	"BookingRequest.metadata":  {text: "Your own texts, by your own keys of 1 to 40 letters, digits, - and _.", entries: 50, valueMax: 500},
	"InviteeRequest.name":      {text: "Name of the invitee.", maxLength: 200, example: "Bo Berg"},
	"InviteeRequest.email":     {text: "E-mail address of the invitee.", format: "email", maxLength: 254, example: "bo@example.com"},
	"InviteeRequest.phone":     {text: "Telephone number.", maxLength: 40, example: "+49 30 901820"},
	"InviteeRequest.timeZone":  {text: "IANA time zone in which the invitee reads times.", maxLength: 64, example: "Europe/Berlin"},
	"InviteeRequest.locale":    {text: "BCP 47 language tag in which the invitee is written to.", maxLength: 35, example: "de-AT"},
	"RescheduleRequest.start":  {text: "The new start: an ISO 8601 time with a zone.", format: "date-time", example: "2026-12-01T10:30:00Z"},
	"RescheduleRequest.host":   {text: "Id of the host to move it to. Without it, the booking keeps its host when that one is free, else takes another of the event type's.", maxLength: maxRef},
	"RescheduleRequest.reason": {text: "Why, for the history and the invitee.", maxLength: 500},
	"CancelRequest.reason":     {text: "Why, for the history and the invitee.", maxLength: 500},
	"CancelRequest.refund":     {text: "Whether what was paid goes back: it does, unless this is false."},
	"DeclineRequest.reason":    {text: "Why, for the history and the invitee.", maxLength: 500},
	"ContactRequest.name":      {text: "Name of the person; required for a new contact.", maxLength: 200, example: "Bo Berg"},
	"ContactRequest.email":     {text: "E-mail address, the key.", format: "email", maxLength: 254, example: "bo@example.com"},
	"ContactRequest.phone":     {text: "Telephone number.", maxLength: 40},
	"ContactRequest.timeZone":  {text: "IANA time zone.", maxLength: 64},
	"ContactRequest.notes":     {text: "The business's own notes.", maxLength: 5000},

	"Error.error":               {text: "What went wrong."},
	"ErrorObject.code":          {text: "Stable and machine-readable: branch on it."},
	"ErrorObject.message":       {text: "For people: what is wrong and what to do. It may change."},
	"ErrorObject.details":       {text: "What helps the caller go on, when there is anything.", as: errorDetails{}},
	"ErrorObject.requestId":     {text: "The id of the request, for the operator's logs."},
	"ErrorDetails.reason":       {text: "A finer code, stable, in snake_case. More may be added.", enum: errorReasons, example: "slot_taken"},
	"ErrorDetails.field":        {text: "The input that is wrong, as a path.", example: "invitee.email"},
	"ErrorDetails.fields":       {text: "All inputs that are wrong, when there are several: `field` is the first of them."},
	"Fault.field":               {text: "The input, as a path.", example: "invitee.email"},
	"Fault.message":             {text: "What is wrong with it, for people."},
	"ErrorDetails.alternatives": {text: "The next open slots, at most 3, when a slot is taken."},
	"ErrorDetails.otherHosts":   {text: "Who else is free at that time, when the host of a move is not: name one as host."},
	"ErrorDetails.timeZone":     {text: "The zone of `local` in `alternatives`: the invitee's where it is known, else the business's.", example: "Europe/Berlin"},
	"ErrorDetails.bookingId":    {text: "The booking that the invitee has at that time already."},
	"ErrorDetails.status":       {text: "The status that does not allow what was asked for."},
	"ErrorDetails.retryAfter":   {text: "Seconds to wait, as in the Retry-After header."},
	"ErrorDetails.maxBytes":     {text: "How large a body may be."},
}
