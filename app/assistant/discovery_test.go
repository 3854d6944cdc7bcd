package assistant_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
)

// What stands nowhere: the business that has not switched it on, hidden and closed services.
var unlisted = []string{"quiet", "Quiet", "talk", "secret", "trainees", "Perm", "/closed"}

func TestListsHaveWhoSwitchedItOn(t *testing.T) {
	w := newWorld(t)
	w.has("/llms.txt", 200, []string{"[Salon (Ana)](https://book.example.com/salon/llms.txt): Cuts and colour", "/api/docs"}, unlisted)
	w.has("/salon/llms.txt", 200, []string{"# Salon (Ana)", "[Haircut](https://book.example.com/salon/cut): 60 minutes, 45.00 EUR. Wash, cut and dry.\n",
		"https://book.example.com/api/guest/salon/mcp", "Time zone: Europe/Berlin"}, append(unlisted, "Come early"))
	w.has("/sitemap.xml", 200, []string{"<loc>https://book.example.com/salon</loc>", "<loc>https://book.example.com/salon/cut</loc>"}, unlisted)
	w.has("/.well-known/mcp.json", 200, []string{"https://book.example.com/api/guest/salon/mcp", "https://book.example.com/api/mcp"}, unlisted)
	w.has("/robots.txt", 200, []string{"Sitemap: https://book.example.com/sitemap.xml", "Disallow: /dashboard"}, append(unlisted, "/booking"))
	w.has("/quiet/llms.txt", 404, nil, unlisted)
	w.has("/nobody/llms.txt", 404, nil, nil)
	w.has("/salon", 200, []string{`"ReserveAction"`, `https://book.example.com/salon/llms.txt`}, unlisted)
	w.has("/quiet", 200, []string{`"ReserveAction"`}, []string{"llms.txt"})

	var m struct {
		Servers []struct {
			URL            string
			Authentication struct{ Required bool }
		}
	}
	w.Must(json.Unmarshal(w.do("GET", "/.well-known/mcp.json").Body.Bytes(), &m))
	if len(m.Servers) != 2 || !m.Servers[0].Authentication.Required || m.Servers[1].Authentication.Required {
		t.Errorf("servers: %+v", m.Servers)
	}
	var s struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	w.Must(xml.Unmarshal(w.do("GET", "/sitemap.xml").Body.Bytes(), &s))
	if len(s.URL) != 3 {
		t.Errorf("sitemap: %+v", s)
	}
}

func TestABusinessThatEndsItIsGoneAtOnce(t *testing.T) {
	w := newWorld(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.AssistantsMayBook = false })
	w.Must(err)
	for _, path := range []string{"/llms.txt", "/sitemap.xml", "/.well-known/mcp.json"} {
		w.has(path, 200, nil, []string{"salon"})
	}
	w.has("/salon/llms.txt", 404, nil, []string{"Ana"})
	w.has("/salon", 200, nil, []string{"llms.txt"})
	_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.AssistantsMayBook = true })
	w.Must(err)
	w.Must(w.Shop.DeleteWorkspace(t.Context(), w.Owner, "salon"))
	w.has("/llms.txt", 200, nil, []string{"salon"})
	w.has("/salon/llms.txt", 404, nil, nil)
}

func TestDocumentsAreRead(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/llms.txt", "/salon/llms.txt", "/sitemap.xml", "/robots.txt", "/.well-known/mcp.json"} {
		head, get := w.do("HEAD", path), w.do("GET", path)
		if head.Code != 200 || head.Body.Len() > 0 || head.Header().Get("Content-Length") != fmt.Sprint(get.Body.Len()) {
			t.Errorf("HEAD %s: %d %v", path, head.Code, head.Header())
		}
		if get.Header().Get("Access-Control-Allow-Origin") != "*" || get.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", path, get.Header())
		}
		if a := w.do("POST", path); a.Code != 405 {
			t.Errorf("POST %s: %d", path, a.Code)
		}
	}
}

// Pages of a booking and of an invitation are in no index, whatever they answer.
func TestPagesOfLinksAreNotIndexed(t *testing.T) {
	w := newWorld(t)
	b, err := w.Book(t.Context(), w.Owner, input("cut", "1T10:00", "mia"))
	w.Must(err)
	at := b.ManageURL[strings.Index(b.ManageURL, "/booking/"):]
	for _, path := range []string{at, at + "/reschedule", at + "/cancel", "/booking/nothing"} {
		a := w.do("GET", path)
		if a.Header().Get("X-Robots-Tag") != "noindex" || !strings.Contains(a.Body.String(), `name="robots" content="noindex"`) {
			t.Errorf("%s: %d %v", path, a.Code, a.Header())
		}
	}
	if a := w.do("GET", "/salon/cut"); a.Header().Get("X-Robots-Tag") != "" || strings.Contains(a.Body.String(), "noindex") {
		t.Error("the page of a service is not indexed")
	}
}

func TestSetupAsksAndFilesSay(t *testing.T) {
	w := newWorld(t)
	made, err := w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "fresh", Name: "Fresh", TimeZone: "UTC"})
	w.Must(err)
	if made.AssistantsMayBook {
		t.Error("a new workspace lets assistants book without being asked")
	}
	doc, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
	w.Must(err)
	text, err := doc.YAML()
	w.Must(err)
	if !strings.Contains(string(text), "assistantsMayBook: true") {
		t.Errorf("export: %s", text)
	}
}
