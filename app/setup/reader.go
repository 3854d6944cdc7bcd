package setup

import (
	"daybook/app/catalog"
	about "daybook/app/field"
	"daybook/app/id"
)

// readList reads a list of at most that many things of a description; null is an empty one.
func readList[T any](most int, r *about.Resource) func(at) ([]T, error) {
	return func(v at) ([]T, error) {
		all := []T{}
		if v.null() {
			return all, nil
		}
		err := v.list(most, func(v at) error {
			one, err := readObject[T](r)(v)
			all = append(all, *one)
			return err
		})
		return all, err
	}
}

// readObject reads a thing of a description.
func readObject[T any](r *about.Resource) func(at) (*T, error) {
	return func(v at) (*T, error) {
		var p patch[T]
		one := new(T)
		if err := v.needs(p.fieldsOf(r), r.Required()...); err != nil {
			return one, err
		}
		return one, p.apply(one)
	}
}

// fieldsOf returns the readers of a thing that has no identity in the file: its id is a name of its own.
func (p *patch[T]) fieldsOf(r *about.Resource) map[string]field {
	fields := p.fields(r)
	for _, f := range r.Fields {
		if f.InFile && f.Name == "id" {
			fields[f.Name] = described(&p.changes, new(T), f)
		}
	}
	return fields
}

// limitsField keeps the limits that the file does not name.
func limitsField(p *changes, to func(any) *catalog.Limits) field {
	return func(v at) error {
		if v.null() {
			p.set = append(p.set, func(t any) { *to(t) = catalog.Limits{} })
			return nil
		}
		var of patch[catalog.Limits]
		err := v.object(of.fields(&catalog.LimitsFields))
		p.set = append(p.set, func(t any) {
			for _, set := range of.set {
				set(to(t))
			}
		})
		return err
	}
}

// readPicture reads the id of a picture; empty and null are none.
func readPicture(v at) (catalog.PictureID, error) {
	if v.null() {
		return 0, nil
	}
	text, err := readText[string](v)
	if err != nil || text == "" {
		return 0, err
	}
	picture, err := id.Parse[catalog.PictureIDKind](text)
	if err != nil {
		return 0, v.wrong("must be the id of a picture, pic_…, or empty")
	}
	return picture, nil
}
