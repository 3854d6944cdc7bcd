package movetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// EasyAppointments answers as the API of Easy!Appointments, version 1, is documented.
type EasyAppointments struct {
	*httptest.Server
	Lists    map[string][]any // by the name of the list
	Settings map[string]string
	Waits    chan bool // of the list of appointments, which waits until it is closed; nil doesn't wait
}

// NewEasyAppointments starts a stand-in that has nothing, and no list at all until Lists is made.
func NewEasyAppointments(t testing.TB) *EasyAppointments {
	e := &EasyAppointments{}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

func (e *EasyAppointments) serve(w http.ResponseWriter, r *http.Request) {
	name, api := strings.CutPrefix(r.URL.Path, "/index.php/api/v1/")
	if r.Header.Get("Authorization") != "Bearer "+Token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if setting, is := strings.CutPrefix(name, "settings/"); is && e.Settings[setting] != "" {
		json.NewEncoder(w).Encode(object{"name": setting, "value": e.Settings[setting]})
		return
	}
	all, there := e.Lists[name]
	if !api || !there {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"code":404,"message":"The requested record was not found!"}`)
		return
	}
	if name == "appointments" && e.Waits != nil {
		select {
		case <-e.Waits:
		case <-r.Context().Done():
		}
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	length, _ := strconv.Atoi(r.URL.Query().Get("length"))
	from := min((page-1)*length, len(all))
	json.NewEncoder(w).Encode(append([]any{}, all[from:min(from+length, len(all))]...))
}
