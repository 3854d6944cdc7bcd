package rest_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/setup"
	"daybook/app/shop"
)

// What a set-up file says of a product is said by POST and PATCH and read back; a till finds it by its number.
func TestProducts(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	made := w.do(key, "POST", "/api/v1/products", `{"name":"Shampoo","price":{"amount":1290}}`)
	first := made.json(t)
	id, _ := first["id"].(string)
	if made.Code != 201 || !strings.HasPrefix(id, "pd_") || made.Header().Get("ETag") == "" || first["active"] != true || first["stock"] != nil ||
		first["taxRate"] != nil || first["picture"] != "" || fmt.Sprint(first["price"]) != "map[amount:1290 currency:EUR]" {
		t.Fatal(made.Code, made.text)
	}
	at := "/api/v1/products/" + id
	picture := w.uploaded(key)
	changes := map[string]string{"name": `"Shampoo 250 ml"`, "number": `"4006381333931"`, "price": `{"amount":1390,"currency":"EUR"}`,
		"taxRate": `7`, "picture": `"` + picture + `"`, "stock": `12`, "active": `true`,
		"pass": `{"credits":10,"amount":0,"eventTypes":["` + w.eventType("ten", 30, nil).ID.String() + `"],"days":365}`}
	all := map[string]json.RawMessage{}
	for _, f := range setup.OwnProduct.Fields {
		if changes[f.Name] == "" {
			t.Fatalf("%s is not changed here", f.Name)
		}
		all[f.Name] = json.RawMessage(changes[f.Name])
	}
	body, err := json.Marshal(all)
	w.Must(err)
	got := w.patched(key, at, string(body))
	for name, c := range changes {
		var want any
		w.Must(json.Unmarshal([]byte(c), &want))
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if got := w.do(key, "DELETE", "/api/v1/pictures/"+picture, ""); got.Code != 409 {
		t.Error("a shown picture is deleted", got.Code)
	}
	w.made(key, "POST", "/api/v1/products", `{"name":"Comb","price":{"amount":0}}`)
	for path, want := range map[string]int{"products": 2, "products?q=SHAM": 1, "products?q=3339+shampoo": 1, "products?number=4006381333931": 1,
		"products?number=400638": 0, "products?archived=1": 0} {
		if got := w.do(w.readOnly, "GET", "/api/v1/"+path, ""); got.Code != 200 || len(got.json(t)["data"].([]any)) != want {
			t.Errorf("%s: %d %s", path, got.Code, got.text)
		}
	}
	// One that was sold is archived, and comes back.
	product := catalog.ProductID(0)
	w.Must(json.Unmarshal([]byte(`"`+id+`"`), &product))
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.(shop.Tx).AddToStock(w.Workspace.ID, product, -1) }))
	if got := w.do(key, "DELETE", at, ""); got.Code != 204 {
		t.Fatal(got.Code, got.text)
	}
	if got := w.do(key, "GET", at, "").json(t); got["active"] != false || got["stock"] != 11.0 {
		t.Error(got)
	}
	if got := w.do(key, "GET", "/api/v1/products?archived=1", ""); len(got.json(t)["data"].([]any)) != 1 {
		t.Error(got.text)
	}
	if got := w.patched(key, at, `{"active":true,"stock":null,"taxRate":null,"picture":null,"number":null}`); got["stock"] != nil || got["number"] != "" || got["active"] != true {
		t.Error(got)
	}
}

// uploaded returns the id of a picture.
func (w *world) uploaded(key string) string {
	w.T.Helper()
	got := w.do(w.full, "POST", "/api/v1/pictures", smallPNG(w.T, 400), "Content-Type", "image/png")
	id, _ := got.json(w.T)["id"].(string)
	if got.Code >= 300 || id == "" {
		w.T.Fatal(got.Code, got.text)
	}
	return id
}

// What is wrong is named as it stands in the body, and nothing is kept of it.
func TestWrongProducts(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	id := w.do(key, "POST", "/api/v1/products", `{"name":"Wax","number":"W1","price":{"amount":900}}`).json(t)["id"].(string)
	w.made(key, "POST", "/api/v1/products", `{"name":"Comb","number":"K1","price":{"amount":900}}`)
	before := w.do(key, "GET", "/api/v1/products", "").text
	for _, c := range []struct {
		method, path, body string
		status             int
		reason, field      string
	}{
		{"POST", "products", `{"price":{"amount":1}}`, 400, "invalid", "name"},
		{"POST", "products", `{"name":"X"}`, 400, "invalid", "price"},
		{"POST", "products", `{"name":"X","price":null}`, 400, "invalid", "price"},
		{"POST", "products", `{"name":"X","price":{"amount":-1}}`, 400, "invalid", "price.amount"},
		{"POST", "products", `{"name":"X","price":{"amount":1},"stock":1.5}`, 400, "invalid", "stock"},
		{"POST", "products", `{"name":"X","price":{"amount":1},"stock":1000001}`, 400, "invalid", "stock"},
		{"POST", "products", `{"name":"X","price":{"amount":1},"taxRate":101}`, 400, "invalid", "taxRate"},
		{"POST", "products", `{"name":"X","price":{"amount":1},"picture":"pic_1p4s8yvz00n1b"}`, 400, "invalid", "picture"},
		{"POST", "products", `{"name":"X","price":{"amount":1},"number":"` + strings.Repeat("1", 65) + `"}`, 400, "invalid", "number"},
		{"POST", "products", `{"name":"X","price":{"amount":1},"id":"pd_1"}`, 400, "invalid", "id"},
		{"POST", "products", `{"name":"WAX","price":{"amount":1}}`, 409, "name_taken", "name"},
		{"POST", "products", `{"name":"X","number":"w1","price":{"amount":1}}`, 409, "number_taken", "number"},
		{"PATCH", "products/" + id, `{"number":"k1"}`, 409, "number_taken", "number"},
		{"PATCH", "products/pd_nothing", `{"name":"X"}`, 404, "not_found", ""},
		{"DELETE", "products/pd_nothing", ``, 404, "not_found", ""},
		{"GET", "products?number=", ``, 400, "invalid", "number"},
	} {
		got := w.do(key, c.method, "/api/v1/"+c.path, c.body)
		_, reason, field := got.errorOf(t)
		if got.Code != c.status || c.status != 404 && reason != c.reason || field != c.field {
			t.Errorf("%s %s: %d %s", c.path, c.body, got.Code, got.text)
		}
	}
	if now := w.do(key, "GET", "/api/v1/products", "").text; now != before {
		t.Errorf("something was changed: %s", now)
	}
	if got := w.do(w.full, "POST", "/api/v1/products", `{"name":"X","price":{"amount":1}}`); got.Code != 403 {
		t.Error("a key without settings made a product:", got.Code)
	}
}

// The accounts of an accountant are changed one by one, and nobody's change is lost.
func TestAccounts(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	first := w.do(key, "GET", "/api/v1/accounts", "")
	if first.Code != 200 || first.json(t)["cash"] != "" || fmt.Sprint(first.json(t)["revenue"]) != "[]" {
		t.Fatal(first.Code, first.text)
	}
	got := w.patched(key, "/api/v1/accounts", `{"cash":"1000","consultant":1001,"revenue":[{"rate":19,"account":"8400"},{"rate":null,"account":"8200","taxKey":"40"}]}`)
	if got["cash"] != "1000" || len(got["revenue"].([]any)) != 2 {
		t.Error(got)
	}
	if got := w.patched(key, "/api/v1/accounts", `{"card":"1360","consultant":null}`); got["cash"] != "1000" || got["card"] != "1360" || got["consultant"] != 0.0 {
		t.Error(got)
	}
	if got := w.do(key, "PATCH", "/api/v1/accounts", `{"cash":"1"}`, "If-Match", first.Header().Get("ETag")); got.Code != 412 {
		t.Error(got.Code, got.text)
	}
	for body, field := range map[string]string{`{"cash":"1 0"}`: "cash", `{"length":9}`: "length", `{"revenue":[{"rate":19}]}`: "revenue[0].account",
		`{"revenue":[{"account":"1"},{"account":"2"}]}`: "revenue[1].rate", `{"bank":"1"}`: "bank"} {
		got := w.do(key, "PATCH", "/api/v1/accounts", body)
		if _, _, at := got.errorOf(t); got.Code != 400 || at != field {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
}
