/* Daybook: shows a booking page inside another site, in place or over it. */
(() => {
	"use strict";
	if (window.daybookEmbed) return;
	window.daybookEmbed = 1;

	const doc = document, base = doc.currentScript ? doc.currentScript.src : doc.baseURI, root = doc.documentElement;
	const V = 1, INLINE = "data-service-url", POPUP = "data-service-popup";
	const PREFILL = "data-service-prefill-", THEME = "data-service-theme";
	const ACCENT = "data-service-accent", BUTTON = "data-service-button";
	// Where the visitor comes from, as the address of the script says it.
	const come = doc.currentScript ? [...new URL(base).searchParams].filter(([name]) => /^utm_/.test(name)) : [];
	const closeWords = { de: "Schließen", fr: "Fermer", es: "Cerrar" };
	const calm = matchMedia("(prefers-reduced-motion: reduce)");
	const frames = new Set(); // {el, frame, origin, dialog?, height}
	const inPlace = new WeakMap(); // element -> its entry
	let open = null;

	// The sheets of the site must not reach what is shown here.
	const style = (el, rules) => {
		for (const name in rules) el.style.setProperty(name.replace(/[A-Z]/g, "-$&").toLowerCase(), rules[name], "important");
	};
	const visible = { display: "block", visibility: "visible", opacity: "1", pointerEvents: "auto" };
	const tell = (el, name, detail) =>
		el.dispatchEvent(new CustomEvent("service:" + name, { bubbles: true, detail }));

	// The colour that the site chose for an element, as #rrggbb, or "".
	const accent = (el) => (/^#[0-9a-f]{6}$/i.exec(el.getAttribute(ACCENT)) || [""])[0];

	// A button that has no look of the site's gets one, where it stands or in the corner of the window.
	const dress = (el) => {
		const color = accent(el) || "#2f5d50";
		const [r, g, b] = [1, 3, 5].map((i) => parseInt(color.substr(i, 2), 16));
		style(el, {
			padding: "13px 24px", border: "0", borderRadius: "10px", background: color,
			color: r * .299 + g * .587 + b * .114 > 140 ? "#14161a" : "#fff",
			font: "600 16px/1.25 system-ui,sans-serif", cursor: "pointer", width: "auto", height: "auto", margin: "0",
		});
		if (el.getAttribute(BUTTON) === "corner") style(el, {
			position: "fixed", right: "20px", bottom: "20px", zIndex: "2147483000", borderRadius: "999px",
			boxShadow: "0 6px 24px rgba(0,0,0,.28)",
		});
	};

	// The address of the page for an element, or null when it is none of the web.
	const address = (el, attribute, mode) => {
		let url;
		try {
			url = new URL(el.getAttribute(attribute), base);
		} catch {
			return null;
		}
		if (!/^https?:$/.test(url.protocol)) return null;
		for (const { name, value } of el.attributes)
			if (name.startsWith(PREFILL)) url.searchParams.set(name.slice(PREFILL.length), value);
		for (const [name, value] of come) if (!url.searchParams.has(name)) url.searchParams.set(name, value);
		const theme = el.getAttribute(THEME);
		if (theme) url.searchParams.set("theme", theme);
		if (accent(el)) url.searchParams.set("accent", accent(el).slice(1));
		url.searchParams.set("embed", mode);
		return url;
	};

	const frameFor = (el, url, name) => {
		const frame = doc.createElement("iframe");
		frame.title = el.getAttribute("title") || el.getAttribute("aria-label") || name;
		frame.allow = "payment";
		style(frame, {
			...visible, width: "100%", minWidth: "0", maxWidth: "none",
			height: "600px", minHeight: "0", maxHeight: "none", margin: "0", padding: "0", border: "0", transform: "none",
			colorScheme: el.getAttribute(THEME) || "light dark",
		});
		frame.src = url;
		const entry = { el, frame, origin: url.origin, src: url.href };
		frames.add(entry);
		// A frame that the site's policy blocks, or whose server is down, says nothing.
		setTimeout(() => entry.ready || !frames.has(entry) || tell(el, "error", { url: entry.src }), 1e4);
		return entry;
	};

	const inline = (el) => {
		const url = address(el, INLINE, "inline");
		const old = inPlace.get(el);
		if (old && el.contains(old.frame)) {
			if (!url || old.src === url.href) return void frames.add(old);
			old.frame.remove();
			frames.delete(old);
		}
		if (!url) return;
		const entry = frameFor(el, url, "Booking");
		// The names of the answers to prefill are the site's, so that no filter can list them.
		if (!old) new MutationObserver((changes) => {
			const ours = changes.some(({ attributeName }) => attributeName.startsWith("data-service-"));
			if (ours && el.hasAttribute(INLINE) && el.contains(inPlace.get(el).frame)) inline(el);
		}).observe(el, { attributes: true });
		inPlace.set(el, entry);
		el.append(entry.frame);
	};

	// A dialog alone doesn't keep the Tab key out of the frames behind it.
	const behind = (off) => {
		for (const { frame, dialog } of frames) if (!dialog) frame.inert = off;
	};

	const popup = (el) => {
		const url = address(el, POPUP, "popup");
		if (!url || open) return !!url;
		const dialog = doc.createElement("dialog"), button = doc.createElement("button");
		const label = el.textContent.trim() || "Booking";
		const entry = frameFor(el, url, label);
		const narrow = innerWidth < 640;
		dialog.setAttribute("aria-label", label);
		style(dialog, {
			position: "fixed", inset: "0", width: "100%", height: "100%", maxWidth: "none", maxHeight: "none", margin: "0",
			padding: narrow ? "0" : "24px", border: "0", boxSizing: "border-box", overflow: "hidden",
			background: "rgba(12,13,15,.55)", ...visible, display: "grid", placeItems: "center",
		});
		const box = doc.createElement("div");
		const dark = el.getAttribute(THEME) === "dark", corner = narrow ? "0" : "18px";
		style(box, {
			...visible, position: "relative", width: "100%", maxWidth: narrow ? "none" : "1056px", height: narrow ? "100%" : "auto",
			borderRadius: corner, background: dark ? "#18191c" : "#fff", boxShadow: "0 24px 80px rgba(0,0,0,.35)",
		});
		style(entry.frame, narrow ? { height: "100%" } : { maxHeight: "calc(100vh - 48px)", borderRadius: corner });
		entry.fixed = narrow;
		button.type = "button";
		button.textContent = "\u00d7";
		button.setAttribute("aria-label", closeWords[root.lang.slice(0, 2)] || "Close");
		const at = narrow ? "10px" : "-18px";
		style(button, {
			...visible, position: "absolute", top: at, right: at, width: "44px", height: "44px",
			padding: "0", border: "0", borderRadius: "50%",
			background: dark ? "#2b2d32" : "#fff", color: dark ? "#fff" : "#333", boxShadow: "0 1px 6px rgba(0,0,0,.25)",
			font: "26px/1 system-ui,sans-serif", cursor: "pointer",
		});
		box.append(entry.frame, button);
		dialog.append(box);
		doc.body.append(dialog);

		const { overflow, paddingRight } = root.style, gap = innerWidth - root.clientWidth;
		style(root, { overflow: "hidden", paddingRight: gap > 0 ? gap + "px" : paddingRight });
		button.onclick = () => dialog.close();
		dialog.onclick = (e) => e.target === dialog && dialog.close();
		dialog.onclose = () => {
			open = null;
			behind(false);
			frames.delete(entry);
			dialog.remove();
			style(root, { overflow, paddingRight });
			el.focus();
			tell(el, "close", { bookingId: entry.bookingId || null });
		};
		entry.dialog = open = dialog;
		behind(true);
		dialog.showModal();
		button.focus(); // so that Escape closes while the page loads
		if (!calm.matches) {
			dialog.animate([{ opacity: 0 }, { opacity: 1 }], 160);
			const path = [{ transform: "translateY(12px)" }, { transform: "none" }];
			box.animate(path, { duration: 220, easing: "cubic-bezier(.2,.8,.3,1)" });
		}
		return true;
	};

	addEventListener("message", ({ data, source, origin }) => {
		if (!data || data.daybook !== V) return;
		for (const entry of frames) {
			if (entry.frame.contentWindow !== source) continue;
			if (entry.origin !== origin) return;
			const { el, frame, dialog } = entry;
			if (data.type === "ready") {
				source.postMessage({ daybook: V, type: "hello" }, origin);
				if (!entry.ready) tell(el, data.missing ? "error" : "ready", { url: entry.src });
				if (dialog && !entry.ready) frame.focus();
				entry.ready = true;
				entry.height = 0;
			} else if (data.type === "resize") {
				const height = Math.ceil(data.height);
				if (!(height > 0 && height < 1e5) || height === entry.height) return;
				entry.height = height;
				if (!entry.fixed) style(frame, { height: height + "px" });
				tell(el, "resize", { height });
			} else if (data.type === "booked") {
				entry.bookingId = String(data.bookingId);
				const visitId = data.visitId ? String(data.visitId) : null;
				tell(el, "booked", { bookingId: entry.bookingId, visitId, start: String(data.start), status: String(data.status) });
			} else if (data.type === "close" && dialog) dialog.close();
			return;
		}
	});

	// Anything clickable may open a popup; what no keyboard reaches is made a button.
	const opener = (e) => e.target.closest && e.target.closest("[" + POPUP + "]");
	doc.addEventListener("click", (e) => {
		const el = opener(e);
		if (!el || e.button || e.metaKey || e.ctrlKey || e.shiftKey) return;
		if (popup(el)) e.preventDefault();
	}, true);
	doc.addEventListener("keydown", (e) => {
		const x = e.target, pressed = e.key === "Enter" || e.key === " ";
		if (pressed && opener(e) === x && x.daybookButton && popup(x)) e.preventDefault();
	}, true);

	const scan = (node) => {
		if (node.nodeType !== 1) return;
		for (const el of [node, ...node.querySelectorAll("[" + INLINE + "],[" + POPUP + "]")]) {
			if (el.hasAttribute(INLINE)) inline(el);
			if (el.hasAttribute(BUTTON)) dress(el);
			if (el.hasAttribute(POPUP) && el.tabIndex < 0 && !el.disabled) {
				el.tabIndex = 0;
				el.daybookButton = 1;
				if (!el.hasAttribute("role")) el.setAttribute("role", "button");
			}
		}
	};
	new MutationObserver((changes) => {
		for (const { type, target, addedNodes } of changes)
			if (type === "attributes") scan(target);
			else addedNodes.forEach(scan);
		for (const entry of frames) if (!entry.frame.isConnected) frames.delete(entry);
	}).observe(doc, { childList: true, subtree: true, attributes: true, attributeFilter: [INLINE, POPUP, THEME, ACCENT] });
	scan(root);
})();
