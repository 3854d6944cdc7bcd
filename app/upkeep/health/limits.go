package health

import (
	"time"

	"daybook/app/when"
)

// The thresholds of warnings and failures. The guide for operators has the same table.
const (
	// Below diskLow there is soon no room for a migration or a snapshot, which each need as much as the database has;
	// below diskFull the log can't grow through a busy hour, and then nothing can be saved.
	diskLow  = 1 << 30
	diskFull = 100 << 20
	// diskSoon leaves a week, with a weekend in it, to make room.
	diskSoon = 7 * when.Day
	// An estimate of less than diskKnown would take the import of an hour for the pace of every day.
	diskKnown = 3 * when.Day
	// The log is emptied at 16 MiB, and stays below 128 MiB under load. A larger one means that something reads the
	// database for hours.
	logLarge = 256 << 20

	// Mails go out within seconds, and a mail server that refuses one for now (greylisting) takes it within the hour. A
	// mail is given up after 48 hours.
	mailLate  = time.Hour
	mailStuck = 6 * time.Hour
	// Deliveries are sent within a second of being due; a queue of 100,000 takes minutes.
	hookLate  = 15 * time.Minute
	hookStuck = 2 * time.Hour

	// A replica makes up by itself for what it missed; after an hour somebody should look.
	replicaLate = time.Hour
	// What the server that replicates notes at least every hour is old after three.
	replicaStale = 3 * time.Hour
	// A test restore is made every day: two were missed.
	restoreOld = 3 * when.Day

	// Certificates are renewed when 30 days are left: at 7, that has failed for three weeks.
	certificateSoon = 7 * when.Day
	certificateLast = when.Day

	// Files can't have been written later than now; two minutes are the clocks of a network file system.
	clockAhead = 2 * time.Minute
	// Leases and due times on PostgreSQL are compared with the clocks of several machines; NTP keeps them to
	// milliseconds.
	clockApart = 2 * time.Second
	// A loop that fails is started again after 30 s at most. One that failed loopFailures times in loopTime stands
	// still.
	loopFailures = 5
	loopTime     = 10 * time.Minute

	// patience is how long something is wrong before owners are told by mail, and wellFor how long it is well before
	// they are told again: what comes and goes is told once.
	patience = 5 * time.Minute
	wellFor  = time.Hour
)

// The years in which this program can be running.
const firstYear, lastYear = 2026, 2100
