package console

import "github.com/spf13/pflag"

// checkedFlag is a flag that is checked before the server opens its database or listens.
type checkedFlag struct {
	pflag.Value
	refused func() error
}

// Check returns what is wrong with the value, or nil.
func (c checkedFlag) Check() error { return c.refused() }

// CheckFlag adds a check to a flag; CheckFlags runs it.
func CheckFlag(flags *pflag.FlagSet, name string, check func() error) {
	f := flags.Lookup(name)
	f.Value = checkedFlag{f.Value, check}
}

// CheckFlags runs the checks of the parsed flags and returns the first error.
func CheckFlags(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(interface{ Check() error }); ok && err == nil {
			err = c.Check()
		}
	})
	return err
}
