package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

// link is a connection that holds statements back (engine.Transaction.Later) and sends them together with the next one:
// as many as there are cost one round trip. The server runs them one after the other, each on what is committed by
// then, as if they had been sent alone; once one fails, it runs none of those behind it.
type link struct {
	*stdlib.Conn
	held  pgconn.Batch
	count int // of the statements held
	build pgx.ExtendedQueryBuilder
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

func (l *link) drop() { l.held, l.count = pgconn.Batch{}, 0 }

// statement is prepared on a link.
type statement struct {
	*stdlib.Stmt
	link *link
	sd   *pgconn.StatementDescription
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
	return &statement{st.(*stdlib.Stmt), l, sd}, nil
}

// ExecContext implements driver.StmtExecContext. A statement that may wait for the next one tells of no rows.
func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if engine.IsLater(ctx) {
		return driver.RowsAffected(0), s.link.hold(s.sd, args)
	}
	if s.link.count == 0 {
		return s.Stmt.ExecContext(ctx, args)
	}
	tag, _, err := s.link.send(ctx, s.sd, args)
	return driver.RowsAffected(tag.RowsAffected()), err
}

// QueryContext implements driver.StmtQueryContext.
func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if s.link.count == 0 {
		return s.Stmt.QueryContext(ctx, args)
	}
	_, found, err := s.link.send(ctx, s.sd, args)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// hold keeps the statement for the next send, with the values that its arguments have now.
func (l *link) hold(sd *pgconn.StatementDescription, args []driver.NamedValue) error {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	if err := l.build.Build(l.Conn.Conn().TypeMap(), sd, values); err != nil {
		return err
	}
	formats := make([]int16, len(sd.Fields))
	for i, f := range sd.Fields {
		formats[i] = formatOf(f.DataTypeOID)
	}
	l.held.ExecPrepared(sd.Name, l.build.ParamValues, l.build.ParamFormats, formats)
	l.count++
	return nil
}

// send runs what is held, and then the statement, in one round trip.
func (l *link) send(ctx context.Context, sd *pgconn.StatementDescription,
	args []driver.NamedValue) (pgconn.CommandTag, *rows, error) {
	if err := l.hold(sd, args); err != nil {
		return pgconn.CommandTag{}, nil, err
	}
	batch, before := l.held, l.count-1
	l.drop()
	results := l.Conn.Conn().PgConn().ExecBatch(ctx, &batch)
	for range before {
		if err := skip(results); err != nil {
			var e *pgconn.PgError
			if errors.As(err, &e) && !strings.HasPrefix(e.Code, "08") { // that may be a proxy, which knows less
				err = heldError{err}
			}
			return pgconn.CommandTag{}, nil, err
		}
	}
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

// skip reads the answer to one statement.
func skip(results *pgconn.MultiResultReader) error {
	if !results.NextResult() {
		return ended(results)
	}
	_, err := results.ResultReader().Close()
	if err != nil {
		results.Close() // the same error
	}
	return err
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

// formatOf is how a value is sent: as bytes where value wants it so, else as text.
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
