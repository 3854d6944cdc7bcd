// package docs shows the OpenAPI document as a page, and serves the example of a set-up file.
package docs
