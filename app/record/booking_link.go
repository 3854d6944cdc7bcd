package record

import (
	"strings"

	"daybook/app/catalog"
)

// LinkToken returns the token of the invitee's link to a booking: the id and its MAC under the workspace's link key
// (HMAC-SHA256 cut to 128 bits). It can't be guessed and takes no space in the database.
func LinkToken(s *catalog.Setup, id BookingID) string {
	text := strings.TrimPrefix(id.String(), BookingIDKind{}.Prefix())
	return text + s.MAC(text)
}

// LinkPayments adds the link under which the invitee pays to a payment or fee that waits for them. Links aren't stored,
// and the stored payment isn't changed.
func (b *Booking) LinkPayments() {
	pay := b.ManageURL + "/pay"
	if p := b.Payment; p != nil && b.PendingReason != nil && *b.PendingReason == ForPayment &&
		p.Status != string(PaymentProcessing) {
		shown := *p
		shown.URL = pay
		b.Payment = &shown
	}
	if n := b.NoShow; n != nil && n.Fee != nil && (n.Fee.Status == string(PaymentFailed) ||
		n.Fee.Status == string(PaymentNeedsYou)) {
		fee := *n.Fee
		fee.URL = pay
		b.NoShow = &NoShowRecord{At: n.At, Fee: &fee}
	}
}
