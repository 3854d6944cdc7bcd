package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
)

// args are the arguments of a call. Errors are collected, each with the argument's name; null counts as left out.
type args struct {
	fields map[string]json.RawMessage
	read   []string // names that the tool has asked for: all that it knows
	path   string   // of an argument that is an object: its name and a dot
	inner  []*args  // arguments that are objects
	faults []error
	parent *args
}

func readArgs(r mcp.CallToolRequest) (*args, error) {
	raw := r.Params.RawArguments
	if len(raw) == 0 && r.Params.Arguments != nil {
		var err error
		if raw, err = json.Marshal(r.Params.Arguments); err != nil {
			return nil, err
		}
	}
	in := &args{}
	if len(raw) == 0 || isNull(raw) {
		return in, nil
	}
	if err := checkText(raw); err != nil {
		return nil, err
	}
	if json.Unmarshal(raw, &in.fields) != nil {
		return nil, fault.Invalid("arguments", "must be an object with the tool's arguments by name, got %s", shown(raw))
	}
	return in, nil
}

// checkText refuses the JSON that REST refuses: invalid UTF-8, half a surrogate pair, duplicate names.
func checkText(raw json.RawMessage) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	_, err := d.ReadValue()
	var wrong *jsontext.SyntacticError
	if !errors.As(err, &wrong) {
		return err
	}
	field := "arguments"
	if path := strings.Trim(strings.ReplaceAll(string(wrong.JSONPointer), "/", "."), "."); path != "" {
		field = shortened(path, 100)
	}
	return fault.New(fault.BadRequest, "invalid_json", "is not valid JSON: %s.", shortened(wrong.Err.Error(), 200)).At(field)
}

func shortened(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// given returns the argument of that name, or nil.
func (in *args) given(name string) json.RawMessage {
	if !slices.Contains(in.read, name) {
		in.read = append(in.read, name)
	}
	raw := in.fields[name]
	if raw == nil || isNull(raw) {
		return nil
	}
	return raw
}

// wrong adds an error about an argument.
func (in *args) wrong(name, format string, values ...any) {
	root := in
	for root.parent != nil {
		root = root.parent
	}
	root.faults = append(root.faults, fault.Invalid(in.path+name, format, values...))
}

// err is everything that is wrong; call it after reading all arguments. Unknown names come first, as a required
// argument may be missing because its name is misspelt. _meta belongs to the protocol and is ignored.
func (in *args) err() error {
	return fault.Join(append(in.unknown(), in.faults...)...)
}

func (in *args) unknown() (wrong []error) {
	for _, name := range slices.Sorted(maps.Keys(in.fields)) {
		switch {
		case name == "_meta" || slices.Contains(in.read, name):
		case (name == "email" || name == "phone") && slices.Contains(in.read, "invitee"):
			wrong = append(wrong, fault.Invalid(in.path+name, "is no argument of this tool; did you mean %sinvitee?", in.path))
		default:
			wrong = append(wrong, fault.Unknown(in.path, shortened(name, 50), "argument of this tool", in.read))
		}
	}
	for _, o := range in.inner {
		wrong = append(wrong, o.unknown()...)
	}
	return wrong
}

// text returns an argument that is a text, or "".
func (in *args) text(name string) (s string) {
	raw := in.given(name)
	if raw != nil && json.Unmarshal(raw, &s) != nil {
		in.wrong(name, "must be a text, got %s", shown(raw))
	}
	return s
}

// maxLength is the most characters of a text that only finds something, as in REST; others have fault.MaxSearch.
var maxLength = map[string]int{"eventType": booking.MaxRef, "host": booking.MaxRef, "excludeBooking": booking.MaxRef,
	"timeZone": catalog.MaxZone, "invitee": fault.MaxEmail, "email": fault.MaxEmail, "phone": fault.MaxPhone}

// short returns a text that finds something, with the bound in maxLength.
func (in *args) short(name string) string {
	s := in.text(name)
	if in.given(name) != nil && s == "" {
		if fault.CheckFilter(name, s) != nil {
			in.wrong(name, "must not be empty; leave it out to list all")
		}
	}
	return in.bounded(name, s)
}

func (in *args) bounded(name, s string) string {
	most, ok := maxLength[name]
	if !ok {
		most = fault.MaxSearch
	}
	switch {
	case utf8.RuneCountInString(s) > most:
		in.wrong(name, "must have at most %d characters", most)
	case strings.ContainsRune(s, 0):
		in.wrong(name, "must not contain NUL")
	}
	return s
}

// needed returns a required text; hint says what it is.
func (in *args) needed(name, hint string) string {
	s := in.short(name)
	if strings.TrimSpace(s) == "" {
		in.wrong(name, "is required: %s", hint)
	}
	return s
}

// booking returns a booking's id, which may be given without its prefix. What is none stays as it is, and names no
// booking.
func (in *args) booking(name string) string {
	s := in.short(name)
	return cmp.Or(booking.WholeID(s), s)
}

// bookingID returns the required id of a booking.
func (in *args) bookingID() string {
	s := in.needed("id", "the id of a booking, such as bk_06f9…; list_bookings has them")
	if ofVisit(s) {
		return s
	}
	return cmp.Or(booking.WholeID(s), s)
}

// texts returns an argument that is a text, or a list of texts, joined by commas.
func (in *args) texts(name string) string {
	raw := in.given(name)
	var all []string
	if raw != nil && json.Unmarshal(raw, &all) == nil {
		return in.bounded(name, strings.Join(all, ","))
	}
	return in.short(name)
}

// list returns an argument that is a list of texts, nil when it was left out.
func (in *args) list(name string) (all []string) {
	raw := in.given(name)
	if raw != nil && json.Unmarshal(raw, &all) != nil {
		in.wrong(name, "must be a list of texts, got %s", shown(raw))
	}
	return all
}

// whole returns an argument that is a whole number, or a text with its digits, as in a query. A number that does not
// fit counts as the nearest that does.
func (in *args) whole(name string) *int {
	raw := in.given(name)
	if raw == nil {
		return nil
	}
	f, err := strconv.ParseFloat(string(bytes.Trim(raw, `"`)), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || f != math.Trunc(f) {
		in.wrong(name, "must be a whole number, got %s", shown(raw))
		return nil
	}
	n := int(max(math.MinInt32, min(math.MaxInt32, f)))
	return &n
}

// truth returns an argument that is true or false, or nil.
func (in *args) truth(name string) *bool {
	raw := in.given(name)
	if raw == nil {
		return nil
	}
	var b bool
	if json.Unmarshal(raw, &b) != nil {
		in.wrong(name, "must be true or false, got %s", shown(raw))
		return nil
	}
	return &b
}

// flag is a boolean as in a query, where 1 and "true" are true.
func (in *args) flag(name string) bool {
	switch string(bytes.Trim(in.given(name), `"`)) {
	case "1", "true":
		return true
	case "", "0", "false":
		return false
	}
	in.wrong(name, "must be true or false, got %s", shown(in.given(name)))
	return false
}

// into reads the arguments that are fields of the struct to points to.
func (in *args) into(to any) {
	v := reflect.ValueOf(to).Elem()
	d := inputs[v.Type()]
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _ := field.Name(f)
		if name == "" {
			continue
		}
		if d != nil && d.Field(name) != nil && d.Field(name).NotForAgents {
			continue
		}
		switch to := v.FieldByIndex(f.Index).Addr().Interface().(type) {
		case *string:
			*to = in.text(name)
		case **string:
			*to = in.maybe(name)
		case *[]string:
			*to = in.list(name)
		case **[]string:
			if in.given(name) != nil {
				all := in.list(name)
				*to = &all
			}
		case **int:
			*to = in.whole(name)
		case *int:
			if n := in.whole(name); n != nil {
				*to = *n
			}
		case *bool:
			*to = in.flag(name)
		case **bool:
			*to = in.truth(name)
		case **booking.PayWith:
			if o := in.object(name); o.fields != nil {
				*to = &booking.PayWith{}
				o.into(*to)
			}
		case **booking.EditInvitee:
			if o := in.object(name); o.fields != nil {
				*to = &booking.EditInvitee{}
				o.into(*to)
			}
		case *map[string]*string:
			for key, value := range in.labels(name) { // "" removes one
				if *to == nil {
					*to = map[string]*string{}
				}
				(*to)[key] = &value
			}
		case *map[string]any:
			*to = in.values(name)
		case *map[string]string:
			*to = in.labels(name)
		default:
			in.object(name).into(to)
		}
	}
}

// object returns an argument that is an object, empty when it was left out.
func (in *args) object(name string) *args {
	o := &args{path: in.path + name + ".", parent: in}
	in.inner = append(in.inner, o)
	raw := in.given(name)
	if raw != nil && json.Unmarshal(raw, &o.fields) != nil {
		in.wrong(name, "must be an object, got %s", shown(raw))
	}
	return o
}

// values returns an object of texts, numbers and booleans.
func (in *args) values(name string) (m map[string]any) {
	raw := in.given(name)
	if raw != nil && json.Unmarshal(raw, &m) != nil {
		in.wrong(name, "must be an object, got %s", shown(raw))
	}
	return m
}

// labels returns an object of texts.
func (in *args) labels(name string) map[string]string {
	o := in.object(name)
	if o.fields == nil {
		return nil
	}
	m := make(map[string]string, len(o.fields))
	for key := range o.fields {
		m[key] = o.text(key)
	}
	return m
}

// shown returns a value in an error message: the value itself if it is short, else its kind or its beginning.
func shown(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	text := string(raw)
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:60]) + "…"
	}
	switch raw[0] {
	case '"':
		return text
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return text
	}
	return fmt.Sprintf("the number %s", text)
}
