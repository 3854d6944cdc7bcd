package integrations

import (
	"fmt"
	"strconv"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agentsetup"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/right"
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

// devTabs returns the pages of the developers' tab.
func (c call) devTabs(at string) (tabs []dash.Tab) {
	if at == "embed" {
		return nil
	}
	add := func(key, label, url string) {
		tabs = append(tabs, dash.Tab{Label: c.T(label), URL: url, Current: key == at})
	}
	if c.May(app.MayManageKeys) {
		add("keys", "connect_api_keys", dash.KeysPath)
	}
	add("webhooks", "connect_webhooks", dash.WebhooksPath)
	add("agents", "connect_agents", dash.AgentsPath)
	return tabs
}

func (c call) devPage(at string) dash.DevelopersPage {
	v := dash.DevelopersPage{Frame: c.Frame(c.T("connect_developers"), "integrations"),
		Tabs: c.integrationTabs(dash.KeysPath), Views: c.devTabs(at),
		Intro: c.T("connect_developers_intro")}
	if at == "embed" {
		v.Title, v.Tabs = c.T("connect_website"), c.integrationTabs(dash.EmbedPath)
	}
	return v
}

// scopeNames are the keys of the messages.
var scopeNames = map[account.Scope]string{account.FullScope: "connect_scope_full",
	account.ReadOnlyScope: "connect_scope_read", account.PublicScope: "connect_scope_public"}

func (c call) keys() error {
	keys, err := c.Subjects.Account.Keys(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := c.devPage("keys")
	v.NewKeyURL = dash.NewKeyPath
	for i := range keys {
		v.Keys = append(v.Keys, c.keyRow(&keys[i]))
	}
	if v.Grants, err = Grants(c.Call, dash.KeysPath); err != nil {
		return err
	}
	return c.Show(200, dash.Developers(v))
}

func (c call) keyRow(k *account.Key) dash.KeyRow {
	id := k.ID.String()
	r := dash.KeyRow{
		ID: id, Name: k.Name, Hint: k.Hint, Scope: c.T(scopeNames[k.Scope]),
		Limit: c.T("connect_rate", "Count", k.RateLimit), Used: c.T("connect_key_unused"),
		Made:  c.T("connect_key_made", "When", c.Ago(k.CreatedAt)),
		State: dash.Badge{Text: c.T("connect_key_active"), Tone: "good"}, Revoked: k.RevokedAt != 0,
	}
	for _, name := range k.Areas.Names() {
		r.Areas = append(r.Areas, c.T(areaTexts[name]))
	}
	r.Areas = append(r.Areas, c.limits(k.Limits)...)
	if k.Public != "" {
		r.Areas = append(r.Areas, k.Public)
	}
	if k.LastUsedAt != 0 {
		r.Used = c.T("connect_key_used", "When", c.Ago(k.LastUsedAt))
	}
	if r.Revoked {
		r.State = dash.Badge{Text: c.T("connect_key_revoked")}
	} else if k.PreviousUntil > when.At(c.Subjects.Now()) {
		r.State = dash.Badge{Text: c.T("connect_key_old", "When", c.Until(k.PreviousUntil)), Tone: "warn"}
	}
	r.Rotate = dash.Danger{Title: c.T("connect_key_rotate"),
		Text:   c.T("connect_key_rotate_text", "Name", k.Name),
		Action: dash.KeyRotatePath(id), Submit: c.T("connect_key_rotate"), Quiet: true,
		Inputs: []dash.Input{{ID: id + "-grace", Name: "grace", Label: c.T("connect_key_grace"), Kind: "select",
			Value: "24h", Options: c.graceOptions()}}}
	r.Revoke = dash.Danger{Title: c.T("connect_key_revoke"),
		Text:   c.T("connect_key_revoke_text", "Name", k.Name),
		Action: dash.KeyRevokePath(id), Submit: c.T("connect_key_revoke")}
	return r
}

func (c call) graceOptions() []dash.Option {
	return []dash.Option{{Value: "0s", Label: c.T("connect_grace_none")},
		{Value: "1h", Label: c.T("connect_grace_hour")}, {Value: "24h", Label: c.T("connect_grace_day")},
		{Value: "168h", Label: c.T("connect_grace_week")}}
}

// grace returns how long an old value stays valid.
func grace(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

func (c call) newKeyForm() error { return c.showNewKey(nil, nil) }

// areaTexts are the keys of the messages that say what an area opens.
var areaTexts = map[string]string{"contacts": "connect_area_contacts", "members": "connect_area_members",
	"payments": "connect_area_payments", "keys": "connect_area_keys", "settings": "connect_area_settings"}

// areasInput asks what a key may do besides its scope.
func (c call) areasInput() dash.Input {
	in := dash.Input{Name: "areas", Label: c.T("connect_key_areas"), Kind: "checks", Hint: c.T("connect_key_areas_hint")}
	for _, name := range right.AreaNames {
		in.Options = append(in.Options, dash.Option{Value: name, Label: c.T(areaTexts[name])})
	}
	return in
}

func (c call) showNewKey(typed map[string][]string, e *fault.Error) error {
	v := dash.FormPage{Frame: c.Frame(c.T("connect_key_new"), "integrations"), BackURL: dash.KeysPath,
		BackLabel: c.T("connect_api_keys"), Action: dash.NewKeyPath, Submit: c.T("connect_key_create"),
		Groups: []dash.Group{{Inputs: []dash.Input{
			{Name: "name", Label: c.T("connect_key_name"), Required: true,
				Placeholder: c.T("connect_key_name_example"), Focus: true},
			{Name: "scope", Label: c.T("connect_key_scope"), Kind: "select", Value: "full",
				Options: []dash.Option{{Value: "full", Label: c.T("connect_scope_full_long")},
					{Value: "read-only", Label: c.T("connect_scope_read")},
					{Value: "public", Label: c.T("connect_scope_public_long")}}},
			c.originsInput(),
			c.areasInput(),
			{Name: "rateLimit", Label: c.T("connect_rate_limit"), Kind: "number",
				Value: strconv.Itoa(account.DefaultRateLimit), Suffix: c.T("connect_rate_unit"),
				Required: true, Min: "1", Half: true},
		}}, c.limitsGroup()}}
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
		in.Areas, err = right.ParseAreas(form["areas"])
	}
	if err == nil {
		in.Limits, err = c.postedLimits(form)
	}
	if err == nil {
		k, err = c.Subjects.Account.CreateKey(c.Context(), c.Actor, in)
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
	base := c.Subjects.BaseURL()
	if k.Public != "" {
		return c.Show(200, dash.Secret(dash.SecretPage{
			Frame: c.Frame(c.T("connect_key_yours", "Name", k.Name), "integrations"), BackURL: dash.KeysPath,
			BackLabel: c.T("connect_api_keys"), Text: c.T("connect_key_public_shown"), Label: c.T("connect_key"),
			Value: k.Value, Snippets: []dash.Snippet{{Title: c.T("connect_key_try"), Code: fmt.Sprintf(
				"curl -H 'Authorization: Bearer %s' %s/api/v1/public/event-types", k.Value, base)}},
		}))
	}
	return c.Show(200, dash.Secret(dash.SecretPage{
		Frame: c.Frame(c.T("connect_key_yours", "Name", k.Name), "integrations"), BackURL: dash.KeysPath,
		BackLabel: c.T("connect_api_keys"), Text: c.T("connect_key_once"), Label: c.T("connect_key"),
		Value: k.Value,
		Snippets: append([]dash.Snippet{{Title: c.T("connect_key_try"),
			Code: fmt.Sprintf("curl -H 'Authorization: Bearer %s' %s/api/v1/event-types", k.Value, base)}},
			c.agentSnippets(k.Value)...),
	}))
}

// agentTexts are the keys of the messages that say where a snippet belongs, by agentsetup's own words.
var agentTexts = map[string]string{
	"in a shell": "connect_in_shell",
	"in claude_desktop_config.json (Settings, Developer, Edit Config)": "connect_in_claude",
	"in ~/.cursor/mcp.json": "connect_in_cursor",
	"in the file that the command “MCP: Open User Configuration” opens, or in .vscode/mcp.json": "connect_in_code",
}

// agentSnippets returns what connects each client, with the key or a placeholder for it.
func (c call) agentSnippets(key string) (all []dash.Snippet) {
	for _, s := range agentsetup.For(c.Setup.Workspace.Slug, c.Subjects.BaseURL(), key).Clients {
		text, title := agentTexts[s.Where], s.Name
		if title == "Plain HTTP" {
			title = c.T("connect_plain_http")
		}
		all = append(all, dash.Snippet{Title: title, Text: c.T(text), Code: s.Text})
	}
	return all
}

func (c call) rotateKey() error {
	rotated, err := c.Subjects.Account.RotateKey(c.Context(), c.Actor, c.PathValue("id"), grace(c.PostFormValue("grace")))
	if err != nil {
		return err
	}
	return c.showKey(rotated)
}

func (c call) revokeKey() error {
	if _, err := c.Subjects.Account.RevokeKey(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.KeysPath, "revoked")
}

func (c call) agents() error {
	v := c.devPage("agents")
	v.Intro = c.T("connect_agents_intro")
	if c.May(app.MayManageKeys) {
		v.Intro += " " + c.T("connect_agents_key")
		v.AgentKeyURL = dash.NewKeyPath
	}
	v.Snippets = append([]dash.Snippet{{Title: c.T("oauth_paste"), Text: c.T("oauth_paste_text"),
		Code: c.Subjects.BaseURL() + "/api/mcp"}}, c.agentSnippets("YOUR_API_KEY")...)
	v.Snippets = append(v.Snippets,
		dash.Snippet{Title: c.T("connect_agents_sse"), Code: c.Subjects.BaseURL() + "/api/sse"})
	return c.Show(200, dash.Developers(v))
}
