package dashboard

import (
	"encoding/json"
	"fmt"

	"daybook/assets"
	"daybook/views/brand"
	"daybook/views/dash"
)

// What makes the dashboard an app that can be put on a phone's home screen: a manifest, and a worker that has a page
// for when there is no network.

type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

type manifest struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	Lang       string         `json:"lang"`
	StartURL   string         `json:"start_url"`
	Scope      string         `json:"scope"`
	Display    string         `json:"display"`
	Theme      string         `json:"theme_color"`
	Background string         `json:"background_color"`
	Icons      []manifestIcon `json:"icons"`
}

// manifest describes the app; it has the name of the business that the visitor is signed in to. Its scope is the whole
// server, since people sign in outside the dashboard's path.
func (c call) manifest() error {
	name := "Daybook"
	if c.Setup != nil {
		name = c.Setup.Workspace.Name
	}
	const png = "image/png"
	m := manifest{ID: dash.TodayPath, Name: name, ShortName: name, Lang: c.Locale.Tag, StartURL: dash.TodayPath,
		Scope: "/", Display: "standalone", Theme: dash.ThemeColorLight, Background: dash.ThemeColorLight,
		Icons: []manifestIcon{
			{Src: assets.Path("icon-192.png"), Sizes: "192x192", Type: png},
			{Src: assets.Path("icon-512.png"), Sizes: "512x512", Type: png},
			{Src: assets.Path("icon-mask.png"), Sizes: "512x512", Type: png, Purpose: "maskable"},
		}}
	c.Header().Set("Content-Type", "application/manifest+json")
	return json.NewEncoder(c.ResponseWriter).Encode(m)
}

// worker is the service worker's script. It changes with every release that changes an asset, so that browsers notice.
func (c call) worker() error {
	kept := map[string]any{"offline": dash.OfflinePath, "icon": assets.Path("icon-192.png"), "assets": []string{
		assets.Path("dash.css"), assets.Path("dash.js"),
		assets.Path("icon.svg"), brand.Path("")}}
	list, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	kept["version"] = assets.Hash(append(list, assets.Path("worker.js")...))
	if list, err = json.Marshal(kept); err != nil {
		return err
	}
	c.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	c.Header().Set("Cache-Control", "no-cache")
	c.Header().Set("Service-Worker-Allowed", dash.TodayPath)
	_, err = fmt.Fprintf(c.ResponseWriter, "const kept = %s;\nimportScripts(%q);\n", list, assets.Path("worker.js"))
	return err
}

// offline is the page that the worker shows when there is no network. It is kept on the device, so it says nothing of
// the business or of who is signed in.
func (c call) offline() error {
	f := dash.Frame{Locale: c.Locale, Title: c.Locale.T("shell_offline_title")}
	return c.Show(200, dash.Notice(dash.NoticePage{Frame: f, Text: c.Locale.T("shell_offline_text"), URL: dash.TodayPath,
		Label: c.Locale.T("shell_offline_again")}))
}
