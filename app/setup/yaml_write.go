package setup

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// writeYAML writes a JSON document as YAML, in its order: lists of scalars on one line, texts of several lines as
// blocks. Texts that YAML could read as another value are quoted. The objects of the fields inline, which hold scalars,
// are written on one line.
func writeYAML(b *bytes.Buffer, document []byte, inline ...string) error {
	w := writer{b: b, inline: inline, d: json.NewDecoder(bytes.NewReader(document))}
	w.d.UseNumber()
	return w.value("", "", false)
}

type writer struct {
	b      *bytes.Buffer
	d      *json.Decoder
	inline []string
}

// value writes the next value. name is its field, "" in a list; item says that it is an item of one.
func (w *writer) value(name, indent string, item bool) error {
	t, err := w.d.Token()
	if err != nil {
		return err
	}
	if open, ok := t.(json.Delim); ok && !w.d.More() { // an empty list or object
		w.b.WriteString(map[json.Delim]string{'[': " []\n", '{': " {}\n"}[open])
		_, err = w.d.Token()
		return err
	}
	switch {
	case t == json.Delim('{') && slices.Contains(w.inline, name):
		w.b.WriteString(" {")
		return w.flow("}\n", true)
	case t == json.Delim('{'):
		return w.fields(indent, item)
	case t == json.Delim('['):
		return w.items(indent)
	}
	w.b.WriteByte(' ')
	if text, ok := t.(string); ok && asBlock(text) {
		w.b.WriteString("|-\n")
		for line := range strings.SplitSeq(text, "\n") {
			w.b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
		}
		return nil
	}
	w.b.WriteString(scalarText(t) + "\n")
	return nil
}

func (w *writer) fields(indent string, item bool) error {
	if !item && w.b.Len() > 0 && indent != "" {
		w.b.WriteByte('\n')
	}
	for first := true; w.d.More(); first = false {
		t, err := w.d.Token()
		if err != nil {
			return err
		}
		name := t.(string)
		if item && first {
			w.b.WriteString(" " + name + ":")
		} else {
			w.b.WriteString(indent + name + ":")
		}
		if err := w.value(name, indent+"  ", false); err != nil {
			return err
		}
	}
	_, err := w.d.Token()
	return err
}

// items writes a list whose [ is already read. If the first item is a scalar, all are.
func (w *writer) items(indent string) error {
	rest, err := w.next()
	if err != nil {
		return err
	}
	if rest != '{' && rest != '[' {
		w.b.WriteString(" [")
		return w.flow("]\n", false)
	}
	w.b.WriteByte('\n')
	for w.d.More() {
		w.b.WriteString(indent + "-")
		if err := w.value("", indent+"  ", true); err != nil {
			return err
		}
	}
	_, err = w.d.Token()
	return err
}

// next returns the first character of the next value.
func (w *writer) next() (byte, error) {
	buffered := w.d.Buffered().(*bytes.Reader)
	for {
		c, err := buffered.ReadByte()
		if err != nil || c != ' ' && c != ',' && c != '\n' {
			return c, err
		}
	}
}

// flow writes scalars on one line, with their names if they are fields, and then end.
func (w *writer) flow(end string, named bool) error {
	for first := true; w.d.More(); first = false {
		if !first {
			w.b.WriteString(", ")
		}
		t, err := w.d.Token()
		if err != nil {
			return err
		}
		if named {
			w.b.WriteString(t.(string) + ": ")
			if t, err = w.d.Token(); err != nil {
				return err
			}
		}
		w.b.WriteString(scalarText(t))
	}
	w.b.WriteString(end)
	_, err := w.d.Token()
	return err
}

// plainText matches texts that need no quotes: words that begin with a letter, and dates.
var plainText = regexp.MustCompile(`^(?:\pL[\pL\pN .@/_'()&+-]*[\pL\pN.)]|\pL|\d{4}-\d\d-\d\d(?:T[0-9:.]+Z)?)$`)

// otherInYAML are words that some version of YAML reads as another value than a text.
var otherInYAML = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func scalarText(t json.Token) string {
	text, ok := t.(string)
	if ok && plainText.MatchString(text) && !slices.Contains(otherInYAML, strings.ToLower(text)) {
		return text
	}
	if n, ok := t.(json.Number); ok {
		return n.String()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(t); err != nil {
		panic(err) // texts, truth values and null have JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// asBlock reports whether a text of several lines can be written as a block and read back unchanged.
func asBlock(text string) bool {
	if !strings.Contains(text, "\n") || strings.HasPrefix(text, "\n") || strings.HasSuffix(text, "\n") ||
		strings.HasPrefix(text, " ") {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(line, " ") != line || strings.TrimSpace(line) == "" && line != "" {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && (!unicode.IsPrint(c) || c == '\ufeff') })
}
