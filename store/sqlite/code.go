package sqlite

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"daybook/store/engine"
)

const (
	driverName = "sqlite"
	begin      = "BEGIN IMMEDIATE" // opens a transaction that is going to write
)

var dialect = &engine.Dialect{Text: text, Freeze: "BEGIN", Serial: true, Unique: isUnique, Ends: endsTransaction}

// text keeps SQLite from planning a statement with LIMIT ? again for every other value: its planner looks at the value
// that is bound there, but not behind a unary plus. A list of 50 bookings takes about a sixth less time.
func text(query string) string { return strings.ReplaceAll(query, "LIMIT ?", "LIMIT +?") }

// isUnique tells whether err is a broken UNIQUE or PRIMARY KEY.
func isUnique(err error) bool {
	return hasCode(err, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
		sqlite3.SQLITE_CONSTRAINT_ROWID)
}

// isBusy tells whether another connection held the lock for longer than the wait.
func isBusy(err error) bool { return hasPrimary(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// isFull tells whether the disk is full.
func isFull(err error) bool { return hasPrimary(err, sqlite3.SQLITE_FULL) }

// isDamaged tells whether the file is no database, or a damaged one.
func isDamaged(err error) bool {
	return hasPrimary(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
}

// isDenied tells whether the operating system denies access.
func isDenied(err error) bool {
	return hasPrimary(err, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)
}

// endsTransaction tells whether the database may have rolled back the whole transaction by itself, with its
// savepoints. Every later statement would then commit on its own.
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

// hasPrimary compares the low byte, which is the primary code of SQLite's extended codes.
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
