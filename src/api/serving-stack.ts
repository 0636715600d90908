import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { Path } from './resource';
import { fields, withDefault } from './schema/fields';
import { rules } from './schema/rules';
import { nonEmptyText } from './schema/string-formats';

/** Checks that JSON can represent all numbers exactly: charts receive their values as JSON. */
function* plainNumbers(values: Readonly<Record<string, unknown>>): Iterable<Diagnostic<Path>> {
  for (const [key, value] of Object.entries(values)) {
    if (!hasBigint(value)) continue;
    const hint = 'Put it in quotes: charts accept numbers of at most 53 bits';
    yield errorAt('out-of-bounds', [key], 'it contains an integer that would be rounded', hint);
  }
}

function hasBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigint);
}

const release = fields({
  install: z.boolean().optional().describe('Whether it is installed. Default: where something needs it.'),
  version: nonEmptyText(64).optional().describe('The version of its chart. Default: the tested version.'),
  values: z
    .record(z.string(), z.unknown())
    .check(rules(plainNumbers))
    .default({})
    .describe('Values for its chart, which override the default values: maps are merged, lists replaced.'),
});

const definition = fields({ install: withDefault(z.boolean(), false, 'Whether it is installed.') });

const releases = {
  envoyGateway: release.optional().describe('Envoy Gateway. Default: with gateway.tls, or aiGateway.'),
  leaderWorkerSet: release.optional().describe('LeaderWorkerSet, which runs gangs.'),
  nvidiaDraDriver: release.optional().describe('The DRA driver for NVIDIA GPUs.'),
  nodeFeatureDiscovery: release.optional().describe('Node Feature Discovery, which finds the GPUs for that driver.'),
  gpuOperator: release
    .optional()
    .describe(
      'The NVIDIA GPU Operator, which installs the GPU driver on AKS. Default: on AKS, where pools have NVIDIA GPUs.',
    ),
  amdGpuOperator: release
    .optional()
    .describe(
      'The AMD GPU Operator with its DRA driver, or its device plugin with dra: false. On AKS, set values.deviceConfig.spec.driver to a registry for the kernel module that it builds. Default: not installed.',
    ),
  azureLustre: release
    .optional()
    .describe('The CSI driver of Azure Managed Lustre. Default: on AKS, with storage.sharedFilesystem.lustre.'),
  awsDranet: release
    .optional()
    .describe('The DRA driver for network cards on EKS. Default: where pools with EFA have such devices.'),
  tpuDraDriver: release
    .optional()
    .describe('The DRA driver for TPUs. Default: on GKE, where pools have TPUs that pods claim.'),
  neuron: release
    .optional()
    .describe(
      'The chart of AWS Neuron: its DRA driver, or its device plugin with dra: false. Default: on EKS, where pools have Neuron devices.',
    ),
  clusterAutoscaler: release
    .optional()
    .describe('The autoscaler of Kubernetes, for pools on EKS with maxNodeCount. GKE and AKS have their own.'),
  certManager: release
    .optional()
    .describe(
      'cert-manager. Default: where an issuer makes certificates of gateways, and with aiGateway, kserve or amdGpuOperator.',
    ),
  prometheus: release
    .optional()
    .describe(
      'kube-prometheus-stack, without Grafana and Alertmanager: Prometheus and its operator, for spec.monitoring. Default: not installed.',
    ),
  keda: release
    .optional()
    .describe('KEDA, which chooses the copies of engines that have bounds. Default: not installed.'),
  kedaHttpAddOn: release
    .optional()
    .describe(
      'The HTTP add-on of KEDA, which holds requests until the first copy of an engine serves: for copies.min 0. install: false if the cluster has it already. Default: the cluster does not have it.',
    ),
  kueue: release
    .optional()
    .describe(
      'Kueue, for spec.scheduler of type Kueue, with a quota resource for each device class. Default: not installed.',
    ),
  kserve: release
    .optional()
    .describe(
      'The controller of LLMInferenceServices of KServe, for spec.backend of type KServe. Default: not installed.',
    ),
  kserveCrds: release.optional().describe('The kinds of KServe. Default: with kserve.'),
  dynamo: release
    .optional()
    .describe('NVIDIA Dynamo, for spec.backend of type Dynamo, without Grove. Default: not installed.'),
  kai: release.optional().describe('The KAI scheduler, for spec.scheduler of type KAI. Default: not installed.'),
  aiGatewayCrds: release.optional().describe('The kinds of Envoy AI Gateway. Default: with aiGateway.'),
  aiGateway: release
    .optional()
    .describe(
      'Envoy AI Gateway, for AIGatewayRoutes and InferencePools of your own: routes of services do without. Default: not installed.',
    ),
};

/** The schema of the software that a cluster needs before it can serve, with changes to the default installation. */
export const servingStack = fields({
  ...releases,
  inferenceCrds: definition
    .optional()
    .describe(
      'The kind InferencePool, which no chart contains: for services with picker.pool, and with aiGateway for routes of your own. install: false if the cluster has it already. Default: the cluster does not have it.',
    ),
});

export type ServingStackEntry = keyof z.output<typeof servingStack>;

export type ReleaseName = keyof typeof releases;

export type ReleaseSettings = z.output<typeof release>;
