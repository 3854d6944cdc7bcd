package console

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/fault"
)

// Variable returns the environment variable of a flag.
func Variable(flag string) string {
	return "DAYBOOK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// hasVariable reports whether the environment can set the flag: all but help and version.
func hasVariable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "version" }

func showVariables(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if name := " [$" + Variable(f.Name) + "]"; hasVariable(f) && !strings.HasSuffix(f.Usage, name) {
			f.Usage += name
		}
	})
}

const withoutDatabase = "without database"

// NoDatabase says that the command has no use for the flags that name a database, so that they are refused.
func NoDatabase(cmd *cobra.Command) { annotate(cmd, "any") }

// NoFile says that the command has a use for these flags only where --db names a PostgreSQL database.
func NoFile(cmd *cobra.Command) { annotate(cmd, "file") }

// OwnDatabase says that the command itself checks that it uses them.
func OwnDatabase(cmd *cobra.Command) { annotate(cmd, "own") }

// NamesDatabases says that the command has flags of its own that name databases, so that --db is refused.
func NamesDatabases(cmd *cobra.Command) { annotate(cmd, "named") }

func annotate(cmd *cobra.Command, value string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[withoutDatabase] = value
}

// unused tells whether the command takes the flag and has no use for it.
func unused(cmd *cobra.Command, f *pflag.Flag) bool {
	if cmd.InheritedFlags().Lookup(f.Name) == nil || !hasVariable(f) {
		return false
	}
	db := cmd.Flag("db")
	named := db.Value.String()
	if text := os.Getenv(Variable("db")); !db.Changed && text != "" { // it is read later
		named = text
	}
	file := !strings.HasPrefix(named, "postgres")
	switch cmd.Annotations[withoutDatabase] {
	case "own":
		return false
	case "named":
		return f.Name == "db"
	case "any":
		return true
	case "file":
		return file
	}
	return file && f.Name != "db" // the others are about PostgreSQL
}

// refuseUnused is wrong usage where a flag was given that the command has no use for. Variables stand for many commands.
func refuseUnused(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case err != nil || !unused(cmd, f):
		case cmd.Annotations[withoutDatabase] == "":
			err = Usagef("--%s is for a PostgreSQL database: give --db its URL", f.Name)
		default:
			err = Usagef("%s uses no database of yours: leave --%s out", cmd.CommandPath(), f.Name)
		}
	})
	return err
}

// OnlyGiven says that these flags are not read from the environment, which may say of another command what they mean
// here: what a service is changed to must be typed.
func OnlyGiven(cmd *cobra.Command, names ...string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[onlyGiven] = strings.Join(names, " ")
}

const onlyGiven = "only given"

// readEnvironment sets the flags that were not given from their environment variables. A required flag that is still
// missing is an error.
func readEnvironment(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		text := os.Getenv(Variable(f.Name))
		if err != nil || f.Changed || text == "" || !hasVariable(f) || cmd.Annotations[withoutDatabase] == "any" && unused(cmd, f) ||
			slices.Contains(strings.Fields(cmd.Annotations[onlyGiven]), f.Name) {
			return
		}
		if wrong := cmd.Flags().Set(f.Name, text); wrong != nil {
			err = Usagef("%s %q %s", Variable(f.Name), text, expected(f, wrong))
		}
	})
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, required := f.Annotations[cobra.BashCompOneRequiredFlag]; required && !f.Changed && err == nil {
			err = Usagef("give --%s, or %s in the environment", f.Name, Variable(f.Name))
		}
	})
	return err
}

// flagError says what was expected of a flag that could not be parsed.
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

// expected says why a text is not a value of the flag.
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

// Require marks flags without which the command can't do anything.
func Require(cmd *cobra.Command, flags ...string) {
	for _, f := range flags {
		cmd.MarkFlagRequired(f) //nolint:errcheck // fails for a flag that does not exist, which the first run shows
	}
}

// Arguments requires exactly as many arguments as there are names.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return Usagef("name the %s", names[len(args)])
		case len(args) > len(names):
			return Usagef("%q is one argument too many; put quotes around a value with spaces", args[len(names)])
		}
		return nil
	}
}
