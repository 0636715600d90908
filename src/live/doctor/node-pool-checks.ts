import type { NodePool } from '../../api/node-pool';
import { formatTaint, pluralize } from '../../base/text';
import { checkRecordedPool, findDeviceProblems } from '../../snapshot/check-pool';
import { findUnusableReason } from '../../snapshot/unusable-nodes';
import { type CheckResult, reportFailure, reportOk, reportUnknown, reportUnlisted, reportWarning } from '../finding';
import { type CheckedCluster, type DoctorCheck, type ExaminedPool, isPendingInstall } from './check';
import type { ObservedPools } from './examine-pools';

/** The pools of a cluster, and the listings that show them. */
type SizedPools = Pick<CheckedCluster, 'pools'> & ObservedPools;

/** Checks that each pool has its declared nodes, ready for pods. */
export function checkPoolSizes({ cluster, pools, seen }: SizedPools): readonly CheckResult[] {
  const { nodes, pods } = seen.lists;
  if ('missing' in nodes) return reportUnlisted(nodes, 'nodes');
  const hidden =
    'missing' in pods && cluster.spec.nodePools.length > 0
      ? [
          reportUnknown(
            'pods of other workloads on the nodes are unknown',
            `Request permission to list pods: ${pods.why}`,
          ),
        ]
      : [];
  return [...pools.map(checkPoolSize), ...hidden];
}

/** Checks that each pool has its declared nodes, ready for pods. */
export const nodesCheck: DoctorCheck = { name: 'nodes', look: checkPoolSizes };

/** Checks that nodes have the taints that keep other pods away. */
export const taintsCheck: DoctorCheck = {
  name: 'taints',
  look: ({ pools }) => pools.flatMap(checkTaints),
};

/** Checks that nodes publish the devices that their class declares. */
export const devicesCheck: DoctorCheck = {
  name: 'devices',
  look({ cluster, pools, seen }): readonly CheckResult[] {
    const { slices } = seen.lists;
    if (!cluster.spec.dra) return [];
    if ('missing' in slices) return reportUnlisted(slices, 'resource slices');
    return pools.flatMap(checkDevices);
  },
};

/** Labels any of which makes NVIDIA's driver run on a node (dra-driver-nvidia-gpu 0.4, kubeletPlugin.affinity). */
const NVIDIA_NODE_LABELS: readonly (readonly [key: string, value: string])[] = [
  ['nvidia.com/gpu.present', 'true'],
  ['feature.node.kubernetes.io/pci-10de.present', 'true'],
  ['feature.node.kubernetes.io/pci-0302_10de.present', 'true'],
  ['feature.node.kubernetes.io/pci-0300_10de.present', 'true'],
  ['feature.node.kubernetes.io/cpu-model.vendor_id', 'NVIDIA'],
];

const NVIDIA_DRIVER = 'gpu.nvidia.com';

/** Checks that NVIDIA's driver would run on the nodes. Nodes on which it already publishes devices pass. */
export const driverLabelCheck: DoctorCheck = {
  name: 'driver-label',
  look(examined): readonly CheckResult[] {
    if (!examined.cluster.spec.dra || isPendingInstall('nodeFeatureDiscovery', examined)) return [];
    const { slices } = examined.seen.lists;
    // The `devices` check reports slices that cannot be listed.
    if ('missing' in slices && slices.missing !== 'unserved') return [];
    return examined.pools.flatMap(checkDriverLabels);
  },
};

/** The number of reasons that are listed. Further reasons are only counted. */
const MAX_REASONS_SHOWN = 4;

function checkPoolSize({ nodes, expected }: ExaminedPool): CheckResult {
  const { pool } = expected;
  const { lost, counted } = checkRecordedPool(nodes, expected, '');
  const declared = pool.maxNodeCount ?? pool.nodeCount;
  if (lost === 0) return reportOk(`pool '${pool.name}' has ${formatPoolSize(pool, counted.length)}`);
  const out = nodes.filter((node) => !counted.includes(node));
  const [first] = out.flatMap((node) => findUnusableReason(node, expected) ?? []);
  const shown = out.slice(0, MAX_REASONS_SHOWN);
  const absent = Math.max(0, lost - out.length);
  const all = [
    ...shown.map((node) => `${node.name} ${findUnusableReason(node, expected)?.what}`),
    ...(out.length > MAX_REASONS_SHOWN ? [`${out.length - MAX_REASONS_SHOWN} more cannot be used`] : []),
    ...(absent > 0 ? [`${pluralize(absent, 'node')} missing`] : []),
  ];
  return reportFailure(
    `pool '${pool.name}' has ${declared - lost} of ${pluralize(declared, 'node')} for pods: ${all.join('; ')}`,
    first?.live ?? first?.hint ?? 'Add them, lower its size, or check the pool label of its nodes (spec.poolLabel)',
  );
}

function formatPoolSize({ nodeCount, maxNodeCount }: NodePool, existing: number): string {
  return maxNodeCount === undefined
    ? `${existing} of ${pluralize(nodeCount, 'node')}`
    : `${pluralize(existing, 'node')}, and can grow to ${maxNodeCount}`;
}

function checkTaints({ nodes, expected: { pool } }: ExaminedPool): CheckResult[] {
  return pool.taints.flatMap((taint) => {
    const bare = nodes.filter(({ node }) => {
      const existing = node?.value.spec.taints ?? [];
      return !existing.some(({ key, effect }) => key === taint.key && effect === taint.effect);
    });
    const [first] = bare;
    if (!first) return [];
    const count = `${pluralize(bare.length, 'node')} of pool '${pool.name}', ${first.name} first,`;
    const what = `${count} ${bare.length === 1 ? 'lacks' : 'lack'} the taint ${formatTaint(taint)}`;
    return [reportWarning(what, 'Taint them, or pods of other workloads may run on them')];
  });
}

function checkDevices({ nodes, expected, declaredAt }: ExaminedPool): CheckResult[] {
  const { counted } = checkRecordedPool(nodes, expected, '');
  const shown = counted.flatMap(({ devices }) => devices ?? []).length;
  const { problems, warnings } = findDeviceProblems(counted, expected, declaredAt);
  const results = [
    ...problems.map(({ message, hint = '' }) => reportFailure(message, hint)),
    ...warnings.map(({ message, hint = '' }) => reportWarning(message, hint)),
  ];
  if (results.length > 0 || shown === 0) return results;
  return [reportOk(`pool '${expected.pool.name}' publishes ${pluralize(shown, 'device')} as declared`)];
}

function checkDriverLabels({ nodes, expected: { pool, declared } }: ExaminedPool): CheckResult[] {
  const claims = declared.spec.devices.some(({ driver, claim }) => driver === NVIDIA_DRIVER && claim === 'DRA');
  if (!claims) return [];
  const bare = nodes.filter(
    ({ node, devices = [] }) =>
      node &&
      !devices.some(({ driver }) => driver === NVIDIA_DRIVER) &&
      !NVIDIA_NODE_LABELS.some(([key, value]) => node.value.metadata.labels[key] === value),
  );
  const [first] = bare;
  if (!first) return [];
  const count = `${pluralize(bare.length, 'node')} of pool '${pool.name}', ${first.name} first,`;
  const hint = `Run 'kubectl label node ${first.name} nvidia.com/gpu.present=true', or install Node Feature Discovery`;
  return [reportFailure(`${count} would not get the driver of ${NVIDIA_DRIVER}`, hint)];
}
