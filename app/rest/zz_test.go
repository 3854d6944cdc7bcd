package rest_test

import (
	"daybook/app/rest"
	"daybook/app/rooms"
	"net/http/httptest"
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	rec := httptest.NewRecorder()
	rest.New(rooms.New(rooms.Config{}), rest.Options{Version: "1"}).ServeHTTP(rec, httptest.NewRequest("GET", "/api/v1/openapi.json", nil))
	os.WriteFile("/tmp/s/doc.json", rec.Body.Bytes(), 0o644)
}
