package console

import (
	"strings"

	"github.com/spf13/cobra"
)

// Group returns a command that only has others under it.
func Group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				hint := ""
				if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
					hint = "; did you mean " + strings.Join(near, " or ") + "?"
				}
				return Usagef("there is no command %q%s", args[0], hint)
			case cmd.HasParent():
				return Usagef("name a command: %s", strings.Join(names(cmd), ", "))
			}
			return cmd.Help()
		},
	}
}

func names(cmd *cobra.Command) (all []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, c.Name())
		}
	}
	return all
}

// Prepare makes the root and all commands below it read flags from the environment before they run, name the
// environment variables in their help, and mark the errors that they return.
func Prepare(root *cobra.Command) {
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{flagError(cmd, err)} })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := refuseUnused(cmd); err != nil {
			return err
		}
		return readEnvironment(cmd)
	}
	prepareEach(root)
}

func prepareEach(cmd *cobra.Command) {
	cmd.SuggestionsMinimumDistance = 2
	showVariables(cmd.PersistentFlags())
	showVariables(cmd.LocalNonPersistentFlags())
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := run(cmd, args); err != nil {
				return commandError{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		prepareEach(sub)
	}
}
