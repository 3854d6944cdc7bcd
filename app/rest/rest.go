package rest

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"daybook/app/access"
	"daybook/app/fault"
	"daybook/app/rest/docs"
	"daybook/app/subjects"
)

// Options are the settings of the door.
type Options struct {
	Version string       // of the program, shown in the document
	Logger  *slog.Logger // nil discards
	Public  PublicOptions

	// MayMakeKeys reports whether a page of the documentation is asked for by somebody who may make API keys in the
	// dashboard; nil is nobody.
	MayMakeKeys func(*http.Request) bool
	// Known returns what the documentation shows of the other parts of the program; nil is nothing.
	Known func() docs.Known
}

// New returns the door, to be mounted at /api/. It keeps an X-Request-Id that the ResponseWriter already has, and sets
// one otherwise.
func New(s *subjects.Set, o Options) http.Handler {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	d := &door{Set: s, log: o.Logger, public: NewPublic(s, o.Public)}
	mux := http.NewServeMux()
	methods := map[string][]string{}
	serve := func(method, path string, h http.HandlerFunc) {
		mux.Handle(method+" "+prefix+path, h)
		methods[path] = append(methods[path], method)
	}
	doc := describeRoutes(s.BaseURL(), o.Version)
	for i := range routes {
		serve(routes[i].Method, routes[i].Path, d.handle(&routes[i]))
	}
	serve(http.MethodGet, "/v1/openapi.json", serveDocument(doc, s.Now))
	site := docs.New(doc, s.Now, d.unknownPath, o.MayMakeKeys, o.Known)
	serve(http.MethodGet, docs.Path, site.ServeHTTP)
	serve(http.MethodGet, docs.Path+"/{page...}", site.ServeHTTP)
	for path, allowed := range methods {
		mux.Handle(prefix+path, d.otherMethod(path, allowed))
	}
	mux.HandleFunc("/", d.unknownPath)
	return d.entry(mux)
}

const prefix = "/api"

// entry sets the request's id if it has none, and keeps the mux from redirecting, as it would answer in HTML.
func (d *door) entry(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := w.Header(); h["X-Request-Id"] == nil {
			h.Set("X-Request-Id", newRequestID())
		}
		if p := r.URL.Path; strings.Contains(p, "//") || strings.Contains(p, "/.") || r.Method == http.MethodConnect {
			d.unknownPath(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (d *door) unknownPath(w http.ResponseWriter, r *http.Request) {
	err := d.admitIfKeyed(w, r)
	if err == nil {
		err = fault.New(fault.NotFound, "", "There is nothing at this path; /api/docs has the list of paths.")
	}
	access.WriteError(w, err, d.log)
}

// otherMethod answers OPTIONS with the methods that the path allows, and other methods with 405.
func (d *door) otherMethod(path string, methods []string) http.HandlerFunc {
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	methods = append(methods, http.MethodOptions)
	slices.Sort(methods)
	allow := strings.Join(methods, ", ")
	open := strings.HasPrefix(path, docs.Path) || path == "/v1/openapi.json"
	return func(w http.ResponseWriter, r *http.Request) {
		var err error
		if !open && r.Method != http.MethodOptions {
			_, err = access.Admit(d.Account, w, r)
		}
		if err == nil {
			w.Header().Set("Allow", allow)
			if r.Method == http.MethodOptions {
				if strings.HasPrefix(path, Path) {
					Preflight(w, r)
				}
				w.WriteHeader(http.StatusNoContent)
				return
			}
			err = fault.New(fault.MethodNotAllowed, "", "This path does not take %s; it takes %s.", cut(r.Method, 20), allow)
		}
		access.WriteError(w, err, d.log)
	}
}

// admitIfKeyed checks and counts the key of a request that needs none but has one.
func (d *door) admitIfKeyed(w http.ResponseWriter, r *http.Request) error {
	if r.Header.Get("Authorization") == "" {
		return nil
	}
	_, err := access.Admit(d.Account, w, r)
	return err
}
