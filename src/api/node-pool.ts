import { z } from 'zod';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { RACK_NAMES } from '../catalog/racks';
import type { ClusterSource } from './cluster-source';
import { poolTopology } from './pool-topology';
import type { Path } from './resource';
import { fields, sameHint, withDefault } from './schema/fields';
import { labelMap } from './schema/label-map';
import { namedList } from './schema/list';
import { amount, integer, quantity } from './schema/quantity';
import { LEAST_MEMORY } from './schema/quantity-faults';
import { describeMissingField, rules, type SchemaRule } from './schema/rules';
import { dnsLabelUpTo, nonEmptyText, referencedName, stringFormat } from './schema/string-formats';
import { NODE_EFFECTS, taintList } from './schema/taints-and-tolerations';
import { IN_NODE_POOL } from './kubernetes-spellings';

/** More nodes than any managed Kubernetes supports in one pool. */
const MOST_NODES = 10_000;

const infinibandOnly: SchemaRule<{ type: string; infiniband?: unknown }> = function* ({ type, infiniband }) {
  if (infiniband === undefined || type === 'InfiniBand') return;
  const what = `a fabric of type ${type} has no field 'infiniband'`;
  yield errorAt('bad-fabric', ['infiniband'], what, "Remove it, or set 'type: InfiniBand'");
};

const fabric = fields({
  type: withDefault(z.enum(['None', 'EFA', 'InfiniBand']), 'None', 'EFA: on EKS. InfiniBand: on AKS and Nebius.'),
  infiniband: fields({
    fabric: nonEmptyText(63).describe('The fabric of the region that has the capacity: fabric-2.'),
  })
    .optional()
    .describe('For type InfiniBand. Required on Nebius.'),
}).check(rules(infinibandOnly));

const capacityReservationId = stringFormat({
  noun: 'a capacity reservation',
  code: 'bad-name',
  pattern: /^cr-[0-9a-f]+$/,
  max: 64,
  hint: "Use the ID from AWS, as in 'cr-0123456789abcdef0'",
});

const tpuTopology = stringFormat({
  noun: 'a TPU topology',
  code: 'bad-name',
  pattern: /^[1-9][0-9]{0,2}(x[1-9][0-9]{0,2}){1,2}$/,
  max: 11,
  hint: "Use the chips along each of two or three axes, as in '2x4' or '2x2x2'",
});

const nodeCount = integer(0, MOST_NODES).optional();

const NO_NODES = 'For a pool without nodes, set nodeCount: 0, and remove minNodeCount and maxNodeCount';

const canGrow: SchemaRule<number> = function* (maxNodeCount) {
  if (maxNodeCount === 0) yield errorAt('out-of-bounds', [], '0 is less than the minimum of 1', NO_NODES);
};

/** Fields that belong to the class, which pools with the same hardware share. */
const MOVED_TO_CLASS = {
  ...IN_NODE_POOL,
  ...sameHint(
    ['machineType', 'instanceType', 'vmSize', 'diskSizeGb', 'accelerator', 'gpu'],
    'Move it to spec.provisioning of the InferenceClass that className names',
  ),
  devices: 'Move it to spec.devices of the InferenceClass that className names',
  role: 'Remove it: all pools have devices',
};

const pool = fields(
  {
    name: dnsLabelUpTo(40).describe('The name of the pool within the cluster.'),
    className: referencedName.describe('The InferenceClass of its nodes.'),
    nodeCount: nodeCount.describe('Nodes of the pool, over all zones. Default: 1, or minNodeCount if that is more.'),
    minNodeCount: nodeCount.describe('The fewest nodes that an autoscaler scales down to.'),
    maxNodeCount: integer(0, MOST_NODES)
      .check(rules(canGrow))
      .meta({ minimum: 1 })
      .optional()
      .describe('The most nodes of the pool, over all zones. Setting it turns autoscaling on.'),
    overprovision: integer(1, 100)
      .optional()
      .describe(
        'The nodes without engines that an autoscaler keeps, so that a further copy need not wait for one. They cost as much as others. Default: - none.',
      ),
    zones: z
      .array(nonEmptyText(63))
      .max(16)
      .default([])
      .describe(
        'The zones of its nodes. Required on GKE and EKS. On AKS, numbers: 1. Default there: none, Azure chooses.',
      ),
    capacityBlock: fields({ capacityReservationId: capacityReservationId.describe('The ID from AWS.') })
      .optional()
      .describe('The EC2 capacity block that the nodes come from. EKS only.'),
    fabric: fabric.prefault({}).describe('The network between its nodes for gangs.'),
    rack: z
      .enum(RACK_NAMES)
      .optional()
      .describe(
        'The nodes of the pool are trays of one rack with a common NVLink domain, so that gangs get a ComputeDomain. Default: - the nodes share no NVLink domain.',
      ),
    tpuTopology: tpuTopology
      .optional()
      .describe(
        'The chips of one TPU slice: 2x4. If a node has fewer chips, the pool is one slice, and gangs on it have a pod on each of its nodes. Default: - each node is a slice.',
      ),
    topology: poolTopology
      .optional()
      .describe('How its nodes are connected, so that KAI keeps gangs close together. Default: - not known.'),
    labels: labelMap().default({}).describe('Labels of its nodes.'),
    packing: withDefault(
      z.enum(['Spread', 'BinPack', 'Exclusive']),
      'Spread',
      'Spread: capacity is guaranteed however the cluster arranges pods. BinPack: the cluster runs a bin-packing scheduler. Exclusive: a node for each pod.',
    ),
    reserved: fields(
      {
        cpu: amount.optional().describe('CPU of each node.'),
        memory: quantity(32, LEAST_MEMORY).optional().describe('Memory of each node.'),
        devices: z
          .record(z.string(), integer(1, 64))
          .default({})
          .describe('Devices of each node, by their name in the InferenceClass.'),
      },
      sameHint(
        ['gpus', 'gpu', 'nvidia.com/gpu'],
        "Use 'devices', by the names in the class, as in 'devices: { gpu: 1 }'",
      ),
    )
      .prefault({})
      .describe('The part of each node that other workloads use. The plan leaves it free.'),
    taints: taintList(NODE_EFFECTS).describe(
      'Taints of its nodes. All replicas of the fleet tolerate them, so that they keep off pods of other tools alone. To reserve a pool for a deployment, give others a where or a clusterSelector that does not match it, or put the pool into a cluster of its own with spec.taints.',
    ),
  },
  MOVED_TO_CLASS,
);

const SIZE_PAIRS = [
  ['minNodeCount', 'nodeCount'],
  ['nodeCount', 'maxNodeCount'],
  ['minNodeCount', 'maxNodeCount'],
] as const;

const orderedSizes: SchemaRule<z.output<typeof pool>> = function* (pool) {
  for (const [low, high] of SIZE_PAIRS) {
    const [least, most] = [pool[low], pool[high]];
    if (least !== undefined && most !== undefined && least > most) {
      const hint = most === 0 ? NO_NODES : `Lower ${low}, or raise ${high}`;
      yield errorAt('bad-bounds', [low], `${low} ${least} is more than ${high} ${most}`, hint);
      return;
    }
  }
};

const roomToGrow: SchemaRule<z.output<typeof pool>> = function* ({ overprovision, minNodeCount = 0, maxNodeCount }) {
  if (overprovision === undefined) return;
  if (maxNodeCount === undefined || maxNodeCount <= minNodeCount) {
    const what = 'the number of nodes is fixed, so no autoscaler keeps nodes in reserve';
    yield errorAt('contradiction', ['overprovision'], what, 'Remove it, or set a maxNodeCount above minNodeCount');
  } else if (overprovision >= maxNodeCount) {
    const what = `${overprovision} nodes without engines leave no node of maxNodeCount ${maxNodeCount} for engines`;
    yield errorAt('bad-bounds', ['overprovision'], what, `Set it to ${maxNodeCount - 1} or less`);
  }
};

function defaultNodeCount(schema: typeof pool) {
  return schema.transform((declared) => ({
    ...declared,
    nodeCount: declared.nodeCount ?? Math.max(1, declared.minNodeCount ?? 0),
  }));
}

/** A pool of nodes of one class on one cluster. */
export type NodePool = z.output<ReturnType<typeof defaultNodeCount>>;

function listOf(schema: typeof pool) {
  return namedList(defaultNodeCount(schema), { max: 64 }).default([]);
}

/** The schema of the pools of a cluster. The list can be empty: a cluster can have gateways only. */
export const nodePools = listOf(pool.check(rules(orderedSizes, roomToGrow)));

/** The schema of pools that accepts names of any length and contradictory node counts. */
export const loosePools = listOf(pool.extend({ name: dnsLabelUpTo(Infinity) }));

/** A rule about a field of a pool that only some clouds support. Paths in findings start at the pool. */
type PoolRule = (pool: NodePool, source: ClusterSource) => Diagnostic<Path> | undefined;

/** The clouds that support each fabric. Undefined means all clouds. */
const FABRICS: Readonly<Record<NodePool['fabric']['type'], readonly ClusterSource[] | undefined>> = {
  None: undefined,
  EFA: ['EKS'],
  InfiniBand: ['AKS', 'Nebius'],
};

/** Clouds whose pools must set their zones: not every zone of a region has every GPU. */
const ZONED: ReadonlySet<ClusterSource> = new Set(['GKE', 'EKS']);

const EXISTING_FABRIC_HINT =
  "Remove it. Pods claim the network cards that its nodes have: see 'The network between nodes' in docs/gangs.md";

const fabricIsOffered: PoolRule = ({ fabric }, source) => {
  const clouds = FABRICS[fabric.type];
  if (!clouds || clouds.includes(source)) return undefined;
  if (source === 'Existing') {
    const what = `Fleetwright does not configure the ${fabric.type} of a cluster with source Existing`;
    return errorAt('bad-fabric', ['fabric', 'type'], what, EXISTING_FABRIC_HINT);
  }
  const what = `a cluster with source ${source} has no fabric ${fabric.type}`;
  const hint = `Remove it. Only ${clouds.join(' and ')} ${clouds.length > 1 ? 'have' : 'has'} it`;
  return errorAt('bad-fabric', ['fabric', 'type'], what, hint);
};

const fabricIsNamed: PoolRule = ({ fabric }, source) => {
  if (source !== 'Nebius' || fabric.type !== 'InfiniBand' || fabric.infiniband) return undefined;
  return describeMissingField(
    ['fabric', 'infiniband'],
    'Set it to the name of the fabric that has the capacity, which Nebius requires',
  );
};

const capacityBlockIsOffered: PoolRule = ({ capacityBlock }, source) => {
  if (!capacityBlock || source === 'EKS') return undefined;
  const what = `a cluster with source ${source} has no capacity blocks`;
  return errorAt('bad-capacity-block', ['capacityBlock'], what, 'Remove it. Only EKS has them');
};

const zonesGiven: PoolRule = ({ zones }, source) => {
  if (!ZONED.has(source) || zones.length > 0) return undefined;
  const hint = `List the zones of the region that have the machine type. Pools on ${source} require them`;
  return describeMissingField(['zones'], hint);
};

const AKS_POOL_NAME = /^[a-z][a-z0-9]{0,11}$/;

const aksName: PoolRule = ({ name }, source) => {
  if (source !== 'AKS' || AKS_POOL_NAME.test(name)) return undefined;
  const hint = 'Use at most 12 lowercase letters and digits, starting with a letter';
  return errorAt('bad-name', ['name'], `'${name}' is not a pool name on AKS`, hint);
};

const POOL_RULES: readonly PoolRule[] = [fabricIsOffered, fabricIsNamed, capacityBlockIsOffered, zonesGiven, aksName];

/** Checks that each pool only uses features of the cloud of its cluster. */
export const poolsFitCloud: SchemaRule<{
  cluster: { source: ClusterSource };
  nodePools: readonly NodePool[];
}> = function* ({ cluster, nodePools }) {
  for (const [index, pool] of nodePools.entries()) {
    for (const rule of POOL_RULES) {
      const finding = rule(pool, cluster.source);
      if (finding) yield relocate(finding, (path) => ['nodePools', index, ...path]);
    }
  }
};
