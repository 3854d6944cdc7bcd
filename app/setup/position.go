package setup

import "daybook/app/fault"

// located adds the line of the error's field, or of the nearest value around it.
func (f *File) located(err error) error {
	e := fault.As(err)
	switch {
	case e == nil || e.Field == "":
		return err
	case len(e.Parts) > 0:
		var all mistakes
		for _, part := range e.Parts {
			all.add(f.located(part))
		}
		return all.err()
	case e.Details["line"] != nil:
		return err
	}
	return e.OnLine(f.root.LineOf(e.Field))
}
