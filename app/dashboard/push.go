package dashboard

import (
	"bytes"
	"io"

	"daybook/app/dashboard/web"
	"daybook/app/push"
	"daybook/views/dash"
)

// devices returns the member's devices that get notifications.
func (c call) devices() (v dash.PushCard, err error) {
	all, err := c.Subjects.Push.Subscriptions(c.Context(), c.Actor)
	for i := range all {
		s := &all[i]
		d := dash.PushDevice{ID: s.ID.String(), Browser: c.browserName(s.Agent), Names: s.Names,
			Endpoint: s.Endpoint[max(0, len(s.Endpoint)-16):], Same: bytes.Equal(s.Session, c.Session.Hash)}
		switch s.Failed {
		case "":
		case "unreachable":
			d.Problem = c.T("push_failed_net")
		default:
			d.Problem = c.T("push_failed", "Why", s.Failed)
		}
		for _, k := range push.Kinds {
			d.Kinds = append(d.Kinds, dash.PushKind{Name: string(k), Label: c.pushKind(k), On: s.Wants(k)})
		}
		v.Devices = append(v.Devices, d)
	}
	for _, k := range push.Kinds {
		v.Kinds = append(v.Kinds, dash.PushKind{Name: string(k), Label: c.pushKind(k), On: true})
	}
	return v, err
}

func (c call) pushKind(k push.Kind) string {
	return c.T(map[push.Kind]string{push.New: "push_new", push.Moved: "push_moved", push.Cancelled: "push_cancelled"}[k])
}

func (c call) pushKey() error {
	key, err := c.Subjects.Push.PublicKey(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	c.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err = io.WriteString(c.ResponseWriter, key)
	return err
}

// wishes returns what a form asks for.
func (c call) wishes() (w push.Wishes, err error) {
	form, err := c.Posted()
	if err != nil {
		return w, err
	}
	for _, k := range form["kind"] {
		w.Kinds = append(w.Kinds, push.Kind(k))
	}
	w.Names = form.Get("names") != ""
	return w, nil
}

// subscribe adds the browser that asks, as push.js has it.
func (c call) subscribe() error {
	w, err := c.wishes()
	if err != nil {
		return err
	}
	err = c.Subjects.Push.Subscribe(c.Context(), c.Actor, c.Session.Hash, push.Input{
		Endpoint: c.PostFormValue("endpoint"), P256dh: c.PostFormValue("p256dh"), Auth: c.PostFormValue("auth"),
		Locale: c.Locale.Tag, Wishes: w,
	})
	if e := web.Refused(err); e != nil {
		return c.showAccount(e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.AccountPath, "saved")
}

// device changes, tries or removes a device.
func (c call) device() (err error) {
	ref, said := c.PathValue("device"), "saved"
	switch c.PostFormValue("do") {
	case "try":
		err, said = c.Subjects.Push.Try(c.Context(), c.Actor, ref), "tried"
	case "remove":
		err, said = c.Subjects.Push.Unsubscribe(c.Context(), c.Actor, ref), "untold"
	default:
		var w push.Wishes
		if w, err = c.wishes(); err == nil {
			err = c.Subjects.Push.Choose(c.Context(), c.Actor, ref, w)
		}
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.AccountPath, said)
}
