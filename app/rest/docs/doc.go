// Package docs serves the documentation of the API at /api/docs: guides, and a page for each operation and object, made
// from the OpenAPI document and the contract. Every page is written in Markdown (CommonMark, with GitHub's tables):
// so it is served at its path with .md, and as HTML at its path. Nothing on a page comes from elsewhere, and no page
// needs a key or a script; scripts add tabs of languages and buttons that copy.
package docs
