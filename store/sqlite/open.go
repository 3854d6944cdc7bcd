package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/app/disk"
	"daybook/store/engine"
	"daybook/store/migrations"
)

// Options say which file to open, and how.
type Options struct {
	Path       string
	Create     bool         // make a missing file
	ReadOnly   bool         // there is no writer: Write fails, and the file is never changed
	Serving    bool         // this process serves: it checkpoints in the background, and a restore names it
	Hold       bool         // of one that serves: a Replicator will take the log over, see ReleaseLog
	Readers    int          // connections to read with; 0 is two per core, at least 4 and at most 16
	MMapBytes  int64        // how much of the file readers map; 0 is 2 GiB, negative is none
	Migrations fs.FS        // nil is migrations.SQLite()
	Logger     *slog.Logger // nil is slog.Default()

	walLimit int64 // bytes of log after which it is emptied; 0 is walLimit
}

// DB is an open database file: a writer that commits in groups, and a pool of readers. It is an engine.Engine.
type DB struct {
	o          Options
	log        *slog.Logger
	migrations migrations.Set
	lock       *fileLock
	writer     *writer // nil when read-only
	checkpoint *checkpointer
	version    *versionProbe
	readers    *engine.Pool
	side       *sqlx.DB // maintaining connections
	probe      writeProbe
	dialect    engine.Dialect
	checked    atomic.Bool // the schema was this program's once
	stale      atomic.Bool // it no longer is, see outdated
	replicator Replicator  // nil is none

	holding sync.Mutex
	held    *sqlx.Conn // in the transaction that holds the log; nil is none
	keeping bool       // however long the log gets
	guard   *disk.File // see guardFile; nil is none

	migrating sync.Mutex // one migration of this process at a time: it holds a connection while it waits

	closing  sync.Once
	closeErr error
}

// Open opens the SQLite file o.Path and migrates nothing. An error is one line that says what to do. The file, and
// what SQLite keeps beside it, can be read by its owner only.
func Open(ctx context.Context, o Options) (*DB, error) {
	if err := o.prepare(); err != nil {
		return nil, err
	}
	set, err := migrations.Load(o.Migrations)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(o.Path, o.Serving, set.Newest())
	if err != nil {
		return nil, err
	}
	db := &DB{o: o, log: o.Logger, migrations: set, lock: lock}
	db.dialect = *dialect
	db.dialect.Away = db.outdated
	alone := o.Hold && lock.set(openByte, disk.Exclusive) == nil
	if !alone && !o.ReadOnly {
		err = db.unsettle()
	}
	if err == nil {
		err = db.connect(ctx, alone)
	}
	if err == nil && alone {
		err = lock.set(openByte, disk.Shared)
	}
	if err == nil && o.Hold {
		err = db.guardFile()
	}
	if db.writer != nil {
		go db.writer.loop()
	}
	if err != nil {
		db.Close()
		return nil, explain(o.Path, err)
	}
	return db, nil
}

// prepare sets the defaults and makes or finds the file.
func (o *Options) prepare() error {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.walLimit == 0 {
		o.walLimit = walLimit
	}
	if o.Migrations == nil {
		o.Migrations = migrations.SQLite()
	}
	if o.Readers <= 0 {
		o.Readers = defaultReaders()
	}
	switch {
	case o.MMapBytes == 0:
		o.MMapBytes = 2 << 30
	case o.MMapBytes < 0:
		o.MMapBytes = 0
	}
	if o.Create && !o.ReadOnly {
		if err := createFile(o.Path); err != nil {
			return err
		}
	}
	real, err := findFile(o.Path)
	o.Path = real
	return err
}

// connect opens the pools. The writer's comes first because it puts a new file into WAL mode.
func (db *DB) connect(ctx context.Context, hold bool) error {
	if !db.o.ReadOnly {
		pool, err := db.pool(ctx, writing, 1)
		if err != nil {
			return err
		}
		if db.writer, err = newWriter(ctx, pool, &db.dialect, db.log); err != nil {
			pool.Close()
			return err
		}
	}
	pool, err := db.pool(ctx, reading, db.o.Readers)
	if err != nil {
		return err
	}
	if db.readers, err = engine.NewPool(ctx, pool, &db.dialect, db.o.Readers, db.o.Readers); err != nil {
		return err
	}
	if db.side, err = db.pool(ctx, maintaining, 6); err != nil {
		return err
	}
	if db.version, err = newVersionProbe(ctx, db.side); err != nil {
		return err
	}
	if hold {
		if err := db.hold(ctx); err != nil {
			return err
		}
	}
	if db.o.Serving && !db.o.ReadOnly {
		db.checkpoint, err = startCheckpointer(ctx, db)
	}
	return err
}

// pool opens connections of one role and keeps them, because a new one would have to prepare all statements again.
func (db *DB) pool(ctx context.Context, r role, size int) (*sqlx.DB, error) {
	p, err := sqlx.Open(driverName, db.o.dsn(r))
	if err != nil {
		return nil, err
	}
	p.SetMaxOpenConns(size)
	p.SetMaxIdleConns(size)
	// When several processes make the same file at the same time, the switch to WAL fails in some, and SQLite does not
	// wait.
	for deadline := time.Now().Add(lockWait); ; time.Sleep(lockPoll) {
		err = p.PingContext(ctx)
		if err == nil || !isBusy(err) || time.Now().After(deadline) {
			break
		}
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close waits for running writes, moves the log into the file and closes it. It may be called again.
func (db *DB) Close() error {
	db.closing.Do(func() {
		var errs []error
		if db.checkpoint != nil {
			db.checkpoint.stop()
		}
		if db.writer != nil {
			errs = append(errs, db.writer.close())
		}
		copied := db.closeReplicator(&errs)
		errs = append(errs, db.ReleaseLog())
		if db.checkpoint != nil {
			errs = append(errs, db.checkpoint.finish())
		}
		errs = append(errs, db.unguard())
		if db.version != nil {
			errs = append(errs, db.version.close())
		}
		if db.side != nil {
			errs = append(errs, db.side.Close())
		}
		if db.readers != nil {
			errs = append(errs, db.readers.Close())
		}
		if db.guard != nil {
			errs = append(errs, db.guard.Close())
		}
		if copied {
			errs = append(errs, db.settle())
		}
		db.closeErr = errors.Join(append(errs, db.lock.release())...)
	})
	return db.closeErr
}

// Readers implements engine.Engine.
func (db *DB) Readers() *engine.Pool { return db.readers }

// Path returns the file's real name.
func (db *DB) Path() string { return db.o.Path }

// explain turns an error of SQLite about an unusable file into one that says what to do.
func explain(path string, err error) error {
	name := filepath.Base(path)
	switch {
	case isDamaged(err):
		return fmt.Errorf("%s is not a sound SQLite database; restore a backup with `daybook restore FILE --db %s`: %w",
			name, path, err)
	case isBusy(err):
		return fmt.Errorf("%s is locked by another process; try again when that one is done: %w", name, err)
	case isFull(err):
		return fmt.Errorf("the disk of %s is full; make room: %w", path, err)
	case isDenied(err):
		return fmt.Errorf("no permission to use %s, or to write beside it; run as its owner: %w", path, err)
	}
	return fmt.Errorf("can't open %s: %w", path, err)
}
