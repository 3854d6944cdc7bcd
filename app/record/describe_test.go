package record_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app/field"
	"daybook/app/record"
)

// A description has a row for each field that its type has in JSON, and no other.
func TestDescriptions(t *testing.T) {
	for of, d := range map[reflect.Type]field.Resource{
		reflect.TypeFor[record.Contact]():      record.ContactFields,
		reflect.TypeFor[record.Booking]():      record.BookingFields,
		reflect.TypeFor[record.Invitee]():      record.InviteeFields,
		reflect.TypeFor[record.Payment]():      record.PaymentFields,
		reflect.TypeFor[record.Cancellation](): record.CancellationFields,
		reflect.TypeFor[record.NoShowRecord](): record.NoShowFields,
		reflect.TypeFor[record.Fee]():          record.FeeFields,
	} {
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
		if !slices.Equal(has, told) {
			t.Errorf("%s has %v, its description %v", of, has, told)
		}
	}
}
