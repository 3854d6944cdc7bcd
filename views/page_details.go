package views

import (
	"strconv"

	"github.com/a-h/templ"
)

// challenge tells the script how many zero bits the proof of work must begin with.
func challenge(bits int) templ.OrderedAttributes {
	if bits == 0 {
		return nil
	}
	return templ.OrderedAttributes{{Key: "data-challenge", Value: strconv.Itoa(bits)}}
}

func (v DetailsPage) all() []Field {
	all := v.Fields[:len(v.Fields):len(v.Fields)]
	for _, f := range []*Field{v.Pass, v.FeeConsent} {
		if f != nil {
			all = append(all, *f)
		}
	}
	return all
}

func (v DetailsPage) submit() string {
	switch {
	case v.PayNext:
		return v.T("submit_pay")
	case v.Event.Approval:
		return v.T("submit_request")
	case v.Repeat != nil && len(v.Repeat.Dates) > 0:
		return v.T("series_submit")
	}
	return v.T("submit_book")
}
