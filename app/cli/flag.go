package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/fault"
)

// twin is the environment variable of a flag.
func twin(flag string) string {
	return "DAYBOOK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// hasTwin: help is for people only.
func hasTwin(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "version" }

func showTwins(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if name := " [$" + twin(f.Name) + "]"; hasTwin(f) && !strings.HasSuffix(f.Usage, name) {
			f.Usage += name
		}
	})
}

// complete sets the flags that were not given from their environment twins, and refuses to go on without a required one.
func complete(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		text := os.Getenv(twin(f.Name))
		if err != nil || f.Changed || text == "" || !hasTwin(f) {
			return
		}
		if wrong := cmd.Flags().Set(f.Name, text); wrong != nil {
			err = usage("%s %q %s", twin(f.Name), text, expected(f, wrong))
		}
	})
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, required := f.Annotations[cobra.BashCompOneRequiredFlag]; required && !f.Changed && err == nil {
			err = usage("give --%s, or %s in the environment", f.Name, twin(f.Name))
		}
	})
	return err
}

// flagError says of a flag that could not be parsed what was expected.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := fault.Nearest(strings.ReplaceAll(unknown.GetSpecifiedName(), "_", "-"), known); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		return fmt.Errorf("--%s %q %s", f.Name, invalid.GetValue(), expected(f, invalid.Unwrap()))
	}
	return err
}

// expected words why the text is no value of the flag.
func expected(f *pflag.Flag, err error) string {
	switch f.Value.Type() {
	case "int":
		return "must be a whole number"
	case "duration":
		return "must be a duration such as 30s, 5m or 24h"
	case "bool":
		return "must be true or false"
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		err = invalid.Unwrap()
	}
	return err.Error()
}

// require marks flags without which the command can't do anything.
func require(cmd *cobra.Command, flags ...string) {
	for _, f := range flags {
		cmd.MarkFlagRequired(f) //nolint:errcheck // fails for a flag that isn't there, which complete would show
	}
}

// arguments wants exactly these, by name.
func arguments(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usage("name the %s", names[len(args)])
		case len(args) > len(names):
			return usage("%q is one argument too many; put quotes around a value with spaces", args[len(names)])
		}
		return nil
	}
}
