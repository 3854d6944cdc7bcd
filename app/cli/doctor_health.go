package cli

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/upkeep/health"
	"daybook/views"
	"daybook/views/finding"
)

// checkHealth says what the page Health of the dashboard says. Without a database it looks at the machine.
func checkHealth(ctx context.Context, t *target) (all []result) {
	var found []finding.Finding
	if t.Set == nil {
		m := health.Machine{Version: t.version}
		if !t.flags.OnServer() {
			m.Path = t.flags.Path
		}
		found = m.LookAtMachine(time.Now())
	} else {
		r, err := t.Set.Health.Report(ctx, app.Operator(0))
		if err != nil {
			return []result{fail("health", err.Error(), "")}
		}
		found = r.Findings
	}
	for i := range found {
		f := &found[i]
		all = append(all, result{f.Check, f.State, f.Message(views.Locales[0], nil), f.Advice(views.Locales[0])})
	}
	return all
}
