import { clusterLabelsOf } from '../api/cluster-labels';
import { isGang } from '../api/engine-copies';
import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import { PROVIDER_LABEL } from '../api/labels';
import { qualifiedNameOf } from '../api/resource';
import { groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import { isNetworkClass } from '../catalog/device-classes';
import { REGIONS } from '../catalog/regions';
import type { InstanceType } from '../catalog/row-types';
import type { Fleet } from '../fleet/fleet';
import { cloudTypeNameOf } from '../fleet/hardware/cloud-instance-types';
import { type Catalogue, resolveInstanceTypes } from '../fleet/hardware/hardware';
import { instanceTypeOf, type PricedNode } from '../fleet/prices/node-price';
import { hasDranet } from '../provision/check-pools';
import type { ComputedReplica } from '../replicas/replica';

interface GangOnFabric {
  readonly deployment: string;

  /** `eu/h100`. */
  readonly pool: string;

  /** `use the EFA of p5.48xlarge only if …`. */
  readonly says: string;
}

/**
 * Describes gangs on clusters of GKE and existing ones whose machines have a network for gangs that their class does not
 * ask for or declare, one sentence per fabric. Of EKS and AKS a warning says it.
 */
export function describeFabrics(fleet: Fleet, replicas: readonly ComputedReplica[]): string[] {
  const gangs = groupBy(listGangs(fleet, replicas), ({ says }) => says);
  return [...gangs].map(([says, all]) => {
    const names = joinNames(sortUnique(all.map(({ deployment }) => deployment)));
    const pools = joinNames(sortUnique(all.map(({ pool }) => pool)));
    return `Gangs of ${names} on ${pools} ${says}: see 'The network between nodes' in docs/gangs.md.`;
  });
}

function listGangs({ classes, hardware }: Fleet, replicas: readonly ComputedReplica[]): GangOnFabric[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return replicas.flatMap(({ deployment, cluster, engines }) => {
    const describe = FABRIC_NOTES[cluster.spec.cluster.source];
    if (!describe) return [];
    return engines.flatMap(({ engine, pool }) => {
      const declared = byName.get(pool.className);
      if (!isGang(engine) || !declared || pool.rack !== undefined) return [];
      const found = findFabric({ declared, cluster }, hardware.catalogue);
      const says = found && describe(declared, found);
      const pools = `${cluster.metadata.name}/${pool.name}`;
      return says === undefined ? [] : [{ deployment: qualifiedNameOf(deployment), pool: pools, says }];
    });
  });
}

/** A network for gangs, and the machine that has it. Without one, the nodes may be any with such GPUs. */
interface Fabric {
  readonly fabric: string;
  readonly machine?: string;
}

/** The network of nodes of a class on a cluster. Undefined: they have none. */
function findFabric({ declared, cluster }: PricedNode, catalogue: Catalogue): Fabric | undefined {
  const { from = '' } = declared.spec;
  const isMacro = cluster.spec.cluster.source === 'Existing' && catalogue.macros.has(from);
  const named = catalogue.instanceTypes.get(instanceTypeOf({ declared, cluster }) ?? '');
  const types = isMacro ? resolveInstanceTypes(from, catalogue) : named ? [named] : [];
  const known = types.find((type) => isMachineOf(cluster, type, isMacro));
  const [fabric] = (known ? [known] : types).flatMap((type) => listFabrics(type));
  return fabric === undefined ? undefined : { fabric, ...(known && { machine: cloudTypeNameOf(known) }) };
}

function listFabrics({ fabric }: InstanceType): string[] {
  return fabric === undefined || fabric === 'Ethernet' ? [] : [fabric];
}

/** Whether nodes are such machines: a label can name another cloud than theirs, and a macro stands for any machine. */
function isMachineOf(cluster: InferenceCluster, { name }: InstanceType, isMacro: boolean): boolean {
  const provider = REGIONS.find(({ prefix }) => name.startsWith(`${prefix}/`))?.provider;
  const label = clusterLabelsOf(cluster)[PROVIDER_LABEL];
  return provider === undefined || provider === label || (!isMacro && label === cluster.spec.cluster.source);
}

type DescribeFabric = (declared: InferenceClass, found: Fabric) => string | undefined;

/** What is said of gangs on machines with a fabric, by the source of the cluster. */
const FABRIC_NOTES: Readonly<Partial<Record<string, DescribeFabric>>> = {
  // Whether the nodes have drivers is not known.
  Existing: ({ spec }, { fabric, machine }) =>
    spec.devices.some(isNetworkCard)
      ? undefined
      : `use ${machine === undefined ? ANY_FABRIC : `the ${fabric} of ${machine}`} only if an administrator of the cluster installs its drivers and the pods claim its network cards`,
  GKE: ({ metadata, spec }, { fabric, machine = '' }) =>
    spec.provisioning?.gke?.fabric === 'DRANET' || !hasDranet(machine)
      ? undefined
      : `do not use the ${fabric} of ${machine} without 'provisioning.gke.fabric: DRANET' of InferenceClass ${metadata.name} and pods that claim its network cards`,
};

const ANY_FABRIC = 'a fast network between nodes, such as InfiniBand or RoCE,';

function isNetworkCard(device: InferenceClass['spec']['devices'][number]): boolean {
  return [device.deviceClassName, device.extendedResource].some((name) => name !== undefined && isNetworkClass(name));
}
