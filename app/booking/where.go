package booking

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"

	"daybook/app/catalog"
	"daybook/app/slot"
)

// TakePlace fixes where a booking of the event type takes place. A booking that had a video room and gets one again
// keeps it.
func (b *Booking) TakePlace(s *catalog.Setup, e *catalog.EventType) {
	before := b.Where
	b.Where, b.Place = nil, PlaceOf(s, e)
	if e.Where == nil {
		return
	}
	b.Where = &BookedWhere{Kind: e.Where.Kind, Text: e.Where.Text}
	switch {
	case b.Where.Kind == catalog.InPerson:
		b.Where.Text = placeText(s, e)
	case b.Where.Kind == catalog.Video && before != nil && before.URL != "":
		b.Where.URL = before.URL
	case b.Where.Kind == catalog.Video:
		b.Where.URL = newVideoRoom(s)
	}
	if b.Place == apart {
		b.Place = slot.Place(b.ID)
	}
}

func placeText(s *catalog.Setup, e *catalog.EventType) string {
	if e.Where.Text != "" {
		return e.Where.Text
	}
	return s.Workspace.Settings.Address
}

// apart is a place unlike any other: that of a booking which is yet to be made. Places of bookings at an address are
// below it, and one that is like no other is its booking's id.
const apart slot.Place = -1

// PlaceOf returns the place of a new booking of the event type, which decides about the time for the way. All bookings
// at the same address have the same place, and calls have none. A booking at a place that is described in words has
// none either, unless the event type needs time for the way: then each booking has a place of its own, such as its
// invitee's home.
func PlaceOf(s *catalog.Setup, e *catalog.EventType) slot.Place {
	switch w := e.Where; {
	case w == nil:
		return 0
	case w.Kind == catalog.InPerson:
		text := strings.ToLower(strings.Join(strings.Fields(placeText(s, e)), " "))
		sum := sha256.Sum256([]byte(text))
		const bits = 48 // six bytes of a row
		return apart - 1 - slot.Place(binary.BigEndian.Uint64(sum[:])>>(64-bits))
	case w.Kind == catalog.Elsewhere && w.TravelMinutes > 0:
		return apart
	}
	return 0
}

// newVideoRoom returns the address of a video room that nobody can guess: 130 random bits.
func newVideoRoom(s *catalog.Setup) string {
	server := s.Workspace.VideoServer
	if server == "" {
		server = catalog.DefaultVideoServer
	}
	random := make([]byte, 17)
	_, _ = rand.Read(random) // it never fails: see crypto/rand
	name := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))[:26]
	return server + "/" + s.Workspace.Slug + "-" + name
}

// VideoRoom returns the address of the video room if the participants may still meet there, else "".
func (b *Booking) VideoRoom() string {
	if b.Where == nil || b.Status == Cancelled {
		return ""
	}
	return b.Where.URL
}

// HideVideoRoom removes the address of the video room, for callers who may not see links.
func (b *Booking) HideVideoRoom() {
	if b.Where != nil && b.Where.URL != "" {
		b.Where = &BookedWhere{Kind: b.Where.Kind, Text: b.Where.Text}
	}
}

// Spot returns the location for calendars: the place, the address of the video room or the number to call.
func (b *Booking) Spot() string {
	switch w := b.Where; {
	case w == nil:
		return b.Location
	case w.Kind == catalog.Video:
		return b.VideoRoom()
	case w.Kind == catalog.HostCalls:
		return b.Invitee.Phone
	default:
		return w.Text
	}
}

// Conference returns the address by which a program joins a call: that of the video room, or a tel: address of the
// number to call; "" if there is no call.
func (b *Booking) Conference() string {
	number := ""
	switch w := b.Where; {
	case w == nil:
	case w.Kind == catalog.Video:
		return b.VideoRoom()
	case w.Kind == catalog.HostCalls:
		number = catalog.CallNumber(b.Invitee.Phone)
	case w.Kind == catalog.InviteeCalls:
		number = catalog.CallNumber(w.Text)
	}
	if number == "" || b.Status == Cancelled {
		return ""
	}
	return "tel:" + number
}

// Address returns the address that people go to for the booking, as maps find it; "" where it is a call, unknown, or
// cancelled. A location without a number, or in the same street as the business, is at the business.
func (b *Booking) Address(s *catalog.Setup) string {
	switch {
	case b.Status == Cancelled || b.Where != nil && b.Where.Kind != catalog.InPerson:
		return ""
	case b.Where != nil:
		return b.Where.Text
	case b.Location == "" || Online(b.Location):
		return ""
	}
	own := s.Workspace.Settings.Address
	street, _, _ := strings.Cut(own, ",")
	if !strings.ContainsAny(b.Location, "0123456789") || own != "" && strings.HasPrefix(b.Location, street) {
		return own
	}
	return b.Location
}

// Online guesses from the words of a location whether it is a call; which icons and links to maps go by.
func Online(location string) bool {
	location = strings.ToLower(location)
	for _, word := range []string{"http:", "https:", "video", "vidéo", "zoom", "google meet", "teams", "skype", "online",
		"phone", "telefon", "téléphone", "teléfono"} {
		if strings.Contains(location, word) {
			return true
		}
	}
	return false
}
