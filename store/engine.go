package store

import (
	"context"
	"errors"

	"daybook/store/migrations"
)

// Engine is a database that the nouns of this package are kept in. It owns connections, transactions and files, and
// knows no table but schema_migrations. Package sqlite is one.
type Engine interface {
	// Readers are the connections to read with. Each statement sees the last commit.
	Readers() *Pool
	// Write runs change in a transaction and returns when that is durable.
	//
	// An error of change undoes what change did, and only that, and is returned as it is. A panic of change undoes it
	// too and goes on in the caller. A context that ends before change begins is answered by its error, and change
	// never runs; once begun, the true outcome is awaited. When the commit fails, nothing was changed. A full queue is
	// ErrOverloaded.
	//
	// change does no I/O but SQL and never waits: the other writes may wait for it. It must not call Write, nor keep
	// its transaction.
	Write(ctx context.Context, change func(*Transaction) error) error
	// DataVersion changes whenever anyone has committed since the last call: this process or another. Equal numbers
	// mean that everything read in between still holds. It is cheap enough for every request.
	DataVersion() (int64, error)
	// CheckWritable is nil, or wraps ErrUnwritable.
	CheckWritable(ctx context.Context) error
	// JoinServers counts this process among the servers of the database. If there is no other, first runs before any
	// can join: the moment to clear up what a killed server left. Its error ends the joining.
	JoinServers(ctx context.Context, first func() error) error

	// Migrate brings the database to this binary's schema and names the migrations it applied: all that were pending,
	// or none. Of several processes that migrate at once, one does the work and the others wait and find it done.
	Migrate(ctx context.Context) (names []string, err error)
	// MigrationStatus lists every migration in order, those that only the database knows too.
	MigrationStatus(ctx context.Context) ([]migrations.State, error)
	// CheckSchema fails when the database's schema is not exactly this binary's, with one of the errors of package
	// migrations.
	CheckSchema(ctx context.Context) error
	// CheckQuickly fails at the first damage that can be found without reading everything twice.
	CheckQuickly(ctx context.Context) error
	// Backup writes a consistent copy to the new file dest while reads and writes go on.
	Backup(ctx context.Context, dest string) error

	// Path is what the database is opened by.
	Path() string
	// Close waits for the writes under way. It may be called again.
	Close() error
}

// What engines answer, to be told apart with errors.Is.
var (
	// ErrOverloaded: too many writes wait; nothing was done, try again shortly.
	ErrOverloaded = errors.New("store: too many writes are waiting")
	// ErrClosed: it was asked for after Close.
	ErrClosed = errors.New("store: the database is closed")
	// ErrReadOnly: it was opened to read.
	ErrReadOnly = errors.New("store: the database is open for reading only")
	// ErrUnwritable: nothing can be saved, because the disk is full, gone or read-only.
	ErrUnwritable = errors.New("the database can't be written")
)

// Dialect is what this package must know of the database that its SQL runs on. The SQL is written once, with ? for a
// parameter, in words that every engine understands.
type Dialect struct {
	// Text is a statement as the engine wants it: the style of its parameters, and what its planner needs to be told.
	Text   func(query string) string
	Unique func(error) bool // err is a broken UNIQUE or PRIMARY KEY
	// Ends tells that after err the transaction may be gone, savepoints and all: whatever ran after it would be
	// committed on its own.
	Ends func(error) bool
}

// Transaction is a connection within a transaction, which its engine begins and ends.
type Transaction struct{ querier }

// NewTransaction makes one that runs on s.
func NewTransaction(s *Session) *Transaction {
	return &Transaction{querier{own: s, ctx: context.Background(), writing: true}}
}

// Exec runs a statement and tells how many rows it changed. It fails once the transaction is lost.
func (t *Transaction) Exec(query string, args ...any) (affected int64, err error) {
	return t.exec(query, args...)
}

// Scan reads one row. No row is sql.ErrNoRows.
func (t *Transaction) Scan(query string, args []any, dest ...any) error {
	return t.scan(query, args, dest...)
}

// Again lets statements run once more, after a transaction that was lost.
func (t *Transaction) Again() { t.lost = nil }

// uniqueError is a broken unique constraint, whichever engine tells of it.
type uniqueError struct{ error }

func (e uniqueError) Unwrap() error { return e.error }
