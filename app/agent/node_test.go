package agent_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/outside"
	"daybook/app/catalog"
	"daybook/app/money"
)

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) {
	clients(t)
	outside.Install(t, "agent-clients", "testdata/apps/package.json")
}

// clients is a folder with the official MCP client and the conformance suite.
func clients(t *testing.T) string {
	t.Helper()
	return outside.Install(t, "agent-clients", "testdata/client/package.json")
}

// TestTypeScriptClient books, moves and cancels with the official client.
func TestTypeScriptClient(t *testing.T) {
	dir := clients(t)
	script, err := os.ReadFile("testdata/client/client.mjs")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "client.mjs"), script, 0o644)) // beside node_modules, where imports look
	for _, transport := range []string{"http", "sse"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			outside.Run(t, dir, "node", "client.mjs", transport, w.server.URL, w.key, w.readOnly)
		})
	}
}

// TestOfficialClientsOfBothLines drives the sets of tools, the prompts, the views, several at once and the forms with both lines
// of the official client, 1.x and 2.x.
func TestOfficialClientsOfBothLines(t *testing.T) {
	dir := clients(t)
	script, err := os.ReadFile("testdata/client/sets.mjs")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "sets.mjs"), script, 0o644))
	for _, line := range []string{"1", "2"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			setup, err := w.Setup(w.Workspace.ID)
			must(t, err)
			w.Offer("both", 60, func(e *catalog.EventType) {
				e.Price, e.Hosts = &money.Money{Amount: 4500, Currency: "EUR"}, []catalog.HostRef{{ID: setup.Hosts[0].ID}, {ID: setup.Hosts[1].ID}}
			})
			w.Offer("bridal", 60, func(e *catalog.EventType) { e.RequiresApproval = true })
			owner, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID),
				account.UserInput{Email: "owner@salon.example", Role: app.OwnerRole, Password: "correct horse battery"})
			must(t, err)
			keys, err := json.Marshal(map[string]string{"desk": w.keyWith("contacts", "settings"), "plain": w.keyWith(), "look": w.readOnly,
				"write": w.signedIn(owner, deskPath, "write")})
			must(t, err)
			outside.Run(t, dir, "node", "sets.mjs", line, w.server.URL, string(keys))
		})
	}
}

// conformance are the checks of the public suite that this server doesn't hold, and what the suite says of each: the tools,
// prompts and resources that its own server has for it are missing here, or what is optional and not offered (no completions,
// logging, sampling, subscriptions, headers from arguments).
var conformance = map[string]string{
	"completion-complete":                                    "completions not supported",
	"elicitation-sep1034-general":                            "tool 'test_elicitation_sep1034_defaults' not found",
	"elicitation-sep1330-general":                            "tool 'test_elicitation_sep1330_enums' not found",
	"json-schema-2020-12-tool-found":                         "Tool 'json_schema_2020_12_tool' not found",
	"logging-set-level":                                      "logging not supported",
	"prompts-get-embedded-resource":                          "prompt 'test_prompt_with_embedded_resource' not found",
	"prompts-get-simple":                                     "prompt 'test_simple_prompt' not found",
	"prompts-get-with-args":                                  "prompt 'test_prompt_with_arguments' not found",
	"prompts-get-with-image":                                 "prompt 'test_prompt_with_image' not found",
	"resources-read-binary":                                  "not found",
	"resources-read-text":                                    "not found",
	"resources-subscribe":                                    "resources subscribe not supported",
	"resources-templates-read":                               "not found",
	"resources-unsubscribe":                                  "resources subscribe not supported",
	"sep-2243-server-decode-base64":                          "no tool with x-mcp-header annotations",
	"sep-2243-server-no-xmcp-tool":                           "no tool with x-mcp-header annotations",
	"sep-2243-server-reject-invalid-param-chars":             "no tool with x-mcp-header annotations",
	"sep-2243-server-reject-param-mismatch":                  "no tool with x-mcp-header annotations",
	"sep-2243-server-validate-param-match":                   "no tool with x-mcp-header annotations",
	"sep-2322-elicitation-incomplete":                        "tool 'test_input_required_result_elicitation' not found",
	"sep-2322-ignore-unexpected-params":                      "tool 'test_input_required_result_elicitation' not found",
	"sep-2322-list-roots-incomplete":                         "tool 'test_input_required_result_list_roots' not found",
	"sep-2322-missing-response-rerequests":                   "JSON-RPC error instead of re-requesting", // of the same tool
	"sep-2322-multi-round-r1":                                "Expected InputRequiredResult",            // of its own tool
	"sep-2322-multiple-inputs-incomplete":                    "tool 'test_input_required_result_multiple_inputs' not found",
	"sep-2322-non-tool-incomplete":                           "prompt 'test_input_required_result_prompt' not found",
	"sep-2322-reject-tampered-state":                         "Prerequisite failed", // of its own tool
	"sep-2322-request-state-incomplete":                      "tool 'test_input_required_result_request_state' not found",
	"sep-2322-respect-client-capabilities":                   "tool 'test_input_required_result_capabilities' not found",
	"sep-2322-result-type-included":                          "tool 'test_input_required_result_elicitation' not found",
	"sep-2322-sampling-incomplete":                           "tool 'test_input_required_result_sampling' not found",
	"sep-2575-http-server-no-independent-requests-on-stream": "does not list the diagnostic tool 'test_streaming_elicitation'",
	"sep-2575-missing-capability-http-400":                   "does not list the diagnostic tool 'test_missing_capability'",
	"sep-2575-server-no-log-without-loglevel":                "does not list the diagnostic tool 'test_logging_tool'",
	"sep-2575-server-rejects-undeclared-capability":          "does not list the diagnostic tool 'test_missing_capability'",
	"server-sse-multiple-streams-session":                    "", // it says nothing more: the server is stateless
	"server-sse-polling-session":                             "",
	"tools-call-audio":                                       "tool 'test_audio_content' not found",
	"tools-call-elicitation":                                 "tool 'test_elicitation' not found",
	"tools-call-embedded-resource":                           "tool 'test_embedded_resource' not found",
	"tools-call-error":                                       "tool 'test_error_handling' not found",
	"tools-call-image":                                       "tool 'test_image_content' not found",
	"tools-call-mixed-content":                               "tool 'test_multiple_content_types' not found",
	"tools-call-sampling":                                    "tool 'test_sampling' not found",
	"tools-call-simple-text":                                 "tool 'test_simple_text' not found",
	"tools-call-with-logging":                                "logging not supported",
	"tools-call-with-progress":                               "tool 'test_tool_with_progress' not found",
}

// TestConformance runs all server scenarios of the public suite, of the newest revision of the protocol and of the one
// before: what it doesn't pass is what conformance has, no more and no less.
func TestConformance(t *testing.T) {
	dir := clients(t)
	w := newWorld(t)
	w.key = w.keyWith()     // which has requests enough for a whole suite
	w.anonymous.Store(true) // the suite can't send a key
	url := strings.Replace(w.server.URL, "127.0.0.1", "localhost", 1) + "/api/mcp"
	seen := map[string]bool{}
	for version, scenarios := range map[string]int{"2026-07-28": 40, "2025-11-25": 33} {
		results := filepath.Join(dir, version)
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "conformance"), "server", "--url", url,
			"--suite", "all", "--spec-version", version, "-o", results)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "node_modules", ".bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
		said, err := cmd.CombinedOutput() // it fails, since something is missing
		if err == nil {
			t.Errorf("%s: nothing is missing", version)
		}
		files, err := filepath.Glob(filepath.Join(results, "*", "checks.json"))
		must(t, err)
		if len(files) != scenarios {
			t.Fatalf("%s: %d scenarios were run\n%s", version, len(files), said)
		}
		passed := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			must(t, err)
			var checks []struct{ ID, Status, ErrorMessage string }
			must(t, json.Unmarshal(text, &checks))
			for _, c := range checks {
				switch why, missing := conformance[c.ID]; {
				case c.Status == "SUCCESS":
					passed++
				case c.Status == "INFO" || c.Status == "SKIPPED":
				case missing && strings.Contains(c.ErrorMessage, why):
					seen[c.ID] = true
				default:
					t.Errorf("%s: %s: %s: %s", version, c.ID, c.Status, c.ErrorMessage)
				}
			}
			if len(checks) == 0 {
				t.Errorf("%s checks nothing", file)
			}
		}
		t.Logf("%s: %d scenarios, %d checks passed", version, len(files), passed)
	}
	for id := range conformance {
		if !seen[id] {
			t.Errorf("%s isn't missing any more", id)
		}
	}
}
