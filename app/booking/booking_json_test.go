package booking_test

import (
	"encoding/json"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
)

// everything is a booking with every field filled in, and texts that need escaping.
func everything() booking.Booking {
	reason := booking.ForPayment
	return booking.Booking{
		ID: 1, EventType: "cut", EventTypeID: 2, Taken: booking.Taken{Start: 1796119200000, End: 1796121900123}, Status: booking.Pending,
		Invitee: booking.Invitee{Name: "Zoé \"Z\" <b>&\n", Email: "a@b.example", Phone: "+49 30", TimeZone: "Europe/Berlin", Locale: "de"},
		Host:    catalog.HostRef{ID: 3, Name: "Ana"}, Location: "Lindenstraße 1", Notes: "\u2028 \x01", Answers: map[string]any{"a": true, "b": "x", "c": 1.5},
		Metadata: map[string]string{"k": "v"}, Price: &money.Money{Amount: 4500, Currency: "EUR"},
		Payment:       &booking.Payment{Status: "unpaid", Amount: 4500, Currency: "EUR", URL: "https://x.example/pay?a=1&b=2"},
		PendingReason: &reason, ExpiresAt: 1796121900000, PreviousStart: 1796032800000, RescheduleCount: 2,
		Cancellation: &booking.Cancellation{Reason: "ill", By: booking.ByInvitee, At: 1796121900000},
		NoShow:       &booking.NoShowRecord{At: 1796121900000, Fee: &booking.Fee{Status: "failed", Amount: 1, Currency: "EUR"}},
		Rare: booking.Rare{Participants: []string{"Zoé", "<b>"}, Deposit: &money.Money{Amount: 5, Currency: "EUR"}, LateFee: &money.Money{Amount: 6, Currency: "EUR"},
			FreeCancel: 1796121900000, Where: &booking.BookedWhere{Kind: catalog.Video, URL: "https://x.example/a?b&c"}},
		ManageURL: "https://x.example/booking/t", CreatedAt: 1796000000001, UpdatedAt: 1796000000002,
	}
}

func TestAppendJSONIsWhatEncodingJSONMakes(t *testing.T) {
	for _, b := range []booking.Booking{everything(), {}, {Rare: booking.Rare{Participants: []string{}}}, {Answers: map[string]any{}, Metadata: map[string]string{}, EventTypeID: 5, ID: 6, Host: catalog.HostRef{ID: 7}, Taken: booking.Taken{Start: 1, End: 1}}} {
		if b.ID == 0 { // ids and times are never zero in what is shown
			b.ID, b.EventTypeID, b.Host.ID, b.Start, b.End = 1, 2, 3, 4, 5
		}
		want, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.AppendJSON(nil)
		if err != nil || string(got) != string(want) {
			t.Errorf("got\n%s\nwant\n%s\n%v", got, want, err)
		}
	}
}

func BenchmarkBookingJSON(b *testing.B) {
	x := everything()
	x.Payment, x.Cancellation, x.NoShow, x.PendingReason, x.Rare = nil, nil, nil, nil, booking.Rare{}
	x.Answers, x.Metadata = map[string]any{}, map[string]string{}
	x.Invitee.Name, x.Location, x.Notes = "Zoe", "Lindenstrasse", ""
	b.Run("append", func(b *testing.B) {
		dst := make([]byte, 0, 2048)
		for b.Loop() {
			if _, err := x.AppendJSON(dst); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(&x); err != nil {
				b.Fatal(err)
			}
		}
	})
}
