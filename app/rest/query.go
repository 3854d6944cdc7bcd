package rest

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
)

// param is a query parameter: what the document says of it is what is checked.
type param struct {
	name, text string
	kind       string // "string" (default), "integer", "boolean"
	enum       []string
	maxLength  int // of a string; 0 is maxText
	fallback   any // what counts when it is not given
	min, max   int // of an integer; above max counts as max where clamped, else is refused
	clamped    bool
	list       bool // values may be joined by commas, or the parameter repeated
	required   bool
	example    any
}

const maxText = 200

// query is the parameters of a request.
type query struct {
	params []param
	values [maxParams]string
	given  [maxParams]bool
}

const maxParams = 12

// parse reads a raw query. The error is bad_request and names every parameter that is wrong or unknown.
func (q *query) parse(params []param, raw string) error {
	q.params = params
	var wrong []error
	for len(raw) > 0 {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		name, value, _ := strings.Cut(pair, "=")
		if strings.ContainsAny(name, "%+") {
			name, _ = url.QueryUnescape(name)
		}
		i := slices.IndexFunc(params, func(p param) bool { return p.name == name })
		if i < 0 {
			if pair != "" {
				wrong = append(wrong, fault.Unknown("", cut(name, 50), "parameter of this request", namesOf(params)))
			}
			continue
		}
		wrong = append(wrong, q.take(i, value))
	}
	return fault.Join(wrong...)
}

// take reads the value of the parameter of that index.
func (q *query) take(i int, value string) error {
	p := &q.params[i]
	text, err := url.QueryUnescape(value)
	if err != nil {
		return fault.Invalid(p.name, "is not encoded as a query must be")
	}
	if err := p.check(text); err != nil {
		return err
	}
	if q.given[i] {
		if !p.list {
			return fault.Invalid(p.name, "must be given once")
		}
		text = q.values[i] + "," + text
	}
	q.values[i], q.given[i] = text, true
	return nil
}

func namesOf(params []param) []string {
	names := make([]string, len(params))
	for i := range params {
		names[i] = params[i].name
	}
	return names
}

func (p *param) check(text string) error {
	switch {
	case !utf8.ValidString(text):
		return fault.Invalid(p.name, "must be UTF-8")
	case strings.IndexByte(text, 0) >= 0:
		return fault.Invalid(p.name, "must not contain NUL")
	case utf8.RuneCountInString(text) > p.longest():
		return fault.Invalid(p.name, "must have at most %d characters", p.longest())
	case p.kind == "boolean" && !slices.Contains([]string{"1", "true", "0", "false"}, text):
		return fault.Invalid(p.name, "must be true or false")
	case p.kind == "integer":
		_, err := p.number(text)
		return err
	}
	return nil
}

func (p *param) longest() int {
	if p.maxLength > 0 {
		return p.maxLength
	}
	return maxText
}

func (p *param) number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // n is the nearest there is
	}
	if err != nil || n < p.min || n > p.max && !p.clamped || strings.HasPrefix(text, "+") {
		if p.clamped {
			return 0, fault.Invalid(p.name, "must be a whole number of at least %d", p.min)
		}
		return 0, fault.Invalid(p.name, "must be a whole number from %d to %d", p.min, p.max)
	}
	return min(n, math.MaxInt32), nil
}

// text is the parameter's value, or "".
func (q *query) text(name string) string {
	i := slices.IndexFunc(q.params, func(p param) bool { return p.name == name })
	if i < 0 {
		panic("rest: no parameter " + name)
	}
	return q.values[i]
}

// flag reports whether the parameter is true.
func (q *query) flag(name string) bool {
	v := q.text(name)
	return v == "1" || v == "true"
}

// number is the parameter's value, or nil.
func (q *query) number(name string) *int {
	i := slices.IndexFunc(q.params, func(p param) bool { return p.name == name })
	if !q.given[i] {
		return nil
	}
	n, _ := q.params[i].number(q.values[i]) // parse checked it
	return &n
}
