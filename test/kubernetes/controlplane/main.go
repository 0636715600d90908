// Command kubeplane is a Kubernetes control plane for tests in one file: its first argument says which program to be.
//
// One program links once and shares most of its packages, so it builds in a third of the time of four and takes a
// third of the space.
package main

import (
	"fmt"
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
	"etcd":                    func() int { etcdmain.Main(os.Args); return 0 },
	"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() int { return cli.Run(controllers.NewControllerManagerCommand()) },
	"kube-scheduler":          func() int { return cli.Run(scheduler.NewSchedulerCommand()) },
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
