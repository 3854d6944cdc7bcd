package calsync

import "testing"

// A booking's own event, of which no busy spans are kept, is not saved again at each reading.
func TestOwnEventIsNoDifference(t *testing.T) {
	ours := Item{Key: "a", ETag: "1", UID: "daybook-x", Start: 1, End: 2}
	read := ours
	read.Spans = []Span{{Start: 1, End: 2}}
	if fresh, gone := differences([]Item{ours}, &Changes{All: true, Items: []Item{read}}); len(fresh)+len(gone) > 0 {
		t.Errorf("%+v, %+v", fresh, gone)
	}
	for what, change := range map[string]func(x *Item){"time": func(x *Item) { x.End = 3 }, "version": func(x *Item) { x.ETag = "2" }} {
		other := read
		change(&other)
		if fresh, _ := differences([]Item{ours}, &Changes{All: true, Items: []Item{other}}); len(fresh) != 1 {
			t.Errorf("another %s is no difference", what)
		}
	}
	theirs := Item{Key: "b", ETag: "1", UID: "x"} // that was free
	busy := theirs
	busy.Spans = read.Spans
	if fresh, _ := differences([]Item{theirs}, &Changes{All: true, Items: []Item{busy}}); len(fresh) != 1 {
		t.Error("an event that is busy now is no difference")
	}
}
