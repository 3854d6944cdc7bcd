package postgres

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
)

// OpenForeign opens the database of another program, to read it. Statements end after a minute. Errors say what to do.
func OpenForeign(ctx context.Context, o Options) (*sql.DB, error) {
	config, err := o.config(reading)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, (&DB{o: o}).explain(fmt.Errorf("can't open the database: %w", err))
	}
	return db, nil
}
