package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/contracttest"
)

// The contract and the program have the same commands, with the same arguments and flags.
func TestContract(t *testing.T) {
	listed := map[string][]string{}
	for _, row := range contracttest.Table(t, "Commands") {
		flags := row.Words(1)
		if row[1] == "see Server flags" {
			flags = serverFlags(t, strings.Fields(row.Word(0))[1])
		}
		listed[row.Word(0)] = flags
	}
	var there, named []string
	for use := range listed {
		named = append(named, use)
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		if !cmd.HasParent() {
			return
		}
		use := strings.TrimSpace(strings.TrimSuffix(cmd.UseLine(), "[flags]"))
		var flags []string
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				flags = append(flags, "--"+f.Name)
			}
		})
		if cmd.HasSubCommands() && len(flags) == 0 { // it only lists them
			return
		}
		there = append(there, use)
		contracttest.Same(t, "flags of "+use, listed[use], flags)
	}
	walk(newRoot())
	contracttest.Same(t, "commands", named, there)
}

// serverFlags are those that the contract gives serve, demo or doctor.
func serverFlags(t *testing.T, command string) (flags []string) {
	column := 1 + slices.Index([]string{"serve", "demo", "doctor"}, command)
	for _, row := range contracttest.Table(t, "Server flags") {
		if row[column] == "yes" {
			flags = append(flags, row.Word(0))
		}
	}
	return flags
}
