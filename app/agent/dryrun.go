package agent

import (
	"reflect"
	"slices"

	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/subjects"
)

// dryRun is an argument of every tool that changes something: see subjects.Set.DryRun.
const dryRun = "dryRun"

// arguments returns those of the tool, with dryRun if it changes something.
func (t *tool) arguments() *schema {
	if t.reads {
		return t.input
	}
	both := *t.input
	both.Properties = append(slices.Clone(t.input.Properties), may(dryRun,
		truth("true does nothing and only answers what this call would do: result, who would be told and by what, and the "+
			"money. Every check is made, so a failure is the one that the call would be. Use it to tell the person what "+
			"will happen, and before anything that can't be undone.").byDefault(false)))
	return &both
}

// answers returns what the tool answers: the resource, the error object when isError is set, or what a dry run found.
// Some clients validate all of them by the output schema.
func (t *tool) answers() *schema {
	s := orError(t.output)
	if t.visits {
		s.Properties = append(s.Properties, may("items", visitItems))
		s.AnyOf = append(s.AnyOf, &schema{Required: []string{"id", "start", "end", "local", "timeZone", "items"}})
	}
	if t.reads {
		return s
	}
	amount := func(name string) property {
		return must(name, describe(reflect.TypeFor[money.Money](), subjects.DryMoneyFields.Field(name).Text).orNull())
	}
	told := subjects.ToldFields
	word := func(f *field.Field) *schema { return choice(f.Text, f.Enum...) }
	s.Properties = append(s.Properties,
		may(dryRun, truth("Only with dryRun: true, nothing was done.")),
		may("result", &schema{Type: []string{"object", "null"}, Description: "Only with dryRun: what the call would " +
			"answer, without the ids and links of what it would make: there are none before the call itself."}),
		may("told", list("Only with dryRun: who would be told at once.", object(told.Text,
			must("who", word(told.Field("who"))), must("by", word(told.Field("by"))),
			may("to", text(told.Field("to").Text))))),
		may("money", object("Only with dryRun: what would be paid, charged and given back; null is nothing.",
			amount("now"), amount("onSite"), amount("fee"), amount("refund"))))
	s.AnyOf = append(s.AnyOf, &schema{Required: []string{dryRun, "result", "told", "money"}})
	return s
}
