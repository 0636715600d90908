import { compareText, groupBy } from '../order';
import { BUILT_IN_NAMESPACES } from './namespaces';
import type { Manifest } from './manifest';
import { type Reference, referencesIn } from './references';

/** An object that manifests refer to and that none of them makes: it has to be on the cluster before them. */
export interface Needed {
  readonly kind: Reference['kind'];

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly name: string;

  /** Of a Secret or ConfigMap: the keys that are read. Empty where all of them are, or none by name. */
  readonly keys: readonly string[];

  /** The resources of the fleet that need it: `ModelCache ml/qwen3`. */
  readonly for: readonly string[];
}

/** Objects of a cluster, and the resource of the fleet that asks for them. */
export interface Owned {
  readonly owner: string;
  readonly manifests: readonly Manifest[];
}

/** What has to be on a cluster before its manifests are applied, by namespace, kind and name. */
export function mustExist(all: readonly Owned[], made: readonly Manifest[]): Needed[] {
  const there = new Set(
    [...made, ...all.flatMap(({ manifests }) => manifests)].map(({ kind, metadata }) =>
      idOf({ kind, ...metadata }),
    ),
  );
  const wanted = all.flatMap(({ owner, manifests }) =>
    manifests.flatMap((manifest) =>
      [...namespaceOf(manifest), ...referencesIn(manifest)].map((reference) => ({ owner, reference })),
    ),
  );
  const missing = wanted.filter(({ reference }) => !there.has(idOf(reference)));
  return [...groupBy(missing, ({ reference }) => idOf(reference)).values()]
    .flatMap((same) => together(same))
    .sort(byPlace);
}

interface Wanted {
  readonly owner: string;
  readonly reference: Reference;
}

function together(same: readonly Wanted[]): Needed[] {
  const keys = same.flatMap(({ reference }) => reference.key ?? []);
  const owners = same.map(({ owner }) => owner);
  return same.slice(0, 1).map(
    ({ reference: { kind, namespace, name } }): Needed => ({
      kind,
      ...(namespace !== undefined && { namespace }),
      name,
      keys: distinctText(keys),
      for: distinctText(owners),
    }),
  );
}

function distinctText(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareText);
}

function namespaceOf({ metadata: { namespace } }: Manifest): Reference[] {
  if (namespace === undefined || BUILT_IN_NAMESPACES.has(namespace)) return [];
  return [{ kind: 'Namespace', name: namespace }];
}

function idOf({ kind, namespace = '', name }: { kind: string; namespace?: string; name: string }): string {
  return `${kind} ${namespace}/${name}`;
}

function byPlace(a: Needed, b: Needed): number {
  return (
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name)
  );
}
