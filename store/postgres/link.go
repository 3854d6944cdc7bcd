package postgres

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

// link is a connection that holds statements back (engine.Transaction.Later) and sends them together with the next one,
// and behind them the reads that are to come (engine.Transaction.Ahead): as many as there are cost one round trip. The
// server runs them one after the other, each on what is committed by then, as if they had been sent alone; once one
// fails, it runs none of those behind it.
type link struct {
	*stdlib.Conn
	held  pgconn.Batch
	count int // of the statements held
	asked []question
	known bool // the rows of all that was asked are here
	build pgx.ExtendedQueryBuilder
}

// question is a read that is to come.
type question struct {
	statement *statement
	values    [][]byte // of its arguments, as they are sent
	formats   []int16
	rows      *rows // nil: not read yet, or taken
}

// connector makes links.
type connector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &link{Conn: conn.(*stdlib.Conn)}, nil
}

// onLink calls do with the connection of a session.
func onLink(conn *sqlx.Conn, do func(*link)) error {
	return conn.Raw(func(c any) error {
		do(c.(*link))
		return nil
	})
}

// heldError is the server's answer to a statement that was held back, in place of the answer to the one that followed,
// which was not run.
type heldError struct{ error }

func (e heldError) Unwrap() error { return e.error }

// drop forgets the statements that the connection holds back.
func drop(conn *sqlx.Conn) {
	// The error says that the connection is gone, and with it what it held.
	_ = onLink(conn, (*link).drop)
}

func (l *link) drop() {
	l.held, l.count = pgconn.Batch{}, 0
	l.forget()
}

// forget drops what was asked ahead.
func (l *link) forget() {
	clear(l.asked)
	l.asked, l.known = l.asked[:0], false
}

// statement is prepared on a link.
type statement struct {
	*stdlib.Stmt
	link    *link
	sd      *pgconn.StatementDescription
	formats []int16 // of its columns
}

// PrepareContext implements driver.ConnPrepareContext.
func (l *link) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	st, err := l.Conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	sd, err := l.Conn.Conn().Prepare(ctx, query, query) // as it was just prepared
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	formats := make([]int16, len(sd.Fields))
	for i, f := range sd.Fields {
		formats[i] = formatOf(f.DataTypeOID)
	}
	return &statement{st.(*stdlib.Stmt), l, sd, formats}, nil
}

// ExecContext implements driver.StmtExecContext. A statement that may wait for the next one tells of no rows.
func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	l := s.link
	switch {
	case engine.IsAhead(ctx):
		return driver.RowsAffected(0), l.ask(s, args)
	case engine.IsLater(ctx):
		if l.known {
			l.forget() // it may change them
		}
		return driver.RowsAffected(0), l.keep(s, args)
	}
	l.forget()
	if l.count == 0 {
		return s.Stmt.ExecContext(ctx, args)
	}
	tag, _, err := l.send(ctx, s, args)
	return driver.RowsAffected(tag.RowsAffected()), err
}

// QueryContext implements driver.StmtQueryContext.
func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	l := s.link
	if l.known {
		found, err := l.answer(s, args)
		if found != nil || err != nil {
			return found, err
		}
		l.forget()
	}
	if l.count == 0 && len(l.asked) == 0 {
		return s.Stmt.QueryContext(ctx, args)
	}
	_, found, err := l.send(ctx, s, args)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// encode fills l.build with the values that the arguments have now.
func (l *link) encode(s *statement, args []driver.NamedValue) error {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	return l.build.Build(l.Conn.Conn().TypeMap(), s.sd, values)
}

// keep keeps the statement for the next send.
func (l *link) keep(s *statement, args []driver.NamedValue) error {
	if err := l.encode(s, args); err != nil {
		return err
	}
	l.held.ExecPrepared(s.sd.Name, l.build.ParamValues, l.build.ParamFormats, s.formats)
	l.count++
	return nil
}

// ask keeps the read for the next send.
func (l *link) ask(s *statement, args []driver.NamedValue) error {
	if l.known {
		l.forget()
	}
	if err := l.encode(s, args); err != nil {
		return err
	}
	values := make([][]byte, len(args))
	for i, v := range l.build.ParamValues {
		values[i] = bytes.Clone(v) // nil stays nil, which is NULL
	}
	l.asked = append(l.asked, question{s, values, slices.Clone(l.build.ParamFormats), nil})
	return nil
}

// answer hands out the rows of a read that was asked ahead, or nil.
func (l *link) answer(s *statement, args []driver.NamedValue) (driver.Rows, error) {
	if err := l.encode(s, args); err != nil {
		return nil, err
	}
	for i := range l.asked {
		q := &l.asked[i]
		if found := q.rows; found != nil && q.statement == s && slices.EqualFunc(q.values, l.build.ParamValues, same) {
			q.rows = nil
			return found, nil
		}
	}
	return nil, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// send runs what is held, then what was asked, and then the statement, in one round trip.
func (l *link) send(ctx context.Context, s *statement, args []driver.NamedValue) (pgconn.CommandTag, *rows, error) {
	if err := l.encode(s, args); err != nil { // first: what is added to the batch is sent
		return pgconn.CommandTag{}, nil, err
	}
	before := l.count
	for i := range l.asked {
		q := &l.asked[i]
		l.held.ExecPrepared(q.statement.sd.Name, q.values, q.formats, q.statement.formats)
	}
	l.held.ExecPrepared(s.sd.Name, l.build.ParamValues, l.build.ParamFormats, s.formats)
	batch := l.held
	l.held, l.count = pgconn.Batch{}, 0
	results := l.Conn.Conn().PgConn().ExecBatch(ctx, &batch)
	for range before {
		if _, err := l.next(results); err != nil {
			l.forget()
			return pgconn.CommandTag{}, nil, ofHeld(err)
		}
	}
	for i := range l.asked {
		var err error
		if l.asked[i].rows, err = l.next(results); err != nil {
			l.forget()
			return pgconn.CommandTag{}, nil, ofHeld(err)
		}
	}
	l.known = len(l.asked) > 0
	if !results.NextResult() {
		return pgconn.CommandTag{}, nil, ended(results)
	}
	found, wrong := l.read(results.ResultReader())
	tag, err := results.ResultReader().Close()
	if ended := results.Close(); ended != nil {
		err = ended // the same, or what came behind it
	}
	return tag, found, cmp.Or(err, wrong)
}

// ofHeld marks the server's answer to a statement that was held back.
func ofHeld(err error) error {
	var e *pgconn.PgError
	if errors.As(err, &e) && !strings.HasPrefix(e.Code, "08") { // that may be a proxy, which knows less
		return heldError{err}
	}
	return err
}

// next reads the answer to one statement of several.
func (l *link) next(results *pgconn.MultiResultReader) (*rows, error) {
	if !results.NextResult() {
		return nil, ended(results)
	}
	found, wrong := l.read(results.ResultReader())
	_, err := results.ResultReader().Close()
	if err = cmp.Or(err, wrong); err != nil {
		results.Close() // the same error
	}
	return found, err
}

// ended is why there are no more results.
func ended(results *pgconn.MultiResultReader) error {
	if err := results.Close(); err != nil {
		return err
	}
	return errors.New("store: the server has answered fewer statements than it was sent")
}

// rows are all rows of an answer: what follows statements that change something is small.
type rows struct {
	names []string
	all   [][]driver.Value
}

// Columns implements driver.Rows.
func (r *rows) Columns() []string { return r.names }

// Close implements driver.Rows.
func (r *rows) Close() error { return nil }

// Next implements driver.Rows.
func (r *rows) Next(dest []driver.Value) error {
	if len(r.all) == 0 {
		return io.EOF
	}
	copy(dest, r.all[0])
	r.all = r.all[1:]
	return nil
}

func (l *link) read(results *pgconn.ResultReader) (*rows, error) {
	types := l.Conn.Conn().TypeMap()
	fields := results.FieldDescriptions()
	found := &rows{names: make([]string, len(fields))}
	oids := make([]uint32, len(fields)) // the driver uses its own again for the next answer
	for i, f := range fields {
		found.names[i], oids[i] = f.Name, f.DataTypeOID
	}
	for results.NextRow() {
		row := make([]driver.Value, len(oids))
		for i, raw := range results.Values() {
			var err error
			if row[i], err = value(types, oids[i], raw); err != nil {
				return nil, err
			}
		}
		found.all = append(found.all, row)
	}
	return found, nil
}

// formatOf returns how a value is sent: as bytes where value wants it so, else as text.
func formatOf(oid uint32) int16 {
	switch oid {
	case pgtype.BoolOID, pgtype.ByteaOID, pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID,
		pgtype.Float4OID, pgtype.Float8OID:
		return pgtype.BinaryFormatCode
	}
	return pgtype.TextFormatCode
}

// value decodes a value into what a driver.Value may be. What isn't known is text.
func value(types *pgtype.Map, oid uint32, raw []byte) (driver.Value, error) {
	if raw == nil {
		return nil, nil
	}
	switch oid {
	case pgtype.BoolOID:
		return scan[bool](types, oid, raw)
	case pgtype.ByteaOID:
		return append([]byte{}, raw...), nil
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		return scan[int64](types, oid, raw)
	case pgtype.Float4OID, pgtype.Float8OID:
		return scan[float64](types, oid, raw)
	}
	return string(raw), nil
}

func scan[T any](types *pgtype.Map, oid uint32, raw []byte) (driver.Value, error) {
	var v T
	err := types.Scan(oid, pgtype.BinaryFormatCode, raw, &v)
	return v, err
}
