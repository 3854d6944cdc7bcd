package engine_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"

	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

var errNoSpace = errors.New("no room")

// crowded connects once and then has no room; full is called then.
type crowded struct {
	driver.Connector
	connected bool
	full      func()
}

type noConn struct{ driver.Conn }

func (noConn) Close() error { return nil }

func (c *crowded) Connect(context.Context) (driver.Conn, error) {
	if c.connected {
		c.full()
		return nil, errNoSpace
	}
	c.connected = true
	return noConn{}, nil
}

// Who leaves while the server has no room for one more connection gets the error of its context, as anybody who waits.
func TestLeavingACrowdedServer(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	d := &engine.Dialect{Crowded: func(err error) bool { return errors.Is(err, errNoSpace) }}
	db := sqlx.NewDb(sql.OpenDB(&crowded{full: leave}), "none")
	pool, err := engine.NewPool(t.Context(), db, d, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	only := takeOne(t, pool)
	if _, err := pool.Take(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	pool.Give(only)
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}
