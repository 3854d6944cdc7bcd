package catalog

import (
	"daybook/app/field"
	"daybook/app/money"
)

// EventTypeFields describes the fields of event types. Check uses their bounds.
var EventTypeFields = field.Resource{
	Text: "A bookable service and its rules.", Agents: "An event type: a bookable service.",
	Fields: []field.Field{
		{Name: "id", Public: true, Text: "Identifier of the event type.", Example: "et_1p4s8yvz04k2c", Agents: "Id, et_….", InFile: true},
		{Name: "slug", Public: true, Guests: "slug", Text: "Its name in URLs.", Agents: "What the other tools take as eventType.", Example: "haircut",
			InFile: true, Key: true, Required: true},
		{Name: "title", Public: true, Guests: "title", Text: "Its name.", Agents: "Name for people.", Least: 1, Most: 200, InFile: true, Required: true},
		{Name: "description", Public: true, Guests: "description,omitempty", Text: "What it is.", Agents: "May be empty.", Lines: true, Most: 5000, InFile: true, Clears: true},
		{Name: "location", Text: "Where it takes place.", Agents: "Where it takes place; may be empty.", Most: 500,
			InFile: true, Clears: true},
		{Name: "color", Text: "The colour of its bookings in the calendar; without one the calendar chooses.",
			Enum: field.Values(Colors...), InFile: true, Clears: true},
		{Name: "durationMinutes", Public: true, Guests: "durationMinutes", Text: "How long it takes.", Agents: "Length.", Least: 1, Most: maxDuration,
			InFile: true, Required: true},
		{Name: "parts", Of: &PartFields, Text: "Its parts in turn, work first and last, where the customer waits in between, as while a " +
			"colour sets; their sum is `durationMinutes`. In a wait the host is free for others. Left out when it is " +
			"work all the while.",
			Agents: "Work and waits in turn, in which the host is free for others; absent when it is work all the while.",
			Each:   "A part.", InFile: true, Clears: true},
		{Name: "duringWait", Text: "Whether it may be done while another service of the same visit waits, such as a manicure while a " +
			"colour sets. Else nobody is in two services at once, waits included.",
			Agents: "Whether it may be done in a wait of another service of the same visit.", InFile: true},
		{Name: "price", Public: true, Guests: "price", Of: &money.MoneyFields, Text: "What it costs; null is free.", Agents: "Price; null is free.", InFile: true},
		{Name: "noShowFee", Public: true, Of: &money.MoneyFields, Text: "What not coming costs; null is nothing.",
			Agents: "Charged when the invitee does not come, if they saved a card; null is none.", InFile: true},
		{Name: "taxRate", Text: "Its tax in percent, for receipts; null is the workspace's rate.", InFile: true},
		{Name: "payment", Public: true, Text: "Where its price is paid.", Agents: "Where a price is paid.",
			Enum: field.Values(PayOnline, PayOnSite), InFile: true},
		{Name: "refundOnCancel", Text: "When an invitee's cancellation refunds what was paid.",
			Agents: "When an invitee's own cancellation, by their link, refunds what was paid online: always, never, or " +
				"within_notice, which is as long as cancellationNoticeMinutes leaves them. cancel_booking acts for the " +
				"business, so this doesn't bind it: its refund decides.", Enum: field.Values(refundRules...),
			InFile: true},
		{Name: "requiresApproval", Public: true, Guests: "requiresApproval,omitempty", Text: "Whether a booking waits for approval.",
			Agents: "Whether a booking is pending until the business approves it.", InFile: true},
		{Name: "hosts", Public: true, Guests: "hosts", Of: &HostRefFields, Text: "Who serves it.", Agents: "Who does it.", Each: "A host.", InFile: true},
		{Name: "seats", Public: true, Guests: "seats,omitempty", Text: "How many invitees share one session.", Agents: "How many invitees share a time.",
			Least: 1, Most: 1000, InFile: true},
		{Name: "slotStepMinutes", Text: "How far apart its starts lie.", Agents: "Minutes between starts.",
			Least: 1, Most: maxDuration, InFile: true, Clears: true},
		{Name: "bufferBeforeMinutes", Text: "Time kept free before it.", Agents: "Kept free before.", Most: maxBuffer,
			InFile: true},
		{Name: "bufferAfterMinutes", Text: "Time kept free after it.", Agents: "Kept free after.", Most: maxBuffer,
			InFile: true},
		{Name: "minimumNoticeMinutes", Text: "How far ahead it must be booked at least.",
			Agents: "How long ahead it must be booked.", Most: maxNotice, InFile: true},
		{Name: "bookingWindowDays", Text: "How far ahead it can be booked at most.",
			Agents: "How far ahead it can be booked.", Least: 1, Most: 730, InFile: true},
		{Name: "maxPerDay", Text: "How many sessions a host has of it a day at most; 0 is no cap.",
			Agents: "At most so many a day and host; 0 is no cap.", Most: 1440, InFile: true, Clears: true},
		{Name: "cancellationNoticeMinutes", Public: true, Guests: "cancellationNoticeMinutes,omitempty", Text: "Until how long before the start an invitee may cancel or move it.",
			Agents: "Until when invitees may move or cancel by themselves; does not bind this tool server.", Most: maxNotice,
			InFile: true},
		{Name: "reminderMinutes", Text: "When the invitee is reminded by mail, in minutes before the start; empty is never.",
			Agents: "When the invitee is reminded by mail.", Each: "Minutes before the start.", InFile: true},
		{Name: "asksComing", Text: "Whether its reminders ask the invitee if they come. Their answer is `coming` of the booking.",
			Agents: "Whether its reminders ask if the invitee comes.", InFile: true},
		{Name: "mailsOff", Text: "The kinds of mail that are not sent for it.", Enum: field.Values(MailKinds...),
			Each: "A kind of mail.", InFile: true},
		{Name: "textsOff", Text: "The kinds of text to telephones that are not sent for it.", Enum: field.Values(TextKinds...),
			Each: "A kind of text.", InFile: true},
		{Name: "textWords", Of: &TextWordsFields, Text: "Texts to telephones in words of its own.", Each: "A text.", InFile: true},
		{Name: "asksFor", Public: true, Text: "What the booking page asks for to reach the invitee: an e-mail address, a telephone " +
			"number, either of them, or both. It binds those who book by themselves; the business may book with either.",
			Agents: "What its booking page asks for to reach the invitee; create_booking takes either.",
			Enum:   field.Values(AllAsks...), InFile: true},
		{Name: "questions", Public: true, Guests: "questions,omitempty", Of: &QuestionFields, Text: "What the booking form asks.",
			Agents: "Asked of the invitee; create_booking takes the answers by key.", InFile: true},
		{Name: "category", Public: true, Text: "The heading on the booking page that it stands under.", Agents: "Heading it stands under.",
			Most: maxCategory, InFile: true, Clears: true},
		{Name: "picture", Text: "Id of its picture; empty is none.", InFile: true, Clears: true},
		{Name: "dates", Text: "The only starts of a class at fixed dates, such as `2026-12-03T18:00`, on the clock of the " +
			"workspace's zone; empty goes by the hosts' hours.",
			Agents: "Its only starts, on the business's clock; empty goes by the hours.",
			Each:   "A date and time.", InFile: true, Clears: true},
		{Name: "addOns", Public: true, Guests: "addOns,omitempty", Of: &AddOnFields, Text: "What can be booked with it.",
			Agents: "Extras; create_booking takes their ids in addOns.", Each: "An add-on.", InFile: true},
		{Name: "addOnGroups", Public: true, Of: &AddOnGroupFields, Text: "The groups that add-ons are chosen from.", Agents: "Groups of add-ons.",
			Each: "A group.", InFile: true},
		{Name: "deposit", Public: true, Of: &DepositFields, Text: "What is paid online when it is booked; null is nothing.",
			Agents: "Paid online when it is booked; null is nothing.", InFile: true},
		{Name: "lateCancellationFee", Public: true, Of: &money.MoneyFields, Text: "What cancelling within the notice costs; null is nothing.",
			Agents: "Charged when the invitee cancels late, if they saved a card; null is none.", InFile: true},
		{Name: "hidden", Text: "Whether only an invitation link leads to it.",
			Agents: "Whether only an invitation link leads to it.", InFile: true},
		{Name: "words", Text: "Paragraphs of its own in mails and on receipts.", InFile: true},
		{Name: "redirectUrl", Text: "Where the booking page goes on to; the booking's id is added.",
			Most: maxRedirect, InFile: true, Clears: true},
		{Name: "where", Text: "Where it takes place; null is as the location says.",
			Agents: "Where it takes place; null is as the location says.", InFile: true},
		{Name: "limits", Text: "How often it may be booked.", Agents: "How often it may be booked; 0 is no limit.",
			InFile: true},
		{Name: "seriesUpTo", Text: "How many dates a customer may book at once as a series, such as every six weeks, on its " +
			"page; 0 is no series. It doesn't bind the business.",
			Agents: "How many dates customers may book at once by themselves; 0 is no series. Does not bind this tool server.",
			Most:   MaxSeries, InFile: true, Clears: true},
		{Name: "seriesPayment", Text: "What of a series is paid online, where anything is: `first`, the price or deposit of its " +
			"first date, the others on site; `all`, that of all dates at once; `each`, as `first`, and each other one can be paid " +
			"by a link that its reminder has, see `payLink` of bookings.",
			Enum: field.Values(SeriesPayments...), InFile: true},
		{Name: "waitlist", Text: "What becomes of a time of it that comes free while somebody waits: `offer`, it is held and offered to " +
			"one after the other; `tell`, all who wait for it are told at once and it is held for nobody, so that whoever books first " +
			"has it. A hidden one is offered always.",
			Enum: field.Values(WaitlistOffer, WaitlistTell), InFile: true},
		{Name: "needs", Of: &NeedFields, Text: "What each session takes besides the host: a room, a chair, equipment.",
			Agents: "Rooms and things that each session takes besides the host.", Each: "A need.", InFile: true},
		{Name: "requires", Public: true, Of: &RequirementFields, Text: "Consents that the customer must have given by the start, each valid " +
			"then. Who books without acting for the business waits for approval.",
			Agents: "Consents that the customer must have given; a booking without one is refused with requirement.",
			Each:   "A requirement.", InFile: true, Clears: true},
		{Name: "active", Text: "Whether it can be booked.", Agents: "Whether it can be booked at present.", InFile: true},
		{Name: "bookingUrl", Public: true, Guests: "page", Text: "Its booking page.", Agents: "Page where people book by themselves.", Format: "uri"},
		{Name: "createdAt", Text: "When it was created.",
			Agents: "When it was created, UTC; null when not known.", Unknown: true},
	},
}
