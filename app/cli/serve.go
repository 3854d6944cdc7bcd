package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/serve"
)

// serveCommand is daybook serve.
func serveCommand(f *databaseFlags, program program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", Args: console.Arguments(),
		Short: "Serve booking pages, API and agent tools; makes and migrates the database",
		Long: "Serves until SIGTERM or SIGINT, and then ends within 10 seconds. The database is made when there is none, " +
			"and migrated,\n" +
			"after a snapshot, when it is older. With no user yet it prints a link, good for one hour and one use, to set it " +
			"up.\n" +
			"Standard output has the address; the log goes to standard error. /healthz and /readyz answer anybody; /metrics " +
			"answers\n" +
			"clients in private networks whose requests no proxy has forwarded, and whoever has the token of --metrics-token-file.",
	}
	s := newServer(f, program)
	s.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&s.force, "force", false, "serve a database that has moved to another one (see migrate copy)")
	s.addDebug(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s.ready = func(w *wiring) error {
			link, err := w.Account.NewSetupLink(cmd.Context())
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, map[string]any{"baseUrl": w.BaseURL(), "database": w.Store.Path(),
					"setupUrl": console.OrNil(link)})
			}
			console.Say(cmd, "Daybook %s serves %s at %s", w.Version, w.Store.Path(), w.BaseURL())
			if link != "" {
				console.Say(cmd, "There is no user yet. Set it up, within an hour, at %s", link)
			}
			return nil
		}
		s.root = cmd.Root()
		return s.run(cmd.Context(), cmd.ErrOrStderr())
	}
	return cmd
}

// addDebug adds --debug-addr.
func (s *server) addDebug(flags *pflag.FlagSet) {
	const name = "debug-addr"
	flags.StringVar(&s.debugAddr, name, "",
		"serve profiles of the running program (pprof) at this address, of loopback only, such as 127.0.0.1:6060")
	console.CheckFlag(flags, name, func() error {
		if s.debugAddr == "" {
			return nil
		}
		if err := serve.CheckDebugAddr(s.debugAddr); err != nil {
			return console.Usagef("--%s %q %v", name, s.debugAddr, err)
		}
		return nil
	})
}
