package setup

import (
	"slices"

	"daybook/app"
	"daybook/app/audit"
)

// note logs that the file was applied, unless it changed nothing: the fields of the workspace by their names, and which
// other kinds of things there are among the differences.
func (p *planner) note(a app.Actor) error {
	all := p.report.Differences
	if len(all) == 0 {
		return nil
	}
	e := audit.Entry{Action: audit.SetupApplied, Workspace: p.workspace.ID, Count: len(all)}
	for _, d := range all {
		name := d.Kind
		if d.Kind == "workspace" && d.Field != "" {
			name += "." + d.Field
		}
		if !slices.Contains(e.Fields, name) {
			e.Fields = append(e.Fields, name)
		}
	}
	return audit.Note(p.tx, p.s.Now(), a, e)
}
