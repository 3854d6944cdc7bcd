package assistant

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/fault"
	"daybook/app/field"
)

// readInto reads a call's arguments into a struct. An unknown name is refused, as an ignored one could book something
// else than was meant. Errors: bad_request.
func readInto(r mcp.CallToolRequest, to any) error {
	raw := r.Params.RawArguments
	if len(raw) == 0 && r.Params.Arguments != nil {
		var err error
		if raw, err = json.Marshal(r.Params.Arguments); err != nil {
			return err
		}
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return fault.Invalid("arguments", "must be an object with the tool's arguments by name")
	}
	if _, has := all["_meta"]; has { // belongs to the protocol
		delete(all, "_meta")
		var err error
		if raw, err = json.Marshal(all); err != nil {
			return err
		}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return fault.Invalid(wrong.Field, "is of another type than %s", wrong.Type)
	case err != nil && strings.HasPrefix(err.Error(), unknown):
		name := []rune(strings.Trim(strings.TrimPrefix(err.Error(), unknown), `"`))
		return fault.Unknown("", string(name[:min(len(name), 50)]), "argument of this tool", namesOf(to))
	case err != nil:
		return fault.Invalid("arguments", "can't be read as JSON")
	}
	return nil
}

const unknown = "json: unknown field "

// namesOf returns the arguments of the struct that to points to.
func namesOf(to any) (all []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeOf(to).Elem()) {
		if name, _ := field.Name(f); name != "" {
			all = append(all, name)
		}
	}
	return all
}
