// Package engine runs the SQL of the nouns: connections, prepared statements, transactions, and the interface that a
// database implements. Packages sqlite and postgres implement it.
//
// It knows no table of Daybook. The nouns (package store and the packages below it) use Querier and Transaction only,
// so another engine is a package that implements Engine, a Dialect, and a folder of migrations.
//
// The nouns rely on these rules on every engine:
//
//   - All engines run the same SQL. ? is a parameter. Columns are integers, texts and bytes; a bool is stored in an
//     integer column as 0 or 1, and read back from it. Texts are compared byte by byte.
//   - After a failed statement, a transaction runs nothing more until the part that the statement belongs to is
//     undone: the innermost Try, or the whole change.
//   - Several changes may run at the same time, each in its transaction at READ COMMITTED or stricter. What a change
//     has read may be outdated when it writes, except for rows that it locked by an UPDATE before it read them (a host
//     by LockHosts). An UPDATE that depends on the content of a row repeats the condition in its own WHERE.
//   - A transaction that writes first may be committed last. So a number that readers continue from is set by the
//     INSERT only when Transaction.Serial rules that out.
//   - Rows are claimed by SELECT … LIMIT ? /* claim x */ where x is the name of the table in that SELECT. An engine
//     with concurrent transactions leaves out the rows that another one is claiming (see Dialect.Text).
//   - Where only some engines have a table's workspace_id, the term for it is /* apart workspace_id = */ ? > 0, which
//     is true elsewhere, and any other text for it is /* apart … */.
package engine

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"daybook/app/work"
	"daybook/store/migrations"
)

// Engine is a database that stores nouns. It owns connections, transactions and files. Its methods may be called by
// many goroutines at once.
type Engine interface {
	// Readers returns the connections for reading. Each statement sees at least what was committed before it began, by
	// this process or another. Two statements may see different commits. Writing through them is an error.
	Readers() *Pool
	// Write runs change in a transaction and returns when the transaction is durable.
	//
	// When change returns an error, everything it did is undone, nothing else is, and Write returns that error as it
	// is. A panic of change undoes it too and continues in the caller. When ctx ends before change begins, Write
	// returns the error of ctx and change never runs; after that, Write waits for the outcome. When the commit fails,
	// nothing was changed, unless its error says that nobody knows. When too many writes wait, the error is
	// ErrOverloaded. That, or a database that can't be reached, is Unavailable: nothing was done.
	//
	// change may run more than once: an engine may undo it and run it again from the start, where it met another
	// transaction, or where changes share one and another of them had to be undone. Only the last run counts. So change
	// sets its results anew in each run and does nothing that can't be undone.
	//
	// change does no I/O other than SQL and never waits, because other writes may wait for it. It must not call Write
	// or keep its transaction.
	Write(ctx context.Context, change func(*Transaction) error) error
	// WriteAlong is Write for what nobody waits for, such as the records of a loop. Where commits are shared, those of
	// Write go first.
	WriteAlong(ctx context.Context, change func(*Transaction) error) error
	// DataVersion changes after every commit: immediately for a commit of this process, and as soon as the database
	// reports it for another's. Two equal numbers mean that everything read in between is still current, as far as the
	// engine knows; while it can't know, each call returns another number. It is cheap enough for every request.
	DataVersion() (int64, error)
	// SetupVersion is DataVersion for what servers keep in memory: the set-up of workspaces, keys, members, sessions,
	// and what servers share. It may stay the same after commits that changed none of that.
	SetupVersion() (int64, error)
	// CheckWritable returns nil, or an error that wraps ErrUnwritable.
	CheckWritable(ctx context.Context) error
	// JoinServers counts this process among the servers of the database until Close, or until the process dies. If
	// there is no other server, first runs before another one can join; it may clean up what a killed server left. If
	// first fails, JoinServers returns its error and the process has not joined.
	//
	// lost runs later, in one of the remaining servers and possibly more than once, when another server has died or
	// can't be reached: it releases what that server had claimed, by the number in its Share. It may be nil. An engine
	// that can't tell never calls it.
	JoinServers(ctx context.Context, first func() error, lost func(ctx context.Context, server int64) error) error
	// Share returns the part of the servers' common work that this process may do now. It changes when servers come and
	// go, and then DataVersion changes too. A process that has not joined may do everything.
	Share() work.Share

	// Migrate brings the database to this binary's schema and returns the names of the migrations it applied: all that
	// were pending, or none. When several processes migrate at the same time, one does the work and the others wait for
	// it.
	//
	// Where servers of several versions may share a database, contract migrations are left to Contract, unless the
	// database is new. While a server runs that a migration does not allow, the error is migrations.ErrServed.
	Migrate(ctx context.Context) (names []string, err error)
	// Contract is Migrate including the contract migrations, which remove what older binaries need.
	Contract(ctx context.Context) (names []string, err error)
	// MigrationStatus lists every migration in order, including those that only the database has.
	MigrationStatus(ctx context.Context) ([]migrations.State, error)
	// CheckSchema fails, with one of the errors of package migrations, unless the database has this binary's schema or
	// a newer one that allows this binary.
	CheckSchema(ctx context.Context) error
	// Tables describes the tables of the nouns: all except schema_migrations and the engine's own. Each comes after the
	// tables that its rows refer to.
	Tables(ctx context.Context) ([]Table, error)
	// CheckQuickly fails at the first damage that it finds without reading everything twice. It finds nothing on an
	// engine whose server takes care of its own files.
	CheckQuickly(ctx context.Context) error
	// Backup writes a consistent copy to the new file dest while reads and writes go on. On an engine with its own
	// tools for that, the error names the command to run instead.
	Backup(ctx context.Context, dest string) error

	// Path returns the file or the URL of the database, without a password, as people may see it.
	Path() string
	// Close waits for running writes. It may be called again.
	Close() error
}

// The errors of engines, for errors.Is.
var (
	// ErrOverloaded means that too many writes wait. Nothing was done; try again shortly.
	ErrOverloaded = errors.New("store: too many writes are waiting")
	// ErrClosed is the error of every call after Close.
	ErrClosed = errors.New("store: the database is closed")
	// ErrReadOnly is the error of a write to a database that was opened for reading.
	ErrReadOnly = errors.New("store: the database is open for reading only")
	// ErrMet is what a change returns to be run again, when another change has just made a row that it did not find and
	// wanted to make. Write returns it only after many runs.
	ErrMet = errors.New("store: another change did the same at the same time")
	// ErrUnwritable means that nothing can be saved, because the disk is full, missing or read-only.
	ErrUnwritable = errors.New("the database can't be written")
)

// Dialect is what Session needs to know about its database.
type Dialect struct {
	// Text converts a statement of the nouns to the database's SQL, once per connection: the style of parameters, hints
	// for the planner, /* claim x */, which is FOR UPDATE OF x SKIP LOCKED where transactions are concurrent, and
	// /* apart … */, which is what it holds where the tables have a workspace.
	Text func(query string) string
	// Freeze begins a transaction that only reads, all of it as it was at the first statement: see Querier.Frozen.
	Freeze string
	// Cancels says that a reader's statement gets its context and stops when that ends. Otherwise a statement runs to
	// its end, and the context is checked before it and between rows.
	Cancels bool
	// Serial says that write transactions run one after the other, so that readers see what one inserts before anything
	// that a later one does.
	Serial bool
	// Brief is a statement that makes the database undo the transaction when its client is silent for a second. It is
	// empty where no transaction waits for one of another process.
	Brief string
	// Integers is Querier.Integers on a connection that is in no transaction; query is what Text made of it. nil: the
	// statements are run one after the other, which costs nothing.
	Integers func(ctx context.Context, conn *sqlx.Conn, query string, sets [][]int64,
		row func(set int, values []int64)) error
	// Unique tells whether err is a broken UNIQUE or PRIMARY KEY.
	Unique func(err error) bool
	// Ends tells whether the transaction is lost after err, whatever its savepoints: the database may have undone it
	// already, so that later statements would be committed on their own, or it must run again. Transaction.Lost then
	// returns err.
	Ends func(err error) bool
	// Drop forgets the statements that a connection holds back: those that it was given with a context for which
	// IsLater or IsAhead is true. nil: it holds back none, Transaction.Later is Exec, and Transaction.Ahead does
	// nothing.
	Drop func(conn *sqlx.Conn)
	// Gone tells, after a statement on conn failed, whether the connection is lost; the pool then opens another one. It
	// is nil where connections are never lost.
	Gone func(conn *sqlx.Conn) bool
	// Away tells that err is a server that can't be reached, or is starting, stopping or full: one that may be there in
	// a moment. nil: there is no server.
	Away func(err error) bool
	// Crowded tells that err, of opening a connection, comes of a server that has no room for one more. nil: there is
	// no such server.
	Crowded func(err error) bool
}

// UniqueError is a broken unique constraint on any engine.
type UniqueError struct{ Err error }

func (e UniqueError) Error() string { return e.Err.Error() }
func (e UniqueError) Unwrap() error { return e.Err }
