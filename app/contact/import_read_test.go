package contact

import (
	"runtime"
	"strings"
	"testing"

	"daybook/app/table"
)

// A file in which everybody is one person is read in memory that grows with its lines, not with their square.
func TestManyLinesOfOnePerson(t *testing.T) {
	file := "Name,E-mail,Notes\n" + strings.Repeat("Ada,ada@mail.example,tea\n", table.MaxRows)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var r Read
	err := r.read(ImportInput{File: []byte(file)}, "DE")
	runtime.ReadMemStats(&after)
	if err != nil || len(r.rows) != 1 || r.Joined != table.MaxRows-1 {
		t.Fatalf("%d rows, %d joined, %v", len(r.rows), r.Joined, err)
	}
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 1000 {
		t.Errorf("it takes %d MiB", used)
	}
}
