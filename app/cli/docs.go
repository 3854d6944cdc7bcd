package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/agent"
	"daybook/app/assistant"
	"daybook/app/rest/docs"
)

// known returns what the pages at /api/docs show of the commands and of the tools for agents.
func known(root *cobra.Command) docs.Known {
	return docs.Known{Commands: commandTable(root), ServerFlags: serverFlagTable(root),
		Tools: toolTable(agent.Tools()), DeskTools: toolTable(agent.DeskTools()), OwnerTools: toolTable(agent.OwnerTools()),
		GuestTools: toolTable(assistant.Tools())}
}

// commandTable has the commands that do something, with their own flags.
func commandTable(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("| Command | Flags | What it does |\n|---|---|---|\n")
	eachCommand(root, func(cmd *cobra.Command) {
		flags := "see below"
		if !sharesServerFlags(cmd) {
			flags = strings.Join(flagNames(cmd), " ")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", useOf(cmd), flags, cell(cmd.Short))
	})
	return b.String()
}

// eachCommand visits the commands under a root that do something, which groups do not.
func eachCommand(root *cobra.Command, visit func(*cobra.Command)) {
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() || cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		if !cmd.HasSubCommands() || len(flagNames(cmd)) > 0 {
			visit(cmd)
		}
		eachCommand(cmd, visit)
	}
}

func useOf(cmd *cobra.Command) string {
	return strings.TrimSpace(strings.TrimSuffix(cmd.UseLine(), "[flags]"))
}

// flagNames returns the flags of the command itself, as code.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			names = append(names, "`--"+f.Name+"`")
		}
	})
	return names
}

var servers = []string{"serve", "demo", "doctor"}

func sharesServerFlags(cmd *cobra.Command) bool {
	return slices.Contains(servers, cmd.Name()) && !cmd.Parent().HasParent()
}

// serverFlagTable has the flags of serve, demo and doctor.
func serverFlagTable(root *cobra.Command) string {
	flags := map[string]*pflag.Flag{}
	has := map[string]string{}
	for _, name := range servers {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			continue
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Hidden {
				return
			}
			if flags[f.Name] == nil { // as serve describes it
				flags[f.Name] = f
			}
			has[f.Name] += " " + name
		})
	}
	var b strings.Builder
	b.WriteString("| Flag | " + strings.Join(servers, " | ") + " | Meaning |\n|---|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		b.WriteString("| `--" + name + "` |")
		for _, server := range servers {
			mark := " – |"
			if slices.Contains(strings.Fields(has[name]), server) {
				mark = " yes |"
			}
			b.WriteString(mark)
		}
		text, _, _ := strings.Cut(flags[name].Usage, " [$") // the page says how variables are named
		switch def := flags[name].DefValue; {
		case slices.Contains([]string{"", "[]", "false", "0"}, def), strings.Contains(text, "(default "):
		default:
			text += " (default `" + def + "`)"
		}
		b.WriteString(" " + cell(text) + " |\n")
	}
	return b.String()
}

// toolTable has tools with their arguments, those first that must be given.
func toolTable(tools []mcp.Tool) string {
	var b strings.Builder
	b.WriteString("| Tool | Arguments | What it does |\n|---|---|---|\n")
	for _, t := range tools {
		var input struct {
			Properties map[string]any
			Required   []string
		}
		if err := json.Unmarshal(t.RawInputSchema, &input); err != nil {
			panic(err) // a constant of the program
		}
		var must, may []string
		for _, name := range slices.Sorted(maps.Keys(input.Properties)) {
			if slices.Contains(input.Required, name) {
				must = append(must, "`"+name+"`")
			} else {
				may = append(may, "`"+name+"?`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", t.Name, strings.Join(slices.Concat(must, may), " "), cell(t.Description))
	}
	return b.String()
}

// cell returns a text in a cell of a table in Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", `\<`).Replace(text)
}
