package booking_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/webhook"
)

// No door has a copy of what is said of a resource, or of what callers send: each takes it from the description.
func TestDescribedInOnePlace(t *testing.T) {
	var said []string
	for _, d := range []field.Resource{booking.BookingFields, booking.ContactFields, booking.PaymentFields,
		booking.FeeFields, money.MoneyFields, catalog.EventTypeFields, catalog.HostFields, catalog.WorkspaceFields,
		booking.BookInputFields, booking.InviteeInputFields, booking.ContactInputFields, booking.RescheduleInputFields,
		booking.CancelInputFields, webhook.EndpointFields, webhook.NewEndpointFields, webhook.DeliveryFields,
		webhook.EndpointInputFields} {
		for _, f := range d.Fields {
			for _, text := range []string{f.Text, f.Told()} {
				if len(text) > 24 { // not so short that two things may well be called the same
					said = append(said, text)
				}
			}
		}
	}
	files := 0
	for _, door := range []string{"rest", "agent", "setup", "page", "dashboard"} {
		err := filepath.WalkDir(filepath.Join("..", door), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			for line := range strings.Lines(string(text)) {
				for _, sentence := range said {
					if strings.Contains(line, `"`+sentence) {
						t.Errorf("%s says %q: take it from the description beside the type", path, sentence)
					}
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < 50 {
		t.Errorf("looked at %d files", files)
	}
}
