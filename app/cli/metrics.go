package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/text"
	"daybook/app/upkeep/health"
	"daybook/app/when"
	"daybook/store/engine"
	"daybook/views/finding"
)

// healthCollector tells what the checks of the server found, and the figures that they are made from.
type healthCollector struct {
	figures func(context.Context) (health.Figures, error)
	log     *slog.Logger
	trouble fault.Seldom

	check, due, late, changes, database, wal, size, free, ends *prometheus.Desc
}

func healthMetrics(figures func(context.Context) (health.Figures, error), log *slog.Logger) prometheus.Collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("daybook_"+name, help, labels, nil)
	}
	return &healthCollector{figures: figures, log: log,
		check: desc("check_state", "What the check found, as Settings, Health has it: 0 well, 1 a warning, 2 failed. about is what "+
			"of several it is about.", "check", "about"),
		due: desc("queue_due", "Rows of the queue that are due and that no server works at, of all servers; at most 10000 are counted.",
			"queue"),
		late:     desc("queue_late_seconds", "How long the oldest of them has been due; 0 for none.", "queue"),
		changes:  desc("booking_changes_total", "Changes of bookings since the database was made, a new booking being one, by all servers."),
		database: desc("database_bytes", "Size of the database."),
		wal:      desc("database_log_bytes", "Size of the write-ahead log beside a SQLite file."),
		size:     desc("disk_size_bytes", "Size of the disk with the SQLite file."),
		free:     desc("disk_free_bytes", "Room on that disk for this user."),
		ends:     desc("certificate_expiry_timestamp_seconds", "When the certificate that this server orders ends, as a Unix time.", "domain"),
	}
}

// Describe implements prometheus.Collector.
func (c *healthCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.check, c.due, c.late, c.changes, c.database, c.wal, c.size, c.free, c.ends} {
		to <- d
	}
}

// Collect implements prometheus.Collector. Where the database can't be asked in time, its values are missing, which an alert
// can see; the others stay.
func (c *healthCollector) Collect(to chan<- prometheus.Metric) {
	ctx, stop := context.WithTimeout(context.Background(), metricTime)
	defer stop()
	f, err := c.figures(ctx)
	if err != nil {
		if repeated, say := c.trouble.Say(err); say {
			c.log.Warn("the metrics lack the state of the server", "error", err, "repeated", repeated)
		}
		return
	}
	c.trouble.Over()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for check, state := range worst(f.Findings) {
		gauge(c.check, float64(state), check[0], check[1])
	}
	for _, w := range f.Work {
		gauge(c.due, float64(w.Due), w.Queue)
		late := 0.0
		if w.Since != 0 {
			late = float64(f.Now-w.Since) / 1000
		}
		gauge(c.late, late, w.Queue)
	}
	to <- prometheus.MustNewConstMetric(c.changes, prometheus.CounterValue, float64(f.Changes))
	if f.Sized {
		gauge(c.database, float64(f.Database))
	}
	if f.Roomed { // a SQLite file
		gauge(c.wal, float64(f.Log))
		gauge(c.size, float64(f.Size))
		gauge(c.free, float64(f.Free))
	}
	for domain, end := range f.CertificateEnds {
		gauge(c.ends, seconds(end), domain)
	}
}

func seconds(at when.Instant) float64 { return float64(at) / 1000 }

// worst returns the worst state of each check and what it is about: 0 well, 1 a warning, 2 failed.
func worst(all []finding.Finding) map[[2]string]int {
	number := map[finding.State]int{finding.Warning: 1, finding.Failed: 2}
	states := map[[2]string]int{}
	for _, f := range all {
		key := [2]string{f.Check, f.About}
		states[key] = max(states[key], number[f.State])
	}
	return states
}

// loopFailures counts how often each loop of this server ended with an error and was started again.
func loopFailures() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "daybook_loop_failures_total",
		Help: "How often the loop of this server ended with an error, and was started again."}, []string{"loop"})
}

// mailMetrics count the mails by what became of them.
func mailMetrics(of *mail.Counts) (all []prometheus.Collector) {
	for outcome, n := range map[string]*atomic.Int64{"sent": &of.Sent, "failed": &of.Failed, "given_up": &of.GivenUp, "dropped": &of.Dropped} {
		all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "daybook_mails_total",
			Help: "Mails of this server: sent, given up, and dropped because the booking had overtaken them. One that failed and is " +
				"tried again is counted as failed each time.",
			ConstLabels: prometheus.Labels{"outcome": outcome}}, func() float64 { return float64(n.Load()) }))
	}
	return all
}

// leastToken is how long a token must be, so that nobody guesses it.
const leastToken = 20

// readMetricsToken reads --metrics-token-file, a line of a file that nobody else may read; "" for none.
func readMetricsToken(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	make := fmt.Sprintf("make one with: (umask 077; openssl rand -hex 32 > %s)", name)
	text, err := readPrivate(name, "token of the metrics")
	switch token := strings.TrimSpace(text); {
	case os.IsNotExist(err):
		return "", fmt.Errorf("there is no file %s for --metrics-token-file; %s", name, make)
	case err != nil:
		return "", err
	case len(token) < leastToken || strings.ContainsAny(token, " \t\r\n"):
		return "", fmt.Errorf("--metrics-token-file %s must hold one line of at least %d characters without spaces; %s", name, leastToken, make)
	default:
		return token, nil
	}
}

// poolMetrics tell how busy the connections to the database are that read.
func poolMetrics(db engine.Engine) []prometheus.Collector {
	pool := db.Readers()
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	return []prometheus.Collector{
		gauge("daybook_database_connections_used", "Connections that read from the database right now, of this server.", pool.Used),
		gauge("daybook_database_connections_limit", "How many may, at most.", pool.Size),
	}
}

// textMetrics count the texts to telephones by what became of them.
func textMetrics(of *text.Counts) (all []prometheus.Collector) {
	for outcome, n := range map[string]*atomic.Int64{"sent": &of.Sent, "failed": &of.Failed, "given_up": &of.GivenUp, "dropped": &of.Dropped,
		"perhaps": &of.Perhaps} {
		all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "daybook_texts_total",
			Help: "Texts of this server: sent, given up, dropped because they were no longer true or might not go, and perhaps sent: nobody " +
				"knows. One that failed and is tried again is counted as failed each time.",
			ConstLabels: prometheus.Labels{"outcome": outcome}}, func() float64 { return float64(n.Load()) }))
	}
	return all
}
