package rest

import (
	"cmp"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

// query is the parameters of a request.
type query struct {
	params []openapi.Param
	values [maxParams]string
	given  [maxParams]bool
}

const maxParams = 20

// parse reads a raw query. The error is bad_request and names every parameter that is wrong or unknown.
func (q *query) parse(params []openapi.Param, raw string) error {
	q.params = params
	var wrong []error
	for len(raw) > 0 {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		name, value, _ := strings.Cut(pair, "=")
		if strings.ContainsAny(name, "%+") {
			name, _ = url.QueryUnescape(name)
		}
		i := slices.IndexFunc(params, func(p openapi.Param) bool { return p.Name == name })
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
		return fault.Invalid(p.Name, "is not valid percent-encoding; encode %% itself as %%25")
	}
	if err := cmp.Or(check(p, text), fault.CheckFilter(p.Name, text)); err != nil {
		return err
	}
	if q.given[i] {
		if !p.List {
			return fault.Invalid(p.Name, "must be given once")
		}
		text = q.values[i] + "," + text
	}
	q.values[i], q.given[i] = text, true
	return nil
}

func namesOf(params []openapi.Param) []string {
	names := make([]string, len(params))
	for i := range params {
		names[i] = params[i].Name
	}
	return names
}

// check returns what is wrong with a value of the parameter, or nil.
func check(p *openapi.Param, text string) error {
	switch {
	case !utf8.ValidString(text):
		return fault.Invalid(p.Name, "must be UTF-8")
	case strings.IndexByte(text, 0) >= 0:
		return fault.Invalid(p.Name, "must not contain NUL")
	case utf8.RuneCountInString(text) > p.Longest():
		return fault.Invalid(p.Name, "must have at most %d characters", p.Longest())
	case p.Kind == "boolean" && !slices.Contains([]string{"1", "true", "0", "false"}, text):
		return fault.Invalid(p.Name, "must be true or false")
	case p.Kind == "integer":
		_, err := number(p, text)
		return err
	}
	return nil
}

func number(p *openapi.Param, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // n is the nearest number that fits
	}
	if err != nil || n < p.Min || n > p.Max && !p.Clamped || strings.HasPrefix(text, "+") {
		if p.Clamped {
			return 0, fault.Invalid(p.Name, "must be a whole number of at least %d", p.Min)
		}
		return 0, fault.Invalid(p.Name, "must be a whole number from %d to %d", p.Min, p.Max)
	}
	return min(n, math.MaxInt32), nil
}

// text returns the parameter's value, or "".
func (q *query) text(name string) string {
	i := slices.IndexFunc(q.params, func(p openapi.Param) bool { return p.Name == name })
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

// number returns the parameter's value, or nil.
func (q *query) number(name string) *int {
	i := slices.IndexFunc(q.params, func(p openapi.Param) bool { return p.Name == name })
	if !q.given[i] {
		return nil
	}
	n, _ := number(&q.params[i], q.values[i]) // parse checked it
	return &n
}
