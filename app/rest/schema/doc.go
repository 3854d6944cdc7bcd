// package schema makes JSON Schemas of the Go types that the API encodes and decodes. texts.go describes their objects
// and fields in words, in two plain maps; event.go and error_details.go are the shapes that have no Go type elsewhere.
package schema
