// The official TypeScript client of one line signs in: node connect.mjs 1|2 ADDRESS METADATA_URL|-. It prints the address for
// the browser, reads what the browser was sent back with from its standard input, and calls a tool.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";

const [line, address, document] = process.argv.slice(2);
const v2 = line === "2";
const lib = v2 ? await import("@modelcontextprotocol/client") : {
  ...(await import("@modelcontextprotocol/sdk/client/index.js")),
  ...(await import("@modelcontextprotocol/sdk/client/auth.js")),
  ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
};
const redirect = "http://localhost:8090/callback";

// What programs keep about a server: here in memory.
class Kept {
  redirectUrl = redirect;
  clientMetadataUrl = document === "-" ? undefined : document;
  clientMetadata = { client_name: "TypeScript client", redirect_uris: [redirect], grant_types: ["authorization_code", "refresh_token"], response_types: ["code"], token_endpoint_auth_method: "none" };
  state() { return "state of the client"; }
  clientInformation() { return this.client; }
  saveClientInformation(c) { this.client = c; }
  tokens() { return this.held; }
  saveTokens(t) { this.held = t; }
  redirectToAuthorization(url) { console.log("OPEN " + url); }
  saveCodeVerifier(v) { this.verifier = v; }
  codeVerifier() { return this.verifier; }
}

const kept = new Kept();
const open = () => new lib.StreamableHTTPClientTransport(new URL(address), { authProvider: kept });
const made = () => new lib.Client({ name: "daybook-test", version: "1" }, v2 ? { versionNegotiation: { mode: "auto" } } : {});
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
// The client of 2.x takes all of what came back, and holds its iss against the server's (RFC 9207); that of 1.x takes the code.
async function finish(transport) {
  const back = new URLSearchParams((await input.next()).value);
  await transport.finishAuth(v2 ? back : back.get("code"));
}
const first = open();
await assert.rejects(made().connect(first), lib.UnauthorizedError);
await finish(first);
assert.equal(kept.held.token_type, "Bearer");
assert.equal(kept.held.expires_in, 3600);
if (document !== "-") assert.equal(kept.client.client_id, document);
else assert.match(kept.client.client_id, /^oc_/);

let client = made();
let transport = open();
await client.connect(transport);
const tools = (await client.listTools()).tools.map((t) => t.name);
const answer = await client.callTool({ name: "list_event_types", arguments: {} });
assert.equal(answer.structuredContent.data[0].slug, "cut");

// Who was allowed too little for a tool is asked again by the client itself, which asks for more.
const mark = () => client.callTool({ name: "mark_arrived", arguments: { id: "bk_0000000000000" } });
if (tools.includes("mark_arrived")) {
  if (!v2) {
    // That of 1.x (client/auth.js, auth) renews a token that it can renew before it asks anybody, and so has the scope of
    // before; it says so, and asks the person where it has none to renew.
    await assert.rejects(mark(), /403 after trying upscoping/);
    delete kept.held.refresh_token;
    client = made();
    transport = open();
    await client.connect(transport);
  }
  await assert.rejects(mark(), lib.UnauthorizedError);
  await finish(transport);
  assert.equal((await mark()).structuredContent.error.code, "not_found");
}

// A token that is refused is renewed by itself.
const before = kept.held.access_token;
kept.held = { ...kept.held, access_token: "dba_wrong" };
const later = made();
await later.connect(open());
assert.equal((await later.listTools()).tools.length, tools.length);
assert.notEqual(kept.held.access_token, before);
console.log("DONE " + tools.length);
process.exit(0);
