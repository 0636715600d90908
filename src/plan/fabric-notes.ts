import { isGang } from '../api/engine-copies';
import type { InferenceClass } from '../api/inference-class';
import { qualifiedNameOf } from '../api/resource';
import { groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import { isNetworkClass } from '../catalog/device-classes';
import type { Fleet } from '../fleet/fleet';
import { cloudTypeNameOf } from '../fleet/hardware/cloud-instance-types';
import { instanceTypeOf } from '../fleet/prices/node-price';
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
      const type = hardware.catalogue.instanceTypes.get(instanceTypeOf({ declared, cluster }) ?? '');
      if (type?.fabric === undefined || type.fabric === 'Ethernet') return [];
      const says = describe(declared, cloudTypeNameOf(type), type.fabric);
      const pools = `${cluster.metadata.name}/${pool.name}`;
      return says === undefined ? [] : [{ deployment: qualifiedNameOf(deployment), pool: pools, says }];
    });
  });
}

type DescribeFabric = (declared: InferenceClass, machine: string, fabric: string) => string | undefined;

/** What is said of gangs on machines with a fabric, by the source of the cluster. */
const FABRIC_NOTES: Readonly<Partial<Record<string, DescribeFabric>>> = {
  // Whether the nodes have drivers is not known.
  Existing: ({ spec }, machine, fabric) =>
    spec.devices.some(isNetworkCard)
      ? undefined
      : `use the ${fabric} of ${machine} only if an administrator of the cluster installs its drivers and the pods claim its network cards`,
  GKE: ({ metadata, spec }, machine, fabric) =>
    spec.provisioning?.gke?.fabric === 'DRANET' || !hasDranet(machine)
      ? undefined
      : `do not use the ${fabric} of ${machine} without 'provisioning.gke.fabric: DRANET' of InferenceClass ${metadata.name} and pods that claim its network cards`,
};

function isNetworkCard(device: InferenceClass['spec']['devices'][number]): boolean {
  return [device.deviceClassName, device.extendedResource].some((name) => name !== undefined && isNetworkClass(name));
}
