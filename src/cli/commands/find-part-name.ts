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

const MAX_NAMED = 8;

/** @throws FleetwrightError with what has the name */
export function refuseSharedName(name: string, target: string, ids: readonly string[]): never {
  const what = `${ids.length} ${ids[0]?.includes('/') ? 'parts of the fleet' : 'fields'} have the name '${name}'`;
  throw commandError('unknown-deployment', target, what, `Write one of ${joinNames(ids, MAX_NAMED)}`);
}
