import type { InstanceType } from '../api/catalogue-file';
import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import type { Finding } from '../api/resource';
import { counted } from '../api/wording';
import type { Catalogue } from '../hardware/catalogue';
import { SYSTEM_POOL } from './cloud-names';
import { isEksZone } from './eks-network';
import type { MadeOn } from './made-on';

const NVIDIA = 'gpu.nvidia.com';

/** A pool, with what its rules look at. */
export interface PoolToCheck {
  readonly cloud: MadeOn;
  readonly region: string;
  readonly cluster: InferenceCluster;
  readonly pool: NodePool;
  readonly declared: InferenceClass;
  readonly catalogue: Catalogue;
}

/** A rule about one pool. Paths start at the pool. */
type PoolRule = (checked: PoolToCheck) => Iterable<Finding>;

/** Whether a name is that of a zone of a region, as far as anybody can tell without asking the cloud. */
export function isZone(cloud: MadeOn, zone: string, region: string): boolean {
  return cloud === 'EKS' ? isEksZone(zone, region) : zone.startsWith(`${region}-`) && /-[a-z]$/.test(zone);
}

const zonesOfRegion: PoolRule = function* ({ cloud, region, pool }) {
  const example = cloud === 'GKE' ? `${region}-a` : `${region}a`;
  for (const [index, zone] of pool.zones.entries()) {
    const path = ['zones', index];
    if (!isZone(cloud, zone, region)) {
      const what = `'${zone}' is no zone of the region ${region}`;
      yield { code: 'bad-zone', path, what, hint: `Name its zones as in '${example}'` };
    } else if (pool.zones.indexOf(zone) < index) {
      yield { code: 'duplicate', path, what: `the zone '${zone}' is listed twice`, hint: 'Remove one' };
    }
  }
};

const nameOnCloud: PoolRule = function* ({ cloud, pool: { name } }) {
  if (name === SYSTEM_POOL) {
    const what = `'${name}' is the pool that is made for the cluster itself`;
    yield { code: 'bad-name', path: ['name'], what, hint: 'Use another name' };
  }
  if (cloud === 'GKE' && !/^[a-z]/.test(name)) {
    const what = `'${name}' is not a pool name on GKE`;
    yield { code: 'bad-name', path: ['name'], what, hint: 'Begin it with a letter' };
  }
};

const wholeZones: PoolRule = function* ({ cloud, pool }) {
  const zones = new Set(pool.zones).size;
  if (cloud !== 'GKE' || pool.maxNodeCount !== undefined || zones === 0 || pool.nodeCount % zones === 0)
    return;
  yield {
    code: 'bad-size',
    path: ['nodeCount'],
    what: `${counted(pool.nodeCount, 'node')} cannot be shared out over ${zones} zones, and GKE makes as many in each`,
    hint: `Use a multiple of ${zones}, or set maxNodeCount to let an autoscaler decide`,
  };
};

const queuedFromZero: PoolRule = function* ({ cloud, pool, declared }) {
  if (cloud !== 'GKE' || !declared.spec.provisioning?.gke?.flexStart) return;
  if (pool.maxNodeCount !== undefined && !pool.minNodeCount) return;
  yield {
    code: 'bad-size',
    path: [pool.maxNodeCount === undefined ? 'maxNodeCount' : 'minNodeCount'],
    what: `nodes with flexStart are queued for, and pool '${pool.name}' must have none at first`,
    hint: 'Set maxNodeCount, and no minNodeCount',
  };
};

/** What holds nodes to one zone. */
function boundBy({ cloud, pool, declared }: PoolToCheck): string | undefined {
  const { gke, eks } = declared.spec.provisioning ?? {};
  if (cloud === 'GKE') return gke?.compactPlacement ? 'compactPlacement' : undefined;
  if (pool.capacityBlock) return 'capacityBlock';
  return eks?.placementGroup ? 'placementGroup' : undefined;
}

const oneZone: PoolRule = function* (checked) {
  const bound = boundBy(checked);
  if (!bound || new Set(checked.pool.zones).size <= 1) return;
  const what = `${bound} is in one zone, and pool '${checked.pool.name}' is in several`;
  yield { code: 'bad-zone', path: ['zones'], what, hint: 'Make a pool in each zone' };
};

/** What the cloud calls the nodes of a pool, and what the catalogue knows of that. */
function machineOf({ cloud, declared, catalogue }: PoolToCheck): { name?: string; type?: InstanceType } {
  const { gke, eks } = declared.spec.provisioning ?? {};
  const name = cloud === 'GKE' ? gke?.machineType : eks?.instanceType;
  const type = catalogue.instanceTypes.get(`${cloud === 'GKE' ? 'gcp' : 'aws'}/${name}`);
  return { ...(name !== undefined && { name }), ...(type && { type }) };
}

const zonesOfType: PoolRule = function* (checked) {
  const { name, type } = machineOf(checked);
  const { zones } = type ?? {};
  if (!zones) return;
  const near = zones.filter((zone) => isZone(checked.cloud, zone, checked.region));
  for (const [index, zone] of checked.pool.zones.entries()) {
    if (zones.includes(zone)) continue;
    const hint = near.length > 0 ? `Use one of ${near.join(', ')}` : 'Use another region or instance type';
    const what = `${zone} has no ${name}, as far as the catalogue knows`;
    yield { code: 'bad-zone', path: ['zones', index], what, hint };
  }
};

const devicesOfType: PoolRule = function* (checked) {
  const { declared } = checked;
  const { name, type } = machineOf(checked);
  const gpus = declared.spec.devices
    .filter(({ claim, driver }) => claim === 'DRA' && driver === NVIDIA)
    .reduce((sum, { count }) => sum + count, 0);
  if (!type || gpus <= type.gpus) return;
  yield {
    code: 'wrong-instance-type',
    path: ['className'],
    what: `InferenceClass '${declared.metadata.name}' has ${counted(gpus, 'GPU')} of a node, and '${name}' has ${type.gpus}`,
    hint: 'Correct its devices or its instance type',
  };
};

/** What drivers publish of a GPU by which one model is told from another, for messages. */
const OF_MODEL = { productName: 'the GPU', architecture: 'GPUs of the architecture' } as const;

/** Names that no GPU of the catalogue has say nothing: drivers of other releases may publish others. */
const modelOfType: PoolRule = function* (checked) {
  const { declared, catalogue } = checked;
  const { name, type } = machineOf(checked);
  const gpu = type && catalogue.gpus.get(type.gpu);
  if (!gpu) return;
  for (const [fact, noun] of Object.entries(OF_MODEL) as [keyof typeof OF_MODEL, string][]) {
    const known = new Set([...catalogue.gpus.values()].map((one) => one[fact]));
    const own = declared.spec.devices.flatMap((device) => textOf(device, fact) ?? []);
    const other = own.find((value) => value !== gpu[fact] && known.has(value));
    if (other === undefined || gpu[fact] === undefined) continue;
    const has = `InferenceClass '${declared.metadata.name}' has ${noun} '${other}'`;
    const what = `${has}, and '${name}' has '${gpu[fact]}'`;
    const hint = 'Correct its devices or its instance type';
    yield { code: 'wrong-instance-type', path: ['className'], what, hint };
    return;
  }
};

type Device = InferenceClass['spec']['devices'][number];

/** An attribute of a GPU of NVIDIA that is text, by its name with or without the domain of the driver. */
function textOf({ claim, driver, attributes }: Device, name: string): string | undefined {
  if (claim !== 'DRA' || driver !== NVIDIA) return undefined;
  const attribute = attributes[name] ?? attributes[`${NVIDIA}/${name}`];
  return attribute && 'string' in attribute ? attribute.string : undefined;
}

/** The machines to which GKE gives network cards for GPU traffic (GKE guide, DRANET). */
const WITH_DRANET = /^a(3|4|4x)-/;

const fabricOfType: PoolRule = function* (checked) {
  const { cloud, pool, declared } = checked;
  const { name = '', type } = machineOf(checked);
  if (cloud === 'GKE' && declared.spec.provisioning?.gke?.fabric === 'DRANET' && !WITH_DRANET.test(name)) {
    const what = `InferenceClass '${declared.metadata.name}' has 'fabric: DRANET', and '${name}' has no network cards for GPU traffic`;
    yield { code: 'bad-fabric', path: ['className'], what, hint: 'Use A3, A4 or A4X machines, or remove it' };
  }
  if (cloud === 'EKS' && pool.fabric.type === 'EFA' && type?.fabric === 'Ethernet') {
    const path = ['fabric', 'type'];
    yield { code: 'bad-fabric', path, what: `'${name}' has no EFA`, hint: 'Remove it, or use a larger type' };
  }
};

/** GKE refuses other numbers of GPUs than a machine has. */
const acceleratorOfType: PoolRule = function* (checked) {
  const { name, type } = machineOf(checked);
  const { accelerator } = checked.declared.spec.provisioning?.gke ?? {};
  if (checked.cloud !== 'GKE' || !accelerator || !type || accelerator.count === type.gpus) return;
  const asked = `InferenceClass '${checked.declared.metadata.name}' asks for ${counted(accelerator.count, 'GPU')} of a node`;
  yield {
    code: 'wrong-instance-type',
    path: ['className'],
    what: `${asked}, and '${name}' has ${type.gpus}`,
    hint: 'Correct its accelerator or its machine type',
  };
};

const wholeGpus: PoolRule = function* ({ cloud, declared }) {
  const { metadata, spec } = declared;
  if (!spec.devices.some(({ driver, attributes }) => driver === NVIDIA && isPart(attributes))) return;
  yield {
    code: 'not-partitioned',
    path: ['className'],
    what: `InferenceClass '${metadata.name}' has partitions of GPUs, and nodes of ${cloud} are made with whole ones`,
    hint: 'Declare whole GPUs, or partition them on a cluster that exists',
  };
};

/** Whether a device is what the driver publishes for a partition (NVIDIA DRA driver, attribute `type`). */
function isPart(attributes: Device['attributes']): boolean {
  const { type } = attributes;
  return type !== undefined && 'string' in type && type.string === 'mig';
}

/** Without claims only the device plugin announces GPUs, and GKE's comes with its driver. */
const countedDevices: PoolRule = function* ({ cloud, cluster, declared }) {
  if (cloud !== 'GKE' || cluster.spec.dra) return;
  if (declared.spec.provisioning?.gke?.driver !== 'SelfManaged') return;
  yield {
    code: 'wrong-driver',
    path: ['className'],
    what: `the cluster has 'dra: false', and the driver of InferenceClass '${declared.metadata.name}' comes without the device plugin that counts its GPUs`,
    hint: "Use a class with 'driver: GKEManaged'",
  };
};

const RULES: readonly PoolRule[] = [
  zonesOfRegion,
  nameOnCloud,
  wholeZones,
  queuedFromZero,
  oneZone,
  zonesOfType,
  devicesOfType,
  modelOfType,
  fabricOfType,
  acceleratorOfType,
  wholeGpus,
  countedDevices,
];

/** Everything for which the cloud would refuse a pool, or make another than was planned with. */
export function* checkPool(checked: PoolToCheck): Iterable<Finding> {
  for (const rule of RULES) yield* rule(checked);
}
