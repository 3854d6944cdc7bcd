package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"daybook/app/address"
	"daybook/app/cli/console"
)

func upgradeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "upgrade", Args: console.Arguments(),
		Short: "Tell whether a newer version is known to a file or an address of yours",
		Long: "With --check it reads --from, a file or an address at which somebody whom you trust keeps the newest version:\n" +
			"a line such as 1.2.0, or JSON with \"version\" or \"tag_name\", and perhaps \"html_url\". It says whether that is newer\n" +
			"than this program, and changes nothing. Daybook itself never looks for a version, and asks no other address.\n" +
			"To upgrade, run `install` of the new program, or the upgrade of its package.",
	}
	check := cmd.Flags().Bool("check", false, "look, and change nothing; there is no other way to use this command")
	from := cmd.Flags().String("from", "", "the file, or the address, that has the newest version")
	asJSON := console.JSONFlag(cmd)
	console.NoDatabase(cmd)
	console.OnlyGiven(cmd, "check", "from")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case !*check:
			return console.Usagef("give --check, which looks for a newer version; to upgrade, run `install` of the new program, or " +
				"the upgrade of its package")
		case *from == "":
			return console.Usagef("give --from, the file or address that has the newest version: Daybook knows of none by itself")
		}
		text, err := readKnown(cmd.Context(), *from)
		if err != nil {
			return err
		}
		newest, err := parseKnown(text)
		if err != nil {
			return fmt.Errorf("%s: %w", *from, err)
		}
		return sayKnown(cmd, *asJSON, Version, newest)
	}
	return cmd
}

// knownVersion is one that somebody tells of.
type knownVersion struct{ Version, Page string }

// sayKnown says how the newest version compares with this one.
func sayKnown(cmd *cobra.Command, asJSON bool, own string, newest knownVersion) error {
	newer, comparable := later(own, newest.Version)
	if asJSON {
		var is any // null: this program has no version of a release
		if comparable {
			is = newer
		}
		return console.PrintJSON(cmd, struct {
			Version string `json:"version"`
			Newest  string `json:"newest"`
			Newer   any    `json:"newer"`
			Page    any    `json:"page"`
		}{own, newest.Version, is, console.OrNil(newest.Page)})
	}
	switch {
	case !comparable:
		console.Say(cmd, "This is %s, no release. The newest known there is %s.", own, newest.Version)
	case newer:
		console.Say(cmd, "There is a newer version, %s; this is %s.", newest.Version, own)
	default:
		console.Say(cmd, "No newer version is known there: this is %s, that %s.", own, newest.Version)
	}
	if newest.Page != "" && (newer || !comparable) {
		console.Say(cmd, "%s", newest.Page)
	}
	return nil
}

// maxKnown bounds what is read of a version.
const maxKnown = 1 << 20

// readKnown reads the file or asks the address, which learns nothing of this program but that it asks.
func readKnown(ctx context.Context, from string) (string, error) {
	if !strings.HasPrefix(from, "http://") && !strings.HasPrefix(from, "https://") {
		f, err := os.Open(from)
		if err != nil {
			return "", err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxKnown))
		return string(text), err
	}
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return "", fmt.Errorf("--from %w", err)
	}
	r.Header.Set("User-Agent", "daybook")
	answer, err := (&http.Client{Transport: address.Outward{RoundTripper: http.DefaultTransport}}).Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %s", from, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxKnown))
	return string(text), err
}

// parseKnown reads a line with a version, or JSON such as GitHub's of a release.
func parseKnown(text string) (k knownVersion, err error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		var release struct {
			Version string `json:"version"`
			Tag     string `json:"tag_name"`
			Page    string `json:"html_url"`
		}
		if err := json.Unmarshal([]byte(text), &release); err != nil {
			return k, fmt.Errorf("it is no JSON: %w", err)
		}
		text = cmp.Or(release.Version, release.Tag)
		if strings.HasPrefix(release.Page, "https://") && !strings.ContainsFunc(release.Page, unprintable) {
			k.Page = release.Page
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	k.Version = strings.TrimPrefix(strings.TrimSpace(text), "v")
	if !isVersion(k.Version) {
		return k, errors.New("it has no version such as 1.2.0")
	}
	return k, nil
}

func unprintable(r rune) bool { return r <= ' ' || r > '~' }

// later tells whether b is a later version than a (semver.org; the last numbers may be left out). It can't be told of a build that is
// no release, such as dev.
func later(a, b string) (is, comparable bool) {
	if !isVersion(a) || !isVersion(b) {
		return false, false
	}
	return semver.Compare(canonical(b), canonical(a)) > 0, true
}

func isVersion(text string) bool { return len(text) <= maxVersion && semver.IsValid(canonical(text)) }

// canonical is a version as Go's modules write it.
func canonical(text string) string { return "v" + strings.TrimPrefix(text, "v") }

const maxVersion = 100
