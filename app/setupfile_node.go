package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// setupNode reads the text of a set-up file. What begins with a brace and is JSON is read as such: YAML takes neither
// all of JSON's escapes nor its tabs.
func setupNode(text []byte) (*yaml.Node, error) {
	if !utf8.Valid(text) {
		return nil, Invalid("file", "must be UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if json.Valid(text) {
		return jsonNode(text)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	if err := d.Decode(&doc); err == io.EOF {
		return nil, Invalid("file", "is empty; expected the fields workspace, hosts and eventTypes").onLine(1)
	} else if err != nil {
		return nil, yamlError(err)
	}
	if err := d.Decode(&more); err == nil {
		return nil, Invalid("file", "must hold one document; a second one begins here").onLine(more.Line)
	} else if err != io.EOF {
		return nil, yamlError(err)
	}
	return doc.Content[0], nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlError words a syntax error as the others are.
func yamlError(err error) error {
	text := err.Error()
	found := yamlLine.FindStringSubmatch(text)
	if found == nil {
		return Invalid("file", "is neither YAML nor JSON: %s", text)
	}
	line, _ := strconv.Atoi(found[1])
	return Invalid("file", "is neither YAML nor JSON: %s", text[len(found[0]):]).onLine(line)
}

// jsonNode makes the nodes of a valid JSON text.
func jsonNode(text []byte) (*yaml.Node, error) {
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

// next is the next token; line is then the one it ends on.
func (r *jsonReader) next() (json.Token, error) {
	t, err := r.d.Token()
	if err == nil {
		to := r.d.InputOffset()
		r.line += bytes.Count(r.text[r.offset:to], []byte("\n"))
		r.offset = to
	}
	return t, err
}

func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	if depth > 100 {
		return nil, Invalid("file", "is nested too deeply").onLine(r.line)
	}
	t, err := r.next()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: r.line}
	switch t := t.(type) {
	case json.Delim:
		n.Kind = yaml.SequenceNode
		if t == '{' {
			n.Kind = yaml.MappingNode
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
