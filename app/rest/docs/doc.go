// package docs serves the OpenAPI document as a page, and the example of a set-up file.
package docs
