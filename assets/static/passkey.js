// Has the browser make or show a passkey, for each form of views/dash/security.templ: asks the server what is to be
// done, does it, and sends the form with what came of it.
"use strict";
(() => {
	const able = () => isSecureContext && window.PublicKeyCredential?.parseRequestOptionsFromJSON;
	let waiting; // what the field for the name offers, until a button is pressed

	async function question(form) {
		const answer = await fetch(form.dataset.passkey, { method: "POST", credentials: "same-origin" });
		if (!answer.ok || answer.redirected) throw new Error(answer.status < 500 ? await answer.text() : "");
		return answer.json();
	}

	function send(form, token, made) {
		form.elements.token.value = token;
		form.elements.answer.value = JSON.stringify(made.toJSON());
		// What was typed is the passkey's name, or a password that isn't needed any more: dash.js asks about none of it.
		for (const typed of document.querySelectorAll("form[data-typed]")) delete typed.dataset.typed;
		HTMLFormElement.prototype.submit.call(form);
	}

	async function run(form) {
		const wrong = form.querySelector("[data-wrong]"), button = form.querySelector("button");
		if (!form.reportValidity()) return;
		wrong.hidden = true;
		wrong.dataset.text ??= wrong.textContent;
		button.disabled = true;
		waiting?.abort();
		try {
			const { token, options } = await question(form);
			const make = "make" in form.dataset, of = PublicKeyCredential;
			const made = make
				? await navigator.credentials.create({ publicKey: of.parseCreationOptionsFromJSON(options) })
				: await navigator.credentials.get({ publicKey: of.parseRequestOptionsFromJSON(options) });
			send(form, token, made);
		} catch (e) {
			const ours = e instanceof DOMException ? "" : e.message; // a sentence of the server
			wrong.textContent = ours && ours.length < 300 && !ours.startsWith("<") ? ours : wrong.dataset.text;
			wrong.hidden = false;
		} finally {
			button.disabled = false;
		}
	}

	async function offer(form) {
		if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
		waiting = new AbortController();
		try {
			const { token, options } = await question(form);
			const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
			send(form, token, await navigator.credentials.get({ publicKey, mediation: "conditional", signal: waiting.signal }));
		} catch {} // nobody chose one
	}

	function show() {
		for (const x of document.querySelectorAll("[data-passkey-unable]")) x.hidden = !!able();
		for (const form of document.querySelectorAll("form[data-passkey]")) {
			if (!able() || !form.hidden) continue;
			form.hidden = false;
			if ("early" in form.dataset) offer(form);
		}
	}

	document.addEventListener("submit", (e) => {
		if (!e.target.matches("form[data-passkey]")) return;
		e.preventDefault();
		e.stopImmediatePropagation();
		run(e.target);
	}, true);
	document.addEventListener("shown", show);
	show();
})();
