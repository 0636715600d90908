import { compareText, groupBy } from '../base/order';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { findReferences, listMadeClaimTemplates, type ReferencedObject } from '../manifest/kubernetes/references';

/** An object that manifests refer to and do not contain: it has to be on the cluster before them. */
export interface RequiredObject {
  readonly kind: ReferencedObject['kind'];

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly name: string;

  /**
   * Of a Secret or ConfigMap: the keys that are read. Of a StorageClass: what it must state. Empty where all of them are,
   * or none by name.
   */
  readonly keys: readonly string[];

  /** The host names that the certificate in the Secret must cover. Absent for other objects. */
  readonly dnsNames?: readonly string[];

  /** Whether the stack that creates the cluster creates it too. Absent: you create it. */
  readonly createdByStack?: true;

  /** The resources of the fleet that need it: `ModelCache ml/qwen3`. */
  readonly for: readonly string[];
}

/** A reference, and the resource of the fleet that contains it. */
export interface OwnedReference {
  readonly owner: string;
  readonly reference: ReferencedObject;
}

/** Returns the references of objects that are applied together, except references to each other. */
export function findExternalReferences(manifests: readonly Manifest[]): ReferencedObject[] {
  const references = manifests.flatMap(findReferences);
  const kinds = new Set<string>(references.map(({ kind }) => kind));
  const created = new Set(
    manifests.flatMap((manifest) =>
      identitiesCreatedBy(manifest).flatMap((one) => (kinds.has(one.kind) ? idOf(one) : [])),
    ),
  );
  const outside = references.filter((reference) => !created.has(idOf(reference)));
  return [...new Map(outside.map((one) => [`${idOf(one)} ${one.key ?? ''}`, one])).values()];
}

/** Returns the identity of an object, and of what controllers create for it: a Secret, or a claim template. */
function identitiesCreatedBy({ kind, metadata, spec }: Manifest): { kind: string; namespace?: string; name: string }[] {
  const secret = kind === 'Certificate' ? spec?.['secretName'] : undefined;
  return [
    { kind, ...metadata },
    ...(typeof secret === 'string' ? [{ ...metadata, kind: 'Secret', name: secret }] : []),
    ...listMadeClaimTemplates([{ kind, spec }]).map((name) => {
      return { ...metadata, kind: 'ResourceClaimTemplate', name };
    }),
  ];
}

/** Returns the objects that a cluster must have for all references, sorted by namespace, kind and name. */
export function listRequiredObjects(references: readonly OwnedReference[]): RequiredObject[] {
  const required = [...groupBy(references, ({ reference }) => cachedIdOf(reference)).values()].flatMap(
    toRequiredObjects,
  );
  return required.sort(
    (a, b) =>
      compareText(a.namespace ?? '', b.namespace ?? '') || compareText(a.kind, b.kind) || compareText(a.name, b.name),
  );
}

/** Caches IDs, because many clusters share a reference. */
const IDS = new WeakMap<ReferencedObject, string>();

function cachedIdOf(reference: ReferencedObject): string {
  let id = IDS.get(reference);
  if (id === undefined) IDS.set(reference, (id = idOf(reference)));
  return id;
}

function toRequiredObjects(references: readonly OwnedReference[]): RequiredObject[] {
  const dnsNames = references.flatMap(({ reference }) => reference.dnsName ?? []);
  return references.slice(0, 1).map(({ reference: { kind, namespace, name } }) => ({
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    keys: sortDistinct(references.flatMap(({ reference }) => reference.key ?? [])),
    ...(dnsNames.length > 0 && { dnsNames: sortDistinct(dnsNames) }),
    for: sortDistinct(references.map(({ owner }) => owner)),
  }));
}

/** Most lists are already sorted and free of duplicates. */
function sortDistinct(texts: string[]): string[] {
  const sorted = texts.every((text, i) => i === 0 || (texts[i - 1] ?? '') < text);
  return sorted ? texts : [...new Set(texts)].sort(compareText);
}

function idOf({ kind, namespace = '', name }: { kind: string; namespace?: string; name: string }): string {
  return `${kind} ${namespace}/${name}`;
}
