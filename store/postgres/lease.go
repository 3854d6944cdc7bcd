package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/app/work"
	"daybook/store/migrations"
)

const (
	leaseTime  = 6 * time.Second // a killed server counts for this long
	leaseRenew = 2 * time.Second
	leaseRetry = 500 * time.Millisecond // after an error, as long as the lease holds
	leaseOver  = 10 * time.Millisecond  // how long after the end of another server's lease this one looks
	leaseEnd   = 500 * time.Millisecond // how long before the end of its lease a server stops what must not run twice

	notJoined = -1 // marks the claims of a process that is not a server
)

// lease is the row that counts this process among the servers of the database. It ends by the clock of the database;
// this process relies on it for a shorter time, by its own clock, counted from before it asked.
//
// The servers with a lease share the buckets, in the order of their ids. Each server computes its own share from the
// same rows, whenever it renews its lease and when it is notified that a server has joined or left. So a bucket needs
// no row and no hand-over. For a moment two servers may have the same bucket, which their claims allow, and the buckets
// of a killed server wait for the end of its lease.
type lease struct {
	db      *DB
	lost    func(ctx context.Context, server int64) error // may be nil
	id      int64
	current atomic.Pointer[term]
	burying atomic.Bool
	cancel  context.CancelFunc
	ended   sync.WaitGroup
}

// term is a share and the time for which it is certain.
type term struct {
	share work.Share
	since time.Time // the lease has had no gap since then
	until time.Time
}

// lockServers waits for a server that is joining, and keeps others from joining until the end of the transaction.
const lockServers = `SELECT version FROM schema_migrations ORDER BY version LIMIT 1 FOR UPDATE`

// JoinServers implements engine.Engine. The row of the first migration serializes the servers that join. It checks the
// schema again, because another process may have migrated the database since it was checked.
func (db *DB) JoinServers(
	ctx context.Context, first func() error, lost func(ctx context.Context, server int64) error,
) error {
	db.joining.Lock()
	defer db.joining.Unlock()
	if db.lease.Load() != nil {
		return nil
	}
	tx, err := db.side.BeginTxx(ctx, nil)
	if err != nil {
		return db.explain(err)
	}
	l := &lease{db: db, lost: lost}
	if err := l.join(ctx, tx, first); err != nil {
		return errors.Join(db.explain(err), tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return db.explain(err)
	}
	live, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	l.ended.Go(func() { l.renew(live) })
	db.lease.Store(l)
	return nil
}

func (l *lease) join(ctx context.Context, tx *sqlx.Tx, first func() error) error {
	others, err := servers(ctx, tx, anyServer)
	if err != nil {
		return err
	}
	if err := l.db.checkSchema(ctx, tx); err != nil {
		return err
	}
	if len(others) == 0 {
		if _, err := tx.ExecContext(ctx, `DELETE FROM server_leases WHERE until_at <= clock_timestamp()`); err != nil {
			return err
		}
		// One whose time had nearly ended may have been renewed in the meantime.
		if others, err = servers(ctx, tx, `SELECT server FROM server_leases`); err != nil {
			return err
		}
	}
	if len(others) == 0 {
		if err := first(); err != nil {
			return err
		}
	}
	asked := time.Now()
	if err := l.insert(ctx, tx); err != nil {
		return err
	}
	if _, _, err := l.look(ctx, tx, asked); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `SELECT pg_notify($1, '')`, joinChannel)
	return err
}

func (l *lease) insert(ctx context.Context, tx *sqlx.Tx) error {
	return tx.GetContext(ctx, &l.id, `INSERT INTO server_leases (until_at, server, steps)
		VALUES (clock_timestamp() + CAST($1 AS INTERVAL), $2, $3) RETURNING id`,
		leaseTime.String(), l.db.o.server(), l.db.migrations.Versions())
}

// joinAgain takes a new lease in place of an expired one, under a new number: others may have been given what this
// server had claimed, so it sends none of that, and they never release what it claims from now on.
func (l *lease) joinAgain(ctx context.Context) error {
	tx, err := l.db.side.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = servers(ctx, tx, anyServer)
	if err == nil {
		err = l.db.checkSchema(ctx, tx)
	}
	if err == nil {
		err = l.insert(ctx, tx)
	}
	if err != nil {
		if errors.Is(err, migrations.ErrNewer) {
			l.db.outdated.Store(&err)
		}
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// server describes this process to people who look for the holder of a lease.
func (o *Options) server() string {
	name := "Daybook " + cmp.Or(o.Version, "of unknown version")
	if host, err := os.Hostname(); err == nil {
		name += " on " + host
	}
	return name + " (process " + strconv.Itoa(os.Getpid()) + ")"
}

const (
	leaseLeft  = `CAST(EXTRACT(EPOCH FROM until_at - clock_timestamp()) * 1000 AS BIGINT) AS left_ms`
	anyServer  = `SELECT server FROM server_leases WHERE until_at > clock_timestamp() ORDER BY id`
	notAllowed = `SELECT server FROM server_leases WHERE until_at > clock_timestamp()
		AND NOT steps && CAST($1 AS BIGINT[]) ORDER BY id`
)

// servers returns the servers that a query of leases selects. No server joins before the end of the transaction.
func servers(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (names []string, err error) {
	if _, err := tx.ExecContext(ctx, lockServers); err != nil {
		return nil, err
	}
	err = tx.SelectContext(ctx, &names, query, args...)
	return names, err
}

// Share implements engine.Engine.
func (db *DB) Share() work.Share {
	l := db.lease.Load()
	if l == nil {
		return work.Whole(notJoined)
	}
	h := l.current.Load()
	if !time.Now().Before(h.until) {
		return work.Share{}
	}
	return h.share
}

// look computes this server's share from the leases; its own was renewed at asked or later. It returns the servers
// whose lease has expired, and how long to wait until the next look.
func (l *lease) look(
	ctx context.Context, db sqlx.QueryerContext, asked time.Time,
) (dead []int64, next time.Duration, err error) {
	var all []struct {
		ID   int64 `db:"id"`
		Left int64 `db:"left_ms"`
	}
	err = sqlx.SelectContext(ctx, db, &all, `SELECT id, `+leaseLeft+` FROM server_leases WHERE id <> $1`, l.id)
	if err != nil {
		return nil, 0, err
	}
	rank, servers := 0, 1
	next = leaseRenew
	for _, other := range all {
		if other.Left <= 0 {
			dead = append(dead, other.ID)
			continue
		}
		next = min(next, time.Duration(other.Left)*time.Millisecond+leaseOver)
		servers++
		if other.ID < l.id {
			rank++
		}
	}
	mine := work.Share{Server: l.id, Buckets: work.FairBuckets(rank, servers), Servers: servers}
	now := time.Now() // the answer may be much younger than the question
	h := &term{mine, now, asked.Add(leaseTime - leaseEnd)}
	before := l.current.Load()
	if before != nil && now.Before(before.until) {
		h.since = before.since
	}
	l.current.Store(h)
	if before != nil && (before.share != h.share || h.since == now) {
		l.db.changes.count.Add(1) // the loops look at their new buckets
	}
	return dead, next, nil
}

// Server is a process that serves the database.
type Server struct {
	Name    string
	Lease   time.Duration // until it counts as dead, unless it renews
	Buckets work.Buckets
}

// Servers lists the servers whose lease holds, the oldest first, with the buckets that each computes for itself.
func (db *DB) Servers(ctx context.Context) ([]Server, error) {
	var rows []struct {
		Server string
		Left   int64 `db:"left_ms"`
	}
	err := db.side.SelectContext(ctx, &rows, `SELECT server, `+leaseLeft+` FROM server_leases
		WHERE until_at > clock_timestamp() ORDER BY id`)
	all := make([]Server, len(rows))
	for i, r := range rows {
		all[i] = Server{r.Server, time.Duration(r.Left) * time.Millisecond, work.FairBuckets(i, len(rows))}
	}
	return all, db.explain(err)
}

// renew extends the lease until ctx ends, also one that expired because the database was away or this process was
// stopped for a while.
func (l *lease) renew(ctx context.Context) {
	for pause := leaseRenew; ; {
		select {
		case <-ctx.Done():
			return
		case <-l.db.changes.servers:
		case <-time.After(pause):
		}
		dead, next, err := l.extend(ctx)
		if pause = next; err != nil {
			if ctx.Err() == nil {
				l.db.log.Warn("the lease of this server is not renewed", "error", err)
			}
			if pause = leaseRenew; time.Now().Before(l.current.Load().until) {
				pause = leaseRetry
			}
			continue
		}
		// After a gap in its own lease a server can't tell whether the others are dead or the database was away for all.
		// It waits for the time of a lease.
		h := l.current.Load()
		if len(dead) > 0 && l.lost != nil && h.share.Buckets.Leads() && time.Since(h.since) >= leaseTime {
			l.bury(ctx, dead)
		}
	}
}

// extend extends the lease and looks at the others. While the lease was expired, the database may have been migrated as
// if this server were gone.
func (l *lease) extend(ctx context.Context) (dead []int64, next time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	asked := time.Now()
	var id int64
	err = l.db.side.GetContext(ctx, &id, `UPDATE server_leases SET until_at = clock_timestamp() + CAST($2 AS INTERVAL)
		WHERE id = $1 AND until_at > clock_timestamp() RETURNING id`, l.id, leaseTime.String())
	if errors.Is(err, sql.ErrNoRows) {
		asked, err = time.Now(), l.joinAgain(ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	return l.look(ctx, l.db.side, asked)
}

// bury releases what dead servers had claimed, and then deletes their leases. Failures are tried again with the next
// look. Two servers may do it at the same time.
func (l *lease) bury(ctx context.Context, dead []int64) {
	if !l.burying.CompareAndSwap(false, true) {
		return
	}
	l.ended.Go(func() {
		defer l.burying.Store(false)
		for _, id := range dead {
			err := l.lost(ctx, id)
			if err == nil {
				_, err = l.db.side.ExecContext(ctx,
					`DELETE FROM server_leases WHERE id = $1 AND until_at <= clock_timestamp()`, id)
			}
			if err != nil && ctx.Err() == nil {
				l.db.log.Warn("the claims of a dead server are not released yet", "server", id, "error", err)
			}
		}
	})
}

// end expires the lease, so that another server releases what is left claimed. It only tries once, because the database
// may be away.
func (l *lease) end() error {
	l.cancel()
	l.ended.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := l.db.side.ExecContext(ctx, `WITH ended AS
			(UPDATE server_leases SET until_at = clock_timestamp() WHERE id = $1)
		SELECT pg_notify($2, '')`, l.id, joinChannel)
	if err != nil {
		l.db.log.Debug("the lease is left to run out", "error", err)
	}
	return nil
}
