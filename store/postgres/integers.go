package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

// integers implements engine.Dialect. It sends all statements in one flight and takes the numbers from the server's
// messages as they are, because for small rows the way through database/sql takes longer than the server does.
func integers(ctx context.Context, conn *sqlx.Conn, query string, sets [][]int64,
	row func(set int, values []int64)) (err error) {
	wrong := onLink(conn, func(l *link) { err = l.integers(ctx, query, sets, row) })
	return errors.Join(err, wrong)
}

func (l *link) integers(ctx context.Context, query string, sets [][]int64, row func(set int, values []int64)) error {
	sd, err := l.Conn.Conn().Prepare(ctx, query, query) // as it was already prepared
	if err != nil {
		return err
	}
	var batch pgconn.Batch
	for _, set := range sets {
		params := make([][]byte, len(set))
		for i, value := range set {
			params[i] = strconv.AppendInt(nil, value, 10)
		}
		batch.ExecStatement(sd, params, nil, []int16{pgtype.BinaryFormatCode})
	}
	for _, f := range sd.Fields {
		switch f.DataTypeOID {
		case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		default:
			return engine.NotInteger(f.Name)
		}
	}
	values := make([]int64, len(sd.Fields))
	results := l.Conn.Conn().PgConn().ExecBatch(ctx, &batch)
	defer results.Close() // again, if nothing went wrong
	for i := range sets {
		if !results.NextResult() {
			return ended(results)
		}
		found := results.ResultReader()
		for found.NextRow() {
			if err := ctx.Err(); err != nil {
				return err
			}
			for c, raw := range found.Values() {
				var ok bool
				if values[c], ok = integer(raw); !ok {
					return engine.NotInteger(sd.Fields[c].Name)
				}
			}
			row(i, values)
		}
		if _, err := found.Close(); err != nil {
			return err
		}
	}
	return results.Close()
}

// integer returns the value of a smallint, integer or bigint in its binary form; not ok: it is NULL.
func integer(raw []byte) (value int64, ok bool) {
	switch len(raw) {
	case 2:
		return int64(int16(binary.BigEndian.Uint16(raw))), true
	case 4:
		return int64(int32(binary.BigEndian.Uint32(raw))), true
	case 8:
		return int64(binary.BigEndian.Uint64(raw)), true
	}
	return 0, false
}
