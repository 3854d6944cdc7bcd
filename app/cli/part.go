package cli

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/mail/catch"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/store"
)

// program is what the server is made of.
type program struct {
	Version string
	Parts   []part // in the order in which they are wired
}

// part is a door or a loop of the server. It adds its flags and returns a function that wires it in once they are
// parsed.
type part func(flags *pflag.FlagSet) func(*wiring) error

// wiring is what a part is wired to.
type wiring struct {
	*subjects.Set
	Config   subjects.Config // of the Set
	Store    *store.Store
	Version  string         // of the program
	Root     *cobra.Command // with all commands, for the documentation
	Registry *prometheus.Registry

	// MayMakeKeys is the dashboard's: whether a request of another door is of somebody who may make API keys there.
	MayMakeKeys func(*http.Request) bool

	Caught *catch.Box // takes the mails of a demo; nil elsewhere

	mounts       []func(*http.ServeMux)
	pages        []func(*http.ServeMux) // their patterns begin with a wildcard
	loops        []serve.Loop
	loopFailures *prometheus.CounterVec // by loop
	notes        []func() string        // of readiness
	onShutdown   []func(context.Context)
}

// Log returns the server's log.
func (w *wiring) Log() *slog.Logger { return w.Config.Logger }

// Mount adds handlers to the server's mux.
func (w *wiring) Mount(add func(*http.ServeMux)) { w.mounts = append(w.mounts, add) }

// MountPages adds handlers whose patterns begin with a wildcard.
func (w *wiring) MountPages(add func(*http.ServeMux)) { w.pages = append(w.pages, add) }

// Loop adds work beside the requests. When it fails health is told.
func (w *wiring) Loop(name string, run func(context.Context) error) {
	watched := func(ctx context.Context) (err error) {
		ended := false
		defer func() { // of a panic, too
			if ctx.Err() == nil && (!ended || err != nil) {
				w.Health.LoopFailed(name)
				w.loopFailures.WithLabelValues(name).Inc()
			}
		}()
		err = run(ctx)
		ended = true
		return err
	}
	w.loopFailures.WithLabelValues(name) // 0 until then
	w.loops = append(w.loops, serve.Loop{Name: name, Run: watched})
}

// ReadyNote adds a line to the answer of /readyz; "" adds none.
func (w *wiring) ReadyNote(note func() string) { w.notes = append(w.notes, note) }

// BeforeStop adds a function that is called when the server begins to stop, to end what would hold it up.
func (w *wiring) BeforeStop(end func(context.Context)) { w.onShutdown = append(w.onShutdown, end) }

// shareMetrics tell what this server does of the work that the servers of a database share.
func shareMetrics(st *store.Store) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_buckets",
			Help: "Buckets of workspaces, of 64, whose webhooks, mails and payments this server works for. 0 while its " +
				"lease may be over."}, func() float64 { return float64(st.Share().Buckets.Len()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_servers",
			Help: "Servers that share the buckets, this one included; always 1 on SQLite. 0 while its lease may be over."},
			func() float64 { return float64(st.Share().Servers) }),
	}
}

func (w *wiring) routes(mux *http.ServeMux) {
	for _, add := range w.mounts {
		add(mux)
	}
}

func (w *wiring) wildcards(mux *http.ServeMux) {
	for _, add := range w.pages {
		add(mux)
	}
}
