package fault

// Reason describes a value of details.reason, for the documentation.
type Reason struct {
	Name    string // as in Error.Reason
	Where   string // one of the places below
	Meaning string // in Markdown
}

// The places where a reason can occur.
const (
	InAPI         = "API"                // REST and the tools
	InAgents      = "agents"             // the transport of the tools, and people's assistants
	InBookingPage = "booking page"       // shown there
	InCommand     = "dashboard, command" // shown there
	InDashboard   = "dashboard"          // shown there
	InStripe      = "Stripe"             // answers to its webhook
)

// Reasons lists all reasons of the program: those of the API first, in the order of its document. A test finds reasons
// that are not listed.
var Reasons = []Reason{
	{"invalid", InAPI, "a field is wrong: `details.field`"},
	{"invalid_json", InAPI, "the body is no JSON object"},
	{"incomplete_body", InAPI, "the body could not be read to its end; where it stopped coming, the answer is 408"},
	{"read_only_key", InAPI, "the key is read-only"},
	{"role", InAPI, "the member's role doesn't allow it"},
	{"area", InAPI, "the key lacks the area that owners grant when they make a key"},
	{"right", InAPI, "the key is restricted, and lists another right"},
	{"workspace_suspended", InAPI, "whoever runs the server has suspended the workspace: nothing works until it is open again, and its data is kept"},
	{"above_itself", InAPI, "a key would make or change a key or member that may do more than the key itself"},
	{"key_expired", InAPI, "the key has ended (401)"},
	{"address_not_allowed", InAPI, "the key may not be used from this address"},
	{"idempotency_mismatch", InAPI, "the Idempotency-Key was used for another request"},
	{"in_progress", InAPI, "the mail is being sent right now"},
	{"slot_taken", InAPI, "the time is taken, or every room or thing that the event type needs is: `alternatives`, and where one host is meant `otherHosts`"},
	{"calendar_unknown", InAPI, "a connected calendar of the host can't be read, and the host takes no bookings then"},
	{"already_booked", InAPI, "this invitee has booked that time already: `bookingId`, where the caller may see it; of a series all of its dates: `seriesId`"},
	{"series_conflict", InAPI, "dates of a series can't be booked, or can't move there: `dates`"},
	{"visit_overlap", InAPI, "the invitee is in another booking of the same visit then: `bookingId`, where the caller may see it"},
	{"contact_missing", InAPI, "the invitee or contact has neither an e-mail nor a phone, or not what the event type asks for"},
	{"wrong_state", InAPI, "the booking's `status` doesn't allow it"},
	{"has_come", InAPI, "the booking is marked as arrived or done, so it can't be a no-show: undo that first"},
	{"nothing_to_undo", InAPI, "the booking is marked neither as arrived, as done nor as a no-show"},
	{"payment_due", InAPI, "the booking waits for its payment first"},
	{"too_late", InAPI, "the invitee is within the notice of cancellation"},
	{"too_many_endpoints", InAPI, "the workspace has 50 webhook endpoints"},
	{"event_forgotten", InAPI, "the event of this delivery is kept no longer"},
	{"timeout", InAPI, "it took too long and was given up"},
	{"busy", InAPI, "too many searches or uploads (503) or sign-ins (429) at once"},
	{"setup_changed", InAPI, "the set-up was finished meanwhile"},
	{"overtaken", InAPI, "the mail has nothing to tell any more, or its invitation link can't be used any more"},
	{"no_email", InAPI, "the booking or the invitation link has no e-mail address"},
	{"unsubscribed", InAPI, "the invitee wants no more reminders"},
	{"sent_lately", InAPI, "the mail went out less than a minute ago: `retryAfter`"},
	{"sent_often", InAPI, "the mail was sent again 10 times"},
	{"database", InAPI, "the database can't be reached, is overloaded or has no room on its disk (503): nothing was done"},
	{"uncertain", InAPI, "the connection to the database was lost amid the commit (503): it was done or not"},
	{"hold_expired", InAPI, "the hold has expired, was released or has become a booking already"},
	{"too_many_waiting", InAPI, "3 entries of the waitlist of this person count already"},
	{"waitlist_full", InAPI, "the waitlist has 5000 entries that count"},
	{"too_many_holds", InAPI, "as many times are held as may be, by the key or member, or for visitors"},
	{"invitation_expired", InAPI, "the invitation link has expired: 409, or 404 to those for whom the service is hidden"},
	{"invitation_used", InAPI, "the invitation link was used as often as it may be: 409, or 404 as above"},
	{"invitation_invalid", InAPI, "no link has this token, it was revoked, or it is for another service: 400, or 404 as above"},
	{"too_many_invitations", InAPI, "the workspace has 10,000 invitation links"},
	{"too_many_mails", InAPI, "too many invitations or, in the dashboard, receipts were mailed within a day; or 3 links to confirm that somebody waits"},
	{"no_text", InAPI, "no text can go to the telephone number now, and no e-mail address was given"},
	{"overpaid", InAPI, "more than is due, and not as a tip"},
	{"too_many_payments", InAPI, "a booking has at most 50 payments at the counter"},
	{"nothing_to_refund", InAPI, "nothing is left to refund"},
	{"nothing_to_receipt", InAPI, "all that was paid stands on a receipt already, or nothing was paid"},
	{"slug_taken", InAPI, "another workspace or event type has the slug"},
	{"too_many_event_types", InAPI, "a workspace has at most 500"},
	{"too_many_hosts", InAPI, "a workspace has at most 500"},
	{"too_many_resources", InAPI, "a workspace has at most 200"},
	{"name_taken", InAPI, "another resource, or another product, has the name, in upper or lower case"},
	{"number_taken", InAPI, "another product has the number, in upper or lower case"},
	{"too_many_products", InAPI, "a workspace has at most 2000 on sale"},
	{"accounts_missing", InDashboard, "accounts are not known by which something of these days is booked"},
	{"too_many_postings", InDashboard, "a booking batch has at most 99,999 postings"},
	{"email_taken", InAPI, "another host, contact or user has the e-mail"},
	{"phone_taken", InAPI, "another contact without an e-mail has the phone"},
	{"texts_stopped", InAPI, "somebody has sent STOP from the contact's number: only START from there brings texts back"},
	{"corrected", InAPI, "the entry was corrected already: another one stands in its place"},
	{"too_many_entries", InAPI, "a customer has at most 2000 entries"},
	{"field_values", InAPI, "removing a field would delete its values, as many as `values` says, on contacts and with bookings: name its key in `deleteValues`"},
	{"no_secret_key", InAPI, "the server has no key of its own, so nothing of a customer's health can be kept"},
	{"consent_missing", InAPI, "the customer has no valid consent on which a health entry could hang"},
	{"too_many_consents", InAPI, "a customer has 500 consents"},
	{"too_many_health_entries", InAPI, "a customer has 200 health entries"},
	{"too_many_files", InAPI, "a customer has 50 photographs and files, or those of the workspace have as many bytes as they may: `limit`"},
	{"has_upcoming", InAPI, "the contact has a booking ahead"},
	{"last_owner", InAPI, "a workspace needs an owner"},
	{"too_many_members", InAPI, "a workspace has at most 200"},
	{"endpoint_disabled", InAPI, "the endpoint is disabled"},
	{"public_key", InAPI, "the key is a public one, which works at `/api/v1/public/` only, or another one was sent there"},
	{"foreign_origin", InAPI, "a web page of an origin that is not allowed"},
	{"proof_of_work", InAPI, "the server asks for a proof of work: `key`, `bits`"},
	{"page_only", InAPI, "an assistant, or a public key, can't book this: `url` is the page where the person does"},
	{"not_a_picture", InAPI, "the file is no JPEG, PNG or WebP picture, or it is damaged"},
	{"animated", InAPI, "animated pictures are not taken"},
	{"too_many_pixels", InAPI, "the picture has more than 24 million pixels, or more than 65,535 on one side"},
	{"too_many_pictures", InAPI, "the workspace has 50 MB of pictures, or 2000 of them"},
	{"picture_in_use", InAPI, "the picture is shown as the logo, as a photo, or as that of a host, an event type or a product"},
	{"inactive", InAPI, "the event type can't be booked at present"},
	{"in_past", InAPI, "the start lies in the past"},
	{"too_soon", InAPI, "the start is within the minimum notice"},
	{"too_far", InAPI, "the start is beyond the booking window"},
	{"outside_hours", InAPI, "the start is outside the hours"},
	{"off_grid", InAPI, "the start isn't one of the grid's"},
	{"day_full", InAPI, "the host has its daily number of sessions"},
	{"host_week_full", InAPI, "the host has its weekly number of sessions"},
	{"week_full", InAPI, "all hosts together have their weekly number of sessions"},
	{"person_upcoming", InAPI, "the invitee has as many bookings to come as one person may"},
	{"person_day_full", InAPI, "the invitee has as many bookings that day as one person may"},
	{"person_week_full", InAPI, "the invitee has as many bookings that week as one person may"},
	{"requirement", InAPI, "the event type requires a consent that the invitee hasn't given, or that isn't valid then: `requires`"},
	{"no_code", InBookingPage, "no code can be sent to the number of a text: it is no mobile one, has stopped texts, or got too many"},
	{"texts_unasked", InDashboard, "the person has not agreed to texts, and wrote none within 24 hours"},
	{"sign_in_over", InDashboard, "a sign-in to connect a calendar, or a question for a passkey or app, took too long, was used already, or was begun in another session"},
	{"too_many_connections", InDashboard, "a host has 20 connections to other calendars"},
	{"field_written", InDashboard, "the customer has written another value for a field of the card meanwhile"},
	{"consent_reworded", InDashboard, "the wording of a consent was changed after it was shown to the customer"},
	{"booking_changed", InDashboard, "the booking was changed while the form was open"},
	{"insufficient_scope", InAgents, "the sign-in may only look (403): sign in again for the scope in `WWW-Authenticate`"},
	{"request_waits", InAgents, "another request of this person waits to be confirmed"},
	{"request_over", InAgents, "the request was confirmed already, has expired, or a wrong code was given too often"},
	{"wrong_mail_code", InAgents, "not the code of the mail; `attemptsLeft`"},
	{"too_many_streams", InAgents, "the key has too many open streams"},
	{"invalid_event", InStripe, "the body is no event"},
	{"not_signed", InStripe, "the signature is missing or malformed"},
	{"signature_too_old", InStripe, "the signature is over five minutes old"},
	{"wrong_signature", InStripe, "the signature doesn't fit the signing secret"},
	{"too_many_devices", InDashboard, "a member has at most 20 devices with notifications"},
	{"sign_in_again", InDashboard, "what one signs in by changes only within ten minutes of signing in"},
	{"factor_required", InDashboard, "the role needs a second factor, and this is the last one"},
	{"app_there", InDashboard, "there is an authenticator app already"},
	{"no_factor", InDashboard, "recovery codes need a second factor that they stand in for"},
	{"no_passkeys_here", InDashboard, "the server's address can't have passkeys"},
	{"too_many_passkeys", InDashboard, "a member has at most 20"},
	{"second_factor", InDashboard, "the session's member has not shown their second factor yet"},
	{"import_running", InDashboard, "another import of contacts runs or is being undone"},
	{"import_newer", InDashboard, "a later import changed the same contacts, and is to be undone first"},
	{"import_too_late", InDashboard, "the 24 hours in which an import can be undone are over"},
	{"contact_gone", InDashboard, "the contact of the receipt was deleted, so it can't be mailed"},
	{"payments_open", InCommand, "payments of the connected account are under way"},
	{"payments_unavailable", InBookingPage, "the payment page can't be opened right now"},
	{"offer_over", InBookingPage, "the time is not offered any more to who waits"},
	{"late_fee", InBookingPage, "cancelling costs the late cancellation fee by now, and the invitee has not agreed to it"},
	{"provider_unreachable", InCommand, "Stripe can't be reached"},
	{"key_revoked", InCommand, "a revoked key can't be rotated"},
	{"wrong_credentials", InDashboard, "e-mail and password don't match"},
	{"wrong_password", InDashboard, "not the present password"},
	{"wrong_code", InDashboard, "neither the app's present code nor a recovery code that is left"},
	{"wrong_passkey", InDashboard, "the passkey is unknown, or its answer wrong"},
	{"invitation", InDashboard, "the invitation was used, replaced, or is over a week old"},
	{"setup_link", InDashboard, "the set-up link was used, replaced, or has ended"},
}

// ReasonsOf returns the names of the reasons of a place, in their order.
func ReasonsOf(place string) (names []string) {
	for _, r := range Reasons {
		if r.Where == place {
			names = append(names, r.Name)
		}
	}
	return names
}
