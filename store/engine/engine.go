// package engine is what the nouns' SQL runs on: connections, prepared statements, transactions, and the interface
// that a database implements. Package sqlite implements it.
//
// It knows no table of Daybook. The nouns (package store and the packages below it) are written against Querier and
// Transaction alone, so a second engine is a package that implements Engine, a Dialect, and a folder of migrations.
//
// What the nouns rely on, whichever engine runs them:
//
//   - The SQL is one text for all. ? is a parameter. Columns are integers, texts and bytes; a bool is stored in an
//     integer column as 0 or 1, and read back from it. Texts are compared byte by byte.
//   - After a statement that failed, a transaction runs nothing more until the part that it belongs to is undone: the
//     innermost Try, or the whole change.
//   - Several changes may run at the same time, each in its transaction at READ COMMITTED or stricter. What a change
//     has read may be old by the time it writes, but for what it has locked by an UPDATE before it read: a host by
//     LockHosts. An UPDATE that depends on what a row holds repeats that in its own WHERE.
//   - What one transaction wrote before another may be committed after it. So numbers that somebody reads on from are
//     given by the INSERT only where Transaction.Serial says that it can't happen.
//   - Rows are claimed by SELECT … LIMIT ? /* claim x */ with x the name of the table in that SELECT: an engine on
//     which transactions run side by side leaves out rows that another one is claiming (see Dialect.Text).
package engine

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"daybook/store/migrations"
)

// Engine is a database that nouns are kept in. It owns connections, transactions and files, and knows no table but
// schema_migrations. All methods may be called by many goroutines at once.
type Engine interface {
	// Readers are the connections to read with. Each statement sees at least what was committed before it began, by
	// this process or another; two statements may see different commits. A write through them is an error.
	Readers() *Pool
	// Write runs change in a transaction and returns when that is durable.
	//
	// An error of change undoes what change did, and only that, and is returned as it is. A panic of change undoes it
	// too and goes on in the caller. A context that ends before change begins is answered by its error, and change
	// never runs; once begun, the true outcome is awaited. When the commit fails, nothing was changed. A full queue is
	// ErrOverloaded.
	//
	// change may run more than once: an engine whose transactions meet undoes one and runs its change again from the
	// start, and only the last run counts. So change sets what it hands to its caller anew in each run, and does
	// nothing that can't be undone.
	//
	// change does no I/O but SQL and never waits: the other writes may wait for it. It must not call Write, nor keep
	// its transaction.
	Write(ctx context.Context, change func(*Transaction) error) error
	// DataVersion changes when anyone has committed since the last call: at once when it was this process, and as soon
	// as the database tells when it was another. Equal numbers mean that everything read in between still holds, as
	// far as is known; so while the engine can't know, each call gives another number. It is cheap enough for every
	// request.
	DataVersion() (int64, error)
	// SetupVersion changes as DataVersion does, and as soon, but it may stay the same after commits that changed none of
	// what servers keep in memory: the set-up of workspaces, keys, members, sessions, and what servers share. What was
	// read of these holds while the number is the same.
	SetupVersion() (int64, error)
	// CheckWritable is nil, or wraps ErrUnwritable.
	CheckWritable(ctx context.Context) error
	// JoinServers counts this process among the servers of the database, until Close or until the process dies. If
	// there is no other, first runs before any can join: the moment to clear up what a killed server left. Its error
	// ends the joining.
	JoinServers(ctx context.Context, first func() error) error

	// Migrate brings the database to this binary's schema and names the migrations it applied: all that were pending,
	// or none. Of several processes that migrate at once, one does the work and the others wait and find it done.
	//
	// Where servers of several versions share a database, contract steps are left to Contract, unless the database is
	// new, and a server that a step does not allow is ErrServed of package migrations.
	Migrate(ctx context.Context) (names []string, err error)
	// Contract is Migrate with the contract steps, which remove what older binaries need.
	Contract(ctx context.Context) (names []string, err error)
	// MigrationStatus lists every migration in order, those that only the database knows too.
	MigrationStatus(ctx context.Context) ([]migrations.State, error)
	// CheckSchema fails when the database's schema is not this binary's, nor a newer one that allows this binary, with
	// one of the errors of package migrations.
	CheckSchema(ctx context.Context) error
	// Tables describes the tables that nouns are kept in: all but schema_migrations and what the engine keeps for
	// itself. Each comes after those that its rows refer to.
	Tables(ctx context.Context) ([]Table, error)
	// CheckQuickly fails at the first damage that can be found without reading everything twice. An engine whose
	// server looks after that itself has nothing to find.
	CheckQuickly(ctx context.Context) error
	// Backup writes a consistent copy to the new file dest while reads and writes go on. An engine that has tools of
	// its own for that fails with the command to run instead.
	Backup(ctx context.Context, dest string) error

	// Path is what the database is opened by, without a password: people read it.
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
	// ErrMet is what a change returns to be run again: what it had looked for in vain was made by another one before it
	// made it itself. It comes out of Write only when that goes on and on.
	ErrMet = errors.New("store: another change did the same at the same time")
	// ErrUnwritable: nothing can be saved, because the disk is full, gone or read-only.
	ErrUnwritable = errors.New("the database can't be written")
)

// Dialect is what Session must know of the database that it runs on.
type Dialect struct {
	// Text is a statement as the database wants it, made from the nouns' text once per connection: the style of its
	// parameters, what its planner needs to be told, and what stands for /* claim x */ (FOR UPDATE OF x SKIP LOCKED,
	// where transactions run side by side).
	Text func(query string) string
	// Cancels says that a statement of a reader is handed its context and stopped when that ends. Without, a statement
	// runs to its end, and the context is looked at before it and between rows.
	Cancels bool
	// Serial says that write transactions run one after the other, so that what one inserts is seen before anything
	// that a later one does.
	Serial bool
	// Brief is a statement after which the database undoes the transaction when it hears nothing from its client for a
	// second; empty where no transaction waits for another process's.
	Brief string
	// Unique tells that err is a broken UNIQUE or PRIMARY KEY.
	Unique func(err error) bool
	// Ends tells that after err the transaction can't be kept, savepoints or not: it may be gone already, so that
	// whatever ran after it would be committed on its own, or it must be run again. Transaction.Lost then gives err.
	Ends func(err error) bool
	// Gone tells, after a statement on conn failed, that the connection is lost; the pool then opens another one. nil:
	// connections are never lost.
	Gone func(conn *sqlx.Conn) bool
}

// UniqueError is a broken unique constraint, whichever engine tells of it.
type UniqueError struct{ Err error }

func (e UniqueError) Error() string { return e.Err.Error() }
func (e UniqueError) Unwrap() error { return e.Err }
