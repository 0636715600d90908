import { isSelected } from '../../api/cluster-labels';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Where } from '../../api/select/where';
import { DRIVERS } from '../../catalog/drivers';
import { parseQuantity } from '../../cel/values/quantity';
import type { Fleet } from '../../fleet/fleet';
import { priceOf } from '../../fleet/prices/node-price';
import { gpuDeviceOf, gpuOfDevice, memoryOf } from '../../sizing/class-hardware';
import type { SizedHardware } from '../../sizing/fit-model';
import { GIB } from '../../sizing/weights';
import type { NodeDevices } from './written-devices';

/** A class that replicas of a model may use. */
export interface CandidateClass extends SizedHardware {
  /** What selects its GPUs. */
  readonly where: Where;

  /** The devices of a node. */
  readonly devices: NodeDevices;

  /** CPUs and memory in GiB of a node. Infinite where they are not known. */
  readonly cpu: number;
  readonly memoryGiB: number;
}

type Place = { readonly cluster: InferenceCluster; readonly nodes: number };

/** The candidates of each fleet, by what they depend on: many deployments have the same. */
const KNOWN = new WeakMap<Fleet, Map<string, readonly CandidateClass[]>>();

/** The classes that replicas of a deployment may use: those that it names, else all that clusters it may be on have. */
export function findCandidateClasses(deployment: ModelDeployment, fleet: Fleet): readonly CandidateClass[] {
  const { model, template } = deployment.spec;
  const key = JSON.stringify([model?.hardware, template.spec.clusterSelector]);
  const known = KNOWN.get(fleet) ?? new Map<string, readonly CandidateClass[]>();
  KNOWN.set(fleet, known);
  const found = known.get(key) ?? listCandidates(deployment, fleet);
  known.set(key, found);
  return found;
}

function listCandidates(deployment: ModelDeployment, fleet: Fleet): CandidateClass[] {
  const { hardware } = deployment.spec.model ?? {};
  const byName = new Map(fleet.classes.map((one) => [one.metadata.name, one]));
  const names = hardware ?? [...byName.keys()];
  return names.flatMap((name) => {
    const declared = byName.get(name);
    const places = placesOf(name, deployment, fleet);
    return declared && places.length > 0 ? (toCandidate(declared, places, fleet) ?? []) : [];
  });
}

/** The clusters that a deployment may be on, with the nodes of each of their pools of a class. */
function placesOf(name: string, { spec }: ModelDeployment, { clusters }: Fleet): Place[] {
  const { clusterSelector } = spec.template.spec;
  return clusters
    .filter((cluster) => isSelected(cluster, clusterSelector))
    .flatMap((cluster) =>
      cluster.spec.nodePools
        .filter(({ className }) => className === name)
        .map(({ maxNodeCount, nodeCount }) => ({ cluster, nodes: maxNodeCount ?? nodeCount })),
    );
}

function toCandidate(declared: InferenceClass, places: readonly Place[], fleet: Fleet): CandidateClass | undefined {
  const device = gpuDeviceOf(declared);
  const where = device && whereOf(device);
  if (!device || !where) return undefined;
  const { catalogue, prices } = fleet.hardware;
  const { cpu, memory } = declared.spec.node.allocatable;
  const known = places.flatMap(({ cluster }) => priceOf({ declared, cluster }, prices)?.perHour ?? []);
  return {
    hardware: declared.metadata.name,
    gpu: gpuOfDevice(device, [...catalogue.gpus.values()]),
    gpusPerNode: device.count,
    nodes: Math.max(...places.map(({ nodes }) => nodes)),
    pricePerHour: known.length > 0 ? Math.min(...known) : null,
    where,
    devices: { gpu: device, all: declared.spec.devices },
    cpu: cpu === undefined ? Infinity : parseQuantity(cpu).asApproximateFloat(),
    memoryGiB: memory === undefined ? Infinity : parseQuantity(memory).asApproximateFloat() / GIB,
  };
}

type Device = NonNullable<ReturnType<typeof gpuDeviceOf>>;

/** Attributes that distinguish products and kinds of partitions. */
const TELLING = ['productName', 'profile'];

/** The product of a device, and its memory where it names none. Undefined for drivers whose attributes are not known. */
function whereOf(device: Device): Where | undefined {
  const driver = DRIVERS.find(({ name }) => name === (device.driver ?? DRIVERS[0]?.name));
  if (!driver) return undefined;
  const facts = TELLING.flatMap((name): [string, string][] => {
    const value = device.attributes[name] ?? device.attributes[`${driver.name}/${name}`];
    const known = driver.facts.some((fact) => fact.name === name);
    return known && value && 'string' in value && value.string !== undefined ? [[name, value.string]] : [];
  });
  const other: Where = driver === DRIVERS[0] ? {} : { driver: driver.name };
  return facts.length > 0
    ? { ...other, ...Object.fromEntries(facts) }
    : { ...other, memory: `>= ${memoryOf(device) ?? '1Gi'}` };
}
