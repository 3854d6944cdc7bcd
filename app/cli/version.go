package cli

import (
	"runtime"

	"github.com/spf13/cobra"
)

// Version is the release, set by the linker: -ldflags "-X daybook/app/cli.Version=1.0.0".
var Version = "dev"

func versionCommand(*house) *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: arguments()}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			return printJSON(cmd, map[string]string{"version": Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
		}
		say(cmd, "daybook %s (%s, %s/%s)", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	}
	return cmd
}
