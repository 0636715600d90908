import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { isDeepEqual } from '../base/deep-equal';
import { sortedBy } from '../base/order';
import { documentOf } from '../manifest/canonical-document';
import { servedNamesOf } from '../routing/served-models';
import { diffFields } from './field-changes';

/** Each declaration that is gone or new, with the one that it is under another name. */
export type Renames = ReadonlyMap<Resource, Resource>;

/**
 * Pairs declarations that are gone with new ones of the same kind that differ in name or namespace alone. A
 * ModelDeployment may also differ in other fields: its replicas keep their labels, its model keeps its name, or the same
 * entries of services select both. Of several, the one with the fewest other fields is the same.
 */
export function findRenames(before: readonly Resource[], after: readonly Resource[]): Renames {
  const [was, is] = [before, after].map((all) => new Set(all.map(resourceIdOf)));
  const gone = before.filter((one) => !is?.has(resourceIdOf(one)));
  if (gone.length === 0) return new Map();
  const left = after.filter((one) => !was?.has(resourceIdOf(one)));
  const pairs = gone.flatMap((old): [Resource, Resource][] => {
    const at = left.findIndex((one) => one.kind === old.kind && isDeepEqual(old.spec, one.spec));
    const [found] = at === -1 ? [] : left.splice(at, 1);
    return found ? [[old, found]] : [];
  });
  const known = new Set(pairs.map(([old]) => old));
  const edited = pairEdited(
    describeAll(
      gone.filter((one) => !known.has(one)),
      before,
    ),
    describeAll(left, after),
  );
  return new Map(
    [...pairs, ...edited].flatMap(([old, now]): [Resource, Resource][] => [
      [old, now],
      [now, old],
    ]),
  );
}

/** By what a deployment is recognized under another name. */
interface KnownDeployment {
  readonly id: string;
  readonly deployment: ModelDeployment;
  readonly marks: ReadonlySet<string>;
}

function describeAll(some: readonly Resource[], all: readonly Resource[]): KnownDeployment[] {
  const deployments = some.flatMap((one) => (one.kind === 'ModelDeployment' ? [one] : []));
  const known = deployments.map((deployment) => ({
    id: resourceIdOf(deployment),
    deployment,
    marks: new Set(listMarks(deployment, all)),
  }));
  return sortedBy(known, ({ id }) => id);
}

function listMarks(deployment: ModelDeployment, all: readonly Resource[]): string[] {
  const labels = deployment.spec.template.metadata?.labels ?? {};
  // Without caches: the directory of one has the same name in all deployments.
  const { model } = servedNamesOf(deployment, []);
  const { namespace } = deployment.metadata;
  const selecting = all.flatMap((one) => {
    if (one.kind !== 'ModelService' || one.metadata.namespace !== namespace) return [];
    return one.spec.endpoints.flatMap(({ selector }, entry) => {
      const isSelected = Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value);
      return isSelected ? [`entry ${resourceIdOf(one)} ${entry}`] : [];
    });
  });
  const sorted = Object.entries(labels).sort();
  return [
    ...(sorted.length > 0 ? [`labels ${JSON.stringify(sorted)}`] : []),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...selecting,
  ];
}

function pairEdited(
  gone: readonly KnownDeployment[],
  added: readonly KnownDeployment[],
): [ModelDeployment, ModelDeployment][] {
  const candidates = gone.flatMap((old) =>
    added
      .filter(({ marks }) => [...marks].some((mark) => old.marks.has(mark)))
      .map((now) => ({ old, now, fields: countEdits(old.deployment, now.deployment) })),
  );
  const used = new Set<KnownDeployment>();
  return [...candidates]
    .sort((a, b) => a.fields - b.fields)
    .flatMap(({ old, now }): [ModelDeployment, ModelDeployment][] => {
      if (used.has(old) || used.has(now)) return [];
      used.add(old).add(now);
      return [[old.deployment, now.deployment]];
    });
}

function countEdits(was: ModelDeployment, is: ModelDeployment): number {
  return diffFields(documentOf(was), documentOf(is)).length;
}
