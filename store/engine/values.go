package engine

// Values takes row after row as the driver gives it, an integer, a text or nothing for each column: database/sql
// converts into anything but any by reflection, and integers by their text.
type Values struct{ values, dest []any }

// NewValues is for rows of so many columns.
func NewValues(columns int) *Values {
	v := &Values{make([]any, columns), make([]any, columns)}
	for i := range v.values {
		v.dest[i] = &v.values[i]
	}
	return v
}

// Read takes the next row.
func (v *Values) Read(scan func(...any) error) error { return scan(v.dest...) }

// Has reports whether the column is not NULL.
func (v *Values) Has(i int) bool { return v.values[i] != nil }

// Int returns the integer in the column, or 0 for NULL.
func (v *Values) Int(i int) int64 {
	n, _ := v.values[i].(int64)
	return n
}

// Text returns the text in the column, or "" for NULL.
func (v *Values) Text(i int) string {
	s, _ := v.values[i].(string)
	return s
}
