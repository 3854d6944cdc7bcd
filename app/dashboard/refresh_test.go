package dashboard

import (
	"testing"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/counter"
)

// What is typed while a live page asks for itself stays, with the focus.
func TestRefreshKeepsWhatIsTyped(t *testing.T) {
	w := newWorld(t)
	k := w.priced()
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard/till")
	b.until(`document.querySelector("[data-live]") && document.querySelector("[name=counted]")`)
	browser.Eval[bool](t, b.ctx, `(() => { // each answer waits until let is called; read says that one was used
		const ask = fetch;
		window.asked = window.read = 0;
		window.fetch = async (...a) => {
			window.asked++;
			await new Promise((on) => { window.let = on; });
			const r = await ask(...a), text = await r.text();
			r.text = async () => { setTimeout(() => { window.read++; }); return text; };
			return r;
		};
		return true;
	})()`)
	_, err := w.Counter.Record(t.Context(), w.Owner, k.ID.String(), counter.Input{Amount: 100, Method: booking.ByCash})
	w.Must(err)
	b.until(`asked > 0`)
	b.fill("counted", "123")
	browser.Eval[bool](t, b.ctx, `(window.let(), true)`)
	b.until(`read > 0`)
	if got := browser.Eval[string](t, b.ctx, `document.querySelector("[name=counted]").value + " " + document.activeElement.name`); got != "123 counted" {
		t.Errorf("after the refresh: %q", got)
	}
}
