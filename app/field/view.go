package field

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// A Door is one that strangers come to. It returns the JSON tag that a field has there, or "" for one that doesn't stand
// there; tag is that of the Go type.
type Door func(f *Field, tag string) string

// ForPublicKeys is the door of programs with a public key, such as a page of the business's own.
func ForPublicKeys(f *Field, tag string) string {
	if f.Public {
		return tag
	}
	return ""
}

// ForGuests is the door of people's assistants, which have no key.
func ForGuests(f *Field, _ string) string { return f.Guests }

// View makes of a T what a door shows of it: the fields that stand there by their description, also within structs, and
// after them those of More.
type View[T, More any] struct {
	of    *shape
	more  reflect.Type
	index []int // of the fields of More
	typ   reflect.Type
}

// NewView returns the view of a T at a door. A field of More stands in for one of the same name of T. It panics where a
// field that stands at the door is a struct without a description of its own, see Field.Of, and where one is or holds
// what would be shown whole without anybody having said so: a map or an array of structs, or an any.
func NewView[T, More any](r *Resource, d Door) *View[T, More] {
	v := &View[T, More]{more: reflect.TypeFor[More]()}
	var own []reflect.StructField
	for _, f := range reflect.VisibleFields(v.more) {
		own, v.index = append(own, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag}), append(v.index, f.Index[0])
	}
	v.of = shapeOf(reflect.TypeFor[T](), r, d, own...)
	v.typ = v.of.typ
	return v
}

// Type returns the type of what Of returns: a struct.
func (v *View[T, More]) Type() reflect.Type { return v.typ }

// Of returns what the door shows of t, with more.
func (v *View[T, More]) Of(t *T, more More) any {
	shown, own := v.of.show(reflect.ValueOf(t).Elem()), reflect.ValueOf(more)
	for i, at := range v.index {
		shown.Field(len(v.of.parts) + i).Set(own.Field(at))
	}
	return shown.Interface()
}

// shape is what a door shows of a type.
type shape struct {
	typ   reflect.Type
	whole bool   // typ is the type itself
	parts []part // of a struct
	inner *shape // of a pointer's or slice's elements
}

type part struct {
	index []int // in the type
	of    *shape
}

var marshaler = reflect.TypeFor[json.Marshaler]()

func shapeOf(t reflect.Type, r *Resource, d Door, more ...reflect.StructField) *shape {
	s := &shape{typ: t, whole: true}
	switch {
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice:
		if s.inner = shapeOf(t.Elem(), r, d); s.inner.whole {
			return s
		}
		s.whole, s.typ = false, reflect.SliceOf(s.inner.typ)
		if t.Kind() == reflect.Pointer {
			s.typ = reflect.PointerTo(s.inner.typ)
		}
		return s
	case t.Kind() != reflect.Struct && !plain(t):
		panic(fmt.Sprintf("what strangers are shown of %s can't be described: show a list of structs instead", t))
	case t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(marshaler):
		return s
	case r == nil:
		panic(fmt.Sprintf("what strangers are shown of %s is not described", t))
	}
	replaced := map[string]bool{}
	for _, f := range more {
		name, _ := Name(f)
		replaced[name] = true
	}
	var fields []reflect.StructField
	s.whole = len(more) == 0
	for _, f := range reflect.VisibleFields(t) {
		name, _ := Name(f)
		about := r.Field(name)
		if name == "" || about == nil {
			s.whole = s.whole && name == ""
			continue
		}
		had := f.Tag.Get("json")
		tag := d(about, had)
		if shown, _ := Name(reflect.StructField{Name: f.Name, Tag: jsonTag(tag)}); tag == "" || replaced[shown] {
			s.whole = false
			continue
		}
		of := shapeOf(f.Type, about.Of, d)
		s.whole = s.whole && of.whole && tag == had
		s.parts = append(s.parts, part{f.Index, of})
		fields = append(fields, reflect.StructField{Name: f.Name, Type: of.typ, Tag: jsonTag(tag)})
	}
	if !s.whole {
		s.typ = reflect.StructOf(append(fields, more...))
	}
	return s
}

// plain reports whether there is nothing in a t that a door could leave out.
func plain(t reflect.Type) bool {
	if t.Kind() == reflect.Interface {
		return false
	}
	if reflect.PointerTo(t).Implements(marshaler) {
		return true
	}
	switch t.Kind() {
	case reflect.Struct:
		return false
	case reflect.Map, reflect.Array, reflect.Slice, reflect.Pointer:
		return plain(t.Elem())
	}
	return true
}

func jsonTag(tag string) reflect.StructTag { return reflect.StructTag(fmt.Sprintf("json:%q", tag)) }

// show returns what is shown of v.
func (s *shape) show(v reflect.Value) reflect.Value {
	switch {
	case s.whole:
		return v
	case s.inner == nil:
		shown := reflect.New(s.typ).Elem()
		for i, p := range s.parts {
			shown.Field(i).Set(p.of.show(v.FieldByIndex(p.index)))
		}
		return shown
	case v.IsNil():
		return reflect.Zero(s.typ)
	case v.Kind() == reflect.Pointer:
		shown := reflect.New(s.inner.typ)
		shown.Elem().Set(s.inner.show(v.Elem()))
		return shown
	}
	shown := reflect.MakeSlice(s.typ, v.Len(), v.Len())
	for i := range v.Len() {
		shown.Index(i).Set(s.inner.show(v.Index(i)))
	}
	return shown
}
