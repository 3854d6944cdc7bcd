package booking

import (
	"daybook/app/catalog"
	"daybook/app/id"
)

// GuestID identifies a booking that a person's AI assistant asked for without a key, which the person has yet to
// confirm.
type GuestID = id.ID[GuestIDKind]

// GuestIDKind gives these ids their prefix.
type GuestIDKind struct{ id.Many }

// Prefix implements id.Kind.
func (GuestIDKind) Prefix() string { return "gr_" }

// GuestCode returns the code that the person finds in the mail and tells their assistant: six digits that can't be
// computed without the workspace's link key.
func GuestCode(setup *catalog.Setup, id GuestID) string {
	sum := uint64(0)
	for _, c := range []byte(setup.MAC("guest code\x00" + id.String())) {
		sum = sum*33 + uint64(c)
	}
	var digits [6]byte
	for i := range digits {
		digits[i] = byte('0' + sum%10)
		sum /= 10
	}
	return string(digits[:])
}

// GuestToken returns the part of the mail's link that identifies the request.
func GuestToken(setup *catalog.Setup, id GuestID) string { return catalog.Signed(setup, "guest", id) }

// GuestPath returns the path of that link.
func GuestPath(setup *catalog.Setup, id GuestID) string {
	return "/booking/" + GuestToken(setup, id) + "/confirm"
}
