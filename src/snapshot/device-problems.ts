import type { Problem } from '../errors';
import { plural } from '../plan/format';
import { groupBy } from '../order';
import type { Difference } from './differences';
import { type Differing, matchDevices } from './match-devices';
import type { NodeView } from './node-view';
import type { Expected } from './verdicts';

interface Found extends Differing {
  readonly node: string;
  readonly difference: Difference;
}

/**
 * What differs between the devices that nodes show and their class: one message for each fact with equal values,
 * at the first device. Less capacity than the class says is an error, because selectors were judged by it;
 * anything else that differs is a warning.
 *
 * @param declaredAt the place of the class in its manifest
 */
export function deviceProblems(
  nodes: readonly NodeView[],
  { declared, dra }: Pick<Expected, 'declared' | 'dra'>,
  declaredAt: string,
): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] } {
  const found = nodes.flatMap(({ name, devices }) =>
    devices && dra ? matchDevices(declared.spec.devices, devices).differing.flatMap(each(name)) : [],
  );
  const groups = groupBy(found, ({ entry, difference: { field, name, declared, published } }) =>
    JSON.stringify([entry.name, field, name, declared, published ?? null]),
  );
  const told = [...groups.values()].map((group) => tell(group, declared.metadata.name, declaredAt));
  return {
    problems: told.filter(({ code }) => code === 'device-falls-short'),
    warnings: told.filter(({ code }) => code === 'device-differs'),
  };
}

function each(node: string): (one: Differing) => Found[] {
  return (one) => one.differences.map((difference) => ({ ...one, node, difference }));
}

function tell(group: readonly Found[], className: string, declaredAt: string): Problem {
  const [first] = group;
  if (!first) throw new Error('bug: a difference without a device');
  const { entry, published, node, difference } = first;
  const { field, name, declared, less, path } = difference;
  const others = group.length > 1 ? ` (and ${plural(group.length - 1, 'device')} more)` : '';
  const shown = difference.published ?? 'nothing';
  return {
    code: less ? 'device-falls-short' : 'device-differs',
    where: published.place(path),
    what: `device ${published.device.name} of node ${node} publishes ${shown} as ${field} '${name}'${others}, and InferenceClass '${className}' says ${declared} for '${entry.name}'`,
    hint: `Correct the class at ${declaredAt}, or give these nodes a class of their own`,
  };
}
