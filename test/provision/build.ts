import type { InferenceCluster } from '../../src/api/inference-cluster';
import { locateAll, type ResourcePath } from '../../src/api/kinds';
import { type Diagnostic, formatDiagnostic } from '../../src/base/diagnostic';
import { assemble, type Fleet } from '../../src/fleet/fleet';
import { BUILT_IN_HARDWARE, type Hardware } from '../../src/fleet/hardware/hardware';
import { checkProvisioning } from '../../src/provision/check-provisioning';
import { byPath, type Doc, gpus, parsed } from '../api/build';

/** A cluster and its fleet: what a row of a table about provisioning is written as. */
export interface Declared {
  /** Beside source and pools. */
  cluster?: Doc;

  /** Beside the region. */
  cloud?: Doc;

  /** What differs from two nodes of class `gpu`, by name of pool. */
  pools?: Record<string, Doc>;

  /** The block of the cloud in the class. */
  machine?: Doc;

  /** Beside the block of the cloud in the class. */
  class?: Doc;
  fleet?: Doc;
  name?: string;

  /** Zones that have the instance type, as a catalog says. */
  zonesOfType?: string[];
}

/** GPUs that do not say what model they are, as rows are made on all kinds of machines. */
export function anyGpus(count: number): Doc {
  return gpus(count, { attributes: {}, capacity: {} });
}

/** A GPU with so much memory. */
export function ofMemory(value: string): Doc {
  return { ...anyGpus(1), capacity: { memory: { value } } };
}

const GKE = { machineType: 'g2-standard-8', accelerator: { type: 'nvidia-l4', count: 1 } };
const EKS = { instanceType: 'g6.xlarge', accelerator: { type: 'nvidia-l4', count: 1 } };

const AKS = { vmSize: 'Standard_NC40ads_H100_v5', accelerator: { type: 'nvidia-h100-nvl', count: 1 } };

const CLOUDS = {
  GKE: { block: 'gke', region: 'us-central1', zone: 'us-central1-a', machine: GKE },
  EKS: { block: 'eks', region: 'us-east-1', zone: 'us-east-1a', machine: EKS },
  AKS: { block: 'aks', region: 'eastus', zone: '1', machine: AKS },
} as const;

/** A cluster with its fleet. Without more: one pool of two nodes in one zone. */
export function aFleet(source: keyof typeof CLOUDS, declared: Declared = {}) {
  const { block, region, zone, machine } = CLOUDS[source];
  const pools = Object.entries(declared.pools ?? { l4: {} });
  const cluster: InferenceCluster = parsed('InferenceCluster', declared.name ?? 'us', {
    cluster: { source, [block]: { [source === 'AKS' ? 'location' : 'region']: region, ...declared.cloud } },
    nodePools: pools.map(([name, pool]) => ({
      name,
      className: 'gpu',
      nodeCount: 2,
      zones: [zone],
      ...pool,
    })),
    ...declared.cluster,
  });
  const provisioning = { provider: source, [block]: { ...machine, ...declared.machine } };
  const devices = [anyGpus(1)];
  const resources = [
    cluster,
    parsed('InferenceClass', 'gpu', { provisioning, devices, ...declared.class }),
    ...(declared.fleet ? [parsed('Fleet', 'prod.example', declared.fleet)] : []),
  ];
  const fleet: Fleet = assemble(resources, hardwareWith(declared.zonesOfType));
  return { cluster, fleet };
}

/** Our hardware, with the zones of every instance type. */
function hardwareWith(zones: string[] | undefined): Hardware {
  if (!zones) return BUILT_IN_HARDWARE;
  const types = [...BUILT_IN_HARDWARE.catalogue.instanceTypes];
  const instanceTypes = new Map(types.map(([name, type]) => [name, { ...type, zones }]));
  return { ...BUILT_IN_HARDWARE, catalogue: { ...BUILT_IN_HARDWARE.catalogue, instanceTypes } };
}

/** A row of a table about a plan. */
export interface Row extends Declared {
  /** Values by their path in the plan, with `/` between keys. */
  want: Record<string, unknown>;
}

/** What a plan has at the paths of a row: undefined where there is nothing. */
export function valuesAt(plan: unknown, want: Row['want']): Row['want'] {
  return Object.fromEntries(Object.keys(want).map((path) => [path, valueAt(plan, path)]));
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('/').reduce<unknown>((inner, key) => (inner as Doc | undefined)?.[key], value);
}

/** A row of a table about what a cloud would refuse. */
export interface Refused extends Declared {
  on: keyof typeof CLOUDS;
  want: string[];
}

/** What is said of faults, a line each. */
export function lines(faults: Iterable<Diagnostic<ResourcePath>>): string[] {
  return locateAll([...faults], byPath).map(formatDiagnostic);
}

/** What is said of a fleet by those who would make its clusters. */
export function faultsOf(fleet: Fleet): string[] {
  return lines(checkProvisioning(fleet.clusters, fleet));
}
