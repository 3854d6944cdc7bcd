package agent_test

import (
	"encoding/json"
	"io"
	"regexp"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// o200k is the tokenizer by which the figures of what the tools cost a model are told.
var o200k = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	return tiktoken.GetEncoding("o200k_base")
})

// tokens returns how many tokens a text is to a model.
func tokens(t testing.TB, text string) int {
	t.Helper()
	by, err := o200k()
	must(t, err)
	return len(by.EncodeOrdinary(text))
}

// What every client reads before the first question stays small, whether or not it shows models the output schemas.
func TestListOfToolsIsSmall(t *testing.T) {
	w := newWorld(t)
	body, err := io.ReadAll(w.request("POST", "/api/mcp", listTools).Body)
	must(t, err)
	var message struct {
		Result struct{ Tools json.RawMessage }
	}
	must(t, json.Unmarshal(body, &message))
	// _meta names the views, for the client: models aren't shown it.
	n, out := tokens(t, regexp.MustCompile(`,?"_meta":\{"ui":\{[^}]*\}\}`).ReplaceAllString(string(message.Result.Tools), "")), 0
	for _, tool := range w.tools() {
		out += tokens(t, string(tool.OutputSchema))
		t.Logf("%s: %d in, %d out, %d text", tool.Name, tokens(t, string(tool.InputSchema)), tokens(t, string(tool.OutputSchema)), tokens(t, tool.Description))
	}
	t.Logf("%d bytes, %d tokens, %d of them output schemas", len(message.Result.Tools), n, out)
	if n >= 12000 {
		t.Errorf("the list of tools is %d tokens", n)
	}
}
