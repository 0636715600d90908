// Command kubeplane is a Kubernetes control plane for tests in one file: its first argument says which program to be.
//
// The programs share most of their packages, so that one of all of them builds in a third of the time that one of
// each would take, and needs a third of the space.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	"fleetwright.dev/test/kubernetes/controlplane/selectors"
)

var programs = map[string]func() int{
	"etcd":                    daemon(func() int { etcdmain.Main(os.Args); return 0 }),
	"kube-apiserver":          daemon(func() int { return cli.Run(apiserver.NewAPIServerCommand()) }),
	"kube-controller-manager": daemon(func() int { return cli.Run(controllers.NewControllerManagerCommand()) }),
	"kube-scheduler":          daemon(func() int { return cli.Run(scheduler.NewSchedulerCommand()) }),
	"selectors":               func() int { return selectors.Serve(os.Stdin, os.Stdout) },
}

func main() {
	if len(os.Args) > 1 {
		if run, known := programs[os.Args[1]]; known {
			os.Args = os.Args[1:]
			os.Exit(run())
		}
	}
	names := slices.Sorted(maps.Keys(programs))
	fmt.Fprintf(os.Stderr, "usage: kubeplane %s [flags]\n", strings.Join(names, "|"))
	os.Exit(2)
}

// daemon ends with whoever started it, even one that was killed: its end of the pipe that is our input closes then.
func daemon(run func() int) func() int {
	return func() int {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(3)
		}()
		return run()
	}
}
