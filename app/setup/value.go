package setup

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/app/fault"
)

// at is a value in a set-up file and its path.
type at struct {
	node *node
	path string
	left *int // values that may still be read, as an alias can expand to any number
}

// wrong is the bad_request for this value.
func (v at) wrong(format string, args ...any) error {
	path := v.path
	if path == "" {
		path = "file"
	}
	return fault.Invalid(path, format, args...).OnLine(v.node.Line)
}

func (v at) child(name string, n *node) at {
	if v.path != "" && !strings.HasPrefix(name, "[") {
		name = "." + name
	}
	return at{n, v.path + name, v.left}
}

// open follows aliases.
func (v at) open() (at, error) {
	if *v.left--; *v.left < 0 {
		return v, v.wrong("the file's aliases make it too large: more than %d values", maxSetupValues)
	}
	line := v.node.Line
	v.node = v.node.Followed()
	if v.node.Kind == alias {
		return v, fault.Invalid(v.path, "is an alias of itself").OnLine(line)
	}
	return v, nil
}

func (v at) null() bool { return v.node.Null() }

// mistakes collects the errors in a file, so that one run reports all of them.
type mistakes []*fault.Error

// maxMistakes is how many are reported at once.
const maxMistakes = 20

// add adds an error, or each of its parts. Only errors for the caller are added.
func (m *mistakes) add(err error) {
	switch e := fault.As(err); {
	case e == nil:
	case len(e.Parts) > 0:
		*m = append(*m, e.Parts...)
	default:
		*m = append(*m, e)
	}
}

func (m mistakes) enough() bool { return len(m) >= maxMistakes }

// err joins them into one error, which has the first one's field and the messages of all.
func (m mistakes) err() error {
	switch len(m) {
	case 0:
		return nil
	case 1:
		return m[0]
	}
	told := m[:min(len(m), maxMistakes)]
	texts := make([]string, len(told))
	for i, e := range told {
		texts[i] = e.Error()
	}
	if len(m) >= maxMistakes {
		texts = append(texts, "there may be more")
	}
	first := told[0].Saying(strings.Join(texts, "; "))
	first.Parts = told
	return first
}

// object reads the fields of a mapping. Unknown and duplicate fields are errors.
func (v at) object(fields map[string]field) error {
	v, err := v.open()
	if err != nil {
		return err
	}
	if v.node.Kind != mapping {
		return v.wrong("must be a mapping with the fields %s", list(fields))
	}
	var wrong mistakes
	seen := map[string]bool{}
	for i := 0; i+1 < len(v.node.Content) && !wrong.enough(); i += 2 {
		name := v.node.Content[i].Value
		member := v.child(name, v.node.Content[i])
		read, known := fields[name]
		switch {
		case name == "<<":
			wrong.add(v.wrong("merge keys (<<) are not read here; write the fields out"))
		case !known:
			wrong.add(member.wrong("there is no such field; %s", hint(name, fields)))
		case seen[name]:
			wrong.add(member.wrong("stands twice"))
		default:
			seen[name] = true
			wrong.add(read(v.child(name, v.node.Content[i+1])))
		}
	}
	return wrong.err()
}

// needs is object for a mapping with required fields.
func (v at) needs(fields map[string]field, names ...string) error {
	given := map[string]bool{}
	for name, read := range fields {
		fields[name] = func(v at) error {
			given[name] = true
			return read(v)
		}
	}
	var wrong mistakes
	wrong.add(v.object(fields))
	if v, err := v.open(); err != nil || v.node.Kind != mapping {
		return wrong.err()
	}
	for _, name := range names {
		if !given[name] {
			wrong.add(v.child(name, v.node).wrong("is required"))
		}
	}
	return wrong.err()
}

// list reads the items of a sequence.
func (v at) list(most int, item func(at) error) error {
	v, err := v.open()
	if err != nil {
		return err
	}
	if v.node.Kind != sequence {
		return v.wrong("must be a list")
	}
	if len(v.node.Content) > most {
		return v.wrong("at most %d", most)
	}
	var wrong mistakes
	for i, n := range v.node.Content {
		if wrong.enough() {
			break
		}
		wrong.add(item(v.child("["+strconv.Itoa(i)+"]", n)))
	}
	return wrong.err()
}

// scalar returns the tag and text of a scalar.
func (v at) scalar(expected string) (tag, text string, err error) {
	v, err = v.open()
	if err != nil {
		return "", "", err
	}
	if v.node.Kind != scalar {
		return "", "", v.wrong("must be %s", expected)
	}
	if tag = v.node.Tag; tag == "!!null" {
		return "", "", v.wrong("must be %s, not null; leave the field out to keep what it is", expected)
	}
	return tag, v.node.Value, nil
}

func readText[S ~string](v at) (S, error) {
	tag, text, err := v.scalar("a text")
	if err == nil && tag != "!!str" && tag != "!!timestamp" {
		err = v.wrong("must be a text; put it in quotes: %q", text)
	}
	return S(text), err
}

func readWhole(v at) (int, error) {
	tag, text, err := v.scalar("a whole number")
	if err != nil {
		return 0, err
	}
	n, parseErr := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 32)
	if tag != "!!int" || parseErr != nil {
		return 0, v.wrong("must be a whole number, not %s", shown(tag, text))
	}
	return int(n), nil
}

func readBool(v at) (bool, error) {
	tag, text, err := v.scalar("true or false")
	if err == nil && tag != "!!bool" {
		err = v.wrong("must be true or false, not %s", shown(tag, text))
	}
	return strings.EqualFold(text, "true"), err
}

// shown returns a value in an error message.
func shown(tag, text string) string {
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	if tag == "!!str" {
		return strconv.Quote(text)
	}
	return text
}

func readTexts(v at) ([]string, error) {
	all := []string{}
	if v.null() {
		return all, nil
	}
	return all, v.list(1000, func(v at) error {
		text, err := readText[string](v)
		all = append(all, text)
		return err
	})
}

func readWholes(v at) ([]int, error) {
	all := []int{}
	if v.null() {
		return all, nil
	}
	err := v.list(100, func(v at) error {
		n, err := readWhole(v)
		all = append(all, n)
		return err
	})
	return all, err
}

// orNull also reads null, as the zero value.
func orNull[V any](read func(at) (V, error)) func(at) (V, error) {
	return func(v at) (zero V, err error) {
		if v.null() {
			return zero, nil
		}
		return read(v)
	}
}

func list(fields map[string]field) string {
	return strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
}

// otherNames are other usual names of fields.
var otherNames = map[string]string{
	"name": "title", "length": "durationMinutes", "minutes": "durationMinutes", "cost": "price", "tz": "timeZone",
	"zone":  "timeZone",
	"hours": "weekly", "vacation": "timeOff", "holidays": "timeOff", "closed": "overrides", "services": "eventTypes",
	"staff": "hosts", "rooms": "resources", "chairs": "resources", "equipment": "resources",
	"team": "hosts", "host": "hosts", "interval": "slotStepMinutes", "capacity": "seats", "currencycode": "currency",
}

// hint suggests the field that was probably meant, or lists all of them.
func hint(name string, fields map[string]field) string {
	lower := strings.ToLower(name)
	if len(name) > 64 {
		return "there are " + list(fields)
	}
	if other := otherNames[lower]; fields[other] != nil {
		return fmt.Sprintf("did you mean %s?", other)
	}
	var within []string // fields whose name contains it: durationMinutes for duration
	best, least := "", 4
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		if len(f) > 2 && strings.HasPrefix(lower, f) {
			return fmt.Sprintf("did you mean %s?", f)
		}
		if len(lower) > 3 && strings.Contains(strings.ToLower(f), lower) {
			within = append(within, f)
		}
		if d := fault.Distance(lower, strings.ToLower(f)); d < least && d < len(f) {
			best, least = f, d
		}
	}
	switch {
	case best != "" && least < 3, len(within) == 0 && best != "":
		return fmt.Sprintf("did you mean %s?", best)
	case len(within) > 0:
		return fmt.Sprintf("did you mean %s?", strings.Join(within, " or "))
	}
	return "there are " + list(fields)
}
