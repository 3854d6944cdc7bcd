package rest

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// placed returns err, with the field of the query or the body that names what isn't there, and with what is near, of what
// the caller may see. A not_found without a field is thus one of the path.
func (d *door) placed(c *call, err error) error {
	e := fault.As(err)
	if e == nil || e.Field != "" {
		return err
	}
	what, ref := e.Missed()
	if ref == "" || c.inPath(ref) {
		return err
	}
	field := c.naming(what, ref)
	if field == "" {
		return err
	}
	return e.Saying(d.near(c, what, ref, e.Error())).About(field)
}

// inPath reports whether ref is a value of the path, not one of its words.
func (c *call) inPath(ref string) bool {
	for part := range strings.SplitSeq(c.route.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok && cut(c.r.PathValue(strings.TrimSuffix(name, "}")), maxID) == ref {
			return true
		}
	}
	return false
}

// near returns what to say of a host or an event type that isn't there; for others, and for strangers, it is said.
func (d *door) near(c *call, what, ref, said string) string {
	if c.route.Public || what != "event type" && what != "host" {
		return said
	}
	setup, err := d.SetupFor(c.actor)
	if err != nil {
		return said
	}
	if what == "host" {
		return setup.NoHost(ref, func(h catalog.HostID) bool { return c.actor.Limits.Knows(setup, h) })
	}
	return setup.NoEventType(ref, c.actor.SeesEventType)
}

// naming returns the parameter, or the path in the body, whose value is ref: one that is called after what, if there is
// one. It is "" if there is none.
func (c *call) naming(what, ref string) (field string) {
	called := strings.ReplaceAll(what, " ", "")
	take := func(path, value string) (done bool) {
		if strings.TrimSpace(value) != ref {
			return false
		}
		if done = strings.Contains(strings.ToLower(path), called); done || field == "" {
			field = path
		}
		return done
	}
	for i, p := range c.query.params {
		values := c.query.values[i : i+1]
		if p.List {
			values = strings.Split(values[0], ",")
		}
		for _, value := range values {
			if c.query.given[i] && take(p.Name, value) {
				return field
			}
		}
	}
	in := jsontext.NewDecoder(bytes.NewReader(c.body))
	for {
		token, err := in.ReadToken()
		if err != nil {
			return field
		}
		if kind, n := in.StackIndex(in.StackDepth()); token.Kind() != '"' || kind == '{' && n%2 == 1 { // or a name
			continue
		}
		if value := token.String(); take(pathOf(in.StackPointer()), value) {
			return field
		}
	}
}

// pathOf converts a JSON pointer to the form of details.field: /items/0/eventType is items[0].eventType.
func pathOf(p jsontext.Pointer) string {
	var path strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			path.WriteString("[" + token + "]")
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(token)
	}
	return path.String()
}
