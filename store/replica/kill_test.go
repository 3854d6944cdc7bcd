package replica_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest/outside"
	"daybook/store/engine"
	"daybook/store/replica"
	"daybook/store/sqlite"
)

// TestMain lets the test binary be a server that is killed: `replica.test PATH TARGET` replicates the database, and
// prints the number of each note once it is acknowledged.
func TestMain(m *testing.M) {
	if os.Getenv("REPLICA_TEST_PROCESS") != "" {
		if err := writeForEver(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	if os.Getenv("DAYBOOK_TEST_DB") == "postgres" {
		fmt.Println("a replica is of SQLite's")
		os.Exit(0)
	}
	os.Setenv("AWS_ACCESS_KEY_ID", bucketKey)
	os.Setenv("AWS_SECRET_ACCESS_KEY", bucketKey)
	os.Exit(m.Run())
}

func writeForEver(path, to string) error {
	ctx := context.Background()
	o, err := replica.Open(to, schemes)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Create: true, Serving: true, Hold: true, Migrations: notes,
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	r := replica.New(replica.Config{Path: db.Path(), Database: "db_test", Targets: []replica.Objects{o},
		Log: slog.New(slog.DiscardHandler), DB: db})
	if err := r.Check(ctx); err != nil {
		return err
	}
	if err := db.Replicate(r); err != nil {
		return err
	}
	go r.Run(ctx)
	for !r.Status().Ready {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("ready")
	errs := make(chan error)
	for range 16 {
		go func() {
			for {
				var id int64
				err := db.Write(ctx, func(tx *engine.Transaction) error {
					return tx.Scan("INSERT INTO notes (text) VALUES (?) RETURNING id", []any{strings.Repeat("z", 400)}, &id)
				})
				if err != nil {
					errs <- err
					return
				}
				fmt.Println(id) // unbuffered: it is out before the next write begins
			}
		}()
	}
	return <-errs
}

var rounds = flag.Int("rounds", 5, "how often TestKillAmidReplication kills")

// mostLost is how old a transaction may be that is in the killed file and not in its replica.
const mostLost = 3 * time.Second

// A server that is killed amid writes loses nothing that it acknowledged, and its replica only the last seconds. Then
// it goes on with both.
func TestKillAmidReplication(t *testing.T) {
	type place struct {
		target replica.Objects
		path   string
	}
	places := []place{{inFolder(t), filepath.Join(t.TempDir(), "daybook.db")},
		{inBucket(t), filepath.Join(t.TempDir(), "daybook.db")}}
	var ages []time.Duration
	for i := range *rounds {
		at := places[i%2]
		ages = append(ages, killRound(t, at.target, at.path))
	}
	slices.Sort(ages)
	t.Logf("%d rounds; the oldest that a replica lacked: median %v, p99 %v, most %v", len(ages),
		ages[len(ages)/2], ages[len(ages)*99/100], ages[len(ages)-1])
}

// killRound returns how old the oldest transaction is that the replica lacks.
func killRound(t *testing.T, o replica.Objects, path string) (oldest time.Duration) {
	t.Helper()
	acked := writeAndKill(t, o, path, 2*time.Second+rand.N(2*time.Second))
	killed := time.Now()
	b := &bed{T: t, path: path}
	inFile := b.ids(path)
	restored := filepath.Join(t.TempDir(), "restored.db")
	plan, err := replica.Fetch(t.Context(), o, nil, time.Time{}, restored)
	b.must(err)
	inReplica := b.ids(restored)
	lost := 0
	for id, at := range acked {
		if !inFile[id] {
			t.Errorf("note %d was acknowledged, and is not in the file", id)
		}
		if !inReplica[id] {
			lost++
			oldest = max(oldest, killed.Sub(at))
		}
	}
	t.Logf("%s: %d acknowledged, %d of them not in the replica, the oldest %v old; restored from %d files",
		o, len(acked), lost, oldest.Round(time.Millisecond), plan.Files)
	if oldest > mostLost {
		t.Errorf("the replica lacks what was acknowledged %v before the kill", oldest)
	}
	if len(acked) == 0 {
		t.Error("nothing was written")
	}
	return oldest
}

// writeAndKill returns when each note was acknowledged.
func writeAndKill(t *testing.T, o replica.Objects, path string, after time.Duration) map[int64]time.Time {
	t.Helper()
	cmd := exec.Command(os.Args[0], path, o.String())
	cmd.Env = append(os.Environ(), "REPLICA_TEST_PROCESS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	acked := map[int64]time.Time{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var id int64
		if lines.Text() == "ready" {
			time.AfterFunc(after, func() { cmd.Process.Kill() })
		} else if _, err := fmt.Sscan(lines.Text(), &id); err == nil {
			acked[id] = time.Now()
		}
	}
	cmd.Wait() // killed
	return acked
}

func (b *bed) ids(path string) map[int64]bool {
	b.Helper()
	db, err := sqlite.Open(b.Context(), sqlite.Options{Path: path, Migrations: notes, Logger: slog.Default()})
	b.must(err)
	defer db.Close()
	b.must(db.CheckIntegrity(b.Context()))
	ids := map[int64]bool{}
	err = engine.NewQuerier(b.Context(), db.Readers()).Each("SELECT id FROM notes", nil, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		ids[id] = true
		return err
	})
	b.must(err)
	return ids
}

const s3rver = `
const S3rver = require(process.argv[1]);
const server = new S3rver({port: 0, address: "127.0.0.1", silent: true, directory: process.argv[2],
  configureBuckets: [{name: "salon"}]});
server.run().then(a => console.log(a.port));
process.stdin.resume().on("end", () => process.exit());
`

// npm's s3rver knows who signed, but not whether the signature is right, and compares nothing, as some servers do. It
// is a process of its own.
func TestAnotherBucket(t *testing.T) {
	module := filepath.Join(outside.Modules(t, "s3rver", "s3rver"), "s3rver")
	node, err := exec.LookPath("node")
	outside.Needs(t, "s3rver", err)
	cmd := exec.Command(node, "-e", s3rver, module, t.TempDir())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	var port int
	if _, err := fmt.Fscanln(out, &port); err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("s3://salon/a%%20folder?endpoint=http://127.0.0.1:%d", port)
	t.Setenv("AWS_ACCESS_KEY_ID", "wrong")
	err = target(t, address).Write(t.Context(), "a", strings.NewReader("b"), 1)
	if err == nil || !strings.Contains(err.Error(), "InvalidAccessKeyId") {
		t.Errorf("with a wrong key: %v", err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", bucketKey)
	o := target(t, address)
	b := newBed(t, nil, o)
	b.write(20)
	b.synced()
	b.wants(o, 20)
	b.close()
	killRound(t, target(t, strings.Replace(address, "a%20folder", "killed", 1)), filepath.Join(t.TempDir(), "daybook.db"))
}
