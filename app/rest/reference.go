package rest

import "net/http"

func serveReference(d *document) http.HandlerFunc { return func(w http.ResponseWriter, r *http.Request) {} }
