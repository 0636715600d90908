// Package selectors answers what Kubernetes' own compiler says of device selectors.
package selectors

import (
	"io"

	_ "k8s.io/dynamic-resource-allocation/cel"
)

// Serve answers.
func Serve(in io.Reader, out io.Writer) int { return 0 }
