package cli

import (
	"runtime"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
)

// Version is the release, set by the linker: -ldflags "-X daybook/app/cli.Version=1.0.0".
var Version = "dev"

func versionCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: console.Arguments()}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			return console.PrintJSON(cmd, map[string]string{"version": Version, "go": runtime.Version(), "os": runtime.GOOS,
				"arch": runtime.GOARCH})
		}
		console.Say(cmd, "daybook %s (%s, %s/%s)", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	}
	return cmd
}
