package rest

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

// dryRunParam is for uploads, whose body is the file. Other POSTs have it in their body.
var dryRunParam = openapi.Param{Name: openapi.DryRun, Kind: "boolean", Default: false,
	Text: "Only answer what the upload would do."}

// dryRun reports whether a POST is one that is to be undone, and takes that out of its body. Errors: bad_request.
func (c *call) dryRun() (bool, error) {
	if c.route.Media != nil {
		return c.query.flag(openapi.DryRun), nil
	}
	if !bytes.Contains(c.body, []byte(openapi.DryRun)) || jsontext.Value(c.body).Kind() != '{' {
		return false, nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(c.body))
	if _, err := d.ReadToken(); err != nil {
		return false, bodyError(err)
	}
	var dry, given bool
	kept := []byte{'{'}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false, bodyError(err)
		}
		named := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return false, bodyError(err)
		}
		if named != openapi.DryRun {
			if len(kept) > 1 {
				kept = append(kept, ',')
			}
			if kept, err = jsontext.AppendQuote(kept, named); err != nil {
				return false, bodyError(err)
			}
			kept = append(append(kept, ':'), value...)
			continue
		}
		switch given = true; value.Kind() {
		case 't':
			dry = true
		case 'f':
		default:
			return false, fault.Invalid(openapi.DryRun, "must be true or false")
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return false, bodyError(err)
	}
	if given { // decode says what is wrong behind the object
		c.body = append(append(kept, '}'), c.body[d.InputOffset():]...)
	}
	return dry, nil
}

// rehearse answers what a POST would do, see subjects.Set.DryRun.
func (d *door) rehearse(c *call) (app.Response, error) {
	run, err := d.Set.DryRun(c.ctx, c.actor, func(ctx context.Context, in *subjects.Set) (any, error) {
		bound := *c
		bound.ctx = ctx
		answer, err := c.route.handle(&door{in, d.log, d.public}, &bound)
		if err != nil || len(answer.Body) == 0 {
			return nil, err
		}
		return json.RawMessage(bytes.Clone(answer.Body)), nil
	})
	return encoded(run, err)
}
