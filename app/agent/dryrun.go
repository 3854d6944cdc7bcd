package agent

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/subjects"
)

// dryRun is an argument of every tool that changes something: see subjects.Set.DryRun.
const dryRun = "dryRun"

// dryRun finds out what a call would do.
func (t *tool) dryRun(ctx context.Context, s *subjects.Set, a app.Actor, in *args) (subjects.DryRun, error) {
	return s.DryRun(ctx, a, func(ctx context.Context, s *subjects.Set) (any, error) { return t.run(ctx, s, a, in) })
}

// arguments returns those of the tool, with dryRun if it changes something.
func (t *tool) arguments() *schema {
	if t.reads {
		return t.input
	}
	both := *t.input
	both.Properties = slices.Clone(t.input.Properties)
	if t.confirms != nil {
		both.Properties = append(both.Properties, may(confirm, text(t.confirms.told())))
	}
	about := "true does nothing and answers what the call would do: result, who would be told, the money, or the same failure."
	if t.ofTen() {
		about += " Use it to tell the person what will happen, and before anything that can't be undone."
	}
	both.Properties = append(both.Properties, may(dryRun, truth(about).byDefault(false)))
	return &both
}

// answers returns what the tool answers: the resource, the error object when isError is set, or what a dry run found.
// Some clients validate all of them by the output schema.
func (t *tool) answers() *schema {
	if !t.ofTen() {
		return t.briefly()
	}
	s := orError(t.output)
	if t.visits {
		s.Properties = append(s.Properties, may("items", visitItems), may("dates", dateRows))
		s.AnyOf = append(s.AnyOf, &schema{Required: []string{"id", "start", "end", "local", "timeZone", "items"}},
			&schema{Required: []string{"seriesId", "timeZone", "dates"}})
	}
	if t.reads {
		return s
	}
	s.Properties = append(s.Properties,
		may(dryRun, truth("Nothing was done.")),
		may("result", &schema{Type: []string{"object", "null"}}),
		may("told", list("Each with who, by and to.", &schema{Type: "object"})),
		may("money", dryRunMoney))
	if t.confirms != nil { // of several, too
		s.Properties = append(s.Properties, may(confirm, text("")), may("results", list("Of several.", object("", must("id", text("")),
			may("error", &schema{Type: "object"})))))
		s.AnyOf = append(s.AnyOf, &schema{Required: []string{"results"}})
	}
	s.AnyOf = append(s.AnyOf, &schema{Required: []string{dryRun, "result", "told", "money"}})
	return s
}

// briefly returns the same of the tools besides the ten, whose lists are long: what the call itself answers, without what
// all failures and dry runs have.
func (t *tool) briefly() *schema {
	s := *t.output
	s.Required = nil
	if t.confirms != nil {
		s.Properties = append(slices.Clone(s.Properties), may(confirm, text("Of a dry run.")))
	}
	return &s
}

// dryRunMoney is told by dry runs. Its amounts are alike, so that their schema stands there once for the four.
var dryRunMoney = &schema{Type: "object", Additional: sum().orNull(),
	Required: []string{"now", "onSite", "fee", "refund"}}
