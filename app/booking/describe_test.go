package booking_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/webhook"
)

// inviteeInput is an invitee as callers send it.
type inviteeInput booking.Invitee

// Each description has a row for each field that its type has in JSON, and no other.
func TestDescriptions(t *testing.T) {
	all := maps.Clone(booking.Described)
	maps.Copy(all, map[reflect.Type]*field.Resource{
		reflect.TypeFor[catalog.Host]():            &catalog.HostFields,
		reflect.TypeFor[catalog.Resource]():        &catalog.ResourceFields,
		reflect.TypeFor[catalog.Workspace]():       &catalog.WorkspaceFields,
		reflect.TypeFor[booking.ContactInput]():    &booking.ContactInputFields,
		reflect.TypeFor[booking.BookInput]():       &booking.BookInputFields,
		reflect.TypeFor[inviteeInput]():            &booking.InviteeInputFields,
		reflect.TypeFor[booking.CancelInput]():     &booking.CancelInputFields,
		reflect.TypeFor[booking.RescheduleInput](): &booking.RescheduleInputFields,
		reflect.TypeFor[webhook.Endpoint]():        &webhook.EndpointFields,
		reflect.TypeFor[webhook.Delivery]():        &webhook.DeliveryFields,
		reflect.TypeFor[webhook.EndpointInput]():   &webhook.EndpointInputFields,
	})
	for of, d := range all {
		var has, told []string
		for _, f := range reflect.VisibleFields(of) {
			if name, _ := field.Name(f); name != "" {
				has = append(has, name)
			}
		}
		for i := range d.Fields {
			f := &d.Fields[i]
			told = append(told, f.Name)
			if !strings.HasSuffix(f.Text, ".") || !strings.HasSuffix(f.Told(), ".") && !strings.HasSuffix(f.Told(), "…") {
				t.Errorf("%s.%s is described by %q and %q, want sentences", of, f.Name, f.Text, f.Told())
			}
		}
		slices.Sort(has) // a description may follow the order of the set-up file
		slices.Sort(told)
		if !slices.Equal(has, told) {
			t.Errorf("%s has %v, its description %v", of, has, told)
		}
	}
}
