package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// benchCommand answers a command that there was until 1.2.0; it goes with the next release.
func benchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "bench", Hidden: true, DisableFlagParsing: true,
		Short: "There was a load generator",
		RunE: func(*cobra.Command, []string) error {
			return errors.New("`daybook bench` is gone: measure a copy of your database with a load generator of your choice")
		},
	}
}
