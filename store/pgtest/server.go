package pgtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/app/apptest/outside"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrNotInstalled means that PostgreSQL's server is not installed on this machine.
var ErrNotInstalled = errors.New("PostgreSQL is not installed (initdb is neither in PATH nor in " +
	"/usr/lib/postgresql/*/bin)")

// Server is a running server that asks nobody on this machine for a password.
type Server struct {
	Port  int
	dir   string
	bin   string
	fast  []string  // settings that keep it from waiting for the disk
	alive io.Closer // the server ends when this is closed, or the process dies
	cmd   *exec.Cmd
}

var shared = sync.OnceValues(Start)

// Shared returns the URL of a server that all tests of this process share: the one that DAYBOOK_TEST_DB names, else one
// that is started now. Without PostgreSQL on this machine the test is skipped, unless DAYBOOK_TEST_DB asks for it.
func Shared(t testing.TB) string {
	t.Helper()
	if server := foreign(); server != "" {
		return server
	}
	s, err := shared()
	if errors.Is(err, ErrNotInstalled) && os.Getenv("DAYBOOK_TEST_DB") != "postgres" {
		outside.Needs(t, "postgres", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.URL("postgres")
}

// foreign returns the URL of the server that DAYBOOK_TEST_DB names, or "" if it names none.
func foreign() string {
	if wanted := os.Getenv("DAYBOOK_TEST_DB"); strings.HasPrefix(wanted, "postgres://") {
		return wanted
	}
	return ""
}

// Fresh returns the URL of a database on the server of the URL that nobody else uses until the test ends, a copy of
// the template; "" is PostgreSQL's template0.
func Fresh(t testing.TB, server, template string) string {
	t.Helper()
	if template == "" {
		template = noTemplate
	}
	m := makerOn(server)
	name, err := m.take(context.Background(), template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.give(context.Background(), name, template); err != nil {
			t.Log(err) // a test may have stopped the server
		}
	})
	made, err := URL(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Template returns the name of a database that fill has filled, to make others from. Its name is a hash of the files
// that fill uses, so that several processes share it.
func Template(ctx context.Context, server string, files fs.FS,
	fill func(ctx context.Context, url string) error) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		fmt.Fprintf(sum, "%s %d ", path, len(text))
		sum.Write(text)
		return err
	})
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("daybook_template_%x", sum.Sum(nil)[:8])
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	var there bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).Scan(&there)
	if err = errors.Join(err, conn.Close(ctx)); err != nil || there {
		return name, err
	}
	// It gets its name once it is filled.
	own := fmt.Sprintf("%s_%d", name, os.Getpid())
	u, err := Create(ctx, server, own, "")
	if err != nil {
		return "", err
	}
	if err := fill(ctx, u); err != nil {
		return "", err
	}
	var e *pgconn.PgError
	err = execute(ctx, server, "ALTER DATABASE "+own+" RENAME TO "+name)
	if errors.As(err, &e) && (e.Code == "42P04" || e.Code == "23505") { // another process was faster
		err = execute(ctx, server, "DROP DATABASE "+own)
	}
	return name, err
}

// noTemplate is an empty database, which PostgreSQL brings.
const noTemplate = "template0"

// Create makes a database on the server of the URL. An empty template is PostgreSQL's template0.
func Create(ctx context.Context, server, name, template string) (string, error) {
	if template == "" {
		template = noTemplate
	}
	if err := execute(ctx, server, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		return "", err
	}
	return URL(server, name)
}

// URL names a database on the server of the URL.
func URL(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

func execute(ctx context.Context, server, query string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, query)
	return errors.Join(err, conn.Close(ctx))
}

// Start makes a data directory and starts a server on it. The server never waits for the disk, so a crash of the
// machine may lose its data.
func Start() (*Server, error) {
	return start("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "autovacuum=off")
}

// StartDurable starts a server that loses nothing, as in production. Benchmarks use it.
func StartDurable() (*Server, error) { return start() }

func start(fast ...string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(outside.SharedTemp(), "daybookpg")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: bin, fast: fast}
	if os.Getuid() == 0 { // PostgreSQL refuses root
		if err := os.Chown(dir, nobody, nobody); err != nil {
			return nil, err
		}
	}
	if err := s.initialize(); err != nil {
		return nil, err
	}
	if s.Port, err = outside.Port(); err != nil {
		return nil, err
	}
	return s, s.Run()
}

// initialize makes the data directory. What initdb makes is kept in the user's cache, for each version of it and zone: a
// copy takes 0.2 s of processor time where initdb takes 1.8, and each package that is tested starts a server.
func (s *Server) initialize() error {
	data, options := filepath.Join(s.dir, "data"), []string{"--no-sync", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"}
	version, err := s.command(filepath.Join(s.bin, "initdb"), "--version").Output()
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "daybook-test")
	of := sha256.Sum256(fmt.Append(nil, s.bin, string(version), os.Getenv("TZ"), os.Getuid(), options))
	kept := filepath.Join(cache, fmt.Sprintf("initdb-%x", of[:8]))
	if _, err := os.Stat(kept); err == nil {
		if out, err := exec.Command("cp", "-a", kept, data).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	initdb := s.command(filepath.Join(s.bin, "initdb"), append([]string{"-D", data}, options...)...)
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	copied, err := os.MkdirTemp(cache, "initdb-making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	if out, err := exec.Command("cp", "-a", data, filepath.Join(copied, "data")).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := os.Rename(filepath.Join(copied, "data"), kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Run starts the server again, after Stop or Kill.
func (s *Server) Run() error {
	// The shell outlives this process, however that ends, and then stops the server and removes its data. The word
	// "keep" leaves the data.
	const script = `"$@" >"$0/log" 2>&1 & pid=$!
		read word; kill -INT $pid; wait $pid; [ "$word" = keep ] || rm -rf "$0"`
	args := []string{"-c", script, s.dir, filepath.Join(s.bin, "postgres"), "-D", s.dir + "/data", "-k", s.dir,
		"-h", "127.0.0.1", "-p", strconv.Itoa(s.Port), "-c", "max_connections=300", "-c", "shared_buffers=64MB"}
	s.cmd = s.command("/bin/sh", append(args, s.fast...)...)
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	s.alive = in
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := execute(context.Background(), s.URL("postgres"), "SELECT 1")
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(s.dir + "/log")
			return errors.Join(fmt.Errorf("PostgreSQL does not start: %w: %s", err, log), s.Remove())
		}
	}
}

// Stop shuts the server down and keeps its data. Connections are cut and open transactions undone.
func (s *Server) Stop() error {
	_, err := io.WriteString(s.alive.(io.Writer), "keep\n")
	return errors.Join(err, s.cmd.Wait())
}

// Remove shuts the server down and removes its data.
func (s *Server) Remove() error { return errors.Join(s.alive.Close(), s.cmd.Wait()) }

// URL names a database of the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.Port, database)
}

const nobody = 65534

// command runs as the user nobody when this process is root's, because PostgreSQL refuses root. It has its own process
// group, so that Ctrl-C does not reach it directly.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}

// programs returns the directory of the newest installed server.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrNotInstalled
	}
	slices.SortFunc(found, func(a, b string) int { return release(a) - release(b) })
	return filepath.Dir(found[len(found)-1]), nil
}

func release(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 for a name that is no number
	return n
}
