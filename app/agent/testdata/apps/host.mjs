// A program that shows views, by the official library for hosts: the page asks its server for the view and the answer
// of the tool, and gives both to the frame of the sandbox, which has another origin.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const shown = await (await fetch("/shown" + location.search)).json();
const frame = document.createElement("iframe");
frame.src = shown.sandbox;
frame.title = "view";
document.body.append(frame);
window.said = [];
const bridge = new AppBridge(null, { name: "host", version: "1" }, shown.mute ? {} : { message: { text: {} } }, {
	hostContext: { theme: shown.theme, locale: shown.locale, platform: "web" },
});
bridge.addEventListener("sandboxready", () => bridge.sendSandboxResourceReady({ html: shown.html, sandbox: "allow-scripts" }));
bridge.addEventListener("initialized", async () => {
	await bridge.sendToolInput({ arguments: shown.arguments });
	await bridge.sendToolResult(shown.result);
	window.given = true;
});
bridge.addEventListener("sizechange", ({ height }) => { if (height) frame.style.height = height + "px"; });
bridge.onmessage = async ({ content }) => { window.said.push(content[0].text); return {}; };
window.teardown = () => bridge.teardownResource({});
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
