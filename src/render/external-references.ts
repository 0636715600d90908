import { compareText } from '../base/order';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { findReferences, type ObjectReference } from '../manifest/kubernetes/references';

/** An object that manifests refer to and that none of them makes: it has to be on the cluster before them. */
export interface RequiredObject {
  readonly kind: ObjectReference['kind'];

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly name: string;

  /** Of a Secret or ConfigMap: the keys that are read. Empty where all of them are, or none by name. */
  readonly keys: readonly string[];

  /** Of the Secret of a certificate: the names that it has to have. Absent where nobody asks for any. */
  readonly dnsNames?: readonly string[];

  /** The resources of the fleet that need it: `ModelCache ml/qwen3`. */
  readonly for: readonly string[];
}

/** A reference, and the resource of the fleet that has it. */
export interface OwnedReference {
  readonly owner: string;
  readonly reference: ObjectReference;
}

/** What objects that are applied together refer to, apart from each other. */
export function findExternalReferences(manifests: readonly Manifest[]): ObjectReference[] {
  const made = new Set(manifests.flatMap(identitiesMadeBy).map(idOf));
  const all = manifests.flatMap(findReferences).filter((reference) => !made.has(idOf(reference)));
  return [...new Map(all.map((one) => [`${idOf(one)} ${one.key ?? ''}`, one])).values()];
}

/** The object itself, and the Secret that cert-manager makes for it. */
function identitiesMadeBy({
  kind,
  metadata,
  spec,
}: Manifest): { kind: string; namespace?: string; name: string }[] {
  const secret = kind === 'Certificate' ? spec?.['secretName'] : undefined;
  return [
    { kind, ...metadata },
    ...(typeof secret === 'string' ? [{ ...metadata, kind: 'Secret', name: secret }] : []),
  ];
}

/** What has to be on a cluster for all who want something there, by namespace, kind and name. */
export function listRequiredObjects(wanted: readonly OwnedReference[]): RequiredObject[] {
  const byId = new Map<string, ReferenceGroup>();
  for (const { owner, reference } of wanted) {
    const id = cachedIdOf(reference);
    let want = byId.get(id);
    if (!want) byId.set(id, (want = { reference, owners: [], keys: [], dnsNames: [] }));
    want.owners.push(owner);
    if (reference.key !== undefined) want.keys.push(reference.key);
    if (reference.dnsName !== undefined) want.dnsNames.push(reference.dnsName);
  }
  return [...byId.values()]
    .map(toRequiredObject)
    .sort(
      (a, b) =>
        compareText(a.namespace ?? '', b.namespace ?? '') ||
        compareText(a.kind, b.kind) ||
        compareText(a.name, b.name),
    );
}

/** One object, and all that is wanted of it: with duplicates, in no order. */
interface ReferenceGroup {
  readonly reference: ObjectReference;
  readonly owners: string[];
  readonly keys: string[];
  readonly dnsNames: string[];
}

/** Many clusters ask for a reference. */
function cachedIdOf(reference: ObjectReference): string {
  const id = IDS.get(reference) ?? idOf(reference);
  IDS.set(reference, id);
  return id;
}

const IDS = new WeakMap<ObjectReference, string>();

function toRequiredObject({ reference, owners, keys, dnsNames }: ReferenceGroup): RequiredObject {
  const { kind, namespace, name } = reference;
  return {
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    keys: sortDistinct(keys),
    ...(dnsNames.length > 0 && { dnsNames: sortDistinct(dnsNames) }),
    for: sortDistinct(owners),
  };
}

/** Mostly there are no two alike, and they are sorted. */
function sortDistinct(texts: string[]): string[] {
  const rising = texts.every((text, i) => i === 0 || (texts[i - 1] ?? '') < text);
  return rising ? texts : [...new Set(texts)].sort(compareText);
}

function idOf({ kind, namespace = '', name }: { kind: string; namespace?: string; name: string }): string {
  return `${kind} ${namespace}/${name}`;
}
