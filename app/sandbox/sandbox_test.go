package sandbox_test

import (
	"testing"
	"time"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/sandbox"
	"daybook/app/work"
)

// A sandbox's id is above all others for as long as ids last, has a text form, and lies in the bucket of the id that it
// was made of.
func TestIDs(t *testing.T) {
	last := time.UnixMilli(1<<42 - 1)
	for _, at := range []time.Time{time.UnixMilli(1), time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), last} {
		plain := id.New[catalog.WorkspaceIDKind](at)
		marked := sandbox.ID(plain)
		if sandbox.Is(plain) || !sandbox.Is(marked) || sandbox.Is(catalog.WorkspaceID(0)) {
			t.Errorf("%v: %d and %d are told apart wrongly", at, plain, marked)
		}
		if again, err := id.Parse[catalog.WorkspaceIDKind](marked.String()); err != nil || again != marked {
			t.Errorf("%d is read back as %d: %v", marked, again, err)
		}
		if work.BucketOf(int64(plain)) != work.BucketOf(int64(marked)) || sandbox.ID(marked) != marked {
			t.Errorf("%d lies in another bucket than %d", marked, plain)
		}
	}
	if highest := id.First[catalog.WorkspaceIDKind](last.Add(time.Millisecond)) - 1; sandbox.Is(highest) {
		t.Errorf("%d is no sandbox", highest)
	}
}
