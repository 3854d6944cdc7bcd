package follow

// Memo keeps answers by what was asked, so that a Plan asks once for all of its entries. It is for one goroutine and
// one Plan, and never looks again. Keys tell by their type what they are of.
type Memo map[any]any

// Ask returns the answer in m, or else finds it and keeps it there. After an error nothing is kept.
func Ask[V any](m Memo, key any, find func() (V, error)) (V, error) {
	if v, known := m[key]; known {
		return v.(V), nil
	}
	v, err := find()
	if err == nil {
		m[key] = v
	}
	return v, err
}
