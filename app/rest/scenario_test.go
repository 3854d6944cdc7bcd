package rest_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
)

// scenario is one request to a door that holds the bookings of TestScenarios.
type scenario struct {
	name         string
	method, path string // {cut}, {talk}, {color} and {gone} stand for ids; the method "" is GET
	body         string
	key          string // "full" (default), "read-only", "foreign", "none", or a value
	headers      []string
	status       int
	has, lacks   []string
	header       []string // "Name: value" that the answer has
	bookings     int      // how many it adds
	events       int      // how many it fires
}

const (
	noon     = "2026-12-01T11:10:00Z" // of Tuesday, on nobody's cut grid
	cutAt    = "2026-12-01T08:00:00Z"
	nextCut  = "2026-12-01T08:45:00Z"
	thirdCut = "2026-12-01T09:30:00Z"
)

var scenarios = []scenario{
	{name: "create", method: "POST", path: "/v1/bookings", body: bookingBody("cut", thirdCut, "New@X.example"), status: 201, bookings: 1, events: 1,
		has: []string{`"eventType":"cut"`, `"start":"2026-12-01T09:30:00Z"`, `"end":"2026-12-01T10:15:00Z"`, `"status":"confirmed"`, `"manageUrl":"https://book.test/booking/`, `"email":"New@X.example"`,
			`"host":{"id":"hs_`, `"pendingReason":null`, `"payment":null`}, header: []string{"Location: https://book.test/api/v1/bookings/bk_", "Cache-Control: no-store"}},
	{name: "create with everything", method: "POST", path: "/v1/bookings", status: 201, bookings: 1, events: 1,
		body: `{"eventType":"color","start":"2026-12-02T10:30:00+01:00","host":"{ana}","notes":"a\nb","answers":{"tone":"red","first":true,"extra":3},"metadata":{"crm":"7"},
			"invitee":{"name":"Zoë <b>","email":"z@x.example","phone":"+49 30 901820","timeZone":"America/New_York","locale":"en-US"}}`,
		has: []string{`"answers":{"first":true,"tone":"red"}`, `"ignored":["answers.extra"]`, `"metadata":{"crm":"7"}`, `"price":{"amount":9000,"currency":"EUR"}`, `"start":"2026-12-02T09:30:00Z"`, `"timeZone":"America/New_York"`}},
	{name: "create pending", method: "POST", path: "/v1/bookings", body: bookingBody("talk", "2026-12-03T08:00:00Z", "p@x.example"), status: 201, bookings: 1,
		has: []string{`"status":"pending"`, `"pendingReason":"approval"`, `"expiresAt":"2026-12-02T07:00:00Z"`}},
	{name: "taken", method: "POST", path: "/v1/bookings", body: bookingBody("cut", cutAt, "new@x.example"), status: 409,
		has: []string{`"code":"conflict"`, `"reason":"slot_taken"`, `"alternatives":[{"start":"2026-12-01T08:45:00Z"`, `"timeZone":"`}, lacks: []string{"bookingId"}},
	{name: "the same again", method: "POST", path: "/v1/bookings", body: bookingBody("cut", cutAt, " BO@x.example "), status: 409,
		has: []string{`"reason":"already_booked"`, `"bookingId":"{cut}"`}, lacks: []string{"alternatives"}},
	{name: "off the grid", method: "POST", path: "/v1/bookings", body: bookingBody("cut", noon, "new@x.example"), status: 400, has: []string{`"reason":"off_grid"`, `"field":"start"`}},
	{name: "off the grid and at night", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "2026-12-01T22:05:00Z", "new@x.example"), status: 400,
		has: []string{`"reason":"outside_hours"`, `"reasons":["outside_hours"]`}},
	{name: "in the past", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "2026-11-29T08:00:00Z", "new@x.example"), status: 400, has: []string{`"reason":"in_past"`}},
	{name: "outside hours", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "2026-12-01T03:00:00Z", "new@x.example"), status: 400, has: []string{`"reason":"outside_hours"`}},
	{name: "too far", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "2027-12-01T08:00:00Z", "new@x.example"), status: 400, has: []string{`"reason":"too_far"`}},
	{name: "before all times", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "1970-01-01T00:00:00Z", "new@x.example"), status: 400, has: []string{`"reason":"in_past"`}},
	{name: "beyond all times", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "9999-12-31T00:00:00Z", "new@x.example"), status: 400, has: []string{`"reason":"too_far"`}},
	{name: "unknown event type", method: "POST", path: "/v1/bookings", body: bookingBody("nope", cutAt, "new@x.example"), status: 404, has: []string{`"code":"not_found"`}},
	{name: "an answer that is no option", method: "POST", path: "/v1/bookings", status: 400, has: []string{`"field":"answers.tone"`},
		body: `{"eventType":"color","start":"2026-12-02T08:00:00Z","invitee":{"name":"a","email":"z@x.example"},"answers":{"tone":"green"}}`},
	{name: "a time without a zone", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "2026-12-01T08:00:00", "new@x.example"), status: 400, has: []string{`"field":"start"`}},

	{name: "one", path: "/v1/bookings/{cut}", status: 200, has: []string{`"id":"{cut}"`, `"manageUrl"`}, header: []string{"RateLimit-Limit: 1000000", "RateLimit-Remaining: ", "RateLimit-Reset: ", "Cache-Control: no-store"}},
	{name: "one, read-only", path: "/v1/bookings/{cut}", key: "read-only", status: 200, has: []string{`"id":"{cut}"`}, lacks: []string{"manageUrl"}},
	{name: "head of one", method: "HEAD", path: "/v1/bookings/{cut}", status: 200},
	{name: "an unknown one", path: "/v1/bookings/bk_0000000000000", status: 404, has: []string{`"code":"not_found"`}},
	{name: "an id that is none", path: "/v1/bookings/%00%ff", status: 404, has: []string{`"code":"not_found"`}},
	{name: "an id without end", path: "/v1/bookings/" + strings.Repeat("x", 5000), status: 404, lacks: []string{strings.Repeat("x", 100)}},

	{name: "upcoming", path: "/v1/bookings", status: 200, has: []string{"{cut}", "{talk}", "{color}", "{gone}", `"hasMore":false,"nextCursor":null`}},
	{name: "upcoming, by status", path: "/v1/bookings?status=cancelled", status: 200, has: []string{"{gone}"}, lacks: []string{"{cut}"}},
	{name: "upcoming, by statuses", path: "/v1/bookings?status=cancelled,pending", status: 200, has: []string{"{gone}", "{talk}"}, lacks: []string{"{cut}"}},
	{name: "upcoming, by repeated status", path: "/v1/bookings?status=cancelled&status=pending", status: 200, has: []string{"{gone}", "{talk}"}, lacks: []string{"{cut}"}},
	{name: "upcoming, by event type", path: "/v1/bookings?eventType=talk", status: 200, has: []string{"{talk}"}, lacks: []string{"{cut}"}},
	{name: "upcoming, by unknown event type", path: "/v1/bookings?eventType=nope", status: 200, has: []string{`{"data":[],"hasMore":false,"nextCursor":null,"hint":"There is no event type`}},
	{name: "upcoming, by invitee", path: "/v1/bookings?invitee=BO%40x.example", status: 200, has: []string{"{cut}"}, lacks: []string{"{talk}"}},
	{name: "upcoming, by host", path: "/v1/bookings?host={bob}", status: 200, has: []string{"{color}"}, lacks: []string{"{cut}"}},
	{name: "past", path: "/v1/bookings?scope=past", status: 200, has: []string{`{"data":[]`}},
	{name: "past and upcoming", path: "/v1/bookings?scope=all", status: 200, has: []string{"{cut}", "{talk}", "{gone}"}},
	{name: "of another scope", path: "/v1/bookings?scope=ever", status: 400, has: []string{"must be upcoming, past or all"}},
	{name: "of every status, by name", path: "/v1/bookings?status=all&q=go", status: 200, has: []string{"{gone}"}, lacks: []string{"{talk}", "{cut}"}},
	{name: "of every status and one", path: "/v1/bookings?status=all,pending", status: 400, has: []string{`"field":"status"`}},
	{name: "by nobody's name", path: "/v1/bookings?q=nobody&scope=all", status: 200, has: []string{`{"data":[]`}},
	{name: "from", path: "/v1/bookings?from=2026-12-01T08:00:01Z", status: 200, has: []string{"{talk}"}, lacks: []string{"{cut}"}},
	{name: "from ever to ever", path: "/v1/bookings?from=1970-01-01&to=9999-12-31", status: 200, has: []string{"{cut}", "{talk}"}},
	{name: "to before all times", path: "/v1/bookings?to=1970-01-01T00:00:00Z", status: 200, lacks: []string{"{cut}"}},
	{name: "from, its plus not encoded", path: "/v1/bookings?from=2026-12-01T09:00:01+01:00", status: 200, has: []string{"{talk}"}, lacks: []string{"{cut}"}},
	{name: "from, no zone", path: "/v1/bookings?from=2026-12-01%2009:00", status: 400, has: []string{`"field":"from"`}},
	{name: "to", path: "/v1/bookings?to=2026-12-01T08:00:00Z", status: 200, lacks: []string{"{cut}"}},
	{name: "a day of Auckland", path: "/v1/bookings?from=2026-12-02&timeZone=Pacific/Auckland&scope=past", status: 200, has: []string{"{talk}"}, lacks: []string{"{cut}"}},
	{name: "limit above 100", path: "/v1/bookings?limit=1000", status: 200},
	{name: "limit beyond numbers", path: "/v1/bookings?limit=99999999999999999999", status: 200},
	{name: "unknown parameters", path: "/v1/bookings?nothing=%zz&foo[]=1", status: 400, has: []string{`"field":"nothing","fields":[`, `{"field":"foo[]",`}},
	{name: "a parameter in small letters", path: "/v1/bookings?eventtype=cut", status: 400, has: []string{`"field":"eventtype"`, "did you mean eventType?"}},
	{name: "a parameter of another list", path: "/v1/bookings?email=bo@x.example", status: 400, has: []string{`"field":"email"`, "it takes scope, from, to, updatedSince, status, eventType, invitee, contact, host"}},
	{name: "a parameter of a single one", path: "/v1/bookings/{cut}?expand=1", status: 400, has: []string{"expand: is no parameter of this request; it takes none"}},
	{name: "a dry run in the query", method: "POST", path: "/v1/bookings?dryRun=true", body: bookingBody("cut", "2026-12-01T11:00:00Z", "dry@x.example"), status: 400, has: []string{`"field":"dryRun"`}},
	{name: "a dry run in the body", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut","start":"2026-12-01T11:00:00Z","invitee":{"name":"D","email":"dry@x.example"},"dryRun":true}`, status: 200, has: []string{`{"dryRun":true,"result":{"eventType":"cut"`, `"told":[{"who":"invitee","by":"mail","to":"dry@x.example"}`}},
	{name: "a dry run that is no boolean", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut","start":"2026-12-01T11:00:00Z","invitee":{"name":"D","email":"dry@x.example"},"dryRun":"yes"}`, status: 400, has: []string{"dryRun: must be true or false"}},
	{name: "a dry run twice", method: "POST", path: "/v1/bookings", body: `{"dryRun":true,"dryRun":false}`, status: 400, has: []string{`"invalid_json"`}},
	{name: "a dry run in small letters", method: "POST", path: "/v1/bookings", body: `{"dryrun":true}`, status: 400, has: []string{"did you mean dryRun?"}},
	{name: "a dry run within the invitee", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut","start":"2026-12-01T11:00:00Z","invitee":{"name":"D","email":"dry@x.example","dryRun":true}}`, status: 400, has: []string{`"field":"invitee.dryRun"`}},
	{name: "a dry run and more behind it", method: "POST", path: "/v1/bookings", body: `{"dryRun":true} {}`, status: 400, has: []string{`"invalid_json"`}},
	{name: "a dry run of a change that is no POST", method: "PATCH", path: "/v1/bookings/{cut}", body: `{"dryRun":true}`, status: 400, has: []string{`"field":"dryRun"`}},
	{name: "a field in small letters", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut","start":"2026-12-01T11:00:00Z","invitee":{"name":"D","email":"dry@x.example","timezone":"UTC"}}`, status: 400,
		has: []string{`"field":"invitee.timezone"`, "did you mean invitee.timeZone?"}},
	{name: "a dry run books nothing", path: "/v1/contacts?email=dry@x.example", status: 200, has: []string{`{"data":[],"hasMore":false,"nextCursor":null,"hint":"Nobody has`}},
	{name: "several wrong fields", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut","start":"soon","invitee":{"name":"","email":"x"}}`, status: 400,
		has: []string{`"field":"start"`, `"fields":[{"field":"start",`, `{"field":"invitee.name",`, `{"field":"invitee.email",`}},
	{name: "several wrong parameters", path: "/v1/bookings?limit=x&Scope=past", status: 400, has: []string{`"field":"limit"`, `{"field":"Scope","message":"Scope: is no parameter of this request; did you mean scope?"}`}},
	{name: "scope is ignored beside from", path: "/v1/bookings?scope=garbage&from=2026-12-01", status: 200, has: []string{"{cut}"}},
	{name: "a filter without a zone is UTC", path: "/v1/bookings?from=2026-12-01T08:00:00&to=2026-12-01T08:01&timeZone=Asia/Tokyo", status: 200, has: []string{"{cut}"}},
	{name: "a body without a zone", method: "POST", path: "/v1/bookings", body: bookingBody("cut", "2026-12-01T11:00:00", "dry@x.example"), status: 400, has: []string{`"field":"start"`, "with a zone"}},
	{name: "no-shows to come", path: "/v1/bookings?status=no_show", status: 200, has: []string{`"data":[]`, `"hint":"No-shows lie in the past`, "scope=past"}},
	{name: "no-shows of the past", path: "/v1/bookings?status=no_show&scope=past", status: 200, has: []string{`"data":[]`}, lacks: []string{"hint"}},
	{name: "no key shows its form", path: "/v1/bookings", key: "none", status: 401, has: []string{"Bearer <API_KEY>"}, lacks: []string{`\u003c`}},

	{name: "cancel", method: "POST", path: "/v1/bookings/{cut}/cancel", status: 200, events: 1, has: []string{`"status":"cancelled"`, `"cancellation":{"reason":"","by":"api","at":"2026-11-30T07:00:00Z"}`}},
	{name: "cancel with a reason", method: "POST", path: "/v1/bookings/{cut}/cancel", body: `{"reason":"ill","refund":false}`, status: 200, events: 1, has: []string{`"reason":"ill"`}},
	{name: "cancel again", method: "POST", path: "/v1/bookings/{gone}/cancel", status: 200, has: []string{`"status":"cancelled"`}},
	{name: "cancel a pending one", method: "POST", path: "/v1/bookings/{talk}/cancel", body: `{}`, status: 200},
	{name: "cancel, unknown field", method: "POST", path: "/v1/bookings/{cut}/cancel", body: `{"refunds":false}`, status: 400, has: []string{`"field":"refunds"`}},
	{name: "cancel, other letter case", method: "POST", path: "/v1/bookings/{cut}/cancel", body: `{"Refund":false}`, status: 400, has: []string{`"field":"Refund"`}},
	{name: "move", method: "POST", path: "/v1/bookings/{cut}/reschedule", body: `{"start":"2026-12-01T08:45:00Z"}`, status: 200, events: 1,
		has: []string{`"id":"{cut}"`, `"status":"rescheduled"`, `"previousStart":"2026-12-01T08:00:00Z"`, `"rescheduleCount":1`}},
	{name: "move to where it is", method: "POST", path: "/v1/bookings/{cut}/reschedule", body: `{"start":"2026-12-01T09:00:00+01:00"}`, status: 200, has: []string{`"status":"confirmed"`}},
	{name: "move onto another", method: "POST", path: "/v1/bookings/{cut}/reschedule", body: `{"start":"2026-12-01T14:00:00Z"}`, status: 409, has: []string{`"reason":"slot_taken"`, `"alternatives":[`}},
	{name: "move a cancelled one", method: "POST", path: "/v1/bookings/{gone}/reschedule", body: `{"start":"2026-12-01T08:45:00Z"}`, status: 409, has: []string{`"reason":"wrong_state"`, `"status":"cancelled"`}},
	{name: "move to nowhere", method: "POST", path: "/v1/bookings/{cut}/reschedule", body: `{}`, status: 400, has: []string{`"field":"start"`}},
	{name: "move without a body", method: "POST", path: "/v1/bookings/{cut}/reschedule", status: 400, has: []string{`"reason":"invalid_json"`}},
	{name: "no-show before the start", method: "POST", path: "/v1/bookings/{cut}/no-show", status: 409, has: []string{`"reason":"wrong_state"`, `"status":"confirmed"`}},
	{name: "confirm", method: "POST", path: "/v1/bookings/{talk}/confirm", status: 200, events: 1, has: []string{`"status":"confirmed"`, `"pendingReason":null`}},
	{name: "confirm a confirmed one", method: "POST", path: "/v1/bookings/{cut}/confirm", status: 409, has: []string{`"reason":"wrong_state"`}},
	{name: "decline", method: "POST", path: "/v1/bookings/{talk}/decline", body: `{"reason":"full"}`, status: 200, has: []string{`"status":"cancelled"`, `"reason":"full"`}},
	{name: "decline a confirmed one", method: "POST", path: "/v1/bookings/{cut}/decline", status: 409, has: []string{`"reason":"wrong_state"`}},

	{name: "event types", path: "/v1/event-types", status: 200, has: []string{`"slug":"cut"`, `"slug":"class"`, `"bookingUrl":"https://book.test/salon/cut"`, `"noShowFee":{"amount":2000,"currency":"EUR"}`}},
	{name: "event types, first page", path: "/v1/event-types?limit=2", status: 200, has: []string{`"hasMore":true`, `"slug":"wash"`}, lacks: []string{`"slug":"talk"`}},
	{name: "event type by slug", path: "/v1/event-types/color", status: 200, has: []string{`"durationMinutes":90`, `"options":["red","blond"]`}},
	{name: "unknown event type", path: "/v1/event-types/nope", status: 404},

	{name: "availability", path: "/v1/availability?eventType=cut&from=2026-12-01&to=2026-12-02", status: 200,
		has: []string{`{"data":[{"start":"2026-12-01T08:45:00Z","end":"2026-12-01T09:30:00Z","local":"2026-12-01T09:45:00+01:00","hosts":["{ana}"]}`, `"timeZone":"Europe/Berlin"`, `"nextAvailable":null`}, lacks: []string{`"closed"`, `"seatsRemaining"`}},
	{name: "availability in a zone", path: "/v1/availability?eventType=class&days=1&timeZone=America/New_York", status: 200, has: []string{`-05:00"`, `"timeZone":"America/New_York"`, `"seatsRemaining":3`}},
	{name: "availability explained", path: "/v1/availability?eventType=cut&from=2026-12-01&days=1&explain=1", status: 200, has: []string{`"closed":[{"start":"2026-12-01T08:00:00Z"`, `"reason":"booked"`}},
	{name: "availability explained, in a word", path: "/v1/availability?eventType=cut&from=2026-12-01&days=1&explain=true", status: 200, has: []string{`"closed":[`}},
	{name: "availability in the night", path: "/v1/availability?eventType=cut&from=2026-12-01T20:00:00Z&to=2026-12-01T22:00:00Z&explain=1", status: 200,
		has: []string{`"data":[]`, `"closed":[{"start":"2026-12-01T20:00:00Z","end":"2026-12-01T22:00:00Z","host":"{ana}","reason":"outside_hours"}]`, `"usualHours":[{"host":"{ana}","name":"ana","timeZone":"Europe/Berlin","weekly":{"fri":["09:00-17:00"],`}},
	{name: "availability without the excluded", path: "/v1/availability?eventType=cut&from=2026-12-01&days=1&excludeBooking={cut}", status: 200, has: []string{`{"data":[{"start":"2026-12-01T08:00:00Z"`}},
	{name: "availability page", path: "/v1/availability?eventType=cut&limit=3", status: 200, has: []string{`"hasMore":true`}},
	{name: "availability with none", path: "/v1/availability?eventType=cut&from=2026-12-01T18:00:00Z&to=2026-12-01T19:00:00Z", status: 200, has: []string{`{"data":[],"hasMore":false`, `"nextAvailable":"2026-12-02T09:30:00Z"`}},
	{name: "availability of nothing", path: "/v1/availability", status: 400, has: []string{`"field":"eventType"`}},
	{name: "availability of an unknown type", path: "/v1/availability?eventType=nope", status: 404},
	{name: "availability of an unknown host", path: "/v1/availability?eventType=cut&host=hs_00000000000", status: 404},
	{name: "availability of a host who doesn't serve it", path: "/v1/availability?eventType=cut&host={bob}", status: 400, has: []string{`"field":"host"`}},
	{name: "availability to and days", path: "/v1/availability?eventType=cut&to=2026-12-02&days=2", status: 400, has: []string{`"field":"days"`}},
	{name: "availability of a year", path: "/v1/availability?eventType=cut&from=2026-12-01&to=2027-12-01", status: 400, has: []string{`"field":"to"`}},

	{name: "contacts", path: "/v1/contacts", status: 200, has: []string{`"email":"bo@x.example"`, `"bookings":1`, `"lastBookingAt":"2026-12-01T08:00:00Z"`}},
	{name: "contacts by name", path: "/v1/contacts?q=ber", status: 200, has: []string{`"email":"bo@x.example"`}},
	{name: "contacts by nothing that is", path: "/v1/contacts?q=zzz", status: 200, has: []string{`{"data":[],"hasMore":false,"nextCursor":null}`}},
	{name: "contact", path: "/v1/contacts/{contact}", status: 200, has: []string{`"id":"{contact}"`}},
	{name: "unknown contact", path: "/v1/contacts/ct_nothing", status: 404},
	{name: "create contact", method: "POST", path: "/v1/contacts", body: `{"name":"Di","email":"di@x.example","notes":"x"}`, status: 201, has: []string{`"email":"di@x.example"`, `"bookings":0`, `"lastBookingAt":null`}, header: []string{"Location: https://book.test/api/v1/contacts/ct_"}},
	{name: "create contact again", method: "POST", path: "/v1/contacts", body: `{"name":"Other","email":"BO@X.example"}`, status: 200, has: []string{`"name":"Bo Berg"`, `"id":"{contact}"`}, header: []string{"Location: -"}},

	{name: "no key", path: "/v1/bookings", key: "none", status: 401, has: []string{`"code":"unauthorized"`}, header: []string{"WWW-Authenticate: Bearer", "RateLimit-Limit: -"}},
	{name: "a wrong key", path: "/v1/bookings", key: "dbk_wrong", status: 401, has: []string{`"code":"unauthorized"`}},
	{name: "another scheme", path: "/v1/bookings", key: "none", headers: []string{"Authorization", "Basic abc"}, status: 401},
	{name: "a key in small letters", path: "/v1/bookings", key: "none", headers: []string{"Authorization", "bearer {full}"}, status: 200},
	{name: "no key for a change", method: "POST", path: "/v1/bookings", body: "{", key: "none", status: 401},
	{name: "no key for a method", method: "PUT", path: "/v1/bookings", key: "none", status: 401},
	{name: "delete", method: "DELETE", path: "/v1/bookings/{cut}", status: 405, has: []string{`"code":"method_not_allowed"`}, header: []string{"Allow: GET, HEAD, OPTIONS", "RateLimit-Limit: 1000000"}},
	{name: "put", method: "PUT", path: "/v1/bookings", body: `{}`, status: 405, header: []string{"Allow: GET, HEAD, OPTIONS, POST"}},
	{name: "get of a change", path: "/v1/bookings/{cut}/cancel", status: 405, header: []string{"Allow: OPTIONS, POST"}},
	{name: "options", method: "OPTIONS", path: "/v1/bookings", key: "none", status: 204, header: []string{"Allow: GET, HEAD, OPTIONS, POST", "Access-Control-Allow-Origin: -"}},
	{name: "unknown path", path: "/v1/nothing", key: "none", status: 404, has: []string{`"code":"not_found"`}},
	{name: "unknown path with a key", path: "/v2/bookings", status: 404, header: []string{"RateLimit-Limit: 1000000"}},
	{name: "unknown path, other method", method: "DELETE", path: "/v1/nothing", status: 404},
	{name: "two slashes", path: "//v1/bookings", status: 404},
	{name: "a slash at the end", path: "/v1/bookings/", status: 404},
	{name: "dots", path: "/v1/x/../bookings", status: 404},
	{name: "the root", path: "/", key: "none", status: 404},
	{name: "the document", path: "/v1/openapi.json", key: "none", status: 200, has: []string{`"openapi": "3.1.0"`}},
	{name: "the document, posted", method: "POST", path: "/v1/openapi.json", key: "none", status: 405, header: []string{"Allow: GET, HEAD, OPTIONS"}},

	{name: "no content type", method: "POST", path: "/v1/bookings", body: bookingBody("cut", nextCut, "n@x.example"), headers: []string{"Content-Type", ""}, status: 415, has: []string{`"code":"unsupported_media_type"`}},
	{name: "a form", method: "POST", path: "/v1/bookings", body: "a=b", headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415},
	{name: "json with a charset", method: "POST", path: "/v1/bookings", body: bookingBody("cut", nextCut, "n@x.example"), headers: []string{"Content-Type", "Application/JSON; charset=utf-8"}, status: 201, bookings: 1, events: 1},
	{name: "too large", method: "POST", path: "/v1/bookings", body: `{"notes":"` + strings.Repeat("x", 1<<20) + `"}`, status: 413, has: []string{`"code":"payload_too_large"`}},
	{name: "too large to cancel", method: "POST", path: "/v1/bookings/{cut}/cancel", body: strings.Repeat(" ", 1<<20) + `{}`, status: 413},
	{name: "empty", method: "POST", path: "/v1/bookings", status: 400},
	{name: "not an object", method: "POST", path: "/v1/bookings", body: `[]`, status: 400, has: []string{`"reason":"invalid_json"`}},
	{name: "null", method: "POST", path: "/v1/bookings/{cut}/cancel", body: ` null`, status: 400},
	{name: "a text", method: "POST", path: "/v1/bookings/{cut}/cancel", body: `"x"`, status: 400},
	{name: "cut short", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut"`, status: 400},
	{name: "more behind it", method: "POST", path: "/v1/bookings", body: bookingBody("cut", nextCut, "n@x.example") + "{}", status: 400},
	{name: "a name twice", method: "POST", path: "/v1/bookings", body: `{"eventType":"cut","eventType":"wash"}`, status: 400, has: []string{`"field":"eventType"`}},
	{name: "an unknown name twice", method: "POST", path: "/v1/bookings/{cut}/no-show", body: `{"a":{"b":1,"b":2}}`, status: 400, has: []string{`"field":"a"`}},
	{name: "bottomless", method: "POST", path: "/v1/bookings", body: strings.Repeat(`{"a":`, 100_000), status: 400},
	{name: "bottomless lists", method: "POST", path: "/v1/bookings", body: `{"a":` + strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000) + `}`, status: 400},

	{name: "read-only create", method: "POST", path: "/v1/bookings", key: "read-only", body: bookingBody("cut", nextCut, "n@x.example"), status: 403, has: []string{`"code":"forbidden"`, `"reason":"read_only_key"`}},
	{name: "read-only, before the body", method: "POST", path: "/v1/bookings", key: "read-only", body: "}", headers: []string{"Content-Type", "text/plain"}, status: 403},
	{name: "read-only, before the id", method: "POST", path: "/v1/bookings/bk_nothing/cancel", key: "read-only", status: 403},
	{name: "read-only contact", method: "POST", path: "/v1/contacts", key: "read-only", body: `{"name":"Bo","email":"bo@x.example"}`, status: 403},
}

func TestScenarios(t *testing.T) {
	var w *world
	var ids *strings.Replacer
	for _, s := range scenarios {
		if w == nil {
			w = newWorld(t)
			ids = w.furnish()
		}
		t.Run(strings.ReplaceAll(s.name, " ", "-"), func(t *testing.T) {
			w.T = t
			bookings, events, before := w.count(), w.events(), w.state()
			key, known := map[string]string{"": w.full, "full": w.full, "read-only": w.readOnly, "foreign": w.foreign, "none": ""}[s.key]
			if !known {
				key = s.key
			}
			headers := slices.Clone(s.headers)
			for i := range headers {
				headers[i] = ids.Replace(headers[i])
			}
			got := w.do(key, cmp.Or(s.method, "GET"), "/api"+ids.Replace(s.path), ids.Replace(s.body), headers...)
			if got.Code != s.status {
				t.Fatalf("%d instead of %d: %s", got.Code, s.status, got.text)
			}
			for _, has := range s.has {
				if !strings.Contains(got.text, ids.Replace(has)) {
					t.Errorf("no %s in %s", ids.Replace(has), got.text)
				}
			}
			for _, lacks := range s.lacks {
				if strings.Contains(got.text, ids.Replace(lacks)) {
					t.Errorf("%s in %s", ids.Replace(lacks), got.text)
				}
			}
			checkHeaders(t, got, s.header)
			if n := w.count() - bookings; n != s.bookings {
				t.Errorf("%d bookings more instead of %d", n, s.bookings)
			}
			if n := w.events() - events; n != s.events {
				t.Errorf("%d events more instead of %d", n, s.events)
			}
			after := w.state()
			if s.status >= 400 && after != before {
				t.Error("an error changed something")
			}
			if after != before {
				w = nil // the next one wants a fresh world
			}
		})
	}
}

// checkHeaders wants headers that begin with a value, or "-" for none.
func checkHeaders(t *testing.T, got reply, want []string) {
	t.Helper()
	for _, line := range want {
		name, value, _ := strings.Cut(line, ": ")
		have, there := got.Header()[http.CanonicalHeaderKey(name)]
		if value == "-" && there || value != "-" && (!there || !strings.HasPrefix(have[0], value)) {
			t.Errorf("header %s is %q", line, have)
		}
	}
}

// furnish makes the bookings that the scenarios name, and replaces their names.
func (w *world) furnish() *strings.Replacer {
	gone := w.book("wash", "2026-12-01T13:05:00Z", "go@x.example")
	if got := w.do(w.full, "POST", "/api/v1/bookings/"+gone+"/cancel", ""); got.Code != 200 {
		w.T.Fatal(got.text)
	}
	w.book("cut", "2026-12-01T14:00:00Z", "bl@x.example")
	return strings.NewReplacer(
		"{cut}", w.book("cut", cutAt, "bo@x.example"), "{talk}", w.book("talk", "2026-12-02T08:30:00Z", "ti@x.example"),
		"{color}", w.book("color", "2026-12-01T14:00:00Z", "co@x.example"), "{gone}", gone,
		"{ana}", ana.String(), "{bob}", bob.String(), "{full}", w.full, "{contact}", w.contact("bo@x.example"),
	)
}

func (w *world) contact(email string) string {
	page, err := w.People.Contacts(w.T.Context(), app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID}, contact.Filter{Q: email}, nil, "")
	w.Must(err)
	return page.Data[0].ID.String()
}

func (w *world) count() int {
	n := 0
	for _, ws := range []catalog.Workspace{w.Workspace, w.other.Workspace} {
		hundred := 100
		page, err := w.Bookings(w.T.Context(), app.Actor{Kind: booking.ByOwner, Workspace: ws.ID}, booking.ListBookingsInput{From: "2000-01-01", Limit: &hundred})
		w.Must(err)
		n += len(page.Data)
	}
	return n
}

func (w *world) events() int {
	all, err := w.Store.EventsAfter(w.Workspace.ID, 0, 10_000)
	w.Must(err)
	return len(all)
}

// Attendance is marked and the marks are taken back, the last one first.
func TestAttendance(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", cutAt, "bo@x.example")
	const came, left = `"arrivedAt":"2026-12-01T09:00:00Z"`, `"doneAt":"2026-12-01T09:00:00Z"`
	mark := func(key, mark string, status int, has ...string) {
		t.Helper()
		got := w.do(key, "POST", "/api/v1/bookings/"+id+"/"+mark, "")
		for _, text := range has {
			if !strings.Contains(got.text, text) {
				t.Errorf("%s: %s lacks %s", mark, got.text, text)
			}
		}
		if got.Code != status {
			t.Errorf("%s: %d, want %d: %s", mark, got.Code, status, got.text)
		}
	}
	mark(w.full, "done", 409, `"reason":"wrong_state"`)
	w.Clock.Advance(26 * time.Hour)
	mark(w.readOnly, "arrived", 403)
	mark(w.foreign, "arrived", 404)
	mark(w.full, "arrived", 200, came, `"doneAt":null`, `"status":"confirmed"`)
	mark(w.full, "arrived", 200, came)
	mark(w.full, "no-show", 409, `"reason":"has_come"`)
	mark(w.full, "done", 200, came, left)
	mark(w.full, "undo", 200, came, `"doneAt":null`)
	mark(w.full, "undo", 200, `"arrivedAt":null`)
	mark(w.full, "undo", 409, `"reason":"nothing_to_undo"`)
}

func TestNoShow(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", cutAt, "bo@x.example")
	w.Clock.Advance(26 * time.Hour)
	got := w.do(w.full, "POST", "/api/v1/bookings/"+id+"/no-show", "{}")
	if got.Code != 200 || !strings.Contains(got.text, `"noShow":{"at":"2026-12-01T09:00:00Z","fee":null}`) {
		t.Error(got.Code, got.text)
	}
	if got = w.do(w.full, "POST", "/api/v1/bookings/"+id+"/no-show", ""); got.Code != 409 {
		t.Error(got.Code, got.text)
	}
	if got = w.do(w.full, "POST", "/api/v1/bookings/"+id+"/cancel", ""); got.Code != 409 || !strings.Contains(got.text, `"status":"no_show"`) {
		t.Error(got.Code, got.text)
	}
	if got = w.do(w.readOnly, "GET", "/api/v1/bookings?scope=past", ""); !strings.Contains(got.text, id) {
		t.Error(got.text)
	}
}

// A booking is corrected by a merge patch; its version goes with it.
func TestEdit(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", cutAt, "bo@x.example")
	path := "/api/v1/bookings/" + id
	version := w.do(w.full, "GET", path, "").Header().Get("ETag")
	for _, step := range []struct {
		key, body string
		headers   []string
		status    int
		has       string
	}{
		{w.readOnly, `}`, nil, 403, `"reason":"read_only_key"`},
		{w.foreign, `{"notes":"x"}`, nil, 404, "not_found"},
		{w.full, ``, nil, 400, `"reason":"invalid_json"`},
		{w.full, `{"note":"x"}`, nil, 400, `notes`},
		{w.full, `{"end":null}`, nil, 400, `"field":"end"`},
		{w.full, `{"invitee":null}`, nil, 400, `"field":"invitee"`},
		{w.full, `{"notes":"x"}`, []string{"Content-Type", "text/plain"}, 415, "unsupported"},
		{w.full, `{"notes":"x"}`, []string{"If-Match", `"no"`}, 412, `"code":"precondition_failed"`},
		{w.full, `{"notes":"x"}`, []string{"If-Match", ""}, 412, `If-Match is empty`},
		{w.full, `{"notes":"x","internalNote":"Pays late","metadata":{"a":"b","c":"d"}}`,
			[]string{"If-Match", version, "Content-Type", "application/merge-patch+json"}, 200, `"internalNote":"Pays late"`},
		{w.full, `{"notes":"y"}`, []string{"If-Match", version}, 412, `"code":"precondition_failed"`},
		{w.full, `{"notes":null,"metadata":{"a":null}}`, []string{"If-Match", "*"}, 200, `"notes":"","internalNote":"Pays late","answers":{},"metadata":{"c":"d"}`},
		{w.full, `{"internalNote":""}`, nil, 200, `"status":"confirmed"`},
	} {
		got := w.do(step.key, "PATCH", path, step.body, step.headers...)
		if got.Code != step.status || !strings.Contains(got.text, step.has) {
			t.Errorf("%s: %d %s, want %d with %s", step.body, got.Code, got.text, step.status, step.has)
		}
		if got.Code == 200 && (got.Header().Get("ETag") == version || strings.Contains(w.do(w.readOnly, "GET", path, "").text, "internalNote")) {
			t.Errorf("%s: %s, or read-only keys see the note", step.body, got.Header().Get("ETag"))
		}
	}
}
