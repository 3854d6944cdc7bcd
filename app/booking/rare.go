package booking

import (
	"encoding/json"
	"reflect"
	"slices"

	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/when"
)

// Rare are fields that few bookings have. They are encoded together, and the store keeps them in one column with others,
// so a new one stands here and in BookingFields only; store/bookingrow.go names those that it keeps otherwise or not
// at all. It needs omitempty. It is erased with the guest unless keptOfErased names it.
type Rare struct {
	Participants []string     `json:"participants,omitempty"`
	Deposit      *money.Money `json:"deposit,omitempty"`               // nil is none
	Discount     *money.Money `json:"discount,omitempty"`              // what a sale takes off the price; nil is nothing
	LateFee      *money.Money `json:"lateCancellationFee,omitempty"`   // for cancelling late, as disclosed
	FreeCancel   when.Instant `json:"freeCancellationUntil,omitempty"` // FreeUntil, see Present; it isn't stored
	Where        *BookedWhere `json:"where,omitempty"`                 // nil is as Location says
	Visit        *VisitRef    `json:"visit,omitempty"`                 // nil is none
	Series       *SeriesRef   `json:"series,omitempty"`                // nil is none
	PayLink      *PayLink     `json:"payLink,omitempty"`               // shown while it can be paid by, see ShowPayLink
	Imported     *ImportedRef `json:"imported,omitempty"`              // nil: it was made here
	Coming       *Coming      `json:"coming,omitempty"`                // nil: nobody asked or said whether they come
	ConfirmedAt  when.Instant `json:"confirmedAt,omitempty"`           // see ShowConfirmed; it isn't stored
	// ContactFields are what the invitee wrote in the workspace's own fields. They are rows of their own, which only those
	// read who may see the contact's card, so that no event has them.
	ContactFields map[string]string `json:"contactFields,omitempty"`
}

// keptOfErased are the fields of Rare, by their names in JSON, that stay when the guest is erased: what the business
// set. Of Where, the address of the video room goes.
var keptOfErased = []string{"deposit", "discount", "lateCancellationFee", "freeCancellationUntil", "where", "visit", "series", "payLink", "imported",
	"coming", "confirmedAt"}

// Erase empties the fields that tell of the guest.
func (r *Rare) Erase() { eraseFields(reflect.ValueOf(r).Elem()) }

// EraseRare deletes from a booking's JSON object what Rare.Erase empties.
func EraseRare(members map[string]any) { eraseMembers(members, reflect.TypeFor[Rare]()) }

func eraseFields(rare reflect.Value) {
	for _, f := range reflect.VisibleFields(rare.Type()) {
		if erased(f) {
			rare.FieldByIndex(f.Index).SetZero()
		}
	}
}

func eraseMembers(members map[string]any, rare reflect.Type) {
	for _, f := range reflect.VisibleFields(rare) {
		if erased(f) {
			name, _ := field.Name(f)
			delete(members, name)
		}
	}
}

func erased(f reflect.StructField) bool {
	name, _ := field.Name(f)
	return !f.Anonymous && !slices.Contains(keptOfErased, name)
}

// appendMembers appends the JSON of the fields that are set, each after a comma.
func (r *Rare) appendMembers(dst []byte) ([]byte, error) {
	if reflect.ValueOf(r).Elem().IsZero() {
		return dst, nil
	}
	text, err := json.Marshal(r)
	if err != nil || string(text) == "{}" {
		return dst, err
	}
	return append(append(dst, ','), text[1:len(text)-1]...), nil
}
