package apptest

import "os"

// Long reports whether the tests are to take all the time they need: DAYBOOK_TEST_LONG is set, as .ci/run long does. Else
// a test that would take a minute to say the same of more rows, more cases or one more width says it of fewer.
func Long() bool { return os.Getenv("DAYBOOK_TEST_LONG") != "" }
