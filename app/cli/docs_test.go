package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The pages of commands and tools, made from the program, have each of them with its flags and arguments.
func TestKnown(t *testing.T) {
	root := newRoot()
	k := known(root)
	for _, want := range []string{"| `daybook serve` | see below |", "| `daybook keys rotate ID` | `--grace` `--json` |",
		"| `daybook agents` |", "| `daybook workspace apply FILE` |"} {
		if !strings.Contains(k.Commands, want) {
			t.Errorf("the commands lack %s:\n%s", want, k.Commands)
		}
	}
	if strings.Contains(k.Commands, "| `daybook webhooks` |") {
		t.Error("a group that only lists its commands is one itself")
	}
	var all []string
	eachCommand(root, func(cmd *cobra.Command) { all = append(all, useOf(cmd)) })
	if len(all) < 40 || !slices.Contains(all, "daybook replicas forget URL") {
		t.Errorf("%d commands: %q", len(all), all)
	}
	for _, want := range []string{"| `--tls-domain` | yes | – | yes |", "| `--webhook-keep` | yes | yes | yes |", "| `--force` | yes | – | – |"} {
		if !strings.Contains(k.ServerFlags, want) {
			t.Errorf("the flags lack %s:\n%s", want, k.ServerFlags)
		}
	}
	if !strings.Contains(k.Tools, "| `create_booking` | `addOns?` `answers?`") || strings.Count(k.Tools, "\n") != 2+10 {
		t.Error(k.Tools)
	}
	if !strings.Contains(k.GuestTools, "| `confirm_booking` | `code` `request` |") {
		t.Error(k.GuestTools)
	}
}
