package sms

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

var (
	fieldForm = regexp.MustCompile(`\{[a-z0-9]+\}`)
	wholeForm = regexp.MustCompile(`^\{[a-z0-9]+\}$`)
)

// values are those of the fields of a template.
type values map[string]string

// values returns those of a message, without the secret.
func (s *Sender) values(m Message, id string) values {
	return values{"to": m.To, "number": strings.TrimPrefix(m.To, "+"), "from": s.From, "text": m.Text, "reference": m.Reference,
		"callback": m.Callback, "account": s.Account, "user": s.user(), "id": id}
}

// with returns the values and the secret, for headers and bodies.
func (v values) with(secret Secret) values {
	all := maps.Clone(v)
	all["secret"] = string(secret)
	return all
}

// fill returns the text with its fields filled in.
func (v values) fill(text string, escape func(string) string) string {
	return fieldForm.ReplaceAllStringFunc(text, func(field string) string {
		value := v[field[1:len(field)-1]]
		if escape != nil {
			value = escape(value)
		}
		return value
	})
}

// empty reports whether the text is one field alone, which has no value.
func (v values) empty(text string) bool {
	return wholeForm.MatchString(text) && v[text[1:len(text)-1]] == ""
}

// address fills in an address: its path and its query are escaped as such; {url} is the beginning.
func (s *Sender) address(text string, v values) string {
	if rest, is := strings.CutPrefix(text, "{url}"); is {
		text = s.home() + rest
	}
	path, query, asks := strings.Cut(text, "?")
	path = v.fill(path, url.PathEscape)
	if !asks {
		return path
	}
	return path + "?" + v.form(query)
}

// form fills in a text such as To={to}&Body={text}.
func (v values) form(text string) string {
	var all []string
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if pair == "" || v.empty(value) {
			continue
		}
		all = append(all, name+"="+v.fill(value, url.QueryEscape))
	}
	return strings.Join(all, "&")
}

// json fills in the texts of a JSON document.
func (v values) json(text string) ([]byte, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil || d.More() {
		return nil, errors.New("sms: the body of the template is no JSON")
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.tree(doc)); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

func (v values) tree(node any) any {
	left := func(child any) bool { text, is := child.(string); return is && v.empty(text) }
	switch node := node.(type) {
	case string:
		return v.fill(node, nil)
	case []any:
		all := []any{}
		for _, child := range node {
			if !left(child) {
				all = append(all, v.tree(child))
			}
		}
		return all
	case map[string]any:
		for name, child := range node {
			if left(child) {
				delete(node, name)
			} else {
				node[name] = v.tree(child)
			}
		}
	}
	return node
}

// request makes the request that hands a text over.
func (s *Sender) request(t *Template, m Message) (*http.Request, error) {
	if name, is := t.referenceParameter(); is && m.Callback != "" {
		join := "?"
		if strings.Contains(m.Callback, "?") {
			join = "&"
		}
		m.Callback += join + name + "=" + url.QueryEscape(m.Reference)
	}
	v := s.values(m, "")
	var body []byte
	kind := ""
	switch t.Type {
	case JSON:
		var err error
		if body, err = v.with(s.Secret).json(t.Body); err != nil {
			return nil, err
		}
		kind = "application/json"
	case Form:
		body, kind = []byte(v.with(s.Secret).form(t.Body)), "application/x-www-form-urlencoded"
	}
	return s.withHeaders(t, t.Method, s.address(t.URL, v), kind, body, v)
}

// referenceParameter returns the parameter of the callback's address that carries our reference.
func (t *Template) referenceParameter() (name string, is bool) {
	if t.Report == nil {
		return "", false
	}
	return strings.CutPrefix(t.Report.Reference, "?")
}

var errHeader = errors.New("sms: a header has a character that none may have")

func (s *Sender) withHeaders(t *Template, method, address, kind string, body []byte, v values) (*http.Request, error) {
	r, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("sms: the address of the sender can't be read") // the cause has it in full
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for _, h := range t.Headers {
		value := v.with(s.Secret).fill(h.Value, nil)
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, errHeader
		}
		r.Header.Set(h.Name, value)
	}
	if t.Basic {
		r.SetBasicAuth(s.user(), string(s.Secret))
	}
	// Each text has a connection of its own: on one that is used again, net/http may send a GET twice.
	r.Close = true
	return r, nil
}
