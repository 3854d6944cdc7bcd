package install

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"daybook/store/sqlite"
)

// step is one change: a file, a directory or a command.
type step struct {
	what string // a line for people
	body string // what a file will hold, for --dry-run; "" where that is secret or no text
	done bool   // nothing is to be done
	do   func() error
}

// plan is what installing or removing does, a step after the other.
type plan struct {
	root  string // the tree that is written into; "" is this machine
	live  bool   // it is this machine: there are owners, and commands are run
	dry   bool
	boot  bool                       // systemd runs here
	run   func(args ...string) error // a command
	key   func() (string, error)     // the text of a new file with a replica's key
	owner func() (uid, gid int, err error)
	steps []step

	databasePassword string // "" is none, or the one that is installed
}

func newPlan(root string, dry bool) *plan {
	p := &plan{root: root, live: root == "", dry: dry, run: runCommand, owner: serviceUser}
	p.boot = p.live && exists("/run/systemd/system")
	return p
}

func (p *plan) at(path string) string { return filepath.Join(p.root, path) }

func runCommand(args ...string) error {
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

func serviceUser() (uid, gid int, err error) {
	u, err := user.Lookup(userName)
	if err != nil {
		return 0, 0, err
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	if uid == 0 || err1 != nil || err2 != nil {
		return 0, 0, errors.Join(fmt.Errorf("the user %s is root: give it a number of its own", userName), err1, err2)
	}
	return uid, gid, nil
}

// give gives a file to the service's user, or to root with the service's group. In a tree, tmpfiles.d does it later.
func (p *plan) give(service bool) func(name string) error {
	return func(name string) error {
		if !p.live {
			return nil
		}
		uid, gid, err := p.owner()
		if err != nil {
			return err
		}
		if !service {
			uid = 0
		}
		return os.Chown(name, uid, gid)
	}
}

func (p *plan) add(s step) { p.steps = append(p.steps, s) }

// dir makes a directory; those above it that aren't there can be read by everybody.
func (p *plan) dir(path string, mode fs.FileMode, service bool) {
	name := p.at(path)
	p.add(step{what: fmt.Sprintf("directory %s, %04o", name, mode), done: exists(name), do: func() error {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.Mkdir(name, mode); err != nil {
			return err
		}
		return errors.Join(os.Chmod(name, mode), p.give(service)(name))
	}})
}

// text writes a file that install keeps as it says, readable by everybody.
func (p *plan) text(path, content string) {
	name := p.at(path)
	p.add(step{what: "file " + name + ", 0644", body: content, done: same(name, []byte(content)), do: func() error {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return place(name, strings.NewReader(content), 0o644, false, nil)
	}})
}

// kept writes a file that nobody but its owner can read, and that is never replaced.
func (p *plan) kept(path, what, shown string, service bool, content func() (string, error)) {
	name := p.at(path)
	p.add(step{what: fmt.Sprintf("file %s, 0600: %s", name, what), body: shown, done: exists(name), do: func() error {
		text, err := content()
		if err != nil {
			return err
		}
		own := p.give(true)
		if !service {
			own = nil
		}
		return place(name, strings.NewReader(text), 0o600, true, own)
	}})
}

// replaced writes a file that nobody but the service can read, and that is what it was given last.
func (p *plan) replaced(path, what, content string) {
	name := p.at(path)
	p.add(step{what: fmt.Sprintf("file %s, 0600: %s", name, what), done: same(name, []byte(content)), do: func() error {
		return place(name, strings.NewReader(content), 0o600, false, p.give(true))
	}})
}

// command runs a command on this machine.
func (p *plan) command(done bool, args ...string) {
	p.add(step{what: "$ " + strings.Join(args, " "), done: done, do: func() error { return p.run(args...) }})
}

// install plans the service.
func (p *plan) install(s service, environment string) error {
	program, err := running()
	if err != nil {
		return err
	}
	binary := p.at(binaryPath)
	p.add(step{what: "file " + binary + ", 0755: this program", done: sameFile(program, binary), do: func() error {
		if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
			return err
		}
		from, err := os.Open(program)
		if err != nil {
			return err
		}
		defer from.Close()
		return place(binary, io.Reader(from), 0o755, false, nil)
	}})
	p.text(usersPath, "u daybook - \"Daybook, scheduling and bookings\" "+stateDir+" -\n")
	if p.live {
		_, _, err := p.owner()
		if err != nil && !errors.As(err, new(user.UnknownUserError)) {
			return err
		}
		p.makeUser(err == nil)
	}
	p.dir(configDir, 0o750, false)
	p.dir(stateDir, 0o700, true)
	p.kept(secretPath, "a new key, which encrypts the secrets in the database", "", true, newSecretKey)
	if len(s.replicas) > 0 {
		p.kept(replicaPath, "a new key, which encrypts the copies", "", true, p.key)
	}
	if p.databasePassword != "" {
		p.replaced(passPath, "the password for the database", p.databasePassword)
	}
	p.kept(envPath, "settings and passwords, kept as they are", hide(environment), false,
		func() (string, error) { return environment, nil })
	for _, dir := range s.folders() {
		if p.live && exists(filepath.Dir(dir)) {
			p.dir(dir, 0o700, true)
		}
	}
	if !p.live {
		p.text(filesPath, rights(s))
	}
	p.text(unitPath, s.unit())
	wanted := p.at(wantedPath)
	p.add(step{what: "link " + wanted + ": starts with the machine", done: exists(wanted), do: func() error {
		if err := os.MkdirAll(filepath.Dir(wanted), 0o755); err != nil {
			return err
		}
		return os.Symlink("../"+unitName, wanted)
	}})
	if p.boot {
		same, active := p.unchanged(), p.run("systemctl", "is-active", "--quiet", unitName) == nil
		if active && !same && s.db == "" { // the service migrates a PostgreSQL database itself, beside older servers

			p.steps = append([]step{p.upgrade(program)}, p.steps...)
		}
		p.command(same, "systemctl", "daemon-reload")
		p.command(same && active, "systemctl", "restart", unitName)
	}
	return nil
}

// upgrade stops the service, makes sure that nobody else has its database, and brings that to the schema of the new
// program. Where one of these fails, nothing is changed and the service goes on as it was.
func (p *plan) upgrade(program string) step {
	what := "$ systemctl stop " + unitName + ", and migrate " + dbPath + " if no other process has it"
	return step{what: what, do: func() error {
		if err := p.run("systemctl", "stop", unitName); err != nil {
			return err
		}
		file := p.at(dbPath)
		if !exists(file) {
			return nil
		}
		err := sqlite.CheckUnused(file)
		if err == nil {
			err = p.migrate(program, file)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("nothing was changed, and the service goes on as it was: %w", err),
				p.run("systemctl", "start", unitName))
		}
		return nil
	}}
}

// migrate has the new program migrate the database as the service's user, to whom the files belong that it makes. The
// program stands beside the old one meanwhile, since that user may not enter the folder where it is.
func (p *plan) migrate(program, file string) error {
	from, err := os.Open(program)
	if err != nil {
		return err
	}
	defer from.Close()
	beside := p.at(binaryPath) + ".new"
	if err := place(beside, from, 0o755, false, nil); err != nil {
		return err
	}
	return errors.Join(p.run("runuser", "-u", userName, "--", beside, "migrate", "up", "--db", file), os.Remove(beside))
}

// makeUser makes the user by the file in sysusers.d, or without systemd's command by useradd.
func (p *plan) makeUser(done bool) {
	if _, err := exec.LookPath("systemd-sysusers"); err == nil {
		p.command(done, "systemd-sysusers", usersPath)
		return
	}
	p.command(done, "useradd", "--system", "--user-group", "--home-dir", stateDir, "--no-create-home", "--shell",
		"/usr/sbin/nologin", userName)
}

// rights returns what a tree's files get when it starts, by systemd-tmpfiles.
func rights(s service) string {
	text := "d " + configDir + " 0750 root daybook -\nd " + stateDir + " 0700 daybook daybook -\n" +
		"z " + secretPath + " 0600 daybook daybook -\n"
	if len(s.replicas) > 0 {
		text += "z " + replicaPath + " 0600 daybook daybook -\n"
	}
	if s.password {
		text += "z " + passPath + " 0600 daybook daybook -\n"
	}
	return text
}

func newSecretKey() (string, error) {
	key := make([]byte, 32)
	rand.Read(key) //nolint:errcheck // never fails
	return base64.StdEncoding.EncodeToString(key) + "\n", nil
}

// remove plans that the service and its program go; data, keys, settings and the user stay.
func (p *plan) remove() {
	if p.boot {
		p.command(!exists(p.at(unitPath)), "systemctl", "stop", unitName)
	}
	for _, path := range []string{wantedPath, unitPath, usersPath, filesPath, binaryPath} {
		if name := p.at(path); exists(name) {
			p.add(step{what: "remove " + name, do: func() error { return os.Remove(name) }})
		}
	}
	if p.boot {
		p.command(p.unchanged(), "systemctl", "daemon-reload")
	}
}

// unchanged tells whether nothing is to be done.
func (p *plan) unchanged() bool {
	for _, s := range p.steps {
		if !s.done {
			return false
		}
	}
	return true
}

// carryOut does what is to be done, and tells it.
func (p *plan) carryOut(say func(format string, args ...any)) error {
	for _, s := range p.steps {
		if s.done {
			say("  is there   %s", s.what)
			continue
		}
		if err := s.do(); err != nil {
			return fmt.Errorf("%s failed: %w. What was done before it stays; run it again when that is mended", s.what, err)
		}
		say("  done       %s", s.what)
	}
	return nil
}

// show tells what would be done, and what files would hold.
func (p *plan) show(say func(format string, args ...any)) {
	for _, s := range p.steps {
		if s.done {
			say("  is there   %s", s.what)
			continue
		}
		say("  to do      %s", s.what)
		for line := range strings.Lines(s.body) {
			say("             | %s", strings.TrimSuffix(line, "\n"))
		}
	}
}
