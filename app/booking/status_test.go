package booking

import (
	"cmp"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The contract's table of states is the state machine.
func TestContractStates(t *testing.T) {
	contract, err := os.ReadFile("../contract.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(contract), "\n### States\n")
	section, _, _ = strings.Cut(section, "\n#")
	promised, there := map[string][]string{}, map[string][]string{}
	word := regexp.MustCompile("`(\\w+)`")
	for _, row := range regexp.MustCompile("(?m)^\\| `?(\\w+)`? \\| (.*) \\|$").FindAllStringSubmatch(section, -1) {
		if row[1] == "from" {
			continue
		}
		for _, found := range word.FindAllStringSubmatch(row[2], -1) {
			promised[row[1]] = append(promised[row[1]], found[1])
		}
		slices.Sort(promised[row[1]])
	}
	for _, was := range append(slices.Clone(Statuses), "") {
		name := cmp.Or(string(was), "none")
		for _, s := range was.Next() {
			there[name] = append(there[name], string(s))
		}
		slices.Sort(there[name])
	}
	if !maps.EqualFunc(promised, there, slices.Equal) {
		t.Errorf("the contract has %v, the program %v", promised, there)
	}
}
