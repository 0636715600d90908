import { sortedBy } from '../../src/base/order';
import type { Registered } from './record';

/** Everything that was registered as a tree for reviewers: what is in what, on which provider, after what. */
export function treeOf(all: readonly Registered[]): string {
  return `${linesOf('', all, '').join('\n')}\n`;
}

function linesOf(parent: string, all: readonly Registered[], indent: string): string[] {
  // The order of registrations that do not depend on each other is not ours.
  const own = sortedBy(
    all.filter((one) => one.parent === parent),
    ({ type, name }) => `${name} ${type}`,
  );
  return own.flatMap((one) => [
    `${indent}${one.type} ${one.name}${traits(one)}`,
    ...one.dependsOn.map((other) => `${indent}    after ${other}`),
    ...linesOf(`${one.type} ${one.name}`, all, `${indent}  `),
  ]);
}

function traits({ provider, retainOnDelete }: Registered): string {
  const named = provider === '' ? [] : [`on ${provider.split(' ').at(-1)}`];
  const all = [...named, ...(retainOnDelete ? ['kept'] : [])];
  return all.length > 0 ? ` (${all.join(', ')})` : '';
}
