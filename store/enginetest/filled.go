package enginetest

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/store/pgtest"
)

// Filled is a database with content that many tests begin with. It is filled once in a process, on each engine, and
// every test gets a copy. A test package keeps it in a variable.
type Filled[T any] struct {
	// Fill fills the fresh database at place, closes it, and returns what tests know of its content.
	Fill func(t testing.TB, place string) T

	mu   sync.Mutex
	made map[string]filled[T] // by the server's URL; "" is SQLite
}

type filled[T any] struct {
	file     []byte // on SQLite
	template string // on PostgreSQL: the database's name
	known    T
}

// Place makes a copy and returns what --db takes, as Place does, and what Fill returned. The copy is removed after the
// test.
func (f *Filled[T]) Place(t testing.TB) (string, T) {
	t.Helper()
	switch {
	case !OnPostgres():
		made := f.once(t, "", func() (made filled[T]) {
			path := PlaceOnSQLite(t)
			made.known = f.Fill(t, path)
			var err error
			if made.file, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			return made
		})
		return copyFile(t, made.file), made.known
	case keptApart() || strings.HasPrefix(os.Getenv("DAYBOOK_TEST_DB"), "postgres://"):
		place := Place(t) // rights aren't copied, and nothing stays on a server that outlives this process
		return place, f.Fill(t, place)
	}
	server := pgtest.Shared(t)
	made := f.once(t, server, func() filled[T] {
		name := fmt.Sprintf("filled%d_%d", os.Getpid(), fills.Add(1))
		return filled[T]{template: name, known: f.Fill(t, KeptOnPostgres(t, name))}
	})
	return copyOn(t, server, made.template), made.known
}

var fills atomic.Int64

// once is make, called by the first who asks.
func (f *Filled[T]) once(t testing.TB, server string, make func() filled[T]) filled[T] {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	made, there := f.made[server]
	if !there {
		made = make()
		if f.made == nil {
			f.made = map[string]filled[T]{}
		}
		f.made[server] = made
	}
	return made
}
