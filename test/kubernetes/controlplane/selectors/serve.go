// Package selectors says what Kubernetes' own compiler makes of device selectors.
//
// Requests and answers are JSON, one on a line, in the same order. A request names devices of the first line.
package selectors

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Request is one expression to compile, and the devices to run it on.
type Request struct {
	Expression string   `json:"expression"`
	Devices    []string `json:"devices"`

	// ListAttributes is the gate DRAListTypeAttributes.
	ListAttributes bool `json:"listAttributes"`

	// Evaluations asks for the time that so many evaluations on the first device take.
	Evaluations int `json:"evaluations,omitempty"`
}

// Serve reads the devices, then answers requests until the input ends. It returns the exit code.
func Serve(in io.Reader, out io.Writer) int {
	if err := serve(json.NewDecoder(bufio.NewReader(in)), out); err != nil {
		fmt.Fprintln(os.Stderr, "selectors:", err)
		return 1
	}
	return 0
}

func serve(in *json.Decoder, out io.Writer) error {
	buffered := bufio.NewWriter(out)
	defer buffered.Flush()
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)

	var devices map[string]device
	if err := in.Decode(&devices); err != nil {
		return fmt.Errorf("the devices: %w", err)
	}
	for {
		var request Request
		if err := in.Decode(&request); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("a request: %w", err)
		}
		if err := encoder.Encode(answer(request, devices)); err != nil {
			return err
		}
		// A caller that waits for each answer must not wait for the buffer.
		if err := buffered.Flush(); err != nil {
			return err
		}
	}
}
