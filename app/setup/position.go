package setup

import (
	"fmt"
	"strings"

	"daybook/app/fault"
)

// located adds the line of the error's field, or of the nearest value around it.
func (f *File) located(err error) error {
	e := fault.As(err)
	switch {
	case e == nil || e.Field == "":
		return err
	case len(e.Parts) > 0:
		var all mistakes
		for _, part := range e.Parts {
			all.add(f.located(part))
		}
		return all.err()
	case e.Details["line"] != nil:
		return err
	}
	return e.OnLine(lineOf(f.root, e.Field))
}

// lineOf is the line of the path, or of as much of it as there is in the file.
func lineOf(n *node, path string) int {
	line := n.line
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		n = followed(n)
		next := step(n, name)
		if next == nil {
			return line
		}
		n, line = next, next.line
	}
	return line
}

func step(n *node, name string) *node {
	switch n.kind {
	case mappingNode:
		for i := 0; i+1 < len(n.content); i += 2 {
			if n.content[i].value == name {
				return n.content[i+1]
			}
		}
	case sequenceNode:
		var i int
		if _, err := fmt.Sscanf(name, "%d", &i); err == nil && i >= 0 && i < len(n.content) {
			return n.content[i]
		}
	}
	return nil
}

func followed(n *node) *node {
	for range 100 {
		if n.kind != aliasNode {
			break
		}
		n = n.alias
	}
	return n
}
