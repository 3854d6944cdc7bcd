package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// MakeSchema makes the schema that the options name, which must not exist yet.
func MakeSchema(ctx context.Context, o Options) error {
	return o.alone(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{o.Schema}.Sanitize())
		return err
	})
}

// DropSchema removes the schema that the options name, with everything in it.
func DropSchema(ctx context.Context, o Options) error {
	return o.alone(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "DROP SCHEMA "+pgx.Identifier{o.Schema}.Sanitize()+" CASCADE")
		return err
	})
}

// alone runs do on a connection of its own.
func (o Options) alone(ctx context.Context, do func(*pgx.Conn) error) error {
	db := &DB{o: o}
	config, err := o.config(maintaining)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return db.explain(err)
	}
	return errors.Join(db.explain(do(conn)), conn.Close(ctx))
}

// Facts tell an operator about the server.
type Facts struct {
	Version        string
	Bytes          int64         // of the database
	ClockAhead     time.Duration // compared with the clock of this machine
	MaxConnections int
	Encrypted      bool // the connection
}

// Facts asks the server.
func (db *DB) Facts(ctx context.Context) (f Facts, err error) {
	var ms int64
	before := time.Now()
	err = db.side.QueryRowContext(ctx, `SELECT current_setting('server_version'), pg_database_size(current_database()),
			CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT), CAST(current_setting('max_connections') AS INTEGER),
			COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), FALSE)`).
		Scan(&f.Version, &f.Bytes, &ms, &f.MaxConnections, &f.Encrypted)
	f.ClockAhead = time.UnixMilli(ms).Sub(before.Add(time.Since(before) / 2))
	return f, db.explain(err)
}

// Connections returns the number of connections that a serving process uses at most.
func (db *DB) Connections() int { return reading.connections() + writing.connections() + 5 }
