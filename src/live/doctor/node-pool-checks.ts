import type { InferenceClass } from '../../api/inference-class';
import type { NodePool } from '../../api/node-pool';
import { formatTaint, pluralize } from '../../base/text';
import { tolerationsOf } from '../../render/pod/scheduling';
import { checkRecordedPool, findDeviceProblems, type PoolCheck } from '../../snapshot/check-pool';
import { groupNodesByPool, type NodeInfo } from '../../snapshot/node-info';
import { type ExpectedNode, findUnusableReason } from '../../snapshot/unusable-nodes';
import {
  type CheckResult,
  reportFailure,
  reportOk,
  reportUnknown,
  reportUnlisted,
  reportWarning,
} from '../finding';
import type { Listing } from '../live-object';
import { toSnapshot } from '../live-snapshot';
import type { ClusterCheck, ExaminedCluster } from './check';
import { isDriverPending, isPendingInstall } from './pending-install';

/** A declared pool, and the nodes that are there. */
interface ExaminedPool {
  readonly expected: ExpectedNode;
  readonly nodes: readonly NodeInfo[];

  /** Where the devices of the class are declared. */
  readonly declaredAt: string;
}

/** The pools of a cluster, and what it shows of them. */
type ExaminedPools = Pick<ExaminedCluster, 'cluster' | 'fleet' | 'locate' | 'pendingInstalls'> & {
  readonly lists: Readonly<Record<'nodes' | 'pods' | 'slices', Listing>>;
};

/** Whether each pool has the nodes that it declares, ready for pods. */
export function checkPoolSizes(site: ExaminedPools): readonly CheckResult[] {
  const { nodes, pods } = site.lists;
  if ('missing' in nodes) return reportUnlisted(nodes, 'nodes');
  const hidden =
    'missing' in pods && site.cluster.spec.nodePools.length > 0
      ? [reportUnknown('what others run on the nodes is not seen', `Ask for leave to list pods: ${pods.why}`)]
      : [];
  return [...poolsOf(site).map(checkPoolSize), ...hidden];
}

/** Whether each pool has the nodes that it declares, ready for pods. */
export const nodesCheck: ClusterCheck = {
  name: 'nodes',
  look: (site) => checkPoolSizes(toExaminedPools(site)),
};

/** Whether nodes have the taints that keep the pods of others away. */
export const taintsCheck: ClusterCheck = {
  name: 'taints',
  look: (site) => poolsOf(toExaminedPools(site)).flatMap(checkTaints),
};

/** Whether nodes publish the devices that their class declares. */
export const devicesCheck: ClusterCheck = {
  name: 'devices',
  look(site): readonly CheckResult[] {
    const { slices } = site.seen.lists;
    if (!site.cluster.spec.dra) return [];
    return 'missing' in slices
      ? reportUnlisted(slices, 'resource slices')
      : poolsOf(toExaminedPools(site)).flatMap(checkDevices);
  },
};

/** What any of makes the chart of NVIDIA's driver run on a node (dra-driver-nvidia-gpu 0.4, kubeletPlugin.affinity). */
const NVIDIA_NODE_LABELS: readonly (readonly [key: string, value: string])[] = [
  ['nvidia.com/gpu.present', 'true'],
  ['feature.node.kubernetes.io/pci-10de.present', 'true'],
  ['feature.node.kubernetes.io/pci-0302_10de.present', 'true'],
  ['feature.node.kubernetes.io/pci-0300_10de.present', 'true'],
  ['feature.node.kubernetes.io/cpu-model.vendor_id', 'NVIDIA'],
];

const NVIDIA_DRIVER = 'gpu.nvidia.com';

/** Whether the driver of NVIDIA would run on the nodes. Where it publishes devices already, it does. */
export const driverLabelCheck: ClusterCheck = {
  name: 'driver-label',
  look(site): readonly CheckResult[] {
    if (!site.cluster.spec.dra || isPendingInstall('nodeFeatureDiscovery', site)) return [];
    const { slices } = site.seen.lists;
    // Where slices may be there and are not seen, `devices` says so.
    if ('missing' in slices && slices.missing !== 'unserved') return [];
    return poolsOf(toExaminedPools(site)).flatMap(checkDriverLabels);
  },
};

function toExaminedPools(site: ExaminedCluster): ExaminedPools {
  return { ...site, lists: site.seen.lists };
}

function poolsOf(site: ExaminedPools): ExaminedPool[] {
  const { cluster, fleet, locate, lists } = site;
  const views = groupNodesByPool(toSnapshot(cluster.metadata.name, lists), cluster);
  return cluster.spec.nodePools.flatMap((pool) => {
    const declared = fleet.classes.find(({ metadata }) => metadata.name === pool.className);
    if (!declared) return [];
    const expected = { pool, declared, dra: cluster.spec.dra, tolerations: tolerationsOf(pool) };
    const nodes = (views?.get(pool.name) ?? []).map((node) => withoutPendingDevices(node, declared, site));
    return [{ expected, nodes, declaredAt: locate(declared, ['spec', 'devices']) }];
  });
}

/** A node whose driver is still to come says nothing yet of its devices. */
function withoutPendingDevices(node: NodeInfo, { spec }: InferenceClass, site: ExaminedPools): NodeInfo {
  const { devices = [], ...rest } = node;
  const awaited = spec.devices.some(
    ({ driver, claim }) =>
      claim === 'DRA' && isDriverPending(driver, site) && !devices.some((one) => one.driver === driver),
  );
  return awaited ? rest : node;
}

function judgementOf({ nodes, expected }: ExaminedPool): PoolCheck {
  return checkRecordedPool(nodes, expected, '');
}

/** More reasons than this are counted. */
const MAX_REASONS_SHOWN = 4;

function checkPoolSize(site: ExaminedPool): CheckResult {
  const { nodes, expected } = site;
  const { pool } = expected;
  const { lost, counted } = judgementOf(site);
  const declared = pool.maxNodeCount ?? pool.nodeCount;
  if (lost === 0) return reportOk(`pool '${pool.name}' has ${formatPoolSize(pool, counted.length)}`);
  const out = nodes.filter((node) => !counted.includes(node));
  const [first] = out.flatMap((node) => findUnusableReason(node, expected) ?? []);
  const reasons = out
    .slice(0, MAX_REASONS_SHOWN)
    .map((node) => `${node.name} ${findUnusableReason(node, expected)?.what}`);
  const absent = Math.max(0, lost - out.length);
  const all = [
    ...reasons,
    ...(out.length > MAX_REASONS_SHOWN ? [`${out.length - MAX_REASONS_SHOWN} more cannot be used`] : []),
    ...(absent > 0 ? [`${pluralize(absent, 'node')} not there`] : []),
  ];
  return reportFailure(
    `pool '${pool.name}' has ${declared - lost} of ${pluralize(declared, 'node')} for pods: ${all.join('; ')}`,
    first?.live ??
      first?.hint ??
      'Add them, lower its size, or check the pool label of its nodes (spec.poolLabel)',
  );
}

function formatPoolSize({ nodeCount, maxNodeCount }: NodePool, there: number): string {
  return maxNodeCount === undefined
    ? `${there} of ${pluralize(nodeCount, 'node')}`
    : `${pluralize(there, 'node')}, and can grow to ${maxNodeCount}`;
}

function checkTaints({ nodes, expected: { pool } }: ExaminedPool): CheckResult[] {
  return pool.taints.flatMap((taint) => {
    const bare = nodes.filter(({ node }) => {
      const there = node?.value.spec.taints ?? [];
      return !there.some(({ key, effect }) => key === taint.key && effect === taint.effect);
    });
    const [first] = bare;
    if (!first) return [];
    const count = `${pluralize(bare.length, 'node')} of pool '${pool.name}', ${first.name} first,`;
    return [
      reportWarning(
        `${count} ${bare.length === 1 ? 'lacks' : 'lack'} the taint ${formatTaint(taint)}`,
        'Taint them, or pods of others may take their room',
      ),
    ];
  });
}

function checkDevices(site: ExaminedPool): CheckResult[] {
  const { expected, declaredAt } = site;
  const { counted } = judgementOf(site);
  const shown = counted.flatMap(({ devices }) => devices ?? []).length;
  const { problems, warnings } = findDeviceProblems(counted, expected, declaredAt);
  const told = [
    ...problems.map(({ message, hint = '' }) => reportFailure(message, hint)),
    ...warnings.map(({ message, hint = '' }) => reportWarning(message, hint)),
  ];
  if (told.length > 0 || shown === 0) return told;
  return [reportOk(`pool '${expected.pool.name}' publishes ${pluralize(shown, 'device')} as declared`)];
}

function checkDriverLabels({ nodes, expected: { pool, declared } }: ExaminedPool): CheckResult[] {
  if (!claimsNvidiaDevices(declared)) return [];
  const bare = nodes.filter(
    ({ node, devices = [] }) =>
      node &&
      !devices.some(({ driver }) => driver === NVIDIA_DRIVER) &&
      !NVIDIA_NODE_LABELS.some(([key, value]) => node.value.metadata.labels[key] === value),
  );
  const [first] = bare;
  if (!first) return [];
  return [
    reportFailure(
      `${pluralize(bare.length, 'node')} of pool '${pool.name}', ${first.name} first, would not get the driver of ${NVIDIA_DRIVER}`,
      `Run 'kubectl label node ${first.name} nvidia.com/gpu.present=true', or install Node Feature Discovery`,
    ),
  ];
}

function claimsNvidiaDevices({ spec }: InferenceClass): boolean {
  return spec.devices.some(({ driver, claim }) => driver === NVIDIA_DRIVER && claim === 'DRA');
}
