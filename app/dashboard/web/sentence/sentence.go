// package sentence has what the dashboard says for each error that its pages can show: the keys of messages.
package sentence

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sentence is what the dashboard says for an error: the format that the error is made with, the key of a message, and
// what the message calls the format's arguments, "" for one that it leaves out.
type Sentence struct {
	Format, Key string
	Args        []string
}

// row is a sentence in the order of the table.
func row(format, key string, args ...string) Sentence { return Sentence{format, key, args} }

// Verb is an argument in a format; %% is none.
var Verb = regexp.MustCompile(`%(\[\d\])?[0-9.]*([a-z])`)

// pattern matches the texts of a format.
func pattern(format string) *regexp.Regexp {
	var b strings.Builder
	at := 0
	plain := func(text string) string { return regexp.QuoteMeta(strings.ReplaceAll(text, "%%", "%")) }
	for _, m := range Verb.FindAllStringSubmatchIndex(format, -1) {
		b.WriteString(plain(format[at:m[0]]))
		switch kind := format[m[4]:m[5]]; {
		case m[2] >= 0: // an argument that was there before
			b.WriteString(`.+`)
		case kind == "d":
			b.WriteString(`(-?\d+)`)
		case kind == "q":
			b.WriteString(`"(.*)"`)
		default:
			b.WriteString(`(.*)`)
		}
		at = m[1]
	}
	return regexp.MustCompile(`(?s)^` + b.String() + plain(format[at:]) + `$`)
}

type known struct {
	Sentence
	text *regexp.Regexp
}

// table is All, the longest formats first, since a short one may fit the text of a longer one too.
var table = sync.OnceValue(func() []known {
	all := make([]known, len(All))
	for i, s := range All {
		all[i] = known{s, pattern(s.Format)}
	}
	slices.SortStableFunc(all, func(a, b known) int { return len(b.Format) - len(a.Format) })
	return all
})

// Find is the message for an error's text, and its arguments; the key is "" for a text that is not in the table.
func Find(text string) (key string, args []any) {
	for _, k := range table() {
		m := k.text.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for i, name := range k.Args {
			if name != "" && i+1 < len(m) {
				args = append(args, name, m[i+1])
			}
		}
		return k.Key, args
	}
	return "", nil
}

// All are all errors that a page of the dashboard can show; TestEveryFaultHasASentence finds what is missing.
var All = []Sentence{
	row("is required", "fault_fill"),
	row("must have at least %d characters", "fault_least", "Count"),
	row("must have at most %d characters", "fault_most", "Count"),
	row("must have 10 to 200 characters", "fault_password_length"),
	row("must lie ahead", "invitation_ahead"),
	row("This hold has expired, was released or has been used. Hold the time again by POST /v1/holds, or book without "+
		"hold: the time may be open still.", "fault_hold_expired"),
	row("At most %d times may be held at once. Book or release one, or wait until one expires.", "fault_too_many_holds"),
	row("Others hold times of that day already. Choose another day, or try again in a few minutes.",
		"fault_too_many_holds"),
	row("Somebody holds the time: try again in a few minutes.", "hold_undo"),
	row("the hold is of %s", "fault_hold_other"),
	row("the hold is with %s, %s", "fault_hold_other"),
	row("This workspace has %d invitation links, the most there may be. Those that were used, have expired or were "+
		"revoked are forgotten after a while.", "invitation_too_many"),
	row("%d invitations were mailed within a day, the most there may be. Make a link without a recipient, or try again "+
		"tomorrow.", "invitation_mails_many"),
	row("are for keys of scope full only", "fault_areas_full"),
	row("%q is no address and no range such as 203.0.113.0/24", "connect_limit_address", "Name"),
	row("%s reach the whole workspace, so they don't go with services or hosts", "connect_limit_wide", ""),
	row("must lie in the future", "invitation_ahead"),
	row("%s need the scope full", "connect_limit_full", ""),
	row("reach the whole workspace, so they don't go with services or hosts", "connect_limit_wide"),
	row("keys and members are for keys without limits only", "connect_limit_areas"),
	row("at most %d services, hosts and addresses each", "connect_limit_many", "Count"),
	row("are for public keys only", "connect_limit_public"),
	row("aren't for public keys, which show open times and book, as visitors do", "connect_limit_visitors"),
	row("aren't for public keys, which every visitor of a page uses", "connect_limit_visitors"),
	row("lists the pages that may use a public key, such as https://salon.example", "fault_fill"),
	row("%q is no origin such as https://salon.example", "connect_limit_origin", "Name"),
	row("at most %d origins, services and hosts each", "connect_limit_many", "Count"),
	row("must be an e-mail address such as ana@example.com", "fault_email"),
	row("must be a telephone number such as +49 30 901820", "fault_phone"),
	row("%s is no host name such as www.example.com: leave out https:// and the path", "words_wrong_host", "Name"),
	row("leads to %s, which is none of the workspace's redirectHosts: add it there first", "words_wrong_redirect", "Name"),
	row("must be the https:// address of a Jitsi server", "where_wrong_server"),
	row("is required: the number that the invitee calls", "where_wrong_number"),
	row("is required: where it takes place", "fault_fill"),
	row("is for in_person and text: nobody travels to a call", "where_wrong_travel"),
	row("must be UTF-8", "fault_letters"),
	row("must not contain control characters", "fault_letters"),
	row("must be a language tag such as en or de-AT", "fault_choice"),
	row("must be owner, manager or staff", "fault_choice"),
	row("must be full, read-only or public", "fault_choice"),
	row("must be online or on_site", "fault_choice"),
	row("must be always, within_notice or never", "fault_choice"),
	row("must be one of: %s", "fault_choice"),
	row("must be one of %s", "fault_choice"),
	row("must be true or false", "fault_choice"),
	row("%q is no kind of mail", "fault_choice"),
	row("%q is no event; there are %s", "fault_choice"),
	row("must be a text", "fault_fill"),
	row("must be a text, a number or true or false", "fault_fill"),
	row("must be a whole number", "fault_whole"),
	row("must be a percentage from 0 to 100, such as 19 or 8.5", "till_bad_rate"),
	row("must lie between %d and %d", "fault_between", "From", "To"),
	row("must be an amount such as 45 or 45.50", "fault_amount"),
	row("must lie between 0 and %d minor units", "fault_amount_size"),
	row("must be at least 1 minor unit", "fault_amount"),
	row("must lie between 1 and %d minor units, which is what is left of the payment", "fault_refund_size"),
	row("must be a multiple of %d: cards can't be charged a smaller part of %s",
		"fault_amount_round", "", "Currency"),
	row("must be a multiple of %d: no smaller part of %s can be refunded", "fault_refund_round", "", "Currency"),
	row("must be the price's currency, %s", "fault_fee_currency", "Currency"),
	row("must be a three-letter ISO 4217 code such as EUR", "fault_currency"),
	row("must be a three-letter ISO 4217 code in capitals, such as EUR", "fault_currency"),
	row("must be a colour such as #2f5d50", "fault_colour"),
	row("must be the https:// address of an image", "fault_logo"),
	row("must be an IANA time zone such as Europe/Berlin", "fault_zone"),
	row("%q is no time zone that is known here; use an IANA name such as Europe/Berlin", "fault_zone"),
	row("must be 1 to 40 of a-z, 0-9 and -, beginning and ending with a letter or digit", "fault_slug"),
	row("%q is used by the server itself; choose another, such as %s-team", "fault_slug_reserved", "Slug", ""),
	row("Another workspace has this address; choose another one.", "fault_slug_taken"),
	row("Another event type has this address; choose another one.", "fault_slug_type"),
	row("There is a workspace %q already; choose another slug.", "fault_slug_taken"),
	row("name at least one host", "fault_hosts"),
	row("choose a picture", "picture_none"),
	row("This file is no JPEG, PNG or WebP picture, or it is damaged. Save the picture as JPEG, PNG or WebP.",
		"picture_bad"),
	row("This picture has more than 24 million pixels, or more than 65,535 on one side. Save it smaller, such as 4000 by "+
		"3000.", "picture_pixels"),
	row("Animated pictures are not taken. Save one of its images.", "picture_animated"),
	row("The picture is larger than 10 MB.", "picture_large"),
	row("Too many pictures are being uploaded. Try again in a few seconds.", "picture_busy"),
	row("Too many files are being uploaded. Try again in a few seconds.", "upload_busy"),
	row("A workspace has at most 50 MB of pictures, and %d of them. Delete some that are not shown any more; those are "+
		"also deleted by themselves every night.", "picture_full", ""),
	row("This picture is shown as the logo, or as that of a host or an event type. Choose another one there first.",
		"picture_in_use"),
	row("there is no picture %s in this workspace: upload it first", "picture_missing", ""),
	row("at most %d", "fault_too_many", "Count"),
	row("at most %d ranges a day", "fault_ranges", "Count"),
	row("at most %d days at once", "fault_days", "Count"),
	row("%q is not a range of hours like 09:00-12:00, 22:00-02:00 or 00:00-24:00", "fault_range"),
	row("minutes %d to %d are not a range of hours", "fault_range"),
	row("%v and %v overlap", "fault_overlap", "A", "B"),
	row("%s would last %d:%02d hours, into the next day; if the ends are swapped write %s-%s, if it is "+
		"meant write %s-24:00 here and 00:00-%s on the next day",
		"fault_night", "Span", "Hours", "Minutes", "From", "To", "", ""),
	row("is not a day; the days are mon, tue, wed, thu, fri, sat and sun", "fault_choice"),
	row("%s stands twice", "fault_twice", "Text"),
	row("needs a start and an end after it", "fault_end"),
	row("must come after the start", "fault_end"),
	row("must not lie after to", "fault_end"),
	row("must not lie before from", "fault_end"),
	row("%q is not a date like 2026-12-24", "fault_date"),
	row("must be a day such as 2026-12-28", "fault_date"),
	row("must be a day and a time such as 2026-12-28T09:00", "fault_time"),
	row("must be a time such as 2026-11-24T10:20", "fault_time"),
	row("a time is a string such as 2026-12-01T09:00:00Z", "fault_time"),
	row("expected a date or an ISO 8601 time, such as 2026-12-01 or 2026-12-01T09:00:00Z", "fault_time"),
	row("expected an ISO 8601 time with a zone, such as 2026-12-01T09:00:00Z", "fault_time"),
	row("the year must lie between 1970 and 2199", "fault_year"),
	row("must be the first day or one of the %d after it", "fault_until", "Count"),
	row("say from when to when, or choose closed", "fault_hours"),
	row("say from which day on", "fault_date"),
	row("must be a day, the first one or later", "fault_end_day"),
	row("each must lie between 5 and %d minutes before the start", "fault_reminder"),
	row("must be 1 to 40 of a-z, A-Z, 0-9, - and _, and stand once", "fault_question"),
	row("a choice has 1 to %d options, and nothing else has any", "fault_options", "Count"),
	row("with these hours, the %d hosts of %s have %d starts a day together, and %d is the most. Let it "+
		"start every %d minutes, or name fewer hosts",
		"fault_starts", "", "Name", "", "", "Minutes"),
	row("the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", "fault_choice"),
	row("is required: %s", "fault_fill"),
	row("is required: staff see the calendar of the host that they are", "fault_staff_host"),
	row("is required: one or more of %s", "fault_events"),
	row("is required: the slug of an event type", "fault_type"),
	row("is required: a slug or id of the event type", "fault_type"),
	row("is required: an ISO 8601 time such as 2026-12-01T09:00:00Z", "fault_start"),
	row("is required for a new contact", "fault_name"),
	row("there is no such host in this workspace", "fault_no_host"),
	row("%s does not serve %s", "fault_not_served", "Host", "Type"),
	row("choose another contact", "fault_merge"),
	row("choose the contact that stays", "fault_merge_stay"),
	row("together their notes are longer than %d characters; shorten one of them first",
		"fault_merge_notes", "Count"),
	row("%s stands in line %d already", "fault_line_twice", "Email", "Line"),
	row("%s has a booking ahead. Cancel it first, then delete the contact.", "fault_has_upcoming", "Name"),
	row("choose a CSV file of at most 8 MiB", "fault_file"),
	row("must have at most %d MiB", "fault_file_size", "Size"),
	row("must have at most %d lines; cut it in parts", "fault_file_lines", "Count"),
	row("must have at most %d columns", "fault_file_columns", "Count"),
	row("could not be read to its end", "fault_file_read"),
	row("can't be read from line %d on: a quotation mark is missing there, or is too many", "fault_file_quotes", "Line"),
	row(`is a workbook, no CSV. Save it as "CSV UTF-8"`, "fault_file_workbook"),
	row("has more cells than there are headings", "fault_line_cells"),
	row("neither an e-mail address nor a telephone number", "fault_line_nobody"),
	row(`is not UTF-8 text. Save it as "CSV UTF-8"`, "fault_file_text"),
	row("is empty or no CSV", "fault_file_empty"),
	row("There is a host %s already.", "fault_host_taken", "Email"),
	row("There is a user %s already.", "fault_user_taken"),
	row("Somebody signs in with this address already.", "fault_user_taken"),
	row("That is not your present password.", "fault_old_password"),
	row("That code is wrong, or was used already. Take the one that is shown now.", "fault_wrong_code"),
	row("That passkey was not accepted. Try again, or sign in with your password.", "fault_wrong_passkey"),
	row("Passkeys need a server with a name, reached by https. At this address there are none.", "fault_no_passkeys"),
	row("Show again that it is you: this changes how you sign in.", "fault_sign_in_again"),
	row("That took too long, or was done already. Begin again.", "fault_factor_over"),
	row("You have an authenticator app already. Remove it first.", "fault_app_there"),
	row("Your role needs a second factor here. Add another one before you remove this one.", "fault_factor_required"),
	row("Recovery codes stand in for a second factor. Add one first.", "fault_no_factor"),
	row("A member has at most %d passkeys. Remove one first.", "fault_too_many_passkeys", "Most"),
	row("Passkeys were asked for too often from your network. Sign in with your password, or try again in an hour.",
		"fault_passkeys_often"),
	row("That e-mail and password don't match. Check both and try again.", "fault_sign_in"),
	row("Too many attempts. Wait a quarter of an hour, then try again.", "fault_attempts"),
	row("Too many people sign in right now. Try again in a few seconds.", "fault_busy"),
	row("Too many searches for open times are running. Try again in a few seconds.", "fault_busy"),
	row("Please sign in.", "fault_signed_out"),
	row("Your role does not allow this. Ask an owner of the workspace.", "fault_role"),
	row("Staff see and book their own calendar only: leave the host out, or name yourself.", "fault_own_host"),
	row("A workspace has at most %d members.", "fault_members", "Count"),
	row("A workspace has at most %d hosts.", "fault_too_many", "Count"),
	row("A workspace has at most %d event types.", "fault_too_many", "Count"),
	row("A workspace needs an owner: make somebody else one first.", "fault_last_owner"),
	row("This invitation has been used, replaced, or is older than a week. Ask for a new one.", "fault_invitation"),
	row("This set-up link has been used, replaced, or is older than an hour. Restart the server to have "+
		"a new one printed.",
		"fault_setup_link"),
	row("This server has an owner already, so the set-up link has ended. Sign in, or ask an owner to "+
		"invite you.",
		"fault_setup_done"),
	row("%s was set up meanwhile: you will own that.", "fault_setup_changed", "Name"),
	row("type %s to delete the workspace", "fault_delete", "Name"),
	row("The form could not be read, or is too large.", "fault_form"),
	row("There is no %s %q in this workspace.", "fault_missing", "", ""),
	row(`There is no webhook endpoint or delivery "%s"; list them with: daybook webhooks list`,
		"fault_missing", "", ""),
	row("A booking that is %s can't be %s.", "fault_state"),
	row("This booking waits for its payment first; it can be confirmed once that has arrived.",
		"fault_payment_due"),
	row("This invitee has booked that time already: see details.bookingId.", "fault_already_booked"),
	row("This invitee has booked that time already.", "fault_already_booked"),
	row("%s is taken. Choose one of details.alternatives, or ask for availability again.", "fault_taken"),
	row("%s is not free at %s. Choose one of details.alternatives, which are %[1]s's times, or name one "+
		"of details.otherHosts as host.",
		"fault_taken_host", "Host", "", ""),
	row("The time was booked by somebody else meanwhile.", "fault_taken"),
	row("It is too late to change this booking online: please contact %s.", "fault_too_late"),
	row("A booking can be marked as a no-show from its start on, %s.", "fault_no_show_early"),
	row("A booking can be marked as done from its start on, %s, or once its invitee has arrived.",
		"fault_done_early"),
	row("An arrival can be marked from the day of the booking on, %s.", "fault_arrived_early"),
	row("That was taken back or followed by something else meanwhile.", "fault_undone"),
	row("The booking is done already. Take that back first.", "fault_done"),
	row("The booking is marked as %s. Take that back first.", "fault_has_come"),
	row("The booking is marked as a no-show. Take that back first.", "fault_no_show"),
	row("The booking is marked neither as arrived, as done nor as a no-show: there is nothing to take "+
		"back.",
		"fault_nothing_undo"),
	row("The booking was changed while the form was open. Here it is as it is now: make your change again.",
		"edit_changed"),
	row("The booking has no e-mail address that a mail could go to.", "edit_no_email"),
	row("This invitation link has no recipient that a mail could go to.", "invitation_no_email"),
	row("This invitation link was used up or revoked, or has expired. Make a new one.", "invitation_over"),
	row("This mail was sent again %d times, the most there may be.", "edit_sent_often", "Count"),
	row("This mail was sent less than a minute ago. Wait %d seconds.", "edit_sent_lately", "Count"),
	row("choose at least one booking", "cancel_choose"),
	row("The bookings are being cancelled already: this can't be undone any more.", "cancel_too_late"),
	row("choose at most %d bookings", "fault_too_many", "Count"),
	row("This mail can't be sent any more: %s.", "fault_mail_late"),
	row("This mail is being sent right now.", "fault_mail_now"),
	row("The contact of this receipt was deleted, so it can't be mailed any more.", "till_mail_gone"),
	row("Receipts of this booking were mailed %d times today. Print it, or try again tomorrow.",
		"till_mail_often", "Count"),
	row("Receipts were mailed to %d other addresses today than those of the bookings. Print it, or try again tomorrow.",
		"till_mail_strangers", "Count"),
	row("expected smtp://user:password@host:587?from=bookings@example.com (or smtps://…:465; ?tls=none "+
		"allows no encryption)",
		"fault_smtp"),
	row("%q is unknown; %s", "fault_smtp"),
	row("tls is left out, or none", "fault_smtp"),
	row("from must be an e-mail address; %s", "fault_smtp_from"),
	row("the port must lie between 1 and 65535", "fault_port"),
	row("give the password again: the saved one is only for %s at %s, with the encryption that was "+
		"chosen",
		"fault_password_again", "", ""),
	row("must be a URL such as https://example.com/hooks/daybook", "fault_url"),
	row("must begin with https://", "fault_https"),
	row("must not hold a user name or password; receivers verify the signature instead", "fault_url_user"),
	row("must not have a fragment (#…); it would never be sent", "fault_url_fragment"),
	row("the port %s is not one for webhooks; use 443, 80 or one from 1024 on", "fault_url_port", "Port"),
	row("This workspace has %d webhook endpoints, the most there may be; delete one first.",
		"fault_endpoints", "Count"),
	row("The endpoint %s is disabled; enable it first: daybook webhooks enable %s", "fault_endpoint_off"),
	row("The event of this delivery is too old: it is kept no longer.", "fault_event_old"),
	row("must lie between 1 and %d requests a minute", "fault_rate", "Count"),
	row("must lie between 0s and 720h", "fault_choice"),
	row("must lie between 0s and %dh", "fault_choice"),
	row("The key %s is revoked; create a new one.", "fault_key_revoked"),
	row("is the publishable key; give the secret one, which begins with sk_ or rk_", "fault_stripe_public"),
	row("must be a Stripe secret key, which begins with sk_ or rk_", "fault_stripe_key"),
	row("must be the signing secret of the webhook endpoint at Stripe, which begins with whsec_",
		"fault_stripe_signing"),
	row("was refused by Stripe: %s", "fault_stripe_refused", "Why"),
	row("Stripe could not be asked whether the key works (%s). Nothing was saved; try again.",
		"fault_stripe_away", "Why"),
	row("Payments or refunds of the account connected now are still on their way; connect another one "+
		"once they are settled.",
		"fault_stripe_open"),
	row("No Stripe account is connected to this workspace.", "fault_stripe_none"),
	row("No Stripe account is connected here.", "fault_stripe_none"),
	row("Nothing is left to refund: nothing was paid online, or all of it has gone or is going back.",
		"fault_refund_none"),
	row(`There is no mail "%s"; list them with: daybook mail log`, "fault_missing", "", ""),
	row("%s is %s; the operator can allow it with %s %s",
		"fault_address_private", "Address", "", "Option", "Value"),
	row("http:// is for addresses that the operator allows (%s %s); use https://", "fault_https"),
	row("the port %d can't be used; use one of %s", "fault_address_port", "Port", "Ports"),
	row("%s is no address", "fault_host"),
	row("the address must not have a zone (%%%s)", "fault_host"),
	row("write the host in ASCII (xn--…)", "fault_host"),
	row("%q is no host name", "fault_host"),
	row("%q is no host name; write an IPv4 address as four decimal numbers", "fault_host"),
	row("%q has no address, and http:// is for addresses that the operator allows (%s); use https://",
		"fault_https"),
	row("%q is not a public name, and it has no address here", "fault_host_unknown", "Name"),
	row("%q has no address; write the whole host name, such as www.example.com", "fault_host_unknown", "Name"),
	row("no active host serves %s", "fault_nobody", "Type"),
	row("must be green, purple, orange, blue, pink, olive, teal or brown", "fault_choice"),
	row("must be a number", "fault_number"),
	row("is too long", "fault_span"),
	row("must be whole minutes", "fault_minutes"),
	row("%q is not a day; the days are mon, tue, wed, thu, fri, sat and sun", "fault_choice"),
	row("%q is no country whose holidays are known; known are %s", "fault_country"),
	row("is required for %s: one of %s", "fault_region"),
	row("%q is no region of %s; known are %s", "fault_region"),
	row("%s has no regions here; leave it out", "fault_no_region"),
	row("must be from 1 to %d", "fault_one_to", "To"),
	row("must not come before the start", "fault_last_day"),
	row("must be %s or %s", "fault_choice"),
	row("one that comes again lasts at most %d days", "fault_repeat_days", "Count"),
	row("is for weeks; one that comes every month comes on the day of its start", "fault_repeat_month"),
	row("must be email, phone, either or both", "fault_choice"),
	row("must be a country's code of two letters, such as DE", "fault_country"),
	row("must be included or added", "fault_choice"),
	row("must lie between 0 and 100 percent", "fault_percent"),
	row("needs a first line of headings, one of them email or phone; it begins with %q",
		"fault_file_heads", "Text"),
	row("is required: the cash in the drawer, in minor units", "fault_counted"),
	row("is required: how much was taken, in minor units", "fault_taken_amount"),
	row("must be a date such as 2026-12-01", "fault_date"),
	row("has not begun yet", "fault_day_ahead"),
	row("must be cash, card, transfer, voucher or other", "fault_choice"),
	row("A booking has at most %d payments.", "fault_payments", "Count"),
	row("must be the booking's, %s", "fault_booking_currency", "Currency"),
	row("You can give back what was taken today. Ask a manager or an owner for anything earlier.",
		"fault_today_only"),
	row("All of this payment was given back already.", "fault_given_back"),
	row("All that was paid for this booking stands on a receipt already, or nothing was.", "fault_receipt"),
	row("The %s has changed since: get it again, and send the ETag of that answer as If-Match.",
		"fault_changed", ""),
	row("The customer's data was deleted: this booking can't be edited any more.", "fault_erased"),
	row("Others have booked the same session, which ends at %s: all its seats end together.", "fault_session"),
	row("must lie after the start, %s", "fault_end"),
	row("a booking lasts at most 7 days", "fault_week_long"),
	row("The booking waits for its payment, which is for what was booked. Change the event type once it "+
		"is paid.",
		"fault_paid_first"),
	row("is priced in %s, but the no-show fee of this booking is in %s: cancel the booking, and make a new one",
		"fault_other_currency", "To", "From"),
	row("is priced in %s, but the late cancellation fee of this booking is in %s: cancel the booking, and make a new one",
		"fault_other_currency", "To", "From"),
	row("give either percent, from 1 to 100, or amount", "deposit_fault_one"),
	row("is a part of the price: set a price, or leave the deposit out", "deposit_fault_price"),
	row("is paid online and the rest on site, so payment must be on_site: online, all of the price is paid when booking",
		"deposit_fault_online"),
	row("must be more than 0: leave the deposit out where there is none", "deposit_fault_none"),
	row("must be at most the price, %s", "deposit_fault_most", "Price"),
	row("must be the no-show fee's currency, %s", "deposit_fault_fee_currency", "Currency"),
	row("is for cancelling within cancellationNoticeMinutes, which is 0: set that too", "deposit_fault_notice"),
	row("nothing can be charged: the booking has no lateCancellationFee, its freeCancellationUntil is not over, or no "+
		"card was saved: leave it out", "deposit_fault_nothing"),
	row("Cancelling this booking now costs %s. Agree to that, or keep it.", "deposit_fault_late", "Fee"),
	row("is priced in %s, but this booking was paid online in %s: cancel the booking, and make a new one",
		"fault_other_currency", "To", "From"),
	row("is priced in %s, but this booking was paid in %s: give that money back first",
		"fault_paid_currency", "To", "From"),
	row("%s does not serve %s: name a host who does", "fault_not_served", "Host", "Type"),
	row("You have %d devices with notifications. Remove one first.", "fault_devices", "Count"),
	row("must be of new, moved, cancelled", "fault_choice"),
	row("must be a whole minute", "fault_minutes"),
	row("is required, or else %s: an e-mail address or a telephone number", "fault_reach"),
	row("must be a telephone number such as +49 30 901820: with the country's code, or complete as it "+
		"is dialled within the country of the business",
		"fault_phone"),
	row("Another contact has this %s. Merge the two instead.", "fault_contact_taken"),
	row("%s has this %s already.", "fault_email_of", "Name"),
	row("There is no mail of this booking that could be sent again.", "fault_no_mail"),
	row("%q is not a date and time like 2026-12-03T18:00", "choice_dates_wrong", "Text"),
	row("%q is no add-on of %s", "choice_fault_unknown", "ID", "Title"),
	row("choose one of %s", "choice_fault_one", "Title"),
	row("choose at most %d of %s", "choice_fault_most", "Count", "Title"),
	row("%q has no add-on: name it as the group of one, or leave it out", "choice_fault_empty_group", "ID"),
	row("%q is none of addOnGroups", "choice_fault_group", "ID"),
	row("at most %d, in at most %d groups", "choice_fault_many", "Count", "Groups"),
	row("must be 0 where several share a session: its seats end together", "choice_fault_minutes"),
	row("at most as many names as seats, %d", "choice_fault_names", "Count"),
	row("must be the event type's currency, %s", "fault_event_currency", "Currency"),
	row("cost more than can be charged at once: choose fewer", "fault_fewer"),
	row("%q is no kind of mail to invitees", "fault_choice"),
	row("stands twice for that kind and language", "fault_words_twice"),
	row("must be an https:// address", "fault_https"),
	row("%q is no event type that %s serves", "fault_not_served", "Type", "Host"),
	row("%s's own price of it doesn't fit any more: %s", "fault_own_price", "Name"),
	row("must be in_person, host_calls, invitee_calls, video or text", "fault_choice"),
	row("The calendar of %s can't be read at the moment, so nobody knows whether that time is free. Try again in a few "+
		"minutes.", "calsync_fault_unknown", "Name"),
	row("must be book or refuse", "fault_choice"),
	row("A host has at most %d connections: disconnect one first.", "calsync_fault_many", "Count"),
	row("user and password are required; most services have passwords for apps", "calsync_fault_password"),
	row("must be an https:// address, without a name or password in it", "calsync_fault_address"),
	row("%s can't be written: choose another calendar", "calsync_fault_read_only", "Name"),
	row("calendars of the kind %s can't be connected here", "fault_choice"),
	row("at most %d characters", "fault_most", "Count"),
	row("is required: the id of a host", "fault_fill"),
	row("is required with another client id", "calsync_fault_client_secret"),
	row("needs a client id and secret of %s first", "signin_fault_client", "Name"),
	row("This sign-in is over: begin again.", "signin_fault_over"),
	row("must be the id or a domain of a directory, or empty", "signin_fault_tenant"),
	row("%s does not answer as it should: try again in a few minutes", "signin_fault_silent", "Name"),
	row("the sign-in was refused: begin again, and agree to all that is asked", "signin_fault_refused"),
	row("must be google or microsoft", "fault_choice"),
}
