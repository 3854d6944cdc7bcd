package install

import (
	"fmt"
	"strings"
)

// passed are the variables with passwords that go from the environment of install into the service's.
var passed = []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "DAYBOOK_SMTP_URL"}

const environmentText = `# The settings of the service daybook, which install keeps: each flag of
# "daybook serve" is a variable here. After a change: systemctl restart daybook
#
# DAYBOOK_ACME_EMAIL=you@example.com
# DAYBOOK_SMTP_URL="smtp://user:password@mail.example.com:587?from=book@example.com"
# AWS_ACCESS_KEY_ID=
# AWS_SECRET_ACCESS_KEY=
`

// environment returns the text of a new file of settings, with what of the passed variables get knows.
func environment(get func(string) string) string {
	text := environmentText
	for _, name := range passed {
		if value := get(name); value != "" {
			text += name + "=" + quoteValue(value) + "\n"
		}
	}
	return text
}

// quoteValue writes a value so that systemd reads it back.
func quoteValue(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
}

// hide returns the text without the values of the passed variables.
func hide(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if name, _, is := strings.Cut(line, "="); is && !strings.HasPrefix(line, "#") {
			line = fmt.Sprintf("%s=… (from this environment)\n", name)
		}
		b.WriteString(line)
	}
	return b.String()
}
