// Command types checks the types of the program as it is compiled for other systems, such as windows/amd64, from the
// sources of all that it is made of. It compiles nothing, which takes go build four times as long. It prints what is
// wrong and exits 1.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

const named = packages.NeedName | packages.NeedImports | packages.NeedDeps

func main() {
	wrong := 0
	for _, system := range os.Args[1:] {
		goos, goarch, _ := strings.Cut(system, "/")
		n, err := check(goos, goarch)
		if err != nil {
			fmt.Println(err)
			n++
		}
		wrong += n
		fmt.Println(system+":", n, "errors")
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// check returns how many errors it printed.
func check(goos, goarch string) (int, error) {
	config := &packages.Config{Mode: named, Env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch)}
	program, err := packages.Load(config, ".")
	if err != nil {
		return 0, err
	}
	var ours []string // the bodies of the others' functions are left out
	packages.Visit(program, nil, func(p *packages.Package) {
		if p.PkgPath == "daybook" || strings.HasPrefix(p.PkgPath, "daybook/") {
			ours = append(ours, p.PkgPath)
		}
	})
	if len(ours) < 50 {
		return 0, fmt.Errorf("only %d packages of ours are found in the program", len(ours))
	}
	config.Mode = named | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedTypes | packages.NeedTypesSizes |
		packages.NeedSyntax | packages.NeedTypesInfo
	program, err = packages.Load(config, ours...)
	return packages.PrintErrors(program), err
}
