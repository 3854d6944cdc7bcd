package integrations

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agentsetup"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/dash"
)

// developers redirects to the first tab that the role may see.
func (c call) developers() error {
	if c.May(app.MayManageKeys) {
		return c.keys()
	}
	return c.webhooks()
}

// devTabs are the pages of the developers' tab.
func (c call) devTabs(at string) (tabs []dash.Tab) {
	if at == "embed" {
		return nil
	}
	add := func(key, label, url string) {
		tabs = append(tabs, dash.Tab{Label: label, URL: url, Current: key == at})
	}
	if c.May(app.MayManageKeys) {
		add("keys", "API keys", dash.KeysPath)
	}
	add("webhooks", "Webhooks", dash.WebhooksPath)
	add("agents", "Agents", dash.AgentsPath)
	return tabs
}

func (c call) devPage(at string) dash.DevelopersPage {
	v := dash.DevelopersPage{Frame: c.Frame("Developers", "integrations"), Tabs: c.integrationTabs(dash.KeysPath),
		Views: c.devTabs(at),
		Intro: "Your own programs can do everything that people can do here, through the API."}
	if at == "embed" {
		v.Title, v.Tabs = "Website", c.integrationTabs(dash.EmbedPath)
	}
	return v
}

var scopeNames = map[account.Scope]string{account.FullScope: "Full access", account.ReadOnlyScope: "Read only"}

func (c call) keys() error {
	keys, err := c.Rooms.Account.Keys(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := c.devPage("keys")
	v.NewKeyURL = dash.NewKeyPath
	for i := range keys {
		v.Keys = append(v.Keys, c.keyRow(&keys[i]))
	}
	return c.Show(200, dash.Developers(v))
}

func (c call) keyRow(k *account.Key) dash.KeyRow {
	id := k.ID.String()
	r := dash.KeyRow{
		ID: id, Name: k.Name, Hint: k.Hint, Scope: scopeNames[k.Scope], Limit: strconv.Itoa(k.RateLimit) +
			" requests a minute",
		Used: "Never used", Made: "created " + c.Ago(k.CreatedAt), State: dash.Badge{Text: "Active", Tone: "good"},
		Revoked: k.RevokedAt != 0,
	}
	if k.LastUsedAt != 0 {
		r.Used = "Used " + c.Ago(k.LastUsedAt)
	}
	if r.Revoked {
		r.State = dash.Badge{Text: "Revoked"}
	} else if k.PreviousUntil > when.At(c.Rooms.Now()) {
		r.State = dash.Badge{Text: "Old value valid for " + c.Until(k.PreviousUntil)[3:], Tone: "warn"}
	}
	r.Rotate = dash.Danger{Title: "Rotate key", Text: "“" + k.Name + "” gets a new value, which is shown once.",
		Action: dash.KeyRotatePath(id), Submit: "Rotate key", Quiet: true,
		Inputs: []dash.Input{{ID: id + "-grace", Name: "grace", Label: "The old value stays valid for", Kind: "select",
			Value: "24h", Options: graceOptions}}}
	r.Revoke = dash.Danger{Title: "Revoke key",
		Text:   "A program that uses “" + k.Name + "” is refused from its next request on. This can't be undone.",
		Action: dash.KeyRevokePath(id), Submit: "Revoke key"}
	return r
}

var graceOptions = []dash.Option{{Value: "0s", Label: "no time: it stops at once"}, {Value: "1h", Label: "an hour"},
	{Value: "24h", Label: "a day"}, {Value: "168h", Label: "a week"}}

// grace is how long an old value stays valid.
func grace(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

func (c call) newKeyForm() error { return c.showNewKey(nil, nil) }

func (c call) showNewKey(typed map[string][]string, e *fault.Error) error {
	v := dash.FormPage{Frame: c.Frame("New API key", "integrations"), BackURL: dash.KeysPath, BackLabel: "API keys",
		Action: dash.NewKeyPath, Submit: "Create key",
		Groups: []dash.Group{{Inputs: []dash.Input{
			{Name: "name", Label: "What is it for?", Required: true, Placeholder: "Web shop", Focus: true},
			{Name: "scope", Label: "What may it do?", Kind: "select", Value: "full",
				Options: []dash.Option{{Value: "full", Label: "Full access: read, book, move, cancel"},
					{Value: "read-only", Label: "Read only"}}},
			{Name: "rateLimit", Label: "Rate limit", Kind: "number", Value: strconv.Itoa(account.DefaultRateLimit),
				Suffix: "requests a minute", Required: true, Min: "1", Half: true},
		}}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

func (c call) newKey() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form}
	in := account.KeyInput{Name: form.Get("name"), Scope: account.Scope(form.Get("scope")),
		RateLimit: r.Whole("rateLimit")}
	var k account.NewKey
	if err = r.Err; err == nil {
		k, err = c.Rooms.Account.CreateKey(c.Context(), c.Actor, in)
	}
	if e := web.Refused(err); e != nil {
		return c.showNewKey(form, e)
	}
	if err != nil {
		return err
	}
	return c.showKey(k)
}

// showKey shows a key's value, which is possible only once.
func (c call) showKey(k account.NewKey) error {
	base := c.Rooms.BaseURL()
	return c.Show(200, dash.Secret(dash.SecretPage{
		Frame: c.Frame("Your key “"+k.Name+"”", "integrations"), BackURL: dash.KeysPath, BackLabel: "API keys",
		Text: "Copy the key now. Only its fingerprint is stored, so it can't be shown again.", Label: "API key",
		Value: k.Value,
		Snippets: append([]dash.Snippet{{Title: "Try it",
			Code: fmt.Sprintf("curl -H 'Authorization: Bearer %s' %s/api/v1/event-types", k.Value, base)}},
			c.agentSnippets(k.Value)...),
	}))
}

// agentSnippets are what connects each client, with the key or a placeholder for it.
func (c call) agentSnippets(key string) (all []dash.Snippet) {
	for _, s := range agentsetup.For(c.Setup.Workspace.Slug, c.Rooms.BaseURL(), key).Clients {
		all = append(all, dash.Snippet{Title: s.Name, Text: strings.ToUpper(s.Where[:1]) + s.Where[1:] + ":", Code: s.Text})
	}
	return all
}

func (c call) rotateKey() error {
	rotated, err := c.Rooms.Account.RotateKey(c.Context(), c.Actor, c.PathValue("id"), grace(c.PostFormValue("grace")))
	if err != nil {
		return err
	}
	return c.showKey(rotated)
}

func (c call) revokeKey() error {
	if _, err := c.Rooms.Account.RevokeKey(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.KeysPath, "revoked")
}

func (c call) agents() error {
	v := c.devPage("agents")
	v.Intro = "Ten tools that let an AI assistant read the calendar, and book, move and cancel. Put an API key in " +
		"place of YOUR_API_KEY."
	if c.May(app.MayManageKeys) {
		v.Intro += " The page of a new key has all of this with the key in it."
		v.AgentKeyURL = dash.NewKeyPath
	}
	v.Snippets = append(c.agentSnippets("YOUR_API_KEY"),
		dash.Snippet{Title: "Clients that only support server-sent events", Code: c.Rooms.BaseURL() + "/api/sse"})
	return c.Show(200, dash.Developers(v))
}

func (c call) embed() error {
	v, base := c.devPage("embed"), c.Rooms.BaseURL()
	v.Intro = "Show the booking page on your own website."
	path := "/" + c.Setup.Workspace.Slug
	if len(c.Setup.EventTypes) > 0 {
		path += "/" + c.Setup.EventTypes[0].Slug
	}
	v.Snippets = []dash.Snippet{
		{Title: "In the page", Text: "The calendar appears where you paste this, and takes the height it needs.",
			Code: web.EmbedSnippet(base, path)},
		{Title: "Behind a button", Text: "A button opens the calendar in front of the page.",
			Code: web.PopupSnippet(base, path)},
		{Title: "As a link", Code: base + path},
	}
	return c.Show(200, dash.Developers(v))
}
