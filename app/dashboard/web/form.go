package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/views/dash"
)

// Fill puts back what was typed and adds what is wrong with it: under the fields that the error names, and otherwise as
// the result. A password is never put back.
func (c *Call) Fill(groups []dash.Group, typed url.Values, e *fault.Error) (problem string) {
	left := Parts(e) // errors that no field has shown yet
	for g := range groups {
		for i := range groups[g].Inputs {
			in := &groups[g].Inputs[i]
			if typed != nil {
				in.Value, in.Checked, in.Values = typed.Get(in.Name), typed.Has(in.Name), typed[in.Name]
				in.Unit = typed.Get(in.Name + ".unit")
			}
			if in.Kind == "password" || in.Kind == "new-password" {
				in.Value = ""
			}
			left = slices.DeleteFunc(left, func(e *fault.Error) bool {
				if !fieldIs(e.Field, in.Name) {
					return false
				}
				if in.Error == "" && in.Kind == "span" {
					in.Error = c.spanSentence(e)
				}
				if in.Error == "" {
					in.Error, in.ErrorNames = c.sentenceAt(e, in.Label)
				}
				return true
			})
		}
	}
	rest := make([]string, len(left))
	for i, e := range left {
		rest[i] = c.Sentence(e)
		for _, key := range WeekOrder {
			if strings.Contains(e.Field, "weekly."+key) {
				rest[i] = c.Locale.Labelled(c.DayName(key), rest[i])
			}
		}
	}
	return strings.Join(rest, " ")
}

// Parts returns an error and the others in it.
func Parts(e *fault.Error) []*fault.Error {
	if e == nil {
		return nil
	}
	return append([]*fault.Error{e}, e.Others...)
}

// fieldIs reports whether the field of an error, such as eventType.slug, is the input of that name.
func fieldIs(field, name string) bool {
	if key, asked := strings.CutPrefix(name, "q."); asked && field == "answers."+key {
		return true
	}
	return field == name || strings.HasSuffix(field, "."+name) || strings.HasPrefix(field, name+"[") ||
		strings.Contains(field, "."+name+"[") || strings.Contains(field, "."+name+".")
}

// Refused is err if the form can show it, or nil if it is for someone else.
func Refused(err error) *fault.Error {
	e := fault.As(err)
	if e == nil || e.Code != fault.BadRequest && e.Code != fault.Conflict && e.Code != fault.RateLimited &&
		e.Code != fault.Unauthorized {
		return nil
	}
	return e
}

// RefusedStatus returns the status of a form that is shown again; 200 without an error.
func RefusedStatus(e *fault.Error) int {
	if e == nil {
		return http.StatusOK
	}
	return StatusOf(e.Code)
}

// Posted returns the content of the posted form.
func (c *Call) Posted() (url.Values, error) {
	if err := c.ParseForm(); fault.As(err) != nil { // such as a body that stopped coming
		return nil, err
	} else if err != nil {
		return nil, fault.New(fault.BadRequest, "", "The form could not be read, or is too large.")
	}
	return c.PostForm, nil
}
