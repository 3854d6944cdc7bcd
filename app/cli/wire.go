package cli

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/dashboard"
	"daybook/app/rooms"
	"daybook/app/serve"
	"daybook/store"
)

// commands are the commands under daybook; help sorts them by name.
var commands = []func(*house) *cobra.Command{
	serveCommand, demoCommand, doctorCommand, versionCommand, // the server
	migrateCommand, backupCommand, restoreCommand, // its database
	workspaceCommand, userCommand, keysCommand, // who uses it
	webhooksCommand, mailCommand, paymentsCommand, calendarCommand, agentsCommand, // what it is connected to
}

// doors answer the requests. The patterns of their routes say which door gets one, not their order here.
var doors = []part{restDoor, agentDoor, pageDoor, dashboardDoor, paymentDoor, feedDoor, decideDoor}

// loops work beside the requests. They are wired after the doors.
var loops = []part{webhookLoop, mailLoop, paymentLoops, maintenanceLoop, dashboardLoops}

// part is a door or a loop of the server: it adds its flags, and answers how it is wired in once they are parsed.
type part func(flags *pflag.FlagSet) func(*wiring) error

// checkedFlag is a flag that is checked before the server opens its database or listens.
type checkedFlag struct {
	pflag.Value
	refused func() error
}

func (c checkedFlag) check() error { return c.refused() }

// checkFlag has check called once the flags are parsed, before anything is opened.
func checkFlag(flags *pflag.FlagSet, name string, check func() error) {
	f := flags.Lookup(name)
	f.Value = checkedFlag{f.Value, check}
}

// checkFlags asks every flag that has a check.
func checkFlags(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(interface{ check() error }); ok && err == nil {
			err = c.check()
		}
	})
	return err
}

// wiring is what a part is wired to.
type wiring struct {
	*rooms.Set
	Config   rooms.Config // what the Service was made of
	Store    *store.Store
	Registry *prometheus.Registry

	dashboard *dashboard.Door // for its loops

	mounts     []func(*http.ServeMux)
	pages      []func(*http.ServeMux) // what begins with a wildcard
	loops      []serve.Loop
	onShutdown []func(context.Context)
}

// log is where the server tells what happens.
func (w *wiring) log() *slog.Logger { return w.Config.Logger }

// mount adds handlers to the server's mux.
func (w *wiring) mount(add func(*http.ServeMux)) { w.mounts = append(w.mounts, add) }

// loop adds work beside the requests.
func (w *wiring) loop(name string, run func(context.Context) error) {
	w.loops = append(w.loops, serve.Loop{Name: name, Run: run})
}

// beforeStop has end called when the server begins to stop, to end what would hold it up.
func (w *wiring) beforeStop(end func(context.Context)) { w.onShutdown = append(w.onShutdown, end) }

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

func maintenanceLoop(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.loop("maintenance", w.Upkeep.Maintain)
		w.loop("rates", w.Account.ShareRates)
		return nil
	}
}
