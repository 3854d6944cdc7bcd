package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// model is a model behind an address that speaks OpenAI's chat completions.
type model struct {
	url, name, key string
	timeout        time.Duration // of one answer
}

// modelOfEnv returns the model that the environment names: DAYBOOK_MODEL_URL such as http://127.0.0.1:11434/v1,
// DAYBOOK_MODEL its name, and DAYBOOK_MODEL_KEY, which is sent and never printed.
func modelOfEnv() *model {
	return &model{os.Getenv("DAYBOOK_MODEL_URL"), os.Getenv("DAYBOOK_MODEL"), os.Getenv("DAYBOOK_MODEL_KEY"), 3 * time.Minute}
}

// chat is a message of a conversation.
type chat struct {
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Calls   []chatCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// next returns what the model says next.
func (m *model) next(ctx context.Context, tools []any, said []chat) (chat, error) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	body, err := json.Marshal(map[string]any{"model": m.name, "messages": said, "tools": tools})
	if err != nil {
		return chat{}, err
	}
	r, err := http.NewRequestWithContext(ctx, "POST", strings.TrimSuffix(m.url, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return chat{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	if m.key != "" {
		r.Header.Set("Authorization", "Bearer "+m.key)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return chat{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 4<<20))
	if err != nil {
		return chat{}, err
	}
	if res.StatusCode != http.StatusOK {
		if m.key != "" { // some servers repeat it
			text = bytes.ReplaceAll(text, []byte(m.key), []byte("…"))
		}
		return chat{}, fmt.Errorf("the model answers %d: %.300s", res.StatusCode, text)
	}
	var answer struct{ Choices []struct{ Message chat } }
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Choices) == 0 {
		return chat{}, fmt.Errorf("the model's answer can't be read: %v", err)
	}
	return answer.Choices[0].Message, nil
}

// played is how a model did a task.
type played struct {
	calls, wrong, tokens int
	err                  error // it isn't done
}

// Rounds of a task at most, and how often the person says yes.
const mostRounds, mostYes = 20, 2

// play has the model do a task, in a conversation of its own. Where it asks back, the person says yes.
func (m *model) play(ctx context.Context, d *desk, s *shop, of *task) (p played) {
	tools, said := m.begin(d, of)
	was, answer := s.state(), ""
	for yes, round := 0, 0; round < mostRounds; round++ {
		got, err := m.next(ctx, tools, said)
		if err != nil {
			p.err = err
			return p
		}
		got.Role = "assistant"
		said, answer = append(said, got), answer+got.Content+"\n"
		for _, c := range got.Calls {
			p.calls++
			arguments := json.RawMessage(c.Function.Arguments)
			if !json.Valid(arguments) {
				arguments = json.RawMessage(`{}`)
			}
			result := d.mayCall(of.path, c.Function.Name, string(arguments))
			if result.IsError {
				p.wrong++
			}
			p.tokens += tokens(d.T, result.Content[0].Text)
			said = append(said, chat{Role: "tool", Content: result.Content[0].Text, CallID: c.ID})
		}
		if len(got.Calls) > 0 {
			continue
		}
		if p.err = of.judge(s, was, s.state(), answer); p.err == nil || yes == mostYes {
			return p
		}
		yes++
		said = append(said, chat{Role: "user", Content: "Yes, go ahead. You have all that you need."})
	}
	return p
}

// begin returns the tools as a model is given them, and how the conversation begins.
func (m *model) begin(d *desk, of *task) (tools []any, said []chat) {
	for _, tool := range d.toolsAt(of.path) {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": tool.Name,
			"description": tool.Description, "parameters": tool.InputSchema}})
	}
	var hello struct{ Result struct{ Instructions string } }
	res := d.request("POST", of.path, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	must(d.T, json.Unmarshal([]byte(readAll(d.T, res)), &hello))
	return tools, []chat{{Role: "system", Content: hello.Result.Instructions}, {Role: "user", Content: whereAndWhen + of.words}}
}

// mayCall calls a tool that there may not be.
func (d *desk) mayCall(path, tool, arguments string) answer {
	if !slices.ContainsFunc(d.toolsAt(path), func(t described) bool { return t.Name == tool }) {
		a := answer{IsError: true}
		a.Content = append(a.Content, struct{ Type, Text string }{"text", "There is no such tool."})
		return a
	}
	return d.callAt(path, tool, arguments)
}

// run has the model do tasks, and returns the table.
func (m *model) run(ctx context.Context, d *desk, tasks []task) string {
	var table strings.Builder
	s, all, done := &shop{d.world}, played{}, 0
	for i := range tasks {
		p := m.play(ctx, d, s, &tasks[i])
		state := "done"
		if p.err != nil {
			state = fmt.Sprintf("NOT DONE (%.150s)", p.err)
		} else {
			done++
		}
		fmt.Fprintf(&table, "%2d  %d calls  %d wrong  %5d tokens  %s  %s\n", i+1, p.calls, p.wrong, p.tokens, tasks[i].words, state)
		all.calls, all.wrong, all.tokens = all.calls+p.calls, all.wrong+p.wrong, all.tokens+p.tokens
	}
	fmt.Fprintf(&table, "    %s did %d of %d: %d calls, %d wrong, %d tokens", m.name, done, len(tasks), all.calls, all.wrong, all.tokens)
	return table.String()
}

// Any model does the tasks by hand:
//
//	DAYBOOK_MODEL_URL=http://127.0.0.1:11434/v1 DAYBOOK_MODEL=name go test ./app/agent -run TestFrontDeskByAModel -v -timeout 2h
//
// It judges nothing: the table says what was done. None was tried yet.
func TestFrontDeskByAModel(t *testing.T) {
	m := modelOfEnv()
	if m.url == "" {
		t.Skip("DAYBOOK_MODEL_URL names no model")
	}
	d := demoDesk(t)
	t.Logf("\n%s", m.run(t.Context(), d, frontDesk(t, d, nil)))
}

// A stand-in does the first two tasks as a model would, well and badly: the tools are offered, the answers come back to it,
// the database judges, and one that never answers ends the task.
func TestAModelIsPlayed(t *testing.T) {
	var asked []map[string]any
	standIn := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		must(t, json.NewDecoder(r.Body).Decode(&body))
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret-of-the-model" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		asked = append(asked, body)
		said, _ := body["messages"].([]any)
		last := said[len(said)-1]
		reply := chat{Role: "assistant", Content: fmt.Sprint("Nothing but: ", at(last, "content"))}
		if at(last, "role") == "user" && strings.Contains(fmt.Sprint(at(last, "content")), "Which services") {
			c := chatCall{ID: "1", Type: "function"}
			c.Function.Name, c.Function.Arguments = "list_event_types", `{}`
			wrong := chatCall{ID: "2", Type: "function"}
			wrong.Function.Name, wrong.Function.Arguments = "list_services", `{`
			reply = chat{Role: "assistant", Calls: []chatCall{wrong, c}}
		}
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": reply}}}) //nolint:errcheck // a test
	}))
	defer standIn.Close()
	d := demoDesk(t)
	tasks := frontDesk(t, d, nil)
	m := &model{standIn.URL + "/v1", "stand-in", "secret-of-the-model", time.Minute}
	table := m.run(t.Context(), d, tasks[:2])
	if !strings.Contains(table, " 1  2 calls  1 wrong ") || !strings.Contains(table, "stand-in did 1 of 2: 2 calls, 1 wrong") || strings.Contains(table, m.key) {
		t.Error(table)
	}
	tools, _ := asked[0]["tools"].([]any)
	if len(tools) != 10 || at(tools[0], "function", "parameters", "type") != "object" || !strings.Contains(fmt.Sprint(at(asked[0]["messages"], 0, "content")), "Daybook") ||
		at(asked[1]["messages"], 4, "tool_call_id") != "1" || len(asked) != 2+1+mostYes {
		t.Errorf("%d questions: %.3000v", len(asked), asked)
	}
	if table := (&model{standIn.URL + "/v1", "stranger", "", time.Minute}).run(t.Context(), d, tasks[:1]); !strings.Contains(table, "the model answers 401") {
		t.Error(table)
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) //nolint:errcheck // so that its end is seen
		<-r.Context().Done()
	}))
	defer silent.Close()
	if table := (&model{silent.URL, "silent", "", 50 * time.Millisecond}).run(t.Context(), d, tasks[:1]); !strings.Contains(table, "NOT DONE") || !strings.Contains(table, "deadline") {
		t.Error(table)
	}
}
