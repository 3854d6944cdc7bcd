// The official TypeScript client signs in: node connect.mjs BASE_URL METADATA_URL|-. It prints the address for the
// browser, reads the code from its standard input, and calls a tool.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [base, document] = process.argv.slice(2);
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
const open = () => new StreamableHTTPClientTransport(new URL("/api/mcp", base), { authProvider: kept });
const first = open();
await assert.rejects(new Client({ name: "daybook-test", version: "1" }).connect(first), UnauthorizedError);
const lines = createInterface({ input: process.stdin });
const { value: code } = await lines[Symbol.asyncIterator]().next();
await first.finishAuth(code);
assert.equal(kept.held.token_type, "Bearer");
assert.equal(kept.held.expires_in, 3600);
if (document !== "-") assert.equal(kept.client.client_id, document);
else assert.match(kept.client.client_id, /^oc_/);

const client = new Client({ name: "daybook-test", version: "1" });
await client.connect(open());
assert.equal((await client.listTools()).tools.length, 10);
const answer = await client.callTool({ name: "list_event_types", arguments: {} });
assert.equal(answer.structuredContent.data[0].slug, "cut");

// A token that is refused is renewed by itself.
const before = kept.held.access_token;
kept.held = { ...kept.held, access_token: "dba_wrong" };
const later = new Client({ name: "daybook-test", version: "1" });
await later.connect(open());
assert.equal((await later.listTools()).tools.length, 10);
assert.notEqual(kept.held.access_token, before);
console.log("DONE");
process.exit(0);
