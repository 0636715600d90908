import { type Diagnostic, errorAt, warningAt } from '../base/diagnostic';
import { groupBy } from '../base/order';
import { pluralize } from '../base/text';
import { matchDevices } from './compare-devices';
import type { DeviceDifference, DifferingDevice } from './device-difference';
import type { NodeInfo } from './node-info';
import { type ExpectedNode, findUnusableReason } from './unusable-nodes';

export interface PoolCheck {
  /** Declared nodes that the snapshot shows as unavailable for new replicas. */
  readonly lost: number;
  /** How many counted nodes can be taken before the pool loses one. Negative: so many are lost. */
  readonly spare: number;
  /** The reasons, if nodes are lost. */
  readonly warning?: Diagnostic;
  /** The nodes that count, whose devices are compared with the class. */
  readonly counted: readonly NodeInfo[];
}

/**
 * Determines the size of a pool from its recorded nodes.
 *
 * A pool of fixed size offers new replicas the nodes that count, and never more than it declares. An autoscaled
 * pool can still grow up to `maxNodeCount`, so it loses only nodes that exist and do not count: an unusable node
 * still takes a place in the pool.
 *
 * @param nodes the recorded nodes of the pool
 * @param where the place of the pool in its manifest
 */
export function checkRecordedPool(nodes: readonly NodeInfo[], expected: ExpectedNode, where: string): PoolCheck {
  const { pool } = expected;
  const judged = nodes.map((node) => ({ node, verdict: findUnusableReason(node, expected) }));
  const counted = judged.flatMap(({ node, verdict }) => (verdict ? [] : [node]));
  const unusable = judged.flatMap(({ node, verdict }) => (verdict ? [{ node, verdict }] : []));
  const declared = pool.maxNodeCount ?? pool.nodeCount;
  const growth = pool.maxNodeCount === undefined ? 0 : Math.max(0, pool.maxNodeCount - nodes.length);
  const spare = counted.length + growth - declared;
  const lost = Math.max(0, -spare);
  if (lost === 0) return { lost, spare, counted };
  const missing = Math.max(0, lost - unusable.length);
  const reasons = [
    ...unusable.slice(0, MAX_SHOWN).map(({ node, verdict }) => `${node.name} ${verdict.what}`),
    ...(unusable.length > MAX_SHOWN ? [`${unusable.length - MAX_SHOWN} more cannot be used`] : []),
    ...(missing > 0 ? [`${pluralize(missing, 'node')} of the pool missing from the snapshot`] : []),
  ];
  const [first] = unusable;
  const warning = warningAt(
    'lost-nodes',
    first?.node.place() ?? where,
    `pool '${pool.name}' has ${declared - lost} of ${pluralize(declared, 'node')} for new replicas: ${reasons.join('; ')}`,
    first?.verdict.hint ?? 'If the nodes do not exist, lower its size. Otherwise check their pool label',
  );
  return { lost, spare, counted, warning };
}

/** The most reasons that a message lists. */
const MAX_SHOWN = 4;

interface NodeDifference extends DifferingDevice {
  readonly node: string;
  readonly difference: DeviceDifference;
}

/**
 * The differences between the devices of nodes and their class: one message for each fact with equal values, at the
 * first device. Less capacity than the class states is an error, because selectors were evaluated with it; any
 * other difference is a warning.
 *
 * @param declaredAt the place of the class in its manifest
 */
export function findDeviceProblems(
  nodes: readonly NodeInfo[],
  { declared, dra }: Pick<ExpectedNode, 'declared' | 'dra'>,
  declaredAt: string,
): { readonly problems: readonly Diagnostic[]; readonly warnings: readonly Diagnostic[] } {
  const differences = nodes.flatMap(({ name: node, devices }): NodeDifference[] => {
    const differing = devices && dra ? matchDevices(declared.spec, devices).differing : [];
    return differing.flatMap((device) => device.differences.map((difference) => ({ ...device, node, difference })));
  });
  const groups = groupBy(differences, ({ entry, difference: { field, name, declared, published } }) =>
    JSON.stringify([entry.name, field, name, declared, published ?? null]),
  );
  const found = [...groups.values()].map((group) => describeDifference(group, declared.metadata.name, declaredAt));
  return {
    problems: found.filter(({ severity }) => severity === 'error'),
    warnings: found.filter(({ severity }) => severity === 'warning'),
  };
}

function describeDifference(group: readonly NodeDifference[], className: string, declaredAt: string): Diagnostic {
  const [first] = group;
  if (!first) throw new Error('bug: a difference without a device');
  const { entry, published, node, difference } = first;
  const { field, name, declared, less, path } = difference;
  const others = group.length > 1 ? ` (and ${pluralize(group.length - 1, 'device')} more)` : '';
  const shown = difference.published ?? 'nothing';
  const report = less ? errorAt : warningAt;
  return report(
    less ? 'device-falls-short' : 'device-differs',
    published.place(path),
    `device ${published.device.name} of node ${node} publishes ${shown} as ${field} '${name}'${others}, and InferenceClass '${className}' declares ${declared} for '${entry.name}'`,
    `Correct the class at ${declaredAt}, or declare another class for these nodes`,
  );
}
