// Package openapi generates the OpenAPI document of the API from the descriptions of its routes, which stand beside
// their handlers in app/rest.
package openapi
