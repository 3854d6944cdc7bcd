package cli

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/fault"
)

// troubles are settings that a server works with, and that nobody can want.
func (s *server) troubles() (all []result) {
	for _, n := range s.TrustProxy {
		if n.Bits() == 0 {
			all = append(all, fail("settings", fmt.Sprintf("--trust-proxy %s believes everybody: each client chooses the "+
				"address that limits for bookings and sign-ins count.", n), "Name the network of the proxy alone, such as 10.0.0.5."))
		}
	}
	for _, n := range s.assistants {
		if n.Bits() == 0 {
			all = append(all, fail("settings", fmt.Sprintf("--assistant-address %s is everybody: hardly any limit by address is "+
				"left for assistants.", n), "Name the networks that the makers of assistants publish."))
		}
	}
	return append(all, unknownVariables(s.root)...)
}

// elsewhere are variables of the guides' samples and of the tests, which may stand in the shell that starts a server.
var elsewhere = []string{"DAYBOOK_KEY", "DAYBOOK_WEBHOOK_SECRET", "DAYBOOK_AXE", "DAYBOOK_CHROMIUM", "DAYBOOK_GOCLIENTS", "DAYBOOK_ICALJS",
	"DAYBOOK_JSQR", "DAYBOOK_OPENAPI", "DAYBOOK_S3RVER", "DAYBOOK_SHOTS", "DAYBOOK_SMTPSERVER"}

// fromKubernetes matches what Kubernetes tells every container of a service that is called daybook.
var fromKubernetes = regexp.MustCompile(`^DAYBOOK_(SERVICE_(HOST|PORT)|PORT_\d)|^DAYBOOK_PORT=[a-z]+://`)

// unknownVariables are those in the environment that look like flags and are none of any command.
func unknownVariables(root *cobra.Command) (all []result) {
	known := slices.Clone(elsewhere)
	var add func(*cobra.Command)
	add = func(cmd *cobra.Command) {
		flag := func(f *pflag.Flag) { known = append(known, console.Variable(f.Name)) }
		cmd.PersistentFlags().VisitAll(flag)
		cmd.LocalFlags().VisitAll(flag)
		for _, sub := range cmd.Commands() {
			add(sub)
		}
	}
	add(root)
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		if value == "" || !strings.HasPrefix(name, "DAYBOOK_") || strings.HasPrefix(name, "DAYBOOK_TEST_") || slices.Contains(known, name) ||
			fromKubernetes.MatchString(line) {
			continue
		}
		advice := "Remove it, or correct its name: `daybook serve --help` has all."
		if near := fault.Nearest(name, known); near != "" {
			advice = "Did you mean " + near + "?"
		}
		all = append(all, warn("settings", fmt.Sprintf("%s in the environment is no setting, and is ignored.", name), advice))
	}
	return all
}

// checkBase refuses a public address with a path: all links would lead to pages that aren't there.
func (s *server) checkBase() error {
	if s.BaseURL.URL != nil && s.BaseURL.Path != "" {
		return console.Usagef("--base-url %s has a path, and Daybook's pages are at none: give it a host name of its own",
			s.BaseURL.String())
	}
	return nil
}

func checkSettings(_ context.Context, t *target) []result { return t.server.troubles() }
