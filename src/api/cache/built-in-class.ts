import type { Source } from '../cluster-source';
import type { Finding } from '../resource';

/** Classes that a cloud puts into every cluster, and why caches cannot use them there. */
const BUILT_IN: Readonly<Partial<Record<Source, Readonly<Record<string, string>>>>> = {
  GKE: {
    ...classes(
      ['standard-rwx', 'premium-rwx', 'zonal-rwx', 'enterprise-rwx', 'enterprise-multishare-rwx'],
      "makes volumes in the network 'default', which nodes of this cluster do not reach",
    ),
    ...classes(['standard', 'standard-rwo', 'premium-rwo'], 'makes volumes for one node at a time'),
  },
  EKS: classes(['gp2'], 'makes volumes for one node at a time'),
  AKS: classes(
    ['default', 'managed', 'managed-premium', 'managed-csi', 'managed-csi-premium'],
    'makes volumes for one node at a time',
  ),
};

/**
 * A shared file system of a provisioned cluster is no class that its cloud makes by itself: a claim of it would stay
 * Pending. Parameters of a class are immutable, so neither can one of ours take the name.
 *
 * @param name the class, and `path` where it stands
 */
export function* builtInClass(source: Source, name: string, path: Finding['path']): Iterable<Finding> {
  const known = BUILT_IN[source] ?? {};
  const reason = Object.hasOwn(known, name) ? known[name] : undefined;
  if (reason === undefined) return;
  yield {
    code: 'built-in-class',
    path,
    what: `'${name}' is a class of ${source} itself, and ${reason}`,
    hint: 'Leave it out to use the shared file system that comes with the cluster, or name a class of your own',
  };
}

function classes(names: readonly string[], reason: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
