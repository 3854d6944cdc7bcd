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
