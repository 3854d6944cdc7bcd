package cli

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The manual has every command with each of its flags, in plain characters that no shell's terminal changes, and
// nothing that is read as a macro by mistake.
func TestManual(t *testing.T) {
	t.Parallel()
	root := newRoot()
	text := manual(root)
	eachCommand(root, func(cmd *cobra.Command) {
		_, part, found := strings.Cut(text, "\n.SS "+quoteRoff(useOf(cmd))+"\n")
		part, _, _ = strings.Cut(part, "\n.SS ")
		if !found {
			t.Errorf("it lacks %s", useOf(cmd))
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && !strings.Contains(part, "\n\\fB"+escapeRoff("--"+f.Name)) {
				t.Errorf("%s lacks --%s", useOf(cmd), f.Name)
			}
		})
	})
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if macro, _, _ := strings.Cut(line, " "); strings.HasPrefix(line, ".") && !strings.Contains(".TH .SH .SS .TP .PP .nf .fi .br", macro) {
			t.Errorf("%q is no macro", line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' }) {
			t.Errorf("%q has other letters than ASCII's", line)
		}
	}
	if strings.Count(text, "\n.nf\n") != strings.Count(text, "\n.fi\n") || !strings.Contains(text, "daybook demo\n.br\n") {
		t.Error("lines of examples are not kept")
	}
}

// What the shells complete comes from the commands, too.
func TestCompletions(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		out.Reset()
		if code := run(context.Background(), []string{"completion", shell}, strings.NewReader(""), &out, &errs); code != 0 || out.Len() < 1000 {
			t.Fatalf("%s: %d, %d bytes, %s", shell, code, out.Len(), &errs)
		}
		if shell == "bash" {
			check := exec.Command("bash", "-n")
			check.Stdin = strings.NewReader(out.String())
			if said, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v %s", shell, err, said)
			}
		}
	}
	out.Reset()
	run(context.Background(), []string{"__complete", "workspace", "ap"}, strings.NewReader(""), &out, &errs)
	if !strings.HasPrefix(out.String(), "apply\t") {
		t.Errorf("workspace ap is completed to %q", out.String())
	}
}
