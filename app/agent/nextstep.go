package agent

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	rules "daybook/app/slot"
)

// nextStep returns a sentence that tells an agent what to do about the error of a call, or of a dry run of it; "" if
// the message says it already.
func nextStep(t *tool, e *fault.Error, dry bool) string {
	switch {
	case e == nil || e.Code == fault.Internal:
		switch {
		case t.reads:
			return ""
		case dry:
			return " This was a dry run: nothing was changed and nobody was told. It can be tried again."
		}
		return " It is not certain whether the change was made: look with list_bookings or list_contacts before trying again."
	case e.Reason == "series_conflict" && t.name == createBooking.name:
		return " Nothing is booked. Tell the person which dates are skipped, and why; then call again with conflicts skip or nearest, or " +
			"with exactly the dates that they want. Where nearest finds none, name the day in repeat.except."
	case e.Reason == "series_conflict":
		return " Nothing has moved. Offer another start, or move those that can one by one, with scope this."
	case e.Reason == "already_booked":
		return " Nothing is left to do, unless another time is wanted."
	case e.Reason == "slot_taken":
		return free(e.Details) + waivable(e.Details)
	case e.Code == fault.BadRequest && strings.HasSuffix(e.Field, "start") && e.Reason != "invalid":
		return " check_availability lists them, and explain says why a time is closed." + waivable(e.Details)
	case e.Misses("visit"):
		return " list_bookings has the visit of each booking; only who sees all of a visit can change it as a whole."
	case e.Misses("booking"):
		return " list_bookings has the ids of the bookings that will take place; with a status, of others too."
	case e.Code == fault.NotFound && slices.Contains([]string{"check_availability", "create_booking", "list_bookings"},
		t.name):
		return " list_event_types has the slugs and the hosts' ids."
	case e.Code == fault.NotFound:
		return " list_bookings has the ids of the bookings that will take place; with a status, of others too."
	case e.Reason == "wrong_state" && e.Details["status"] == booking.Cancelled:
		return " Make a new booking with create_booking instead."
	}
	return ""
}

// waivable says how the business can have the time anyway.
func waivable(details map[string]any) string {
	against, _ := details["reasons"].([]rules.Reason)
	never := func(r rules.Reason) bool { return !slices.Contains(booking.Overridable, r) }
	if len(against) == 0 || slices.ContainsFunc(against, never) {
		return ""
	}
	return " Only if the business itself wants this time anyway: call again with details.reasons as override."
}

// free lists the open times of a conflict.
func free(details map[string]any) string {
	slots, _ := details["alternatives"].([]availability.Slot)
	if len(slots) == 0 {
		return " No time is free in the booking window."
	}
	times := make([]string, len(slots))
	for i, s := range slots {
		times[i] = fmt.Sprintf("%s (%s)", s.Start, s.Local)
	}
	return fmt.Sprintf(" These are free: %s; the local times are those of %s.", strings.Join(times, ", "),
		details["timeZone"])
}
