package dashboard

import (
	"fmt"
	"testing"
)

// Without an answer from the server a click and a Save say so beside what was pressed, what was typed stays, and trying
// again goes on. A form that is not saved is not left without asking.
func TestLostNetwork(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard/settings")
	b.until(`(window.answer = fetch, window.fetch = () => Promise.reject(new TypeError("Failed to fetch")), window.marked = true)`)
	b.fill("phone", "+49 30 901820")
	b.click(`.form-end button[type=submit]`)
	const beside = `(()=>{const x=document.querySelector(".lost");if(!x)return false;const a=x.getBoundingClientRect(),p=document.querySelector("%s").getBoundingClientRect();` +
		`return x.getAttribute("role")=="alert"&&a.top>=0&&a.bottom<=innerHeight&&Math.min(Math.abs(a.top-p.bottom),Math.abs(p.top-a.bottom))<20})()`
	b.until(fmt.Sprintf(beside, ".form-end button"))
	b.until(`document.querySelector("[name=phone]").value=="+49 30 901820" && marked`)
	b.until(`(window.asked = 0, window.confirm = () => { asked++; return asked > 1 }, true)`)
	b.click(`.side-nav a[href="/dashboard/types"]`)
	b.until(`asked==1 && location.pathname=="/dashboard/settings" && document.querySelector("[name=phone]").value!=""`)
	b.click(`.side-nav a[href="/dashboard/types"]`)
	b.until(`asked==2 && ` + fmt.Sprintf(beside, ".side-nav a[href='/dashboard/types']"))
	b.until(`(window.fetch = answer, true)`)
	b.click(".form-end button[type=submit]")
	b.until(`location.pathname=="/dashboard/settings" && document.body.innerText.includes("Saved.") && !document.querySelector(".lost")`)
	if got := w.setup().Workspace.Settings.Phone; got != "+49 30 901820" {
		t.Errorf("saved %q", got)
	}
	b.click(`.side-nav a[href="/dashboard/types"]`)
	b.until(`asked==2 && location.pathname=="/dashboard/types"`)

	// A search, which asks while somebody types, says it beside its form and goes on from there.
	b.open("/dashboard/contacts")
	b.until(`(window.answer = fetch, window.fetch = () => Promise.reject(new TypeError("Failed to fetch")), true)`)
	b.fill("q", "nobody of this name")
	b.until(fmt.Sprintf(beside, "form[data-search]"))
	b.until(`(window.fetch = answer, true)`)
	b.click(".lost button")
	b.until(`!document.querySelector(".lost") && location.search=="?q=nobody+of+this+name"`)
}
