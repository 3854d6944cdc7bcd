// What the views in a chat have in common: how they talk to the program that shows them, by the MCP Apps extension
// (specification 2026-01-26): JSON-RPC by postMessage to the parent. They ask nobody else for anything. What the tools
// answer holds text of strangers, so it is only ever set as text.
"use strict";
const texts = JSON.parse(document.getElementById("words").textContent);
const view = document.getElementById("view");
let lang = "en", tag = "en", host = {}, answer = null;
let draw = () => {}; // shows the answer: each view has its own

const word = (key, values = {}) => texts[lang][key].replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

// el makes an element; text and attributes that are false or undefined are left out.
function el(tag, set = {}, ...inside) {
	const x = document.createElement(tag);
	for (const [name, value] of Object.entries(set)) {
		if (name === "on") x.addEventListener("click", value);
		else if (value !== false && value !== undefined) x.setAttribute(name, value === true ? "" : value);
	}
	x.append(...inside.filter((i) => i !== false && i !== undefined && i !== null && i !== ""));
	return x;
}

// wall is a local time without its offset, to be shown as it stands.
const wall = (local) => new Date(local.slice(0, 19) + "Z");
const shown = (local, how) => new Intl.DateTimeFormat(tag, { timeZone: "UTC", ...how }).format(wall(local));
const clock = (local) => shown(local, { hour: "numeric", minute: "2-digit" });
const day = (local, how = "long") => shown(local, { weekday: how, day: "numeric", month: how });
const amount = (m) => {
	const money = new Intl.NumberFormat(tag, { style: "currency", currency: m.currency });
	return money.format(m.amount / 10 ** money.resolvedOptions().maximumFractionDigits);
};

const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
const asked = new Map();
let last = 0;
function ask(method, params) {
	const id = ++last;
	post({ id, method, params });
	return new Promise((ok, no) => asked.set(id, { ok, no }));
}

// say has the person say something in the chat. Where the host takes no messages nothing can be pressed: see speaks.
const say = (text) => ask("ui/message", { role: "user", content: [{ type: "text", text }] });
const speaks = () => Boolean(host.hostCapabilities?.message);

function within(context = {}) {
	if (context.locale) {
		lang = Object.keys(texts).find((l) => context.locale.toLowerCase().startsWith(l));
		[lang, tag] = lang ? [lang, context.locale] : ["en", "en"];
	}
	document.documentElement.lang = lang;
	if (context.theme) document.documentElement.dataset.theme = context.theme;
	const of = context.styles?.variables || {};
	if (!of["--color-background-primary"] || !of["--color-text-primary"] || !of["--color-text-secondary"]) return;
	for (const [ours, theirs] of [["--surface", "--color-background-primary"], ["--text", "--color-text-primary"], ["--muted", "--color-text-secondary"], ["--font", "--font-sans"]]) {
		if (of[theirs]) document.documentElement.style.setProperty(ours, of[theirs]);
	}
}

function again() {
	if (!answer) return;
	view.replaceChildren();
	const failed = answer.error?.message;
	if (failed) view.append(el("p", { class: "bad" }, failed));
	else draw();
}

const heard = {
	"ui/notifications/tool-result": (p) => {
		const text = (p.content || []).find((c) => c.type === "text")?.text || "";
		answer = p.structuredContent;
		if (!answer) {
			try { answer = JSON.parse(text); } catch { answer = { error: { message: text } }; }
		}
		again();
	},
	"ui/notifications/tool-cancelled": () => view.replaceChildren(el("p", { class: "muted" }, word("stopped"))),
	"ui/notifications/host-context-changed": (p) => { within(p); again(); },
	"ui/resource-teardown": () => ({}),
	ping: () => ({}),
};

addEventListener("message", (e) => { // what comes in before the answer, such as the arguments, needs nothing
	const m = e.data;
	if (e.source !== parent || m?.jsonrpc !== "2.0") return;
	if (!m.method) {
		const of = asked.get(m.id);
		asked.delete(m.id);
		if (m.error) of?.no(m.error);
		else of?.ok(m.result);
		return;
	}
	const done = heard[m.method]?.(m.params || {});
	if (m.id === undefined) return;
	if (heard[m.method]) post({ id: m.id, result: done || {} });
	else post({ id: m.id, error: { code: -32601, message: "There is no such method." } });
});

new ResizeObserver(() => post({ method: "ui/notifications/size-changed", params: {
	width: Math.ceil(document.documentElement.scrollWidth), height: Math.ceil(document.body.getBoundingClientRect().height),
} })).observe(document.body);

ask("ui/initialize", { protocolVersion: "2026-01-26", appCapabilities: {}, appInfo: { name: "daybook", version: "1" } }).then((got) => {
	host = got;
	within(got.hostContext);
	post({ method: "ui/notifications/initialized", params: {} });
	again();
});
