package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/cli/console"
)

// manCommand makes the manual, which packages bring. It isn't part of the program, which has all that it says.
func manCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "man", Args: console.Arguments(),
		Short: "Print the manual page, made from the commands: daybook man | man -l -",
	}
	console.NoDatabase(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		_, err := io.WriteString(cmd.OutOrStdout(), manual(cmd.Root()))
		return err
	}
	return cmd
}

// manual returns the page in the macros of man(7).
func manual(root *cobra.Command) string {
	m := &roff{}
	fmt.Fprintf(m, ".TH DAYBOOK 1 \"\" %s \"User Commands\"\n", quoteRoff("Daybook "+Version))
	m.head("NAME")
	m.text("daybook - " + lowered(root.Short))
	m.head("SYNOPSIS")
	m.text("daybook COMMAND [flags]")
	m.head("DESCRIPTION")
	m.text(root.Long)
	m.head("COMMANDS")
	eachCommand(root, func(cmd *cobra.Command) {
		m.part(useOf(cmd))
		text := cmd.Short + "."
		if cmd.Long != "" {
			text = cmd.Long
		}
		m.text(text)
		m.flags(cmd.LocalNonPersistentFlags())
	})
	m.part("daybook completion SHELL")
	m.text("Print what completes commands and flags in a shell: bash, zsh, fish or powershell.")
	m.part("daybook help COMMAND")
	m.text("Say the same of one command.")
	m.head("FLAGS OF ALL COMMANDS")
	m.flags(root.PersistentFlags())
	m.head("ENVIRONMENT")
	m.text("Each flag can be set by a variable, whose name stands behind it. A flag that is given comes first.")
	m.head("EXIT STATUS")
	m.text("0 for done, 1 for failed, 2 for wrong usage.")
	m.head("FILES")
	for _, f := range [][2]string{
		{"/etc/daybook/daybook.env", "Settings of the service that install makes, a variable a line."},
		{"/etc/daybook/secret.key", "Its key. Keep a copy elsewhere."},
		{"/var/lib/daybook/daybook.db", "Its database."},
	} {
		m.term(f[0])
		m.text(f[1])
	}
	m.head("SEE ALSO")
	m.text("The server has the whole documentation at /api/docs.")
	return m.String()
}

// lowered is a sentence within another.
func lowered(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// roff writes the macros of man(7).
type roff struct{ strings.Builder }

func (m *roff) head(title string) { fmt.Fprintf(m, ".SH %s\n", quoteRoff(title)) }

func (m *roff) part(title string) { fmt.Fprintf(m, ".SS %s\n", quoteRoff(title)) }

func (m *roff) term(text string) { fmt.Fprintf(m, ".TP\n\\fB%s\\fR\n", escapeRoff(text)) }

// text writes paragraphs, which an empty line parts. Indented ones, such as examples, keep their lines, as do short ones.
func (m *roff) text(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			m.WriteString(".PP\n")
		}
		asIs := strings.Contains("\n"+paragraph, "\n ")
		if asIs {
			m.WriteString(".nf\n")
		}
		short := false
		for line := range strings.Lines(paragraph) {
			if short && !asIs {
				m.WriteString(".br\n")
			}
			line = strings.TrimRight(line, "\n")
			short = len(line) < 60
			line = escapeRoff(line)
			if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				line = `\&` + line // else it would be a macro
			}
			m.WriteString(line + "\n")
		}
		if asIs {
			m.WriteString(".fi\n")
		}
	}
}

func (m *roff) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		m.term(strings.TrimSpace("--" + f.Name + " " + kind))
		switch f.DefValue {
		case "", "[]", "false", "0", "0s":
		default:
			if !strings.Contains(usage, "(default ") {
				usage += " (default " + f.DefValue + ")"
			}
		}
		m.text(usage)
	})
}

// escapeRoff keeps backslashes as they are, and hyphens as those that are typed; other letters than ASCII's get numbers.
func escapeRoff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func quoteRoff(text string) string {
	return `"` + strings.ReplaceAll(escapeRoff(text), `"`, `\(dq`) + `"`
}
