package dash

import "net/url"

// FieldsPage has the fields that the workspace keeps of its customers besides the usual ones, and a form for another one.
type FieldsPage struct {
	SettingsFrame
	Rows    []FieldRow
	Groups  []Group // of a new one; none where there is no room
	Full    string  // says so
	Problem string
}

// FieldRow is one of them.
type FieldRow struct {
	Key       string
	Label     string
	Type      string // in words, with the options of a choice
	Form      string // whether visitors are asked, in words; "" if they aren't
	Groups    []Group
	Open      bool // its form was refused
	Remove    Danger
	Place, Of int // in the list
}

// FieldsPath is the page of these fields.
const FieldsPath = SettingsPath + "/fields"

// FieldPath changes one.
func FieldPath(key string) string { return FieldsPath + "/" + url.PathEscape(key) }

// FieldMovePath moves one by so many places.
func FieldMovePath(key string) string { return FieldPath(key) + "/move" }

// FieldRemovePath removes one.
func FieldRemovePath(key string) string { return FieldPath(key) + "/remove" }

// FieldOffer is what a customer wrote in such a field with a booking, and that isn't what the card has.
type FieldOffer struct {
	Text       string // what, and when
	Key, Value string
	Submit     string
}

// ContactFieldPath takes over what a customer wrote.
func ContactFieldPath(id string) string { return ContactPath(id) + "/fields" }
