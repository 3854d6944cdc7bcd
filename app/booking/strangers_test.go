package booking_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/field"
)

// What strangers are shown of event types and bookings is exactly this. A door adds nothing but what it makes itself.
func TestStrangersAreShown(t *testing.T) {
	for _, c := range []struct {
		name string
		typ  reflect.Type
		want string
	}{
		{"an event type to public keys", shown[catalog.EventType](&catalog.EventTypeFields, field.ForPublicKeys),
			"addOnGroups.id addOnGroups.max addOnGroups.required addOnGroups.title addOns.group addOns.id addOns.minutes addOns.part " +
				"addOns.price.amount addOns.price.currency addOns.title asksFor bookingUrl cancellationNoticeMinutes category " +
				"deposit.amount.amount deposit.amount.currency deposit.percent description durationMinutes hosts.id hosts.name " +
				"id lateCancellationFee.amount lateCancellationFee.currency noShowFee.amount noShowFee.currency payment " +
				"price.amount price.currency questions.key questions.label questions.options questions.required questions.type " +
				"requires.consent requires.within requiresApproval seats slug title"},
		{"an event type to guests", shown[catalog.EventType](&catalog.EventTypeFields, field.ForGuests),
			"addOns.id addOns.minutes addOns.price.amount addOns.price.currency addOns.title cancellationNoticeMinutes " +
				"description durationMinutes hosts.id hosts.name page price.amount price.currency questions.key " +
				"questions.label questions.options questions.required questions.type requiresApproval seats slug title"},
		{"a contact field to public keys", shown[catalog.ContactField](&catalog.ContactFieldFields, field.ForPublicKeys),
			"key label onForm options type"},
		{"a booking to public keys", shown[booking.Booking](&booking.BookingFields, field.ForPublicKeys),
			"end eventType expiresAt host.id host.name id location manageUrl pendingReason price.amount price.currency seats " +
				"start status"},
		{"a booking to guests", shown[booking.Booking](&booking.BookingFields, field.ForGuests),
			"end host.id host.name hostChanged id link pendingReason price.amount price.currency service start status where"},
	} {
		all := paths(c.typ, "")
		slices.Sort(all)
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if shown[catalog.ContactField](&catalog.ContactFieldFields, field.ForPublicKeys) != reflect.TypeFor[catalog.ContactField]() {
		t.Error("a contact field has something that isn't for public keys, which get it whole beside event types")
	}
}

func shown[T any](r *field.Resource, d field.Door) reflect.Type {
	return field.NewView[T, struct{}](r, d).Type()
}

// paths are the fields of a type in JSON, with those of structs within it.
func paths(t reflect.Type, at string) (all []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return []string{strings.TrimSuffix(at, ".")}
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _ := field.Name(f); name != "" {
			all = append(all, paths(f.Type, at+name+".")...)
		}
	}
	return all
}
