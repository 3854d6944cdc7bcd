package install

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Where things are, on the server or in the tree of --root.
const (
	userName    = "daybook"
	binaryPath  = "/usr/local/bin/daybook"
	configDir   = "/etc/daybook"
	secretPath  = configDir + "/secret.key"
	replicaPath = configDir + "/replica.key"
	passPath    = configDir + "/db.password"
	envPath     = configDir + "/daybook.env"
	stateDir    = "/var/lib/daybook"
	dbPath      = stateDir + "/daybook.db"
	unitName    = "daybook.service"
	unitPath    = "/etc/systemd/system/" + unitName
	wantedPath  = "/etc/systemd/system/multi-user.target.wants/" + unitName
	usersPath   = "/etc/sysusers.d/daybook.conf"
	filesPath   = "/etc/tmpfiles.d/daybook.conf"
)

// service is what the unit serves.
type service struct {
	domains  []string
	replicas []string
	db       string // the URL of a PostgreSQL database; "" is the file at dbPath
	password bool   // of it is in the file at passPath
	insecure bool
	// Behind a proxy, without domains:
	baseURL string
	addr    string
	proxies []string
}

// Behind a proxy of the same machine, unless others are named.
const (
	proxiedAddr = "127.0.0.1:8080"
	loopback    = "127.0.0.1/32,::1/128"
)

// database returns the flags that name the database.
func (s service) database() []string {
	if s.db == "" {
		return []string{"--db", dbPath}
	}
	args := []string{"--db", s.db}
	if s.password {
		args = append(args, "--db-password-file", passPath)
	}
	if s.insecure {
		args = append(args, "--db-insecure")
	}
	return args
}

// arguments returns those of the program.
func (s service) arguments() []string {
	args := append([]string{"serve"}, s.database()...)
	args = append(args, "--secret-key-file", secretPath)
	for _, d := range s.domains {
		args = append(args, "--tls-domain", d)
	}
	if s.baseURL != "" {
		args = append(args, "--base-url", s.baseURL, "--addr", s.addr, "--trust-proxy", strings.Join(s.proxies, ","))
	}
	for _, r := range s.replicas {
		args = append(args, "--replica", r)
	}
	if len(s.replicas) > 0 {
		args = append(args, "--replica-key-file", replicaPath)
	}
	return args
}

// unit returns the text of the unit. SIGTERM ends the server within 10 seconds; what is left of a replica may take
// more.
func (s service) unit() string {
	line := binaryPath
	for _, a := range s.arguments() {
		line += " " + quoteArgument(a)
	}
	writable := ""
	for _, dir := range s.folders() {
		writable += "ReadWritePaths=-" + quotePath(path.Dir(dir)) + "\n"
	}
	after := ""
	if s.db != "" {
		after = " postgresql.service"
	}
	return fmt.Sprintf(unitText, after, line, writable)
}

// unitText is the unit, but for what it starts after, the command and the directories that can be written besides its own. A call that is
// refused fails with EPERM and ends nothing. Instead of ProtectClock, which refuses to read the kernel's clock too (the
// check "time" of health does), setting it is refused by the missing CAP_SYS_TIME.
const unitText = `# Written by "daybook install", which replaces it. Your own settings belong into
# /etc/daybook/daybook.env (every flag of "daybook serve" is a variable there)
# or into "systemctl edit daybook".
[Unit]
Description=Daybook, scheduling and bookings
Wants=network-online.target
After=network-online.target%s

[Service]
Type=exec
User=daybook
Group=daybook
EnvironmentFile=-/etc/daybook/daybook.env
ExecStart=%s
WorkingDirectory=/var/lib/daybook
StateDirectory=daybook
StateDirectoryMode=0700
%sRestart=on-failure
RestartSec=5
KillSignal=SIGTERM
TimeoutStopSec=30
LimitNOFILE=65536
UMask=0077
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallFilter=adjtimex
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@+-"

// quoteArgument writes an argument so that systemd hands it on unchanged: quotes and backslashes are escaped, % begins
// a specifier and $ a variable unless they are doubled.
func quoteArgument(text string) string { return strings.ReplaceAll(quotePath(text), "$", "$$") }

// quotePath returns the same for a setting in which $ is nothing special.
func quotePath(text string) string {
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c == '%':
			b.WriteString("%%")
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// readService reads what a unit serves that this program wrote.
func readService(unit string) (s service, err error) {
	_, rest, found := strings.Cut(unit, "\nExecStart="+binaryPath+" ")
	line, _, _ := strings.Cut(rest, "\n")
	if !found {
		return s, errors.New("it has no ExecStart of " + binaryPath)
	}
	args, err := splitArguments(line)
	args = append(args, "")
	for i := 0; i+1 < len(args) && err == nil; i++ {
		switch value := args[i+1]; args[i] {
		case "--tls-domain":
			s.domains = append(s.domains, value)
		case "--replica":
			s.replicas = append(s.replicas, value)
		case "--db":
			if value != dbPath {
				s.db = value
			}
		case "--db-password-file":
			s.password = true
		case "--db-insecure":
			s.insecure = true
		case "--base-url":
			s.baseURL = value
		case "--addr":
			s.addr = value
		case "--trust-proxy":
			s.proxies = strings.Split(value, ",")
		}
	}
	return s, err
}

// splitArguments undoes quoteArgument for a line of arguments.
func splitArguments(line string) (args []string, err error) {
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		var b strings.Builder
		quoted := line[0] == '"'
		if quoted {
			line = line[1:]
		}
		closed := false
		for line != "" && !closed {
			c := line[0]
			switch {
			case quoted && c == '"', !quoted && c == ' ':
				closed = true
			case quoted && strings.HasPrefix(line, `\x`) && len(line) >= 4:
				var n byte
				if _, err := fmt.Sscanf(line[2:4], "%02x", &n); err != nil {
					return nil, err
				}
				b.WriteByte(n)
				line = line[3:]
			case (c == '\\' && quoted || c == '%' || c == '$') && len(line) > 1:
				b.WriteByte(line[1])
				line = line[1:]
			default:
				b.WriteByte(c)
			}
			line = line[1:]
		}
		if quoted && !closed {
			return nil, errors.New("its ExecStart has a quote that doesn't end")
		}
		args = append(args, b.String())
	}
	return args, nil
}
