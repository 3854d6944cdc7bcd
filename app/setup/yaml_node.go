package setup

import (
	"fmt"
	"strings"
)

// node is a value of a file, and its line.
type node struct {
	Kind    nodeKind
	Tag     string // of a scalar: !!str, !!int, !!float, !!bool or !!null
	Value   string // of a scalar
	Line    int
	Content []*node // of a sequence its items; of a mapping names and values in turn
	To      *node   // what an alias refers to
}

// nodeKind is what a node is.
type nodeKind int

// The kinds of nodes.
const (
	scalar nodeKind = iota
	sequence
	mapping
	alias
)

// Followed returns the node that an alias stands for, and any other node itself. It is an alias only if that refers to
// itself.
func (n *node) Followed() *node {
	for range 100 {
		if n.Kind != alias {
			break
		}
		n = n.To
	}
	return n
}

// Null reports whether the node is the scalar null.
func (n *node) Null() bool {
	n = n.Followed()
	return n.Kind == scalar && n.Tag == "!!null"
}

// LineOf returns the line of the path, such as hosts[0].weekly.mon, or of as much of it as there is below the node.
func (n *node) LineOf(path string) int {
	line := n.Line
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		n = n.Followed()
		next := n.step(name)
		if next == nil {
			return line
		}
		n, line = next, next.Line
	}
	return line
}

func (n *node) step(name string) *node {
	switch n.Kind {
	case mapping:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				return n.Content[i+1]
			}
		}
	case sequence:
		var i int
		if _, err := fmt.Sscanf(name, "%d", &i); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
