import type { InferenceClass } from '../../api/inference-class';
import type { NodePool } from '../../api/node-pool';
import { formatTaint, plural } from '../../plan/format';
import { tolerationsOf } from '../../render/tolerations';
import { deviceProblems } from '../../snapshot/device-problems';
import { judgePool, type PoolJudgement } from '../../snapshot/judge-pool';
import { type NodeView, nodesByPool } from '../../snapshot/node-view';
import { type Expected, verdictOn } from '../../snapshot/verdicts';
import { failure, ok, type Said, unknown, warning } from '../finding';
import type { Listing } from '../live-object';
import { liveSnapshot } from '../live-snapshot';
import { isComing, isDriverComing } from './coming';
import type { Check, DoctorSite } from './site';
import { unseen } from './unseen';

/** A declared pool, and the nodes that are there. */
interface PoolSite {
  readonly expected: Expected;
  readonly nodes: readonly NodeView[];

  /** Where the devices of the class are declared. */
  readonly declaredAt: string;
}

/** The pools of a cluster, and what it shows of them. */
type PoolsSite = Pick<DoctorSite, 'cluster' | 'fleet' | 'locate' | 'coming'> & {
  readonly lists: Readonly<Record<'nodes' | 'pods' | 'slices', Listing>>;
};

/** Whether each pool has the nodes that it declares, ready for pods. */
export function sizeFindings(site: PoolsSite): readonly Said[] {
  const { nodes, pods } = site.lists;
  if ('missing' in nodes) return unseen(nodes, 'nodes');
  const hidden =
    'missing' in pods && site.cluster.spec.nodePools.length > 0
      ? [unknown('what others run on the nodes is not seen', `Ask for leave to list pods: ${pods.why}`)]
      : [];
  return [...poolsOf(site).map(nodesFinding), ...hidden];
}

/** Whether each pool has the nodes that it declares, ready for pods. */
export const nodes: Check = { name: 'nodes', look: (site) => sizeFindings(withLists(site)) };

/** Whether nodes have the taints that keep the pods of others away. */
export const taints: Check = {
  name: 'taints',
  look: (site) => poolsOf(withLists(site)).flatMap(taintFindings),
};

/** Whether nodes publish the devices that their class declares. */
export const devices: Check = {
  name: 'devices',
  look(site): readonly Said[] {
    const { slices } = site.seen.lists;
    if (!site.cluster.spec.dra) return [];
    return 'missing' in slices
      ? unseen(slices, 'resource slices')
      : poolsOf(withLists(site)).flatMap(deviceFindings);
  },
};

/** What any of makes the chart of NVIDIA's driver run on a node (dra-driver-nvidia-gpu 0.4, kubeletPlugin.affinity). */
const GPU_LABELS: readonly (readonly [key: string, value: string])[] = [
  ['nvidia.com/gpu.present', 'true'],
  ['feature.node.kubernetes.io/pci-10de.present', 'true'],
  ['feature.node.kubernetes.io/pci-0302_10de.present', 'true'],
  ['feature.node.kubernetes.io/pci-0300_10de.present', 'true'],
  ['feature.node.kubernetes.io/cpu-model.vendor_id', 'NVIDIA'],
];

const NVIDIA = 'gpu.nvidia.com';

/** Whether the driver of NVIDIA would run on the nodes. Where it publishes devices already, it does. */
export const driverLabel: Check = {
  name: 'driver-label',
  look(site): readonly Said[] {
    if (!site.cluster.spec.dra || isComing('nodeFeatureDiscovery', site)) return [];
    const { slices } = site.seen.lists;
    // Where slices may be there and are not seen, `devices` says so.
    if ('missing' in slices && slices.missing !== 'unserved') return [];
    return poolsOf(withLists(site)).flatMap(labelFindings);
  },
};

function withLists(site: DoctorSite): PoolsSite {
  return { ...site, lists: site.seen.lists };
}

function poolsOf(site: PoolsSite): PoolSite[] {
  const { cluster, fleet, locate, lists } = site;
  const views = nodesByPool(liveSnapshot(cluster.metadata.name, lists), cluster);
  return cluster.spec.nodePools.flatMap((pool) => {
    const declared = fleet.classes.find(({ metadata }) => metadata.name === pool.className);
    if (!declared) return [];
    const expected = { pool, declared, dra: cluster.spec.dra, tolerations: tolerationsOf(pool) };
    const nodes = (views?.get(pool.name) ?? []).map((node) => withoutComing(node, declared, site));
    return [{ expected, nodes, declaredAt: locate(declared, ['spec', 'devices']) }];
  });
}

/** A node whose driver is still to come says nothing yet of its devices. */
function withoutComing(node: NodeView, { spec }: InferenceClass, site: PoolsSite): NodeView {
  const { devices = [], ...rest } = node;
  const awaited = spec.devices.some(
    ({ driver, claim }) =>
      claim === 'DRA' && isDriverComing(driver, site) && !devices.some((one) => one.driver === driver),
  );
  return awaited ? rest : node;
}

function judged({ nodes, expected }: PoolSite): PoolJudgement {
  return judgePool(nodes, expected, '');
}

/** More reasons than this are counted. */
const MOST_SHOWN = 4;

function nodesFinding(site: PoolSite): Said {
  const { nodes, expected } = site;
  const { pool } = expected;
  const { lost, counted } = judged(site);
  const declared = pool.maxNodeCount ?? pool.nodeCount;
  if (lost === 0) return ok(`pool '${pool.name}' has ${sizeText(pool, counted.length)}`);
  const out = nodes.filter((node) => !counted.includes(node));
  const [first] = out.flatMap((node) => verdictOn(node, expected) ?? []);
  const reasons = out.slice(0, MOST_SHOWN).map((node) => `${node.name} ${verdictOn(node, expected)?.what}`);
  const absent = Math.max(0, lost - out.length);
  const all = [
    ...reasons,
    ...(out.length > MOST_SHOWN ? [`${out.length - MOST_SHOWN} more cannot be used`] : []),
    ...(absent > 0 ? [`${plural(absent, 'node')} not there`] : []),
  ];
  return failure(
    `pool '${pool.name}' has ${declared - lost} of ${plural(declared, 'node')} for pods: ${all.join('; ')}`,
    first?.live ??
      first?.hint ??
      'Add them, lower its size, or check the pool label of its nodes (spec.poolLabel)',
  );
}

function sizeText({ nodeCount, maxNodeCount }: NodePool, there: number): string {
  return maxNodeCount === undefined
    ? `${there} of ${plural(nodeCount, 'node')}`
    : `${plural(there, 'node')}, and can grow to ${maxNodeCount}`;
}

function taintFindings({ nodes, expected: { pool } }: PoolSite): Said[] {
  return pool.taints.flatMap((taint) => {
    const bare = nodes.filter(({ node }) => {
      const there = node?.value.spec.taints ?? [];
      return !there.some(({ key, effect }) => key === taint.key && effect === taint.effect);
    });
    const [first] = bare;
    if (!first) return [];
    const count = `${plural(bare.length, 'node')} of pool '${pool.name}', ${first.name} first,`;
    return [
      warning(
        `${count} ${bare.length === 1 ? 'lacks' : 'lack'} the taint ${formatTaint(taint)}`,
        'Taint them, or pods of others may take their room',
      ),
    ];
  });
}

function deviceFindings(site: PoolSite): Said[] {
  const { expected, declaredAt } = site;
  const { counted } = judged(site);
  const shown = counted.flatMap(({ devices }) => devices ?? []).length;
  const { problems, warnings } = deviceProblems(counted, expected, declaredAt);
  const told = [
    ...problems.map(({ what, hint = '' }) => failure(what, hint)),
    ...warnings.map(({ what, hint = '' }) => warning(what, hint)),
  ];
  if (told.length > 0 || shown === 0) return told;
  return [ok(`pool '${expected.pool.name}' publishes ${plural(shown, 'device')} as declared`)];
}

function labelFindings({ nodes, expected: { pool, declared } }: PoolSite): Said[] {
  if (!hasNvidia(declared)) return [];
  const bare = nodes.filter(
    ({ node, devices = [] }) =>
      node &&
      !devices.some(({ driver }) => driver === NVIDIA) &&
      !GPU_LABELS.some(([key, value]) => node.value.metadata.labels[key] === value),
  );
  const [first] = bare;
  if (!first) return [];
  return [
    failure(
      `${plural(bare.length, 'node')} of pool '${pool.name}', ${first.name} first, would not get the driver of ${NVIDIA}`,
      `Run 'kubectl label node ${first.name} nvidia.com/gpu.present=true', or install Node Feature Discovery`,
    ),
  ];
}

function hasNvidia({ spec }: InferenceClass): boolean {
  return spec.devices.some(({ driver, claim }) => driver === NVIDIA && claim === 'DRA');
}
