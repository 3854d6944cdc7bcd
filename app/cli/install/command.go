package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
)

// options are the flags that install and uninstall share.
type options struct {
	root string
	dry  bool
	yes  bool
}

func (o *options) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.root, "root", "", "write into this directory, as the / of another system, and run no command")
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "print every file and command, and change nothing")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "don't ask")
}

// agreed shows the plan and asks. It is false with --dry-run, where there is nothing to do, and for a no.
func (o *options) agreed(cmd *cobra.Command, p *plan, question string) (bool, error) {
	say := func(format string, args ...any) { console.Say(cmd, format, args...) }
	if o.dry {
		p.show(say)
		say("Nothing was changed.")
		return false, nil
	}
	if p.unchanged() || o.yes {
		return true, nil
	}
	if !console.AtTerminal(cmd) {
		return false, console.Usagef("there is no terminal to ask at: --dry-run shows what would be done, --yes does it")
	}
	p.show(say)
	yes, err := console.Confirm(cmd, question)
	if err == nil && !yes {
		say("Nothing was changed.")
	}
	return yes, err
}

// Command is daybook install. newKey makes the text of a file with a replica's key.
func Command(newKey func() (string, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use: "install", Args: console.Arguments(),
		Short: "Make Daybook a service of this server (Linux with systemd), and upgrade it",
		Long: "Copies this program to " + binaryPath + " and makes a hardened service of systemd, with a user,\n" +
			"directories and keys of its own. Done again it upgrades the program and the unit, with the domains, database and\n" +
			"replicas that are installed unless others are given. Keys and " + envPath + " are never replaced.\n" +
			"It serves HTTPS by itself with --tls-domain, or behind a proxy with --base-url. The database is a file in\n" +
			stateDir + ", or a PostgreSQL database that --db names; what is in --db-password-file is copied into\n" +
			passPath + ".\n" +
			"AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and DAYBOOK_SMTP_URL are taken over from the environment.",
	}
	var o options
	var s service
	cmd.Flags().StringSliceVar(&s.domains, "tls-domain", nil, "serve HTTPS for this domain; may be repeated")
	cmd.Flags().StringArrayVar(&s.replicas, "replica", nil,
		"keep a copy at file:///directory or s3://bucket/path?endpoint=…&region=…; may be repeated; \"\" is none")
	s.addProxied(cmd)
	console.OwnDatabase(cmd)
	console.OnlyGiven(cmd, "db", "db-password-file", "db-insecure", "base-url", "addr", "trust-proxy")
	o.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p := newPlan(o.root, o.dry)
		p.key = newKey
		return o.install(cmd, p, s)
	}
	return cmd
}

// addProxied adds the flags of a server behind a proxy.
func (s *service) addProxied(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.baseURL, "base-url", "", "the public address, such as https://book.example.com, of a proxy "+
		"that serves HTTPS and passes requests on")
	cmd.Flags().StringVar(&s.addr, "addr", "", "with --base-url: address to listen on for the proxy (default "+proxiedAddr+")")
	cmd.Flags().StringSliceVar(&s.proxies, "trust-proxy", nil, "with --base-url: networks of the proxies whose "+
		"X-Forwarded headers are believed (default "+loopback+", with such an --addr)")
}

// takeDatabase takes what the flags that all commands have say of the database.
func (s *service) takeDatabase(cmd *cobra.Command) (passwordFile string) {
	value := func(name string) string {
		if f := cmd.Flag(name); f != nil && f.Changed {
			return f.Value.String()
		}
		return ""
	}
	if s.db = value("db"); s.db == dbPath {
		s.db = ""
	}
	passwordFile = value("db-password-file")
	s.password, s.insecure = passwordFile != "", value("db-insecure") == "true"
	return passwordFile
}

func (o *options) install(cmd *cobra.Command, p *plan, s service) error {
	if err := p.checkMachine(); err != nil {
		return err
	}
	passwordFile := s.takeDatabase(cmd)
	if err := s.keepInstalled(p, func(flag string) bool { f := cmd.Flag(flag); return f != nil && f.Changed }); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	if passwordFile != "" {
		text, err := os.ReadFile(passwordFile)
		if err != nil {
			return fmt.Errorf("--db-password-file can't be read: %w", err)
		}
		p.databasePassword = string(text)
	}
	if p.live && !(p.boot && p.run("systemctl", "is-active", "--quiet", unitName) == nil) {
		if err := checkPorts(s.ports()...); err != nil && !o.dry {
			return err
		} else if err != nil {
			console.Say(cmd, "This would be refused: %v", err)
		}
	}
	if err := p.install(s, environment(os.Getenv)); err != nil {
		return err
	}
	new := !exists(p.at(unitPath))
	if yes, err := o.agreed(cmd, p, "Install it?"); err != nil || !yes {
		return err
	}
	if err := p.carryOut(func(format string, args ...any) { console.Say(cmd, format, args...) }); err != nil {
		return err
	}
	return o.next(cmd, p, s, new)
}

// keepInstalled takes what wasn't given from the unit that is installed.
func (s *service) keepInstalled(p *plan, given func(flag string) bool) error {
	text, err := os.ReadFile(p.at(unitPath))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	if err != nil {
		return err
	}
	if text != nil {
		old, err := readService(string(text))
		if err != nil {
			return fmt.Errorf("%s was not written by daybook install, and is left alone: %w", p.at(unitPath), err)
		}
		if !given("tls-domain") && !given("base-url") {
			s.domains, s.baseURL = old.domains, old.baseURL
		}
		if !given("addr") && s.baseURL != "" {
			s.addr = old.addr
		}
		if !given("trust-proxy") && s.baseURL != "" {
			s.proxies = old.proxies
		}
		if !given("db") {
			s.db, s.insecure = old.db, s.insecure || old.insecure
			s.password = s.password || old.password
		}
		if !given("replica") {
			s.replicas = old.replicas
		}
	}
	if len(s.replicas) == 1 && s.replicas[0] == "" {
		s.replicas = nil
	}
	if s.baseURL != "" && s.addr == "" {
		s.addr = proxiedAddr
	}
	if host, _, _ := strings.Cut(s.addr, ":"); s.baseURL != "" && len(s.proxies) == 0 && (host == "127.0.0.1" || host == "localhost") {
		s.proxies = strings.Split(loopback, ",")
	}
	return nil
}

// next says what comes now.
func (o *options) next(cmd *cobra.Command, p *plan, s service, new bool) error {
	address, reached := s.baseURL, "which the proxy must pass on to "+s.addr+", with X-Forwarded-For and X-Forwarded-Proto"
	if len(s.domains) > 0 {
		address, reached = "https://"+s.domains[0], "whose name must lead to this server in DNS"
	}
	switch {
	case !p.live:
		console.Say(cmd, "Written into %s, not started. It starts with that system, which makes user and rights first.",
			p.root)
	case !p.boot:
		console.Say(cmd, "Written, not started: no systemd here.")
	default:
		console.Say(cmd, "Daybook runs: systemctl status daybook")
	}
	if new {
		console.Say(cmd, "Open next: the link, good for an hour, that the server has written where this finds it:\n"+
			"  journalctl -u daybook -o cat | grep 'Set it up'   (a new one: systemctl restart daybook)\n"+
			"It leads to %s, %s.", address, reached)
	} else {
		console.Say(cmd, "It serves %s", address)
	}
	for _, dir := range s.folders() {
		if !exists(p.at(dir)) {
			console.Say(cmd, "There is no directory %s yet. When its disk is mounted, run: daybook install", dir)
		}
	}
	sheet := "sudo -u " + userName + " daybook keys-sheet"
	for _, a := range append(s.database(), "--secret-key-file", secretPath) {
		sheet += " " + console.Quoted(a)
	}
	if len(s.replicas) > 0 {
		sheet += " --replica-key-file " + replicaPath
	}
	const lost = "The keys in " + configDir + " must not die with this machine: without them its secrets and copies are " +
		"lost. This prints them:\n  "
	if o.yes || !new || !console.AtTerminal(cmd) {
		console.Say(cmd, "%s", lost+sheet)
		return nil
	}
	console.Say(cmd, "%s", lost+sheet)
	kept, err := console.Confirm(cmd, "Are they kept elsewhere?")
	if err == nil && !kept {
		console.Say(cmd, "Then do it today. Until you confirm it under Settings, Health, that page reminds you.")
	}
	return err
}

// UninstallCommand is daybook uninstall.
func UninstallCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "uninstall", Args: console.Arguments(),
		Short: "Remove the service and the program that install made; leaves the data",
		Long: "Stops and removes the service and " + binaryPath + ". The database in " + stateDir + ", keys and\n" +
			"settings in " + configDir + " and the user stay; install takes them up again.",
	}
	var o options
	o.add(cmd)
	console.NoDatabase(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.uninstall(cmd, newPlan(o.root, o.dry)) }
	return cmd
}

func (o *options) uninstall(cmd *cobra.Command, p *plan) error {
	if err := p.checkMachine(); err != nil {
		return err
	}
	if text, err := os.ReadFile(p.at(unitPath)); err == nil {
		if _, err := readService(string(text)); err != nil {
			return fmt.Errorf("%s was not written by daybook install, and is left alone: %w", p.at(unitPath), err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if !o.dry {
		return errors.New("Daybook is not installed as a service here: there is no " + p.at(unitPath))
	}
	p.remove()
	if yes, err := o.agreed(cmd, p, "Remove it?"); err != nil || !yes {
		return err
	}
	if err := p.carryOut(func(format string, args ...any) { console.Say(cmd, format, args...) }); err != nil {
		return err
	}
	console.Say(cmd, "Left as they are: %s, %s, the user %s.", p.at(stateDir), p.at(configDir), userName)
	return nil
}
