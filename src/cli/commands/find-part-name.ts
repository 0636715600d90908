import { listFieldPaths } from '../../api/field-reference';
import { qualifiedNameOf } from '../../api/resource';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { commandError } from '../command-error';
import type { ValidDecision } from '../decide-valid-resources';

/** The depth to which fields are searched by name: `ModelDeployment.spec.template.spec.engines`. */
const FIELD_DEPTH = 4;

/**
 * Finds what has a name without its namespace: parts of the fleet, a pool by its cluster, or if none has it, fields.
 * Returns what `explain` takes.
 */
export function findByName(name: string, { fleet, model }: ValidDecision): string[] {
  if (name.includes('/')) return [];
  const parts = [
    ...model.deployments.map(({ id }) => ({ id, names: [id.slice(id.indexOf('/') + 1)] })),
    ...fleet.services.map((one) => ({ id: `service/${qualifiedNameOf(one)}`, names: [one.metadata.name] })),
    ...fleet.caches.map((one) => ({ id: `cache/${qualifiedNameOf(one)}`, names: [one.metadata.name] })),
    ...fleet.classes.map(({ metadata }) => ({ id: `class/${metadata.name}`, names: [metadata.name] })),
    ...fleet.clusters.map(({ metadata, spec }) => ({
      id: `cluster/${metadata.name}`,
      names: spec.nodePools.map((pool) => pool.name),
    })),
  ];
  const found = parts.filter(({ names }) => names.includes(name)).map(({ id }) => id);
  if (found.length > 0) return sortUnique(found);
  return listFieldPaths(FIELD_DEPTH).filter((path) => path.endsWith(`.${name}`));
}

/** The other parts of the fleet with the whole name of one, which `explain` shows by their kind only. */
export function listNamesakes(id: string, { fleet, model }: ValidDecision): string[] {
  const parts = [
    ...model.deployments.map((one) => ({ kind: 'deployment', name: one.id })),
    ...fleet.clusters.map(({ metadata }) => ({ kind: 'cluster', name: metadata.name })),
    ...fleet.services.map((one) => ({ kind: 'service', name: qualifiedNameOf(one) })),
    ...fleet.caches.map((one) => ({ kind: 'cache', name: qualifiedNameOf(one) })),
    ...fleet.gateways.map(({ metadata }) => ({ kind: 'gateway', name: metadata.name })),
  ];
  // The first is the one that the name alone shows.
  return parts
    .filter(({ name }) => name === id)
    .slice(1)
    .map(({ kind, name }) => `${kind}/${name}`);
}

const MAX_NAMED = 8;

/** @throws FleetwrightError with what has the name */
export function refuseSharedName(name: string, target: string, ids: readonly string[]): never {
  const what = `${ids.length} ${ids[0]?.includes('/') ? 'parts of the fleet' : 'fields'} have the name '${name}'`;
  throw commandError('unknown-deployment', target, what, `Write one of ${joinNames(ids, MAX_NAMED)}`);
}
