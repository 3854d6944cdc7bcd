package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// JSONFlag adds --json.
func JSONFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, "print one JSON object or array and nothing else")
}

// PrintJSON prints v on one line. A nil list is an empty one.
func PrintJSON(cmd *cobra.Command, v any) error {
	text, err := encode(v)
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}

func encode(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// PrintList prints all as a JSON array, or as a table of the rows that row makes.
func PrintList[T any](cmd *cobra.Command, asJSON bool, all []T, head []string, row func(T) []string) error {
	if asJSON {
		if all == nil {
			all = []T{}
		}
		return PrintJSON(cmd, all)
	}
	return table(cmd.OutOrStdout(), head, all, row)
}

func table[T any](out io.Writer, head []string, all []T, row func(T) []string) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, one := range all {
		fmt.Fprintln(w, strings.Join(row(one), "\t"))
	}
	return w.Flush()
}

// Say prints a line for people.
func Say(cmd *cobra.Command, format string, args ...any) {
	fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...)
}

// OrNil is text for JSON, null where it is empty.
func OrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
