package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// isUnique tells whether err is a broken UNIQUE or PRIMARY KEY.
func isUnique(err error) bool { return hasCode(err, "23505") }

// meets tells whether a transaction that err ended should be run again, because it failed only on what another
// transaction did at the same time.
func meets(err error) bool {
	return hasCode(err, "40001", "40P01", "23503") || isSameID(err)
}

// isSameID tells whether err is an id that another transaction has made too. The schema names the primary keys of such
// ids differently.
func isSameID(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "23505" && strings.HasSuffix(e.ConstraintName, "_made_id")
}

// isLoss tells whether err is a lost connection, or the server's announcement that it closes the connection, and not
// its answer to a statement.
func isLoss(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return true
	}
	return strings.HasPrefix(e.Code, "08") || hasCode(err, "57P01", "57P02", "57P03", "57P05", "25P03")
}

// isAway tells whether err is a server that can't be reached, or that takes no statement now but may in a moment.
func isAway(err error) bool {
	if errors.As(err, new(*pgconn.ConnectError)) && !errors.Is(err, context.Canceled) {
		return true // also when it took too long: that looks like a deadline of the caller's
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false // the caller's
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return strings.HasPrefix(e.Code, "08") || isFull(err) || isShort(err) || hasCode(err, "53300", "57P01", "57P02", "57P03", "57P05", "25P03")
	}
	var n net.Error
	return errors.As(err, &n) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn)
}

// isCrowded tells whether the server, or this database or user of it, has no connection left.
func isCrowded(err error) bool { return hasCode(err, "53300") }

// isFull tells whether the server's disk is full.
func isFull(err error) bool { return hasCode(err, "53100") }

// isShort tells whether the server has too little memory, or of another resource, for a statement.
func isShort(err error) bool { return hasCode(err, "53000", "53200") }

// endsTransaction tells whether a transaction is lost: it must run again, or the server has ended it, or an earlier
// statement failed and was not undone.
func endsTransaction(err error) bool {
	return isLoss(err) || meets(err) || hasCode(err, "25P02", "55P03", "57014") || inClass(err, "53", "58", "XX")
}

func hasCode(err error, codes ...string) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code == c {
			return true
		}
	}
	return false
}

func inClass(err error, classes ...string) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range classes {
		if strings.HasPrefix(e.Code, c) {
			return true
		}
	}
	return false
}
