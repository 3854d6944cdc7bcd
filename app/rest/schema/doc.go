// package schema generates JSON Schemas from the Go types that the API encodes and decodes. The texts about resources
// and requests stand beside their types (see record.Described); texts.go has those of lists, errors and events.
// event.go and error_details.go are the types that exist only for the document.
package schema
