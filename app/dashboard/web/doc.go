// Package web is what the parts of the dashboard share: a request with its member, the frame around a page, forms and
// their errors, and how times and amounts are written. It knows no part.
//
//	form.go      a form that was refused, with what was typed
//	sentence.go  an error in the reader's language, by the table in sentences.go
package web
