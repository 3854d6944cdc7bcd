package agent_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"daybook/app/contracttest"
)

// The contract and the list of tools have the same tools with the same arguments.
func TestContract(t *testing.T) {
	listed := contracttest.Map(t, "Agent tools", 1)
	var names []string
	for _, tool := range newWorld(t).tools() {
		names = append(names, tool.Name)
		var input struct{ Properties map[string]any }
		must(t, json.Unmarshal(tool.InputSchema, &input))
		contracttest.Same(t, "arguments of "+tool.Name, listed[tool.Name], slices.Collect(maps.Keys(input.Properties)))
	}
	contracttest.Same(t, "tools", slices.Collect(maps.Keys(listed)), names)
}
