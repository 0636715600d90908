import { schedulerTypeOf } from '../../api/kubernetes-features';
import { sortUnique } from '../../base/order';
import type { ReleaseContext, ReleaseDefinition } from './release';

/** The workloads that Kueue queues: the default of its chart (charts/kueue/values.yaml). */
const KUEUE_FRAMEWORKS = [
  'batch/job',
  'kubeflow.org/mpijob',
  'ray.io/rayjob',
  'ray.io/rayservice',
  'ray.io/raycluster',
  'jobset.x-k8s.io/jobset',
  'workload.codeflare.dev/appwrapper',
  'trainer.kubeflow.org/trainjob',
  'pod',
  'deployment',
  'statefulset',
  'leaderworkerset.x-k8s.io/leaderworkerset',
];

/**
 * Returns the configuration of Kueue's manager: the default of its chart, and a resource for each device class. Without
 * that, Kueue rejects workloads that claim devices. The resource of a quota has the name of the class.
 */
function kueueConfigurationOf(classes: readonly string[]): object {
  return {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    health: { healthProbeBindAddress: ':8081' },
    metrics: { bindAddress: ':8443' },
    webhook: { port: 9443 },
    leaderElection: { leaderElect: true, resourceName: 'c1f6bfd2.kueue.x-k8s.io' },
    controller: {
      groupKindConcurrency: {
        'Job.batch': 5,
        Pod: 5,
        'Workload.kueue.x-k8s.io': 10,
        'LocalQueue.kueue.x-k8s.io': 5,
        'ClusterQueue.kueue.x-k8s.io': 5,
        'ResourceFlavor.kueue.x-k8s.io': 1,
      },
    },
    clientConnection: { qps: 300, burst: 500 },
    integrations: { frameworks: KUEUE_FRAMEWORKS },
    resources: { deviceClassMappings: classes.map((name) => ({ name, deviceClassNames: [name] })) },
  };
}

/** Returns the device classes that pods can claim on a cluster. */
function claimableClassesOf({ cluster, classes }: ReleaseContext): string[] {
  if (!cluster.spec.dra) return [];
  const devices = cluster.spec.nodePools.flatMap(({ className }) => classes.get(className)?.spec.devices ?? []);
  return sortUnique(devices.flatMap(({ deviceClassName }) => deviceClassName ?? []));
}

/** The releases of schedulers with queues. They are installed only on request, because other teams share them. */
export const QUEUE_RELEASES: readonly ReleaseDefinition[] = [
  {
    key: 'kueue',
    name: 'kueue',
    namespace: 'kueue-system',
    chart: 'kueue',
    repository: 'oci://registry.k8s.io/kueue/charts',
    version: '0.19.2',
    needs: ['leaderWorkerSet'],
    optIn: true,
    needed: ({ cluster }) => schedulerTypeOf(cluster) === 'Kueue',
    values: (context) => ({
      // JSON is YAML: the chart reads the text as YAML.
      managerConfig: { controllerManagerConfigYaml: JSON.stringify(kueueConfigurationOf(claimableClassesOf(context))) },
    }),
    imageValues: (mirror) => ({ controllerManager: { manager: { image: { repository: `${mirror}/kueue/kueue` } } } }),
  },
  {
    key: 'kai',
    name: 'kai-scheduler',
    namespace: 'kai-scheduler',
    chart: 'kai-scheduler',
    repository: 'oci://ghcr.io/kai-scheduler/kai-scheduler',
    version: 'v0.17.0',
    needs: ['leaderWorkerSet'],
    optIn: true,
    needed: ({ cluster }) => schedulerTypeOf(cluster) === 'KAI',
    imageValues: (mirror) => ({ global: { registry: `${mirror}/kai-scheduler/kai-scheduler` } }),
  },
];
