package setup

import (
	"reflect"

	about "daybook/app/field"
)

// readShape reads what to points to by its Go type alone: structs by the names of their fields in JSON, pointers to them,
// which null leaves nil, lists, texts, whole numbers, and true and false.
func readShape(v at, to any) error { return readShaped(v, reflect.ValueOf(to).Elem()) }

func readShaped(v at, to reflect.Value) error {
	switch to.Kind() {
	case reflect.Pointer:
		if v.null() {
			return nil
		}
		to.Set(reflect.New(to.Type().Elem()))
		return readShaped(v, to.Elem())
	case reflect.Struct:
		fields := map[string]field{}
		for i := range to.NumField() {
			if name, _ := about.Name(to.Type().Field(i)); name != "" {
				fields[name] = func(v at) error { return readShaped(v, to.Field(i)) }
			}
		}
		return v.object(fields)
	case reflect.Slice:
		if v.null() {
			return nil
		}
		return v.list(1000, func(v at) error {
			one := reflect.New(to.Type().Elem()).Elem()
			err := readShaped(v, one)
			to.Set(reflect.Append(to, one))
			return err
		})
	}
	return readInto(v, to)
}
