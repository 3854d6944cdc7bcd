package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/app/account"
	"daybook/app/right"
)

// A key with the area keeps a customer's card: tags, entries that are corrected by adding, photographs without a public
// address. Keys without it get contacts as they were, and write nothing.
func TestCardOverREST(t *testing.T) {
	w := newWorld(t)
	key := w.keyOf(account.KeyInput{Scope: account.FullScope, Areas: right.Contacts})
	at := "/api/v1/contacts/"
	c := w.do(key, "POST", "/api/v1/contacts", `{"name":"Bo Berg","email":"bo@x.example","tags":["VIP","Farbe","vip"],"birthday":"--05-03","tellBy":"text"}`).json(t)
	id := c["id"].(string)
	if got := fmt.Sprintln(c["tags"], c["birthday"], c["tellBy"]); got != "[Farbe VIP] --05-03 text\n" {
		t.Errorf("created with %s", got)
	}
	w.do(key, "PATCH", at+id, `{"tags":["colour"],"tellBy":null}`)
	shown := w.do(key, "GET", at+id, "").json(t)
	if got := fmt.Sprintln(shown["tags"], shown["birthday"], shown["tellBy"]); got != "[colour] --05-03 \n" {
		t.Errorf("changed to %s", got)
	}
	for tags, n := range map[string]int{"COLOUR": 1, "colour,vip": 0} {
		if list := w.do(key, "GET", "/api/v1/contacts?tags="+tags, "").json(t)["data"].([]any); len(list) != n {
			t.Errorf("%s finds %d", tags, len(list))
		}
	}
	plain := w.do(w.full, "GET", at+id, "").json(t)
	for _, field := range []string{"tags", "birthday", "tellBy"} {
		if _, there := plain[field]; there {
			t.Errorf("a key without the area gets %s", field)
		}
	}
	for _, refused := range [][]string{{"GET", "/api/v1/contacts?tags=colour", ""}, {"POST", "/api/v1/contacts", `{"name":"X","email":"x@x.example","tags":["a"]}`},
		{"GET", at + id + "/card", ""}, {"POST", at + id + "/entries", `{"text":"x"}`}} {
		if got := w.do(w.full, refused[0], refused[1], refused[2]); got.Code != 403 || details(t, got)["reason"] != "area" {
			t.Errorf("%v without the area: %d %s", refused, got.Code, got.text)
		}
	}
	first := w.do(key, "POST", at+id+"/entries", `{"kind":"formula","text":"6/0 + 6 % 30 min","pinned":true}`).json(t)
	second := w.do(key, "POST", at+id+"/entries", `{"text":"6/0 + 9 % 30 min","corrects":"`+first["id"].(string)+`"}`)
	if got := second.json(t); second.Code != 201 || got["kind"] != "formula" || got["pinned"] != true || got["author"].(map[string]any)["name"] != "test" {
		t.Errorf("the correction: %s", second.text)
	}
	if again := w.do(key, "POST", at+id+"/entries", `{"text":"no","corrects":"`+first["id"].(string)+`"}`); again.Code != 409 || details(t, again)["reason"] != "corrected" {
		t.Errorf("corrected twice: %d %s", again.Code, again.text)
	}
	card := w.do(key, "GET", at+id+"/card", "").json(t)
	if card["formula"].(map[string]any)["text"] != "6/0 + 9 % 30 min" || card["lastVisit"] != nil || fmt.Sprint(card["spent"]) != "[]" {
		t.Errorf("the card: %v", card)
	}
	dry := w.do(key, "POST", at+id+"/entries", `{"text":"only asked","dryRun":true}`)
	if list := w.do(key, "GET", at+id+"/entries", "").text; dry.Code != 200 || strings.Contains(list, "only asked") {
		t.Errorf("a dry run wrote: %d %s", dry.Code, list)
	}
	if got := w.do(key, "DELETE", at+id+"/entries/"+second.json(t)["id"].(string), ""); got.Code != 204 {
		t.Errorf("deleted: %d %s", got.Code, got.text)
	}
	if list := w.do(key, "GET", at+id+"/entries", "").json(t)["data"].([]any); len(list) != 0 {
		t.Errorf("left: %v", list)
	}

	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 900, 600)), nil); err != nil {
		t.Fatal(err)
	}
	upload := func(query string) *httptest.ResponseRecorder {
		return w.do(key, "POST", at+id+"/files?"+query, photo.String(), "Content-Type", "image/jpeg").ResponseRecorder
	}
	if got := upload("kind=after&name=..%2F%22x%22.jpg&dryRun=true"); got.Code != 200 {
		t.Errorf("dry upload: %d %s", got.Code, got.Body)
	}
	made := upload("kind=after&name=nachher.jpg")
	var file map[string]any
	if err := json.Unmarshal(made.Body.Bytes(), &file); err != nil || made.Code != 201 || file["kind"] != "after" || file["width"] != 900.0 {
		t.Fatalf("upload: %d %s", made.Code, made.Body)
	}
	content := at + id + "/files/" + file["id"].(string) + "/content"
	got := w.do(key, "GET", content, "")
	for header, want := range map[string]string{"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff",
		"Content-Disposition": "attachment; filename=nachher.jpg", "Content-Security-Policy": "sandbox; default-src 'none'", "Cache-Control": "no-store"} {
		if got.Header().Get(header) != want {
			t.Errorf("%s is %q", header, got.Header().Get(header))
		}
	}
	if size, err := jpeg.DecodeConfig(strings.NewReader(got.text)); err != nil || size.Width != 900 {
		t.Errorf("the content: %v %v", size, err)
	}
	if small, err := jpeg.DecodeConfig(strings.NewReader(w.do(key, "GET", content+"?small=true", "").text)); err != nil || small.Width != 320 {
		t.Errorf("the small one: %v %v", small, err)
	}
	info := strings.TrimSuffix(content, "/content")
	if got := w.do(key, "GET", info, "").json(t); got["name"] != "nachher.jpg" || got["bytes"] != file["bytes"] {
		t.Errorf("the file: %v", got)
	}
	var paper map[string]any
	made = w.do(key, "POST", at+id+"/files", "%PDF-1.4", "Content-Type", "application/pdf").ResponseRecorder
	if err := json.Unmarshal(made.Body.Bytes(), &paper); err != nil || made.Code != 201 {
		t.Fatalf("PDF file: %d %s", made.Code, made.Body)
	}
	sheet := at + id + "/files/" + paper["id"].(string)
	if got := w.do(key, "GET", sheet+"/content?small=true", ""); got.Code != 404 {
		t.Errorf("a small PDF file: %d", got.Code)
	}
	if got := w.do(key, "DELETE", sheet, ""); got.Code != 204 {
		t.Errorf("deleted: %d", got.Code)
	}
	if list := w.do(key, "GET", at+id+"/files", "").json(t)["data"].([]any); len(list) != 1 {
		t.Errorf("files: %v", list)
	}
	for _, other := range []string{w.foreign, w.full, w.readOnly} {
		if got := w.do(other, "GET", content, ""); got.Code < 401 {
			t.Errorf("by another key: %d", got.Code)
		}
	}
	if got := w.do(key, "DELETE", info, ""); got.Code != 204 || w.do(key, "GET", content, "").Code != 404 {
		t.Errorf("deleted: %d", got.Code)
	}
}

// The workspace's own fields are read and replaced as one list, and their values by contacts: merged, checked, and seen by
// keys with the area only.
func TestContactFieldsOverREST(t *testing.T) {
	w := newWorld(t)
	key, settings := w.manager(), w.keyWith(w.Salon, account.FullScope, right.Settings)
	const at, contacts = "/api/v1/contact-fields", "/api/v1/contacts/"
	w.book("cut", cutAt, "bo@x.example")
	id := w.contact("bo@x.example")
	list := `{"contactFields":[{"key":"shoe","label":"Shoe size","type":"number"},{"key":"skin","label":"Skin","type":"choice","options":["dry"]}]}`
	set := w.do(settings, "PATCH", at, list)
	if set.Code != 200 || !strings.Contains(set.text, `{"key":"shoe","label":"Shoe size","type":"number"}`) || strings.Contains(set.text, "fl_") {
		t.Fatalf("%d %s", set.Code, set.text)
	}
	if got := w.do(w.full, "GET", at, ""); got.text != set.text || got.Header().Get("ETag") != set.Header().Get("ETag") {
		t.Errorf("%d %s", got.Code, got.text)
	}
	for body, field := range map[string]string{`{}`: "contactFields", `{"contactFields":[{"key":"a b","label":"A","type":"text"}]}`: "contactFields[0].key",
		`{"contactFields":[{"key":"shoe","label":"Shoe size","type":"text"},{"key":"skin","label":"Skin","type":"choice","options":["dry"]}]}`: "contactFields[0].type"} {
		if got := w.do(key, "PATCH", at, body); got.Code != 400 || details(t, got)["field"] != field {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
	patched := w.do(key, "PATCH", contacts+id, `{"fields":{"shoe":39.5,"skin":"dry"}}`)
	if fields := object(patched.json(t)["fields"]); fields["shoe"] != "39.5" || fields["skin"] != "dry" {
		t.Errorf("%d %s", patched.Code, patched.text)
	}
	if got := w.do(key, "PATCH", contacts+id, `{"fields":{"skin":null}}`); strings.Contains(got.text, `"dry"`) || got.Header().Get("ETag") == patched.Header().Get("ETag") {
		t.Errorf("%d %s", got.Code, got.text)
	}
	if got := w.do(key, "PATCH", contacts+id, `{"fields":{"size":"39"}}`); got.Code != 400 || details(t, got)["field"] != "fields.size" {
		t.Errorf("%d %s", got.Code, got.text)
	}
	if got := w.do(w.full, "GET", contacts+id, ""); got.Code != 200 || strings.Contains(got.text, "fields") {
		t.Errorf("without the area: %s", got.text)
	}
	without := `{"contactFields":[{"key":"skin","label":"Skin","type":"choice","options":["dry"]}]`
	got := w.do(key, "PATCH", at, without+`}`)
	if d := details(t, got); got.Code != 409 || d["reason"] != "field_values" || d["values"] != 1.0 {
		t.Errorf("%d %s", got.Code, got.text)
	}
	if got := w.do(settings, "PATCH", at, without+`,"deleteValues":["shoe"]}`); got.Code != 403 {
		t.Errorf("%d %s", got.Code, got.text)
	}
	if got := w.do(key, "PATCH", at, without+`,"deleteValues":["shoe"]}`); got.Code != 200 {
		t.Errorf("%d %s", got.Code, got.text)
	}
	w.do(key, "PATCH", at, list)
	if got := w.do(key, "GET", contacts+id, ""); strings.Contains(got.text, "39.5") {
		t.Errorf("it is back: %s", got.text)
	}
}
