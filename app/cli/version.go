package cli

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
)

// Version is the release, set by the linker: -ldflags "-X daybook/app/cli.Version=1.0.0".
var Version = "dev"

func versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, and what the program is made of", Args: console.Arguments(),
		Long: "Prints the version. With --json also the commit, where the program was built in a checkout of git, and\n" +
			"every module in it with its version and the sum of its files, as go.sum has it. --sbom prints these as a bill\n" +
			"of materials in CycloneDX's JSON, which scanners for known faults read.",
	}
	asJSON := console.JSONFlag(cmd)
	asSBOM := cmd.Flags().Bool("sbom", false, "print a bill of materials, CycloneDX 1.5 in JSON")
	console.NoDatabase(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		b := readBuild()
		switch {
		case *asSBOM:
			return console.PrintJSON(cmd, b.bill())
		case *asJSON:
			return console.PrintJSON(cmd, b)
		}
		console.Say(cmd, "daybook %s (%s, %s/%s)", b.Version, b.Go, b.OS, b.Arch)
		return nil
	}
	return cmd
}

// build is what the program was made of.
type build struct {
	Version  string   `json:"version"`
	Commit   *string  `json:"commit"`   // null where the build didn't know it
	Modified *bool    `json:"modified"` // whether files of the commit were changed; null likewise
	Go       string   `json:"go"`
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	Modules  []module `json:"modules"`
}

// module is one of the Go modules in the program: the one that replaces it, where one does.
type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum"`
}

func readBuild() build {
	b := build{Version: Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Modules: []module{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = &s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			b.Modified = &modified
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Modules = append(b.Modules, module{m.Path, m.Version, m.Sum})
	}
	return b
}

// The parts of CycloneDX 1.5 that a bill of Go modules has: https://cyclonedx.org/docs/1.5/json/.
type (
	bill struct {
		Format      string       `json:"bomFormat"`
		SpecVersion string       `json:"specVersion"`
		Version     int          `json:"version"`
		Metadata    billMetadata `json:"metadata"`
		Components  []component  `json:"components"`
	}
	billMetadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

func (b build) bill() bill {
	at := func(kind, path, version string, properties ...property) component {
		purl := "pkg:golang/" + path + "@" + version
		return component{kind, purl, path, version, purl, properties}
	}
	all := bill{Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		Metadata: billMetadata{at("application", "daybook", b.Version, property{"go", b.Go},
			property{"platform", b.OS + "/" + b.Arch})},
		Components: []component{at("library", "stdlib", strings.TrimPrefix(b.Go, "go"))}}
	for _, m := range b.Modules {
		all.Components = append(all.Components, at("library", m.Path, m.Version, property{"go.sum", m.Sum}))
	}
	return all
}
