package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"daybook/app/access"
	"daybook/app/subjects"
	"daybook/assets"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Options holds the settings of a Door.
type Options struct {
	Version string
	Logger  *slog.Logger // nil discards

	// AllowedOrigins lists the origins of web pages, such as https://app.example.com, that may call the tools in
	// addition to the origin of the base URL. Clients other than browsers send no origin and are not affected.
	AllowedOrigins []string

	// OpenAIChallenge is the text at /.well-known/openai-apps-challenge, which OpenAI gives to those who submit an app; "" is
	// none, and the address is 404.
	OpenAIChallenge string

	// Stream wraps the handler of a stream so that the server's deadlines don't end it; nil removes those of the
	// connection only.
	Stream func(http.Handler) http.Handler

	CallTimeout time.Duration // of one tool call; 0 is 20 s
	Heartbeat   time.Duration // between the pings on a stream; 0 is 30 s
}

// Door serves the agent tools of a Service.
type Door struct {
	service *subjects.Set
	log     *slog.Logger
	options Options
	origins map[string]bool
	secret  []byte // of the MAC that binds SSE sessions to their keys; a new one in each process

	mcp          map[string]http.Handler // by the path of the set
	sse, message http.Handler
	open         openWork
}

// New makes a Door. Its base URL is that of the Service.
func New(s *subjects.Set, o Options) *Door {
	o.CallTimeout = cmp.Or(o.CallTimeout, 20*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, 30*time.Second)
	d := &Door{service: s, log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), options: o, secret: make([]byte, 32)}
	rand.Read(d.secret)
	d.origins = allowedOrigins(s.BaseURL(), o.AllowedOrigins)
	d.open.open()
	d.build()
	return d
}

// build makes an MCP server for each set of tools, and their transports: that of the ten has SSE, too. Their own checks of
// origin and host are off: the gate checks both, behind a proxy too.
func (d *Door) build() {
	d.mcp = map[string]http.Handler{}
	for i := range sets {
		m := d.serve(&sets[i])
		d.mcp[sets[i].path] = server.NewStreamableHTTPServer(m,
			server.WithSessionIdManagerResolver(streamIDs{}), server.WithHeartbeatInterval(d.options.Heartbeat),
			server.WithDisableLocalhostProtection(true), server.WithStreamableHTTPLogger(d.log))
		if i > 0 {
			continue
		}
		sse := server.NewSSEServer(m,
			server.WithStaticBasePath("/api"), server.WithSSEEndpoint("/sse"), server.WithMessageEndpoint("/sse/message"),
			server.WithUseFullURLForMessageEndpoint(false), server.WithKeepAlive(true),
			server.WithKeepAliveInterval(d.options.Heartbeat),
			server.WithSSEDisableLocalhostProtection(true), server.WithSessionIDGenerator(d.newSession),
			server.WithSSECORS(server.WithCORSAllowedOrigins(noOrigin)))
		d.sse, d.message = sse.SSEHandler(), sse.MessageHandler()
	}
}

// serve returns the server of a set.
func (d *Door) serve(of *set) *server.MCPServer {
	hooks := &server.Hooks{}
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, r *mcp.InitializeResult) {
		r.Instructions = d.instructions(ctx, of)
	})
	hooks.AddAfterDiscover(func(ctx context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		r.Instructions = d.instructions(ctx, of)
	})
	m := server.NewMCPServer("daybook", cmp.Or(d.options.Version, "dev"),
		server.WithTitle("Daybook"), server.WithDescription(access.AboutTools), server.WithWebsiteURL(d.service.BaseURL()),
		server.WithIcons(icon(d.service.BaseURL())), server.WithHooks(hooks), server.WithToolCapabilities(false),
		server.WithPromptCapabilities(false), server.WithResourceCapabilities(false, false),
		server.WithExtensions(map[string]any{viewExtension: map[string]any{}}),
		// The list is the same for every caller; what server/discover says of the business and the day is not.
		server.WithMethodCacheHints(mcp.MethodToolsList, listLife.Milliseconds(), mcp.CacheScopePublic),
		server.WithMethodCacheHints(mcp.MethodResourcesList, listLife.Milliseconds(), mcp.CacheScopePublic),
		server.WithMethodCacheHints(mcp.MethodResourcesRead, listLife.Milliseconds(), mcp.CacheScopePublic),
		server.WithLogger(d.log))
	addViews(m)
	for _, t := range of.tools {
		m.AddTool(t.describe(), d.handler(t))
	}
	addPrompts(m, of)
	return m
}

// icon is what clients show beside the server's name.
func icon(base string) mcp.Icon {
	return mcp.Icon{Src: base + assets.Path("icon-192.png"), MIMEType: "image/png", Sizes: []string{"192x192"}}
}

// listLife is how long clients keep the list of tools.
const listLife = time.Hour

// noOrigin is an origin that no page has: without an allowed origin, the SSE server would allow all of them.
const noOrigin = "https://nobody.invalid"

// Routes adds the routes of the door to mux.
func (d *Door) Routes(mux *http.ServeMux) {
	for i := range sets {
		path := sets[i].path
		mux.Handle(path, d.gate("GET, POST, DELETE", path, &sets[i], d.stream(d.mcp[path]), d.mcp[path]))
	}
	if d.options.OpenAIChallenge != "" {
		mux.HandleFunc("GET /.well-known/openai-apps-challenge", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			w.Write([]byte(d.options.OpenAIChallenge)) // an error means that the reader has left
		})
	}
	mux.Handle("/api/sse", d.gate("GET", "/api/sse", &sets[0], d.stream(d.sse), nil))
	mux.Handle("/api/sse/message", d.gate("POST", "/api/sse", &sets[0], nil, d.checkSession(d.message)))
}

// Close gives running calls 300 ms to finish and send their responses, and then ends all streams, including those
// opened later. It returns when no call is running or ctx ends.
func (d *Door) Close(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	d.open.wait(short)
	d.open.endStreams()
	d.open.wait(ctx)
}

// streamIDs gives each GET stream an id of its own, and a POST none.
type streamIDs struct{}

func (streamIDs) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r != nil && r.Method == http.MethodGet {
		return &randomSession{}
	}
	return &server.StatelessSessionIdManager{}
}

type randomSession struct {
	server.StatelessSessionIdManager
}

// Generate implements server.SessionIdManager.
func (*randomSession) Generate() string { return rand.Text() }

// describe returns the tool as clients see it.
func (t *tool) describe() mcp.Tool {
	return mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		Meta: t.viewMeta(), RawInputSchema: t.arguments().closed().json(), RawOutputSchema: t.answers().json(),
		Annotations: mcp.ToolAnnotation{
			Title: t.title, ReadOnlyHint: &t.reads, DestructiveHint: &t.destroys, IdempotentHint: &t.repeatable,
			OpenWorldHint: &t.reachesOut,
		},
	}
}
