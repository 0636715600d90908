package selectors

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
)

// Answer is what becomes of an expression.
type Answer struct {
	// CompileError is why the API server refuses the expression, or empty.
	CompileError string `json:"compileError,omitempty"`

	// Cost is Kubernetes' estimate of the most that an evaluation can cost.
	Cost uint64 `json:"cost,omitempty"`

	// Outcomes has one entry for each device of the request.
	Outcomes []Outcome `json:"outcomes,omitempty"`

	// CompileNanos and EvaluateNanos are the times of one compilation and of all evaluations.
	CompileNanos  int64 `json:"compileNanos,omitempty"`
	EvaluateNanos int64 `json:"evaluateNanos,omitempty"`
}

// device is a device as the API has it, or why there can be none: a quantity that is none.
type device struct {
	cel.Device
	err error
}

func (d *device) UnmarshalJSON(data []byte) error {
	d.err = json.Unmarshal(data, &d.Device)
	return nil
}

// fresh is a copy of the device: add and sub of a quantity change the one that they are called on.
func (d device) fresh() cel.Device {
	capacity := make(map[resourceapi.QualifiedName]resourceapi.DeviceCapacity, len(d.Capacity))
	for name, value := range d.Capacity {
		capacity[name] = *value.DeepCopy()
	}
	copied := d.Device
	copied.Capacity = capacity
	return copied
}

// Outcome is the result of an expression on a device. With an error there is none.
type Outcome struct {
	Match bool   `json:"match"`
	Error string `json:"error,omitempty"`
}

func answer(request Request, devices map[string]device) Answer {
	features := cel.Features{EnableConsumableCapacity: true, EnableListTypeAttributes: request.ListAttributes}
	compiler := cel.GetCompiler(features)
	start := time.Now()
	compiled := compiler.CompileCELExpression(request.Expression, cel.Options{})
	answer := Answer{CompileNanos: time.Since(start).Nanoseconds(), CompileError: refusal(compiled)}
	if compiled.Error != nil {
		return answer
	}
	answer.Cost = compiled.MaxCost
	for _, name := range request.Devices {
		answer.Outcomes = append(answer.Outcomes, run(compiled, devices[name]))
	}
	if request.Evaluations > 0 && len(request.Devices) > 0 {
		answer.EvaluateNanos = measure(compiled, devices[request.Devices[0]].Device, request.Evaluations)
	}
	return answer
}

// refusal is why the validation of a claim refuses a selector: length, compilation, then cost.
func refusal(compiled cel.CompilationResult) string {
	switch {
	case len(compiled.Expression) > resourceapi.CELSelectorExpressionMaxLength:
		return fmt.Sprintf("too long: may not be more than %d bytes", resourceapi.CELSelectorExpressionMaxLength)
	case compiled.Error != nil:
		return compiled.Error.Error()
	case compiled.MaxCost > resourceapi.CELSelectorExpressionMaxCost:
		return "too complex, exceeds cost limit"
	}
	return ""
}

// run evaluates as the scheduler does. A panic of the library is an error, as it is in the scheduler.
func run(compiled cel.CompilationResult, device device) (outcome Outcome) {
	defer func() {
		if reason := recover(); reason != nil {
			outcome = Outcome{Error: fmt.Sprintf("panic: %v", reason)}
		}
	}()
	if device.err != nil {
		return Outcome{Error: device.err.Error()}
	}
	match, _, err := compiled.DeviceMatches(context.Background(), device.fresh())
	if err != nil {
		return Outcome{Error: err.Error()}
	}
	return Outcome{Match: match}
}

// batches is how many parts a measurement has. The fastest counts: nothing but other programs makes a part slower.
const batches = 10

func measure(compiled cel.CompilationResult, device cel.Device, evaluations int) int64 {
	fastest := time.Duration(math.MaxInt64)
	for range batches {
		start := time.Now()
		for range evaluations / batches {
			_, _, _ = compiled.DeviceMatches(context.Background(), device)
		}
		fastest = min(fastest, time.Since(start))
	}
	return fastest.Nanoseconds() * batches
}
