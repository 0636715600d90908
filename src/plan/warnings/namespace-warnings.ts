import { type Locate, type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { type Fleet, listResources } from '../../fleet/fleet';

const DEFAULT = 'default';

const MAX_NAMED = 4;

/** Finds the few resources without a namespace in a fleet whose other resources name one, and none names the default. */
export function findMissingNamespaces(fleet: Fleet, locate: Locate): Diagnostic<ResourcePath>[] {
  const all = listResources(fleet).filter(({ metadata }) => metadata.namespace !== undefined);
  const others = all.filter(({ metadata }) => metadata.namespace !== DEFAULT);
  const missing = all.filter(({ metadata }) => metadata.namespace === DEFAULT);
  if (missing.length >= others.length || missing.some((one) => namesItsNamespace(one, locate))) return [];
  const names = sortUnique(others.flatMap(({ metadata }) => metadata.namespace ?? []));
  const meant =
    names.length === 1 ? `'namespace: ${names[0]}'` : `'namespace' to ${joinNames(names, MAX_NAMED, ' or ')}`;
  return missing.map((resource) => {
    const what = `${resourceIdOf(resource)} names no namespace, so it is in '${DEFAULT}'`;
    const hint = `Set ${meant}, as the other resources do, or 'namespace: ${DEFAULT}' if it belongs there`;
    return warningAt('no-namespace', { resource, path: ['metadata', 'name'] }, what, hint);
  });
}

/** Whether a manifest states its namespace. The position of a field that is missing is that of the one around it. */
function namesItsNamespace(resource: Resource, locate: Locate): boolean {
  return locate(resource, ['metadata', 'namespace']) !== locate(resource, ['metadata']);
}
