package booking

import (
	"encoding/json"
	"reflect"
	"testing"

	"daybook/app/catalog"
	"daybook/app/money"
)

// moreRare is Rare with a field that somebody has added, and said nothing else of.
type moreRare struct {
	Rare
	Pets []string `json:"pets,omitempty"`
}

// When a guest is erased, the rare fields of their bookings go, and so does every field that is added to them, both from
// the booking and from what receivers are told. What the business set stays.
func TestRareFieldsGoWithTheGuest(t *testing.T) {
	full := moreRare{Rare: Rare{Participants: []string{"Zoé"}, Deposit: &money.Money{Amount: 5, Currency: "EUR"},
		LateFee: &money.Money{Amount: 6, Currency: "EUR"}, FreeCancel: 1796121900000,
		Coming: &Coming{AskedAt: 1796121900000}, ConfirmedAt: 1796121900000,
		Where: &BookedWhere{Kind: catalog.InPerson, Text: "Lindenstr. 4"}}, Pets: []string{"Rex"}}
	want := full
	want.Participants, want.Pets = nil, nil
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	var told map[string]any
	if err := json.Unmarshal(text, &told); err != nil {
		t.Fatal(err)
	}
	told["start"] = "of the booking"
	if len(told) != 9 {
		t.Fatalf("not every field is set: %s", text)
	}
	eraseMembers(told, reflect.TypeFor[moreRare]())
	if got := len(told); got != 7 || told["participants"] != nil || told["pets"] != nil {
		t.Errorf("receivers are told %v", told)
	}
	eraseFields(reflect.ValueOf(&full).Elem())
	if !reflect.DeepEqual(full, want) {
		t.Errorf("the booking has %+v, want %+v", full, want)
	}
}

func TestErase(t *testing.T) {
	r := Rare{Participants: []string{"Zoé"}, Deposit: &money.Money{Amount: 5, Currency: "EUR"}}
	told := map[string]any{"participants": r.Participants, "deposit": r.Deposit}
	r.Erase()
	EraseRare(told)
	if r.Participants != nil || r.Deposit == nil {
		t.Errorf("the booking has %+v", r)
	}
	if told["participants"] != nil || told["deposit"] == nil {
		t.Errorf("receivers are told %v", told)
	}
}
