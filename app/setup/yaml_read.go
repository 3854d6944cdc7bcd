package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"daybook/app/fault"
)

// maxDepth limits how deeply a file may be nested. The fields of a set-up need eight levels.
const maxDepth = 100

// readYAML reads the text of a set-up file. What begins with a brace and is JSON is read as such: YAML takes neither all of
// JSON's escapes nor its tabs. Its error is a bad_request with the line.
func readYAML(text []byte) (*node, error) {
	if !utf8.Valid(text) {
		return nil, fault.Invalid("file", "must be UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if json.Valid(text) {
		return jsonNode(text)
	}
	if line := tooDeep(text); line > 0 {
		return nil, fault.Invalid("file", "is nested too deeply").OnLine(line)
	}
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, yamlError(text, err)
	}
	var root *node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		switch doc.Body.(type) {
		case *ast.DirectiveNode, *ast.CommentGroupNode:
			continue
		}
		if root != nil {
			return nil, fault.Invalid("file",
				"must hold one document; a second one begins here").OnLine(lineOfToken(doc.Start, doc.Body))
		}
		r := yamlReader{anchors: map[string]*node{}}
		if root, err = r.value(doc.Body, 0); err != nil {
			return nil, err
		}
	}
	if root == nil {
		return nil, fault.Invalid("file", "is empty; expected the fields workspace, hosts and eventTypes").OnLine(1)
	}
	return root, nil
}

// tooDeep returns the line on which more brackets are open than a set-up file can need, or 0. Brackets in texts and
// comments count too; no text has that many that it doesn't close.
func tooDeep(text []byte) int {
	open, line := 0, 1
	for _, c := range text {
		switch c {
		case '\n':
			line++
		case '[', '{':
			if open++; open > 10*maxDepth {
				return line
			}
		case ']', '}':
			open = max(open-1, 0)
		}
	}
	return 0
}

// yamlError words a syntax error as the others are.
func yamlError(text []byte, err error) error {
	var syntax interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if !errors.As(err, &syntax) || syntax.GetToken() == nil || syntax.GetToken().Position == nil {
		return fault.Invalid("file", "is neither YAML nor JSON: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	line := syntax.GetToken().Position.Line
	if n := tabbedLine(text, line); n > 0 {
		return fault.Invalid("file", "a tab stands at the beginning of this line; YAML is indented by spaces").OnLine(n)
	}
	return fault.Invalid("file", "is neither YAML nor JSON: %s",
		strings.Join(strings.Fields(syntax.GetMessage()), " ")).OnLine(line)
}

// tabbedLine returns the first line around the one of an error that is indented by a tab, or 0.
func tabbedLine(text []byte, around int) int {
	lines := bytes.Split(text, []byte("\n"))
	for n := max(around-1, 1); n <= min(around+1, len(lines)); n++ {
		line := lines[n-1]
		if indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]; bytes.ContainsRune(indent, '\t') {
			return n
		}
	}
	return 0
}

// yamlReader makes nodes of a YAML document.
type yamlReader struct{ anchors map[string]*node }

func (r *yamlReader) value(from ast.Node, depth int) (*node, error) {
	n := &node{Tag: "!!str"}
	return n, r.fill(n, from, depth)
}

// fill makes n what from is. An anchor's node is known before it is filled, so that it may hold itself.
func (r *yamlReader) fill(n *node, from ast.Node, depth int) error {
	n.Line = lineOfToken(nil, from)
	if depth > maxDepth {
		return fault.Invalid("file", "is nested too deeply").OnLine(n.Line)
	}
	switch v := from.(type) {
	case *ast.MappingNode:
		n.Kind = mapping
		for _, pair := range v.Values {
			if err := r.pair(n, pair, depth); err != nil {
				return err
			}
		}
	case *ast.MappingValueNode:
		n.Kind = mapping
		return r.pair(n, v, depth)
	case *ast.SequenceNode:
		n.Kind = sequence
		for _, item := range v.Values {
			part, err := r.value(item, depth+1)
			if err != nil {
				return err
			}
			n.Content = append(n.Content, part)
		}
	case *ast.AnchorNode:
		r.anchors[v.Name.String()] = n
		return r.fill(n, v.Value, depth+1)
	case *ast.AliasNode:
		at, known := r.anchors[v.Value.String()]
		if !known {
			return fault.Invalid("file", "the alias *%s stands for nothing before it", v.Value).OnLine(n.Line)
		}
		n.Kind, n.To = alias, at
	case *ast.TagNode:
		if err := r.fill(n, v.Value, depth+1); err != nil {
			return err
		}
		n.Tag = v.Start.Value
	default:
		return r.scalar(n, from)
	}
	return nil
}

func (r *yamlReader) pair(n *node, pair *ast.MappingValueNode, depth int) error {
	key := &node{Tag: "!!str", Line: lineOfToken(nil, pair.Key)}
	if _, merge := pair.Key.(*ast.MergeKeyNode); merge {
		key.Value = "<<"
	} else if err := r.fill(key, pair.Key, depth+1); err != nil {
		return err
	}
	if key.Kind != scalar {
		return fault.Invalid("file", "the name of a field must be a text").OnLine(key.Line)
	}
	value, err := r.value(pair.Value, depth+1)
	n.Content = append(n.Content, key, value)
	return err
}

func (r *yamlReader) scalar(n *node, from ast.Node) error {
	switch v := from.(type) {
	case nil:
		n.Tag, n.Value = "!!null", "null"
	case *ast.MappingKeyNode:
		return r.fill(n, v.Value, 0)
	case *ast.StringNode:
		n.Value = v.Value
	case *ast.LiteralNode:
		n.Value = v.Value.Value
	case *ast.NullNode:
		n.Tag, n.Value = "!!null", "null"
	case *ast.IntegerNode:
		n.Tag, n.Value = "!!int", v.Token.Value
	case *ast.FloatNode:
		n.Tag, n.Value = "!!float", v.Token.Value
	case *ast.InfinityNode:
		n.Tag, n.Value = "!!float", v.Token.Value
	case *ast.NanNode:
		n.Tag, n.Value = "!!float", v.Token.Value
	case *ast.BoolNode:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(v.Value)
	default:
		return fault.Invalid("file", "%s can't stand here", from.Type()).OnLine(n.Line)
	}
	return nil
}

// lineOfToken returns the line of a token, or of the first one of a node.
func lineOfToken(t *token.Token, n ast.Node) int {
	switch v := n.(type) {
	case *ast.MappingNode:
		if len(v.Values) > 0 && !v.IsFlowStyle {
			return lineOfToken(t, v.Values[0])
		}
	case *ast.MappingValueNode:
		return lineOfToken(t, v.Key)
	case *ast.SequenceNode:
		if len(v.Values) > 0 && !v.IsFlowStyle {
			return lineOfToken(t, v.Values[0])
		}
	}
	if t == nil && n != nil {
		t = n.GetToken()
	}
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}

// jsonNode makes the nodes of a valid JSON text.
func jsonNode(text []byte) (*node, error) {
	r := jsonReader{d: json.NewDecoder(bytes.NewReader(text)), text: text, line: 1}
	r.d.UseNumber()
	return r.value(0)
}

type jsonReader struct {
	d      *json.Decoder
	text   []byte
	offset int64
	line   int // of offset
}

// next returns the next token; line is then the one it ends on.
func (r *jsonReader) next() (json.Token, error) {
	t, err := r.d.Token()
	if err == nil {
		to := r.d.InputOffset()
		r.line += bytes.Count(r.text[r.offset:to], []byte("\n"))
		r.offset = to
	}
	return t, err
}

func (r *jsonReader) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fault.Invalid("file", "is nested too deeply").OnLine(r.line)
	}
	t, err := r.next()
	if err != nil {
		return nil, err
	}
	n := &node{Line: r.line}
	switch t := t.(type) {
	case json.Delim:
		n.Kind = sequence
		if t == '{' {
			n.Kind = mapping
		}
		for r.d.More() {
			part, err := r.value(depth + 1) // a name is a value too
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, part)
		}
		_, err = r.next()
	case string:
		n.Tag, n.Value = "!!str", t
	case json.Number:
		n.Tag, n.Value = "!!float", t.String()
		if _, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			n.Tag = "!!int"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(t)
	case nil:
		n.Tag, n.Value = "!!null", "null"
	default:
		err = errors.New("no JSON value")
	}
	return n, err
}
