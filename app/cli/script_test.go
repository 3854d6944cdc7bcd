package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"daybook/store/migrations"
	"daybook/store/sqlite"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"daybook": command})
}

// The scripts drive the real command. Besides testscript's own commands they have
//
//	exits N daybook …        run, and want that exit code; N > 0 wants one line on standard error, and nothing on the other
//	serve NAME [flags]       start `daybook serve --addr 127.0.0.1:0 --json` and wait until it is ready; sets NAME_URL, NAME_SETUP
//	demo NAME                likewise `daybook demo`; sets all that it prints
//	end NAME [SIGNAL]       end it and want exit 0 within 10 s; what it logged is then standard error
//	http METHOD URL [KEY]    print status and body
//	take VAR=name …          set variables from the JSON object on standard output
//	fields a,b,c             want the JSON object (or each of the array) on standard output to have exactly these, in this order
//	sql FILE STATEMENT       change a database from outside
//	mode FILE 0600           want that file mode
//	damage FILE COPY         copy a database with its first table of contents overwritten
//	receive NAME [STATUS]    start a webhook receiver that answers so; sets NAME_URL
//	received NAME N          wait until it has N requests; print their signatures and bodies
//	eventually REGEXP …      run a command until its standard output fits
//	stripe                   start a stand-in for Stripe; sets STRIPE_URL, STRIPE_KEY, STRIPE_SIGNING
//	stripe book URL KEY SLUG book the next open time and pay for it at the stand-in; sets BOOKING
//	[!] event URL            send the stand-in's latest event, signed unless negated; print status and body
//	matches VAR=REGEXP       set a variable to what is found on standard output
//	files NAME               offer the script's files by http; sets NAME_URL
//	older FILE               make a database as the first version of Daybook did
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, "tmp"))
			e.Setenv("NO_PROXY", "*")
			if testing.CoverMode() != "" { // a covered binary warns on standard error when it has nowhere to write
				e.Setenv("GOCOVERDIR", filepath.Join(e.WorkDir, "cover"))
				if err := os.Mkdir(filepath.Join(e.WorkDir, "cover"), 0o700); err != nil {
					return err
				}
			}
			return os.Mkdir(filepath.Join(e.WorkDir, "tmp"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"files": files, "matches": matches,
			"exits": exits, "serve": serve, "demo": demo, "end": end, "http": fetch, "take": take, "fields": fields, "sql": execSQL, "mode": mode, "damage": damage, "older": older,
			"stripe": standIn, "event": sendEvent, "receive": receive, "received": received, "eventually": eventually,
		},
	})
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if errs := ts.ReadFile("stderr"); want > 0 && (strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "daybook")) {
		ts.Fatalf("not one line on standard error: %q", errs)
	}
	if out := ts.ReadFile("stdout"); want == 2 && out != "" {
		ts.Fatalf("standard output of wrong usage: %q", out)
	}
}

// processes are those that run, by the script's folder and name.
var processes sync.Map

// process is a server under test.
type process struct {
	cmd  *exec.Cmd
	errs bytes.Buffer
}

func start(ts *testscript.TestScript, name string, args ...string) (line map[string]any) {
	p := &process{cmd: exec.Command("daybook", args...)}
	bin, err := exec.LookPath("daybook")
	ts.Check(err)
	p.cmd.Path, p.cmd.Dir, p.cmd.Stderr = bin, ts.MkAbs("."), &p.errs
	for _, v := range []string{"HOME", "TMPDIR", "PATH", "DAYBOOK_DB", "DAYBOOK_BASE_URL", "DAYBOOK_SECRET_KEY_FILE", "GOCOVERDIR"} {
		p.cmd.Env = append(p.cmd.Env, v+"="+ts.Getenv(v))
	}
	out, err := p.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(p.cmd.Start())
	ts.Defer(func() { p.cmd.Process.Kill() })
	text, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(text, &line) != nil {
		p.cmd.Wait()
		ts.Fatalf("not ready: %q %v\n%s", text, err, p.errs.String())
	}
	processes.Store(ts.Getenv("WORK")+name, p)
	return line
}

func serve(ts *testscript.TestScript, _ bool, args []string) {
	line := start(ts, args[0], append([]string{"serve", "--addr", "127.0.0.1:0", "--json"}, args[1:]...)...)
	ts.Setenv(args[0]+"_URL", line["baseUrl"].(string))
	setup, _ := line["setupUrl"].(string)
	ts.Setenv(args[0]+"_SETUP", setup)
}

func demo(ts *testscript.TestScript, _ bool, args []string) {
	for name, value := range start(ts, args[0], "demo", "--addr", "127.0.0.1:0", "--json") {
		ts.Setenv(args[0]+"_"+name, value.(string))
	}
}

func end(ts *testscript.TestScript, _ bool, args []string) {
	found, _ := processes.LoadAndDelete(ts.Getenv("WORK") + args[0])
	p := found.(*process)
	signal := syscall.SIGTERM
	if len(args) > 1 && args[1] == "INT" {
		signal = syscall.SIGINT
	}
	ts.Check(p.cmd.Process.Signal(signal))
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			ts.Fatalf("the server ended with %v\n%s", err, p.errs.String())
		}
	case <-time.After(30 * time.Second):
		ts.Fatalf("the server did not end within 30 s")
	}
	io.WriteString(ts.Stderr(), p.errs.String())
}

func fetch(ts *testscript.TestScript, _ bool, args []string) {
	req, err := http.NewRequest(args[0], args[1], nil)
	ts.Check(err)
	if len(args) > 2 {
		req.Header.Set("Authorization", "Bearer "+args[2])
	}
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%d\n%s\n", res.StatusCode, body)
}

func take(ts *testscript.TestScript, _ bool, args []string) {
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &object))
	for _, a := range args {
		name, field, _ := strings.Cut(a, "=")
		value, ok := object[field].(string)
		if !ok {
			ts.Fatalf("no text %s in %v", field, object)
		}
		ts.Setenv(name, value)
	}
}

func fields(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile("stdout")
	if strings.Count(text, "\n") != 1 {
		ts.Fatalf("not one line: %q", text)
	}
	d := json.NewDecoder(strings.NewReader(text))
	depth, isName, names := 0, false, [][]string{}
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		ts.Check(err)
		switch t := t.(type) {
		case json.Delim:
			if t == '[' && depth == 0 {
				continue // the list itself
			}
			if t == '{' && depth == 0 {
				names = append(names, nil)
			}
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			isName = depth == 1
		default:
			if isName {
				names[len(names)-1] = append(names[len(names)-1], t.(string))
			}
			isName = depth == 1 && !isName
		}
	}
	for _, n := range names {
		if got := strings.Join(n, ","); got != args[0] {
			ts.Fatalf("the fields are %s, want %s", got, args[0])
		}
	}
	if len(names) == 0 {
		ts.Fatalf("no object in %s", text)
	}
}

func execSQL(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0])+"?_pragma=busy_timeout(5000)")
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(args[1])
	ts.Check(err)
}

func matches(ts *testscript.TestScript, _ bool, args []string) {
	name, expression, _ := strings.Cut(args[0], "=")
	found := regexp.MustCompile(expression).FindString(ts.ReadFile("stdout"))
	if found == "" {
		ts.Fatalf("nothing fits %s", expression)
	}
	ts.Setenv(name, found)
}

func files(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs("."))))
	ts.Defer(server.Close)
	ts.Setenv(args[0]+"_URL", server.URL)
}

func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has mode %s", args[0], got)
	}
}

func damage(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	copy(text[100:], bytes.Repeat([]byte{0xff}, 2000))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

func older(ts *testscript.TestScript, _ bool, args []string) {
	const first = "0001_start.sql"
	text, err := fs.ReadFile(migrations.SQLite(), first)
	ts.Check(err)
	db, err := sqlite.Open(context.Background(), sqlite.Options{
		Path: ts.MkAbs(args[0]), Create: true, Migrations: fstest.MapFS{first: {Data: text}},
	})
	ts.Check(err)
	_, err = db.Migrate(context.Background())
	ts.Check(errors.Join(err, db.Close()))
}
