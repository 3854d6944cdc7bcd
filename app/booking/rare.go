package booking

import (
	"encoding/json"
	"reflect"

	"daybook/app/money"
	"daybook/app/when"
)

// Rare are fields that few bookings have. They are encoded together, and the store keeps them as they are, in one column
// with others, so a new one stands here and in BookingFields only. It needs omitempty. If it tells of a person,
// store/erase.go deletes it.
type Rare struct {
	Participants []string     `json:"participants,omitempty"`
	Deposit      *money.Money `json:"deposit,omitempty"`               // nil is none
	LateFee      *money.Money `json:"lateCancellationFee,omitempty"`   // for cancelling late, as disclosed
	FreeCancel   when.Instant `json:"freeCancellationUntil,omitempty"` // FreeUntil, see Present; it isn't stored
	Where        *BookedWhere `json:"where,omitempty"`                 // nil is as Location says
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
