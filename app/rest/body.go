package rest

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/app/rest/openapi"
)

const maxBody = 1 << 20

// maxAhead is how much memory a body gets for the length that its head says.
const maxAhead = 16 << 10

// readBody reads the request's body, if it has one. Errors: unsupported_media_type, payload_too_large, bad_request.
func (c *call) readBody(w http.ResponseWriter) error {
	taken, most, wrong, tooLarge := isJSON, int64(maxBody), errNotJSON, errTooLarge
	if c.route.Media != nil {
		taken, most, wrong, tooLarge = c.isMedia, int64(c.route.MaxBytes), errNotMedia, picture.ErrTooLarge
	}
	switch {
	case c.r.ContentLength == 0:
		return nil
	case c.r.ContentLength > 0 && !taken(c.r):
		return wrong
	case c.r.ContentLength > most:
		return tooLarge
	case c.r.ContentLength > int64(cap(c.body)): // a longer one gets its memory as it comes
		c.body = make([]byte, 0, min(c.r.ContentLength, maxAhead)+1)
	}
	var err error
	c.body, err = readAll(c.body[:0], http.MaxBytesReader(w, c.r.Body, most))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return tooLarge
	case fault.As(err) != nil: // such as that it stopped coming
		return err
	case err != nil:
		return fault.New(fault.BadRequest, "incomplete_body", "The body could not be read to its end.")
	case len(c.body) > 0 && !taken(c.r):
		return wrong
	}
	return nil
}

// isMedia reports whether the request's body has one of the route's media types.
func (c *call) isMedia(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && slices.Contains(c.route.Media, kind)
}

var (
	errNotJSON  = fault.New(fault.UnsupportedMediaType, "", "Send the body as JSON, with Content-Type: application/json.")
	errNotMedia = fault.New(fault.UnsupportedMediaType, "",
		"Send the file itself as the body, with its Content-Type: image/jpeg, image/png or image/webp.")
	errTooLarge = fault.New(fault.PayloadTooLarge, "", "The body is larger than 1 MiB.").
			With("maxBytes", maxBody)
	errNoBody = fault.New(fault.BadRequest, "invalid_json", "Send a JSON object as the body.")
)

func isJSON(r *http.Request) bool {
	contentType := r.Header.Get("Content-Type")
	if contentType == "application/json" {
		return true
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/json" ||
		r.Method == http.MethodPatch && kind == "application/merge-patch+json")
}

// readAll is io.ReadAll into dst, which it may grow.
func readAll(dst []byte, r io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// decode reads the body, one JSON object, into a struct of pointers, strings, lists and maps. The error is bad_request
// and names the field: text that is not UTF-8 or contains NUL, a duplicate or unknown name, a wrong type, null.
func (c *call) decode(into any) error {
	if len(c.body) == 0 {
		if c.route.BodyOptional {
			return nil
		}
		return errNoBody
	}
	if jsontext.Value(c.body).Kind() == 'n' {
		return errNoBody
	}
	with := readers
	if c.route.Method == http.MethodPatch {
		with = mergers
	}
	err := json.Unmarshal(c.body, into, with)
	if err == nil {
		return nil
	}
	var told fault.Problems
	for body := jsontext.Value(c.body); ; {
		wrong := fault.As(err) // of a body that reads itself
		if wrong == nil {
			wrong = bodyError(err, c.route.more()...)
		}
		told.Add(wrong)
		var semantic *json.SemanticError
		if len(told) >= maxTold || len(c.body) > maxRead || !errors.As(err, &semantic) {
			return told.Err()
		}
		if body = without(body, slices.Collect(semantic.JSONPointer.Tokens())); body == nil {
			return told.Err()
		}
		if err = json.Unmarshal(body, reflect.New(reflect.TypeOf(into).Elem()).Interface(), with); err == nil {
			return told.Err()
		}
	}
}

// An error tells of so many fields of a body, of one up to this length, as each is found by reading it again.
const (
	maxTold = 10
	maxRead = 64 << 10
)

// without returns a copy of an object, or of a list, without what lies at the path. It is nil where that is one of a
// list, or not there.
func without(body jsontext.Value, path []string) jsontext.Value {
	if len(path) == 0 {
		return nil
	}
	var fields map[string]jsontext.Value
	var list []jsontext.Value
	var rest any
	switch {
	case json.Unmarshal(body, &list) == nil:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(list) {
			return nil
		}
		if list[i] = without(list[i], path[1:]); list[i] == nil {
			return nil
		}
		rest = list
	case json.Unmarshal(body, &fields) == nil && fields[path[0]] != nil:
		if fields[path[0]] = without(fields[path[0]], path[1:]); fields[path[0]] == nil {
			delete(fields, path[0])
		}
		rest = fields
	default:
		return nil
	}
	text, err := json.Marshal(rest, json.Deterministic(true)) // so that the same body is told the same
	if err != nil {
		return nil
	}
	return text
}

// more returns the fields of a body that its type hasn't got.
func (rt *route) more() []string {
	if rt.Method == http.MethodPost {
		return []string{openapi.DryRun}
	}
	return nil
}

var (
	errNull = errors.New("must not be null")
	errNUL  = errors.New("must not contain NUL")
)

var readers = json.JoinOptions(
	json.RejectUnknownMembers(true),
	json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(readText),
		json.UnmarshalFromFunc(refuseNull[*bool]),
		json.UnmarshalFromFunc(refuseNull[*invitee]),
		json.UnmarshalFromFunc(refuseNull[*booking.TextsInput]),
		json.UnmarshalFromFunc(refuseNull[map[string]any]),
		json.UnmarshalFromFunc(refuseNull[map[string]string]),
	)),
)

// mergers are the readers of a merge patch, in which null clears a text.
var mergers = json.JoinOptions(
	json.RejectUnknownMembers(true),
	json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(clearText),
		json.UnmarshalFromFunc(clearTexts),
		json.UnmarshalFromFunc(readText),
		json.UnmarshalFromFunc(refuseNull[*booking.EditInvitee]),
		json.UnmarshalFromFunc(refuseNull[*booking.TextsInput]),
		json.UnmarshalFromFunc(refuseNull[*bool]),
		json.UnmarshalFromFunc(refuseNull[map[string]*string]),
	)),
)

func clearText(d *jsontext.Decoder, s **string) error {
	if d.PeekKind() != 'n' {
		return json.SkipFunc
	}
	*s = new(string)
	_, err := d.ReadToken()
	return err
}

func clearTexts(d *jsontext.Decoder, s **clearable) error {
	if d.PeekKind() != 'n' {
		return json.SkipFunc
	}
	*s = new(clearable)
	_, err := d.ReadToken()
	return err
}

func refuseNull[T any](d *jsontext.Decoder, _ *T) error {
	if d.PeekKind() == 'n' {
		return errNull
	}
	return json.SkipFunc
}

func readText(d *jsontext.Decoder, s *string) error {
	switch d.PeekKind() {
	case 'n':
		return errNull
	case '"':
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		if *s = t.String(); strings.IndexByte(*s, 0) >= 0 {
			return errNUL
		}
		return nil
	}
	return json.SkipFunc
}

// bodyError returns the error for a body that can't be decoded. more are fields besides those of its type.
func bodyError(err error, more ...string) *fault.Error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		field := fieldPath(semantic.JSONPointer)
		switch {
		case errors.Is(err, errNull), errors.Is(err, errNUL):
			return fault.Invalid(field, "%v", semantic.Err)
		case errors.Is(err, json.ErrUnknownName):
			parent := fieldPath(semantic.JSONPointer.Parent())
			if parent != "" {
				parent, more = parent+".", nil
			}
			return fault.Unknown(parent, cut(semantic.JSONPointer.LastToken(), 50), "field of this request",
				append(openapi.FieldNames(semantic.GoType), more...))
		case semantic.JSONPointer == "":
			return errNoBody
		case semantic.GoType != nil && semantic.Err == nil:
			return fault.Invalid(field, "must be %s, not %s", wanted(semantic.GoType), given[semantic.JSONKind])
		}
		return fault.Invalid(field, "is not valid")
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return errNoBody
	}
	field := fieldPath(syntax.JSONPointer)
	why := cut(syntax.Err.Error(), 200)
	if field == "" {
		return fault.New(fault.BadRequest, "invalid_json", "The body is not valid JSON: %s.", why)
	}
	return fault.New(fault.BadRequest, "invalid_json", "The body is not valid JSON at %s: %s.", field, why).About(field)
}

// fieldPath converts a JSON pointer to the form of details.field: /invitee/email is invitee.email.
func fieldPath(p jsontext.Pointer) string {
	var parts []string
	for token := range p.Tokens() {
		if parts = append(parts, cut(token, 50)); len(parts) == 5 {
			break
		}
	}
	return strings.Join(parts, ".")
}

var given = map[jsontext.Kind]string{'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number",
	'{': "an object", '[': "an array"}

func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "another value"
}
