// Holds answers against an OpenAPI document: node check.mjs DOCUMENT ANSWERS, with ajv and ajv-formats beside it.
// ANSWERS is a list of {method, path, status, body}. Every example of the document is held against its schema too.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.argv[4] + "/");
const Ajv = require("ajv/dist/2020").default;
const formats = require("ajv-formats").default;

const doc = JSON.parse(readFileSync(process.argv[2], "utf8"));
const answers = JSON.parse(readFileSync(process.argv[3], "utf8"));
const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true, discriminator: true });
formats(ajv);
for (const keyword of ["components", "headers", "example"]) ajv.addKeyword(keyword);
const closed = { schemas: structuredClone(doc.components.schemas) };
for (const s of Object.values(closed.schemas)) if (s.properties) s.additionalProperties = false;
for (const s of Object.values(closed.schemas)) delete s.discriminator?.mapping;
ajv.addSchema({ $id: "doc", components: closed });

let failed = 0;
const fail = (...what) => { failed++; console.log(...what); };
const compiled = new Map();
function check(where, schema, value) {
  const key = JSON.stringify(schema);
  if (!compiled.has(key)) compiled.set(key, ajv.compile(JSON.parse(key.replaceAll('"#/components', '"doc#/components'))));
  const valid = compiled.get(key);
  if (!valid(value)) fail(where, JSON.stringify(valid.errors), JSON.stringify(value).slice(0, 400));
}

let examples = 0;
const media = (where, content) => {
  for (const m of Object.values(content ?? {})) if (m.example !== undefined) { examples++; check(where + " example", m.schema, m.example); }
};
const routes = [];
for (const [kind, items] of [["", doc.paths], ["webhook ", doc.webhooks]]) {
  for (const [path, item] of Object.entries(items)) {
    for (const [method, op] of Object.entries(item)) {
      const where = kind + method + " " + path;
      if (!kind) routes.push({ method: method.toUpperCase(), form: new RegExp("^" + path.replace(/\{\w+\}/g, "[^/]+") + "$"), op });
      media(where + " body", op.requestBody?.content);
      for (const [status, r] of Object.entries(op.responses)) media(where + " " + status, r.content);
      for (const p of op.parameters ?? []) if (p.example !== undefined) { examples++; check(where + " " + p.name, p.schema, p.example); }
    }
  }
}
let held = 0;
for (const a of answers) {
  const route = routes.find((r) => r.method === a.method && r.form.test(a.path));
  if (!route) continue;
  const where = `${a.method} ${a.path} ${a.status}`;
  const schema = route.op.responses[a.status]?.content?.["application/json"]?.schema;
  if (!schema) { fail(where, "is not described"); continue; }
  held++;
  check(where, schema, a.body);
}
console.log(`${held} answers and ${examples} examples held`);
process.exit(failed ? 1 : 0);
