package health

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"daybook/app/disk"
	"daybook/app/when"
	"daybook/views/finding"
)

// ErrUnknown is returned for something that can't be found out on this system.
var ErrUnknown = errors.New("that can't be known here")

// Machine is what the checks look at besides the rows of the database. Nil functions ask the system.
type Machine struct {
	Name    string // of the host
	Version string // of this program
	Path    string // of the SQLite file; "" where there is none
	// Server describes the PostgreSQL server; nil if there is none.
	Server  func(ctx context.Context) (Server, error)
	Domains []string // that certificates are ordered for
	// Space returns the space of the file system with the directory. Errors: ErrUnknown.
	Space func(dir string) (Space, error)
	// ClockSynced reports whether the machine's clock is synchronised with a time server. Errors: ErrUnknown.
	ClockSynced func() (bool, error)
}

// Server is what a PostgreSQL server says about itself.
type Server struct {
	Bytes      int64         // of the database
	ClockAhead time.Duration // compared with the clock of this machine
}

// Space is the size of a file system, and how much of it is free.
type Space struct{ Size, Free int64 } // bytes; Free is what this user may take

// spaceOf asks the file system that has the directory. One without a size, such as some of the network, is unknown.
func spaceOf(dir string) (s Space, err error) {
	if s.Size, s.Free, err = disk.Space(dir); err == nil && s.Size == 0 {
		err = ErrUnknown
	}
	return s, err
}

func (m Machine) withDefaults() Machine {
	if m.Name == "" {
		m.Name, _ = os.Hostname() // "" is a name, too
	}
	if m.Space == nil {
		m.Space = spaceOf
	}
	if m.ClockSynced == nil {
		m.ClockSynced = clockSynced
	}
	return m
}

// LookAtMachine checks what needs no database: the clock, and, where the database is a file, the disk.
func (m Machine) LookAtMachine(now time.Time) []finding.Finding {
	m = m.withDefaults()
	all := append(m.clock(now), m.timeServer()...)
	if m.Path != "" {
		all = append(all, m.disk(nil, when.At(now)))
	}
	return all
}

func ok(check, said string, facts ...finding.Fact) finding.Finding {
	return finding.Finding{Check: check, State: finding.OK, Said: said, Facts: facts}
}

func wrong(state finding.State, reach finding.Audience, check, said string, facts ...finding.Fact) finding.Finding {
	return finding.Finding{Check: check, State: state, Audience: reach, Said: said, Facts: facts}
}

// clock compares the clock with the files of the database: they can't be from the future. It asks nobody in the
// network.
func (m Machine) clock(now time.Time) []finding.Finding {
	is := finding.At("At", when.At(now))
	if year := now.UTC().Year(); year < firstYear || year > lastYear {
		return []finding.Finding{local(wrong(finding.Failed, finding.ByMail, "clock", "clock_wrong", is))}
	}
	if m.Path != "" {
		for _, name := range []string{m.Path, m.Path + "-wal"} {
			if info, err := os.Stat(name); err == nil && info.ModTime().After(now.Add(clockAhead)) {
				return []finding.Finding{m.wentBack(name, when.At(info.ModTime()))}
			}
		}
	}
	return []finding.Finding{local(ok("clock", "clock_ok", is))}
}

func (m Machine) wentBack(what string, at when.Instant) finding.Finding {
	return local(wrong(finding.Failed, finding.ByMail, "clock", "clock_back", finding.Words("What", what),
		finding.At("At", at)))
}

// timeServer tells what the system says of its clock. That nothing keeps it is no trouble by itself: a container or a
// virtual machine has its time from its host.
func (m Machine) timeServer() []finding.Finding {
	kept, err := m.ClockSynced()
	switch {
	case errors.Is(err, ErrUnknown):
		return nil
	case err != nil || !kept:
		return []finding.Finding{local(ok("time", "time_free"))}
	}
	return []finding.Finding{local(ok("time", "time_kept"))}
}

func local(f finding.Finding) finding.Finding {
	f.Local = true
	return f
}

// disk returns how full the database's disk is, and by its samples when it will be full.
func (m Machine) disk(samples []sample, now when.Instant) finding.Finding {
	space, err := m.Space(filepath.Dir(m.Path))
	if err != nil {
		return local(ok("disk", "disk_unknown"))
	}
	facts := []finding.Fact{finding.Bytes("Free", space.Free), finding.Bytes("Size", space.Size)}
	left, known := untilFull(samples, space.Free, now)
	filling := known && left < 10*365*when.Day
	if filling {
		facts = append(facts, finding.Span("Left", left))
	}
	said := func(key string) string {
		if filling {
			return key + "_filling"
		}
		return key
	}
	switch {
	case space.Free < diskFull:
		return local(wrong(finding.Failed, finding.ByMail, "disk", said("disk_full"), facts...))
	case filling && left < diskSoon:
		return local(wrong(finding.Warning, finding.ByMail, "disk", "disk_soon", facts...))
	case space.Free < diskLow:
		return local(wrong(finding.Warning, finding.ByMail, "disk", said("disk_low"), facts...))
	case !known:
		return local(ok("disk", "disk_new", facts...))
	}
	return local(ok("disk", said("disk_ok"), facts...))
}

// bytes returns what the database and its log have.
func (m Machine) bytes(ctx context.Context) (database, log int64, err error) {
	if m.Server != nil {
		f, err := m.Server(ctx)
		return f.Bytes, 0, err
	}
	if m.Path == "" {
		return 0, 0, ErrUnknown
	}
	info, err := os.Stat(m.Path)
	if err != nil {
		return 0, 0, err
	}
	database = info.Size()
	if info, err := os.Stat(m.Path + "-wal"); err == nil {
		log = info.Size()
	}
	return database, log, nil
}
