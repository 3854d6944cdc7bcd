package store

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// dialect is every difference between the databases Daybook speaks to. SQL elsewhere in the package is written
// once, with ? for a parameter, in the words that both understand.
type dialect struct {
	driver string // the database/sql driver
	bind   int    // sqlx's name for its parameter style; texts are rebound once, when prepared
	begin  string // opens a transaction that is going to write
}

var sqliteDialect = &dialect{driver: "sqlite", bind: sqlx.QUESTION, begin: "BEGIN IMMEDIATE"}

func init() { sqlx.BindDriver("sqlite", sqlx.QUESTION) }

// role is what a connection is for; it decides its pragmas.
type role int

const (
	writing     role = iota // the group-commit writer's only connection
	reading                 // the readers' pool
	maintaining             // checkpoints, migrations, backups, the change probe
)

// dsn names the file for a connection of this role. The pragmas stand in it because they hold for one connection
// each, and the pool makes connections when it likes. busy_timeout comes first: the pragmas after it may have to wait.
func (o *Options) dsn(r role) string {
	pragmas := []string{"busy_timeout(5000)"}
	switch r {
	case writing:
		pragmas = append(pragmas, "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "temp_store(MEMORY)", "cache_size(-65536)")
		if o.Serving {
			pragmas = append(pragmas, "wal_autocheckpoint(0)")
		}
	case reading:
		pragmas = append(pragmas, "query_only(1)", "temp_store(MEMORY)", "cache_size(-8192)", fmt.Sprintf("mmap_size(%d)", o.MMapBytes))
	case maintaining:
		pragmas = append(pragmas, "synchronous(FULL)", "cache_size(-2048)")
	}
	return "file:" + (&url.URL{Path: o.Path}).EscapedPath() + "?_pragma=" + strings.Join(pragmas, "&_pragma=")
}

// isUnique tells whether err is a broken UNIQUE or PRIMARY KEY.
func isUnique(err error) bool {
	return hasCode(err, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID)
}

// isCheck tells whether err is a broken CHECK or NOT NULL.
func isCheck(err error) bool {
	return hasCode(err, sqlite3.SQLITE_CONSTRAINT_CHECK, sqlite3.SQLITE_CONSTRAINT_NOTNULL)
}

// isForeignKey tells whether err is a reference to a row that isn't there, or the removal of one that is referred to.
func isForeignKey(err error) bool { return hasCode(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) }

// isBusy tells whether another connection held the lock for longer than the wait.
func isBusy(err error) bool { return hasPrimary(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// isFull tells whether the disk is full.
func isFull(err error) bool { return hasPrimary(err, sqlite3.SQLITE_FULL) }

// isDamaged tells whether the file is not a database or no longer a sound one.
func isDamaged(err error) bool {
	return hasPrimary(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
}

// isDenied tells whether the operating system forbids it.
func isDenied(err error) bool {
	return hasPrimary(err, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)
}

// endsTransaction tells whether the database may have rolled back the whole transaction by itself, savepoints and
// all. Whatever ran after it would then commit on its own.
func endsTransaction(err error) bool {
	return isFull(err) || isBusy(err) || isDamaged(err) ||
		hasPrimary(err, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_READONLY)
}

func hasCode(err error, codes ...int) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code() == c {
			return true
		}
	}
	return false
}

// hasPrimary compares the low byte, the class that SQLite's extended codes refine.
func hasPrimary(err error, codes ...int) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code()&0xff == c {
			return true
		}
	}
	return false
}
