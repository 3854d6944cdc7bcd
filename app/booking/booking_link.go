package booking

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/id"
)

// LinkToken returns the token of the invitee's link to a booking: the id and its MAC under the workspace's link key
// (HMAC-SHA256 cut to 128 bits). It can't be guessed and takes no space in the database.
func LinkToken(s *catalog.Setup, id BookingID) string {
	text := strings.TrimPrefix(id.String(), BookingIDKind{}.Prefix())
	return text + s.MAC(text)
}

// LinkedBooking returns the id at the start of a token made by LinkToken. The caller must compare LinkToken of that id
// with the token.
func LinkedBooking(token string) (BookingID, bool) {
	n := id.Digits(BookingIDKind{})
	if len(token) <= n {
		return 0, false
	}
	b, err := id.Parse[BookingIDKind](BookingIDKind{}.Prefix() + token[:n])
	return b, err == nil
}

// LinkPayments adds, to a payment or fee that the invitee has yet to pay, the link to pay it. Links aren't stored, and
// the stored payment isn't changed.
func (b *Booking) LinkPayments() {
	pay := b.ManageURL + "/pay"
	if p := b.Payment; p != nil && b.PendingReason != nil && *b.PendingReason == ForPayment &&
		p.Status != string(PaymentProcessing) {
		shown := *p
		shown.URL = pay
		b.Payment = &shown
	}
	if b.PayLink != nil {
		shown := *b.PayLink
		shown.URL = pay
		b.PayLink = &shown
	}
	if n := b.NoShow; n != nil && n.Fee.open() {
		fee := *n.Fee
		fee.URL = pay
		b.NoShow = &NoShowRecord{At: n.At, Fee: &fee}
	}
	if c := b.Cancellation; c != nil && c.Fee.open() {
		shown, fee := *c, *c.Fee
		fee.URL, shown.Fee = pay, &fee
		b.Cancellation = &shown
	}
}

// open reports whether the charge has failed, so that the invitee can still pay the fee by themselves.
func (f *Fee) open() bool {
	return f != nil && (f.Status == string(PaymentFailed) || f.Status == string(PaymentNeedsYou))
}
