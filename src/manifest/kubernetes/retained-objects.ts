import { sortedBy } from '../../base/order';
import type { Manifest } from './manifest';

/** An object that stays on its cluster when the stack that made it is destroyed, and how to remove it. */
export interface RetainedObject {
  /** `Namespace ml`, `PersistentVolumeClaim ml/weights`. */
  readonly object: string;
  readonly because: string;

  /** The command that removes it, for the cluster that it is on. */
  readonly remove: string;
}

interface RetentionRule {
  readonly because: string;

  /** Whether it stays also without `keepData`. */
  readonly always?: true;
}

/** The kinds that stay, in the order in which they can be removed. */
const RETAINED_KINDS: Readonly<Record<string, RetentionRule>> = {
  ResourceClaimTemplate: { because: 'a rollout in progress creates pods from it', always: true },
  PersistentVolumeClaim: { because: 'it holds data that takes hours to load' },
  CustomResourceDefinition: { because: 'its removal deletes all objects of its kind' },
  Namespace: { because: 'its removal deletes everything in it, including objects of other workloads' },
};

/** What decides which objects stay. */
export interface Retention {
  /** Whether namespaces, volumes and CRDs stay. */
  readonly keepData: boolean;

  /** Objects that nothing needs once an update has ended. They do not stay. */
  readonly unneeded?: ReadonlySet<Manifest>;
}

/** Whether an object stays on its cluster when it leaves the stack. */
export function isRetained(object: Manifest, { keepData, unneeded }: Retention): boolean {
  return isAdopted(object, keepData) && !unneeded?.has(object);
}

/** Whether objects of a kind can be on a cluster before the stack, which then takes them over. */
export function isAdopted({ kind }: Pick<Manifest, 'kind'>, keepData: boolean): boolean {
  const rule = RETAINED_KINDS[kind];
  return rule !== undefined && (keepData || rule.always === true);
}

/**
 * Lists what stays of a stack on a cluster, in the order in which it can be removed.
 *
 * @param namespaces the namespaces of Helm releases. Helm creates a namespace, and never deletes it
 */
export function listRetainedObjects(
  manifests: readonly Manifest[],
  namespaces: readonly string[],
  retention: Retention,
): RetainedObject[] {
  const own = manifests.filter((one) => isRetained(one, retention));
  const known = new Set(manifests.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const kinds = Object.keys(RETAINED_KINDS);
  const sorted = sortedBy(own, ({ kind, metadata: { namespace = '', name } }) =>
    JSON.stringify([kinds.indexOf(kind), namespace, name]),
  );
  const helm = sortedBy(new Set(namespaces), (name) => name).filter((name) => !known.has(name));
  return [
    ...sorted.map(describeRetained),
    ...helm.map((name) => ({
      object: `Namespace ${name}`,
      because: 'Helm created it for a release unless it existed before, and does not delete namespaces',
      remove: `kubectl delete namespace ${name}`,
    })),
  ];
}

function describeRetained({ apiVersion, kind, metadata: { namespace, name } }: Manifest): RetainedObject {
  const [group, version] = apiVersion.split('/');
  const type = `${kind.toLowerCase()}${version === undefined ? '' : `.${group}`}`;
  return {
    object: `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
    because: RETAINED_KINDS[kind]?.because ?? '',
    remove: `kubectl delete ${type} ${name}${namespace === undefined ? '' : ` --namespace ${namespace}`}`,
  };
}
