package record

import (
	"strings"

	"daybook/app/catalog"
)

// LinkToken names a booking in its invitee's link: the id and a MAC of it under the workspace's link key (HMAC-SHA256 cut
// to 128 bits), so that it can't be guessed and takes no room in the database.
func LinkToken(s *catalog.Setup, id BookingID) string {
	text := strings.TrimPrefix(id.String(), BookingIDKind{}.Prefix())
	return text + s.MAC(text)
}
