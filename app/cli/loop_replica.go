package cli

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"daybook/app/upkeep"
)

// replicaTime is how long a start waits for replicas to answer.
const replicaTime = 20 * time.Second

// metricTime is how long the metrics wait for the database.
const metricTime = 2 * time.Second

// replicaLoop keeps the replicas of the database. The demo has none: its database is thrown away.
func replicaLoop(flags *pflag.FlagSet) func(*wiring) error {
	var f replicaFlags
	if flags.Lookup("base-url") != nil {
		f.Add(flags)
	}
	return func(w *wiring) error {
		ctx, stop := context.WithTimeout(context.Background(), replicaTime)
		defer stop()
		id, err := w.Upkeep.DatabaseID(ctx)
		if err != nil {
			return err
		}
		r, err := startReplica(ctx, w.Store.Engine, &f, id, w.Log())
		if err != nil || r == nil {
			return err
		}
		if err := w.Health.NoteReplicaKey(ctx, r.Key); err != nil {
			return err
		}
		first := &firstCopy{w: w, r: r}
		w.Registry.MustRegister(replicaMetrics(r, w.Upkeep.Replicas), prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "daybook_replica_first_copy", Help: "1 once a whole copy of the database stands in a replica."}, first.figure))
		w.ReadyNote(first.said)
		w.Loop("replica", r.Run)
		w.Loop("replica notes", func(ctx context.Context) error { return w.Upkeep.WatchReplicas(ctx, r) })
		return nil
	}
}

// firstCopy tells whether a whole copy of the database stands anywhere. Nothing waits for it.
type firstCopy struct {
	w      *wiring
	r      *replicated
	stands atomic.Bool
}

func (f *firstCopy) is() bool {
	if f.stands.Load() {
		return true
	}
	noted, err := f.w.Upkeep.Replicas(context.Background()) // by an earlier server, or by another process
	stands := f.r.Status().Ready || err == nil && slices.ContainsFunc(noted.Targets,
		func(t upkeep.ReplicaTarget) bool { return t.Synced != 0 })
	if stands {
		f.stands.Store(true)
	}
	return stands
}

func (f *firstCopy) figure() float64 {
	if f.is() {
		return 1
	}
	return 0
}

func (f *firstCopy) said() string {
	if f.is() {
		return "replica: the first copy stands"
	}
	return "replica: no copy yet"
}

// replicaCollector tells how the replicas are.
type replicaCollector struct {
	r                    *replicated
	noted                func(context.Context) (upkeep.Replicas, error)
	synced, up, verified *prometheus.Desc
}

func replicaMetrics(r *replicated, noted func(context.Context) (upkeep.Replicas, error)) prometheus.Collector {
	label := []string{"replica"}
	return &replicaCollector{r: r, noted: noted,
		synced: prometheus.NewDesc("daybook_replica_synced_timestamp_seconds",
			"Until when the replica has everything, as a Unix time; missing before the first copy, when up is 0.", label, nil),
		up: prometheus.NewDesc("daybook_replica_up", "1 while the replica has everything or is seconds behind.", label, nil),
		verified: prometheus.NewDesc("daybook_replica_verified_timestamp_seconds",
			"When a test restore went well last, as a Unix time; missing before the first.", nil, nil)}
}

// Describe implements prometheus.Collector.
func (c *replicaCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.synced
	to <- c.up
	to <- c.verified
}

// Collect implements prometheus.Collector. Only the server that replicates tells something.
func (c *replicaCollector) Collect(to chan<- prometheus.Metric) {
	targets, leads := c.r.Targets()
	if !leads {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), metricTime)
	defer stop()
	if r, err := c.noted(ctx); err == nil && r.Verified != 0 { // else the value is missing, which an alert can see
		to <- prometheus.MustNewConstMetric(c.verified, prometheus.GaugeValue, float64(r.Verified)/1000)
	}
	for _, t := range targets {
		up := 0.0
		if t.Problem == "" && t.Synced != 0 {
			up = 1
		}
		if t.Synced != 0 {
			to <- prometheus.MustNewConstMetric(c.synced, prometheus.GaugeValue, float64(t.Synced)/1000, t.Name)
		}
		to <- prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, up, t.Name)
	}
}
