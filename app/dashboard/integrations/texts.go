package integrations

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/when"
	"daybook/views/dash"
)

// textNames are the keys of the messages that name kinds of texts.
var textNames = map[catalog.TextKind]string{catalog.TextConfirmed: "texts_kind_confirmed", catalog.TextMoved: "texts_kind_moved",
	catalog.TextCancelled: "texts_kind_cancelled", catalog.TextReminder: "texts_kind_reminder", catalog.TextOffered: "texts_kind_offered",
	catalog.TextReceipt: "texts_kind_receipt", catalog.TextCode: "texts_kind_code", catalog.TextOwn: "texts_kind_own", catalog.TextWaits: "texts_kind_waits",
	catalog.TextAnswer: "texts_kind_answer", catalog.TextStopped: "texts_kind_stopped", catalog.TextReply: "texts_kind_reply",
	catalog.TextTest: "texts_kind_test"}

// senderNames are the keys of the messages that name the ways to send texts; with _text it says what they are.
var senderNames = map[string]string{sms.Android: "texts_way_phone", sms.Twilio: "texts_way_twilio", sms.Seven: "texts_way_seven", sms.Own: "texts_way_own"}

// senderOrder is the order in which they are offered.
var senderOrder = []string{sms.Android, sms.Seven, sms.Twilio, sms.Own}

// textState returns the state of a text: one whose time has not come is scheduled.
func (c call) textState(t *text.Text) dash.Badge {
	switch t.State {
	case text.Waiting:
		if t.DueAt > when.At(c.Subjects.Now()) {
			return dash.Badge{Text: c.T("connect_mail_state_due")}
		}
		return dash.Badge{Text: c.T("connect_mail_state_waiting"), Tone: "warn"}
	case text.Sent:
		return dash.Badge{Text: c.T("connect_mail_state_sent"), Tone: "good"}
	case text.Delivered:
		return dash.Badge{Text: c.T("texts_state_delivered"), Tone: "good"}
	case text.Perhaps:
		return dash.Badge{Text: c.T("texts_state_perhaps"), Tone: "warn"}
	case text.Failed:
		return dash.Badge{Text: c.T("connect_mail_state_failed"), Tone: "bad"}
	}
	return dash.Badge{Text: c.T("connect_mail_state_dropped")}
}

func (c call) texts() error { return c.showTexts(nil, nil) }

// showTexts shows how texts are sent and the log; typed is a number that a test could not go to.
func (c call) showTexts(typed url.Values, e *fault.Error) error {
	sender, err := c.Subjects.Text.Sender(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := dash.SettingsListsPage{}
	v.SettingsFrame = c.integrationFrame(c.T("connect_texts"), dash.TextsPath)
	if sender != nil {
		state, err := c.textSender(sender, typed, e)
		if err != nil {
			return err
		}
		v.First = append(v.First, state)
	} else {
		v.First = append(v.First, c.textWays(c.T("texts_choose"), ""))
	}
	v.Lists, err = c.textLog()
	if err != nil {
		return err
	}
	if sender != nil {
		v.Lists = append(v.Lists, c.textWays(c.T("texts_other"), sender.Preset))
	}
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

// textSender says how texts are sent, and where what comes in goes.
func (c call) textSender(x *sms.Sender, typed url.Values, e *fault.Error) (dash.SettingsList, error) {
	used, most, err := c.Subjects.Text.Used(c.Context(), c.Actor)
	if err != nil {
		return dash.SettingsList{}, err
	}
	host, _ := x.Host()
	name := c.T(senderNames[x.Preset])
	if x.From != "" {
		name += " · " + x.From
	}
	test := dash.Danger{Title: c.T("texts_test"), Action: dash.TextsTestPath, Submit: c.T("texts_test_send"), Quiet: true, Open: e != nil,
		Inputs: []dash.Input{{Name: "to", Label: c.T("texts_test_to"), Required: true, Autocomplete: "off"}}}
	if e != nil {
		g := []dash.Group{{Inputs: test.Inputs}}
		c.Fill(g, typed, e)
	}
	state := dash.SettingsRow{Title: name, Text: host, State: dash.Badge{Text: c.T("connect_set_up"), Tone: "good"},
		URL: dash.TextsSenderPath(x.Preset), URLLabel: c.T("texts_change"),
		Actions: []dash.Danger{test, {Title: c.T("texts_remove"), Text: c.T("texts_remove_text"), Action: dash.TextsRemovePath,
			Submit: c.T("texts_remove"), Rare: true}}}
	month := dash.SettingsRow{Title: c.T("texts_rules"), Text: c.T("texts_used", "Used", used, "Cap", most), URL: dash.TextsRulesPath,
		URLLabel: c.T("texts_change")}
	if used*100 >= most*80 {
		month.State = dash.Badge{Text: c.T("texts_scarce"), Tone: "warn"}
	}
	in := dash.SettingsRow{Title: c.T("texts_inbound")}
	if x.ByRoute() {
		in.Text = c.T("texts_inbound_route")
		if x.NeedsRoute() {
			in.Text, in.State = c.T("texts_inbound_no_route"), dash.Badge{Text: c.T("texts_route_none"), Tone: "warn"}
		}
		in.Actions = []dash.Danger{{Title: c.T("texts_route_new"), Text: c.T("texts_route_new_text"), Action: dash.TextsRoutePath,
			Submit: c.T("texts_route_new"), Quiet: true}}
	} else {
		in.Text = c.T("texts_inbound_" + strings.TrimPrefix(senderNames[x.Preset], "texts_way_"))
		in.Copy, in.CopyLabel = c.Subjects.BaseURL()+text.InboundPath(c.Actor.Workspace), c.T("texts_inbound_address")
	}
	return dash.SettingsList{Title: c.T("connect_connection"), Text: c.T("texts_untried"), Rows: []dash.SettingsRow{state, month, in}}, nil
}

// textWays lists the ways to send texts but one.
func (c call) textWays(title, without string) dash.SettingsList {
	list := dash.SettingsList{Title: title}
	for _, p := range senderOrder {
		if p != without {
			list.Rows = append(list.Rows, dash.SettingsRow{Title: c.T(senderNames[p]), Text: c.T(senderNames[p] + "_text"), URL: dash.TextsSenderPath(p),
				URLLabel: c.T("texts_set")})
		}
	}
	return list
}

func (c call) textsSender() error {
	preset := c.PathValue("preset")
	if senderNames[preset] == "" {
		return fault.Missing("way to send texts", preset)
	}
	return c.showTextsSender(preset, nil, nil)
}

// showTextsSender shows the form of a way to send texts; it never shows a secret.
func (c call) showTextsSender(preset string, typed url.Values, e *fault.Error) error {
	has, err := c.Subjects.Text.Sender(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	same := has != nil && has.Preset == preset
	of := strings.TrimPrefix(senderNames[preset], "texts_way_")
	input := func(name, kind string, required bool) dash.Input {
		in := dash.Input{Name: name, Label: c.T("texts_field_" + name), Kind: kind, Required: required, Autocomplete: "off"}
		if kind == "new-password" && same {
			in.Required, in.Hint = false, c.T("texts_secret_kept")
		}
		return in
	}
	var inputs []dash.Input
	switch preset {
	case sms.Android:
		at := input("url", "url", true)
		at.Hint, at.Placeholder = c.T("texts_phone_url_hint"), "http://192.168.1.10:8080"
		inputs = []dash.Input{at, input("user", "", true), input("secret", "new-password", true), input("signingKey", "new-password", true)}
	case sms.Twilio:
		inputs = []dash.Input{input("account", "", true), input("secret", "new-password", true), input("from", "", true)}
	case sms.Seven:
		inputs = []dash.Input{input("secret", "new-password", true), input("signingKey", "new-password", true), input("from", "", false)}
	default:
		body := input("template", "area", true)
		body.Rows, body.Hint = 14, c.T("texts_template_hint")
		inputs = []dash.Input{input("url", "url", false), input("account", "", false), input("user", "", false), input("secret", "new-password", false),
			input("signingKey", "new-password", false), input("from", "", false), body}
	}
	if typed == nil && same {
		typed = url.Values{"url": {has.URL}, "account": {has.Account}, "user": {has.User}, "from": {has.From}}
		if has.Own != nil {
			shown, err := json.MarshalIndent(has.Own, "", "  ")
			if err != nil {
				return err
			}
			typed.Set("template", string(shown))
		}
	}
	v := dash.SettingsListsPage{}
	v.SettingsFrame, v.Action = c.integrationFrame(c.T("connect_texts"), dash.TextsPath), dash.TextsSenderPath(preset)
	v.Groups = []dash.Group{{Title: c.T(senderNames[preset]), Hint: c.T("texts_how_" + of), Inputs: inputs}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

func (c call) saveTextsSender() error {
	preset := c.PathValue("preset")
	if senderNames[preset] == "" {
		return fault.Missing("way to send texts", preset)
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	x := &sms.Sender{Preset: preset, From: form.Get("from"), URL: form.Get("url"), Account: form.Get("account"), User: form.Get("user"),
		Secret: sms.Secret(form.Get("secret")), SigningKey: sms.Secret(form.Get("signingKey"))}
	if preset == sms.Own {
		x.Own = new(sms.Template)
		read := json.NewDecoder(strings.NewReader(form.Get("template")))
		read.DisallowUnknownFields()
		if read.Decode(x.Own) != nil {
			err = fault.Invalid("template", "must be JSON with the fields of a template only")
		}
	}
	if err == nil {
		err = c.Subjects.Text.SetSender(c.Context(), c.Actor, x)
	}
	if e := web.Refused(err); e != nil {
		form.Del("secret")
		form.Del("signingKey")
		return c.showTextsSender(preset, form, e)
	}
	if err != nil {
		return err
	}
	saved, err := c.Subjects.Text.Sender(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	if saved != nil && saved.NeedsRoute() {
		return c.newTextRoute()
	}
	return c.Redirect(dash.TextsPath, "saved")
}

// newTextRoute makes another secret address for what the service posts, and shows it, which is possible only once.
func (c call) newTextRoute() error {
	address, err := c.Subjects.Text.NewRoute(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	return c.Show(200, dash.Secret(dash.SecretPage{Frame: c.Frame(c.T("texts_route"), "integrations"), BackURL: dash.TextsPath,
		BackLabel: c.T("connect_texts"), Text: c.T("texts_route_once"), Label: c.T("texts_inbound_address"), Value: address}))
}

func (c call) removeTextsSender() error {
	if err := c.Subjects.Text.SetSender(c.Context(), c.Actor, nil); err != nil {
		return err
	}
	return c.Redirect(dash.TextsPath, "saved")
}

func (c call) testText() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Text.SendTest(c.Context(), c.Actor, form.Get("to"))
	if e := web.Refused(err); e != nil {
		return c.showTexts(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.TextsPath, "sent")
}

func (c call) textAgain() error {
	_, err := c.Subjects.Text.ResendText(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.Redirect(dash.TextsPath, "sent")
}

func (c call) textsRules() error { return c.showTextsRules(nil, nil) }

// showTextsRules shows how many texts are sent, when, where to and which.
func (c call) showTextsRules(typed url.Values, e *fault.Error) error {
	w := &c.Setup.Workspace
	rules := *w.Settings.TextRules()
	from, to := catalog.DefaultQuietFrom, catalog.DefaultQuietTo
	if rules.QuietFrom != "" {
		from, to = rules.QuietFrom, rules.QuietTo
	}
	if typed == nil {
		typed = url.Values{"cap": {strconv.Itoa(rules.MonthlyCap())}, "countries": {strings.Join(w.TextPlaces(), ", ")}, "quietFrom": {from},
			"quietTo": {to}}
		for _, k := range catalog.TextKinds {
			if !slices.Contains(rules.Off, k) {
				typed.Add("kinds", string(k))
			}
		}
	}
	kinds := dash.Input{Name: "kinds", Label: c.T("texts_kinds"), Kind: "checks", Values: typed["kinds"]}
	for _, k := range catalog.TextKinds {
		kinds.Options = append(kinds.Options, dash.Option{Value: string(k), Label: c.T(textNames[k])})
	}
	v := dash.SettingsListsPage{}
	v.SettingsFrame, v.Action = c.integrationFrame(c.T("connect_texts"), dash.TextsPath), dash.TextsRulesPath
	v.Groups = []dash.Group{{Title: c.T("texts_rules"), Inputs: []dash.Input{
		{Name: "cap", Label: c.T("texts_cap"), Kind: "number", Min: "1", Max: strconv.Itoa(catalog.MostTextCap), Required: true, Hint: c.T("texts_cap_hint")},
		{Name: "countries", Label: c.T("texts_countries"), Hint: c.T("texts_countries_hint"), Autocomplete: "off"},
		{Name: "quietFrom", Label: c.T("texts_quiet_from"), Kind: "time", Half: true, Required: true},
		{Name: "quietTo", Label: c.T("texts_quiet_to"), Kind: "time", Half: true, Required: true, Hint: c.T("texts_quiet_hint")}, kinds}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

func (c call) saveTextsRules() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	rules := catalog.TextSettings{QuietFrom: form.Get("quietFrom"), QuietTo: form.Get("quietTo")}
	if rules.Cap, err = strconv.Atoi(strings.TrimSpace(form.Get("cap"))); err != nil || rules.Cap < 1 {
		return c.showTextsRules(form, fault.Invalid("cap", "must lie between %d and %d", 1, catalog.MostTextCap))
	}
	rules.Countries = append(rules.Countries, strings.FieldsFunc(form.Get("countries"), func(r rune) bool { return r == ',' || r == ' ' || r == ';' })...)
	for _, k := range catalog.TextKinds {
		if !slices.Contains(form["kinds"], string(k)) {
			rules.Off = append(rules.Off, k)
		}
	}
	if err := rules.Check(""); err != nil {
		e := *fault.As(err)
		e.Field = strings.TrimPrefix(e.Field, ".")
		return c.showTextsRules(form, &e)
	}
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) { w.Settings.Texts = &rules })
	if e := web.Refused(err); e != nil {
		return c.showTextsRules(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.TextsPath, "saved")
}

// textLog lists the texts.
func (c call) textLog() ([]dash.SettingsList, error) {
	q := c.URL.Query()
	state := q.Get("state")
	if !slices.Contains(text.States, text.State(state)) {
		state = ""
	}
	n := 25
	page, err := c.Subjects.Text.Texts(c.Context(), c.Actor, text.ListInput{State: state, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil && web.Refused(err) == nil {
		return nil, err
	}
	list := dash.SettingsList{Title: c.T("texts_log"), Icon: "phone", EmptyTitle: c.T("texts_log_none"), Empty: c.T("texts_log_none_text")}
	for _, t := range []struct{ key, label string }{{"", "connect_tab_all"}, {"failed", "connect_mail_state_failed"},
		{"perhaps", "texts_state_perhaps"}, {"waiting", "connect_mail_state_waiting"}} {
		list.Tabs = append(list.Tabs, dash.Tab{Label: c.T(t.label), URL: web.WithQuery(dash.TextsPath, url.Values{"state": {t.key}}),
			Current: t.key == state})
	}
	for i := range page.Data {
		t := &page.Data[i]
		r := dash.SettingsRow{Title: t.To, Text: c.T(textNames[t.Kind]), Small: c.T("connect_mail_written", "When", c.Ago(t.CreatedAt)), State: c.textState(t)}
		if t.Segments > 0 {
			r.Small += " · " + c.T("texts_segments", "Count", t.Segments)
		}
		if t.State == text.Waiting && t.DueAt > when.At(c.Subjects.Now()) {
			r.Small += " · " + c.T("connect_mail_due", "When", c.Until(t.DueAt))
		} else if t.Answer != "" {
			r.Small += " · " + t.Answer
		}
		if t.BookingID != 0 {
			r.URL = dash.BookingPath(t.BookingID.String())
		}
		if t.State == text.Failed || t.State == text.Perhaps {
			r.Post, r.PostLabel = dash.TextAgainPath(t.ID.String()), c.T("connect_send_again")
		}
		list.Rows = append(list.Rows, r)
	}
	if page.NextCursor != nil {
		list.Pager.NextURL = web.WithQuery(dash.TextsPath, q, "cursor", *page.NextCursor)
	}
	return []dash.SettingsList{list}, nil
}
