package views

// ResourceKinds has the keys of the names of the kinds of resources: of one, and of several.
var ResourceKinds = map[string][2]string{
	"room": {"rooms_room", "rooms_rooms"}, "chair": {"rooms_chair", "rooms_chairs"}, "equipment": {"rooms_thing", "rooms_things"},
}
