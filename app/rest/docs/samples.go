package docs

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"daybook/app/rest/openapi"
)

// request is what the samples of an operation send.
type request struct {
	method, url string
	public      bool   // the key is one of web pages
	body        string // JSON, indented; "" is none
	file        string // the media type of a body that is a file
	saves       bool   // the answer is a file
	once        string // the Idempotency-Key: one that is drawn anew at each try would guard against nothing
}

// visitor is the token of the visitor in samples with a public key.
const visitor = "drawn-once-for-this-visitor"

// samples returns an operation's request in four languages.
func samples(d *openapi.Document, op *openapi.Operation) string {
	r := request{method: op.Method, url: d.Servers[0].URL + strings.ReplaceAll(op.Path, "{id}", openapi.ExampleID),
		public: op.Security != nil, once: dashed(op.ID) + "-1001"}
	var query []string
	for i := range op.Parameters {
		switch p := &op.Parameters[i]; {
		case p.In == "path" && p.Example != nil:
			r.url = strings.ReplaceAll(r.url, "{"+p.Name+"}", fmt.Sprint(p.Example))
		case p.In == "query" && p.Sampled:
			query = append(query, fmt.Sprintf("%s=%v", p.Name, p.Example))
		}
	}
	if len(query) > 0 {
		r.url += "?" + strings.Join(query, "&")
	}
	if op.RequestBody != nil {
		media, isJSON := op.RequestBody.Content["application/json"]
		switch {
		case !isJSON:
			r.file = "image/jpeg"
		case media.Example != nil:
			r.body = indented(media.Example)
		}
	}
	if ok := op.Responses["200"]; ok != nil && ok.Content != nil {
		_, isJSON := ok.Content["application/json"]
		r.saves = !isJSON
	}
	return fenced("sh", r.curl()) + fenced("js", r.javaScript()) + fenced("go", r.golang()) +
		fenced("python", r.python())
}

func (r request) curl() string {
	var b strings.Builder
	if r.body != "" && r.method == "POST" {
		b.WriteString("# Idempotency-Key: your own, such as the number of the order; a retry sends the same.\n")
	}
	b.WriteString("curl ")
	if r.method != "GET" && (r.method != "POST" || r.body == "" && r.file == "") {
		b.WriteString("-X " + r.method + " ")
	}
	b.WriteString("'" + r.url + "' \\\n  -H \"Authorization: Bearer $DAYBOOK_KEY\"")
	switch {
	case r.file != "":
		b.WriteString(" \\\n  -H 'Content-Type: " + r.file + "' --data-binary @picture.jpg")
	case r.body != "":
		b.WriteString(" \\\n  -H 'Content-Type: application/json'")
		if r.method == "POST" {
			b.WriteString(" -H 'Idempotency-Key: " + r.once + "'")
			if r.public {
				b.WriteString(" \\\n  -H 'Daybook-Visitor: " + visitor + "'")
			}
		}
		b.WriteString(" \\\n  -d '" + strings.ReplaceAll(r.body, "'", `'\''`) + "'")
	}
	if r.saves {
		b.WriteString(" \\\n  --output saved")
	}
	return b.String()
}

func (r request) javaScript() string {
	var b strings.Builder
	if r.file != "" {
		b.WriteString("import { readFile } from \"node:fs/promises\";\n\n")
	}
	if r.saves {
		b.WriteString("import { writeFile } from \"node:fs/promises\";\n\n")
	}
	fmt.Fprintf(&b, "const response = await fetch(%s, {\n", quoted(r.url))
	if r.method != "GET" {
		fmt.Fprintf(&b, "  method: %s,\n", quoted(r.method))
	}
	b.WriteString("  headers: {\n    Authorization: `Bearer ${process.env.DAYBOOK_KEY}`,\n")
	if r.body != "" {
		b.WriteString("    \"Content-Type\": \"application/json\",\n")
		if r.method == "POST" {
			b.WriteString("    \"Idempotency-Key\": " + quoted(r.once) + ", // your own: a retry sends the same\n")
			if r.public {
				b.WriteString("    \"Daybook-Visitor\": " + quoted(visitor) + ",\n")
			}
		}
	}
	if r.file != "" {
		fmt.Fprintf(&b, "    \"Content-Type\": %s,\n", quoted(r.file))
	}
	b.WriteString("  },\n")
	if r.body != "" {
		b.WriteString("  body: JSON.stringify(" + strings.ReplaceAll(r.body, "\n", "\n  ") + "),\n")
	}
	if r.file != "" {
		b.WriteString("  body: await readFile(\"picture.jpg\"),\n")
	}
	b.WriteString("});\n")
	b.WriteString("if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);\n")
	if r.saves {
		b.WriteString("await writeFile(\"saved\", Buffer.from(await response.arrayBuffer()));")
	} else {
		b.WriteString("console.log(await response.text());")
	}
	return b.String()
}

func (r request) golang() string {
	var b strings.Builder
	body := "nil"
	switch {
	case r.body != "":
		body = "strings.NewReader(body)"
		if strings.Contains(r.body, "`") {
			b.WriteString("body := " + strconv.Quote(r.body) + "\n")
		} else {
			b.WriteString("body := `" + r.body + "`\n")
		}
	case r.file != "":
		body = "file"
		b.WriteString("file, err := os.Open(\"picture.jpg\")\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer file.Close()\n")
	}
	fmt.Fprintf(&b, "req, err := http.NewRequest(%s, %s, %s)\nif err != nil {\n\tlog.Fatal(err)\n}\n",
		quoted(r.method), quoted(r.url), body)
	b.WriteString("req.Header.Set(\"Authorization\", \"Bearer \"+os.Getenv(\"DAYBOOK_KEY\"))\n")
	if r.body != "" {
		b.WriteString("req.Header.Set(\"Content-Type\", \"application/json\")\n")
		if r.method == "POST" {
			b.WriteString("req.Header.Set(\"Idempotency-Key\", " + quoted(r.once) + ") // your own: a retry sends the same\n")
			if r.public {
				b.WriteString("req.Header.Set(\"Daybook-Visitor\", " + quoted(visitor) + ")\n")
			}
		}
	}
	if r.file != "" {
		fmt.Fprintf(&b, "req.Header.Set(\"Content-Type\", %s)\n", quoted(r.file))
	}
	b.WriteString("res, err := http.DefaultClient.Do(req)\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer res.Body.Close()\n")
	b.WriteString("answer, err := io.ReadAll(res.Body)\n")
	b.WriteString("if err != nil || res.StatusCode/100 != 2 {\n")
	b.WriteString("\tlog.Fatalf(\"%s: %s %v\", res.Status, answer, err)\n}\n")
	if r.saves {
		b.WriteString("if err := os.WriteFile(\"saved\", answer, 0o600); err != nil {\n\tlog.Fatal(err)\n}")
	} else {
		b.WriteString("fmt.Println(string(answer))")
	}
	return b.String()
}

func (r request) python() string {
	var b strings.Builder
	b.WriteString("import os\nimport requests\n\n")
	fmt.Fprintf(&b, "response = requests.%s(\n    %s,\n", strings.ToLower(r.method), quoted(r.url))
	b.WriteString("    headers={\n        \"Authorization\": \"Bearer \" + os.environ[\"DAYBOOK_KEY\"],\n")
	if r.body != "" && r.method == "POST" {
		b.WriteString("        \"Idempotency-Key\": " + quoted(r.once) + ",  # your own: a retry sends the same\n")
		if r.public {
			b.WriteString("        \"Daybook-Visitor\": " + quoted(visitor) + ",\n")
		}
	}
	if r.file != "" {
		fmt.Fprintf(&b, "        \"Content-Type\": %s,\n", quoted(r.file))
	}
	b.WriteString("    },\n")
	if r.body != "" {
		b.WriteString("    json=" + strings.ReplaceAll(inPython(r.body), "\n", "\n    ") + ",\n")
	}
	if r.file != "" {
		b.WriteString("    data=open(\"picture.jpg\", \"rb\"),\n")
	}
	b.WriteString("    timeout=30,\n)\nresponse.raise_for_status()\n")
	if r.saves {
		b.WriteString("with open(\"saved\", \"wb\") as file:\n    file.write(response.content)")
	} else {
		b.WriteString("print(response.text)")
	}
	return b.String()
}

// inPython writes indented JSON as Python does: its names of true, false and null differ. A text is always followed by
// a comma, a colon or the end of the line, so that these words can't be within one.
func inPython(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		for from, to := range map[string]string{"true": "True", "false": "False", "null": "None"} {
			bare := strings.TrimSuffix(line, ",")
			start, is := strings.CutSuffix(bare, from)
			if is && (strings.HasSuffix(start, ": ") || strings.TrimSpace(start) == "") {
				lines[i] = start + to + line[len(bare):]
			}
		}
	}
	return strings.Join(lines, "\n")
}

// quoted returns a text as all of these languages write it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // addresses and methods are plain text
	}
	return string(b)
}
