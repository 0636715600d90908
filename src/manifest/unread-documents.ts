import { KINDS } from '../api/kind-table';
import { resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';
import { valueAt } from '../base/json';
import { readValidFields, type ValidFields } from './valid-fields';

/** The kind and name, as far as known, of a document that could not be read. */
export interface UnreadDocument {
  /** Absent if unknown: the document can be of any kind. */
  readonly kind?: string;

  /** Absent if unknown: the document can have any name. */
  readonly name?: string;

  /** The ID of its resource, as `resourceIdOf` returns it. Absent if the kind, the namespace or the name is unknown. */
  readonly id?: string;

  /** What it says apart from its invalid fields. Absent: nothing else can be read, or it is not known what it is. */
  readonly valid?: ValidFields;
}

/** Reads kind and name of a document with invalid fields, unless these fields themselves are invalid. */
export function toUnreadDocument(value: unknown, findings: readonly Diagnostic<Path>[]): UnreadDocument {
  const invalid = new Set(findings.map(({ at: path }) => path.join('.')));
  const kind = valueAt(value, ['kind']);
  const name = valueAt(value, ['metadata', 'name']);
  const id = readResourceId(value, invalid);
  const paths = findings.map(({ at }) => at);
  const valid = id === undefined || paths.length === 0 ? undefined : readValidFields(value, paths);
  return {
    ...(typeof kind === 'string' && !invalid.has('kind') && { kind }),
    ...(typeof name === 'string' && !invalid.has('metadata.name') && { name }),
    ...(id !== undefined && { id }),
    ...(valid && { valid }),
  };
}

/** The paths of the fields that identify a resource. A document with a fault in one of them can be any resource. */
const IDENTITY_PATHS = ['', 'apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace'];

function readResourceId(value: unknown, invalid: ReadonlySet<string>): string | undefined {
  if (IDENTITY_PATHS.some((path) => invalid.has(path))) return undefined;
  const name = valueAt(value, ['metadata', 'name']);
  const namespace = valueAt(value, ['metadata', 'namespace']) ?? DEFAULT_NAMESPACE;
  const found = KINDS.find(({ kind }) => kind === valueAt(value, ['kind']));
  if (!found || typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  const metadata = { name, labels: {}, annotations: {} };
  return resourceIdOf({
    kind: found.kind,
    metadata: found.scope === 'Cluster' ? metadata : { ...metadata, namespace },
  });
}

const DEFAULT_NAMESPACE = 'default';

/** The possible names of resources of a kind among unread documents. Undefined if any name is possible. */
export function unreadNamesOf(unread: readonly UnreadDocument[], kind: string): readonly string[] | undefined {
  const possible = unread.filter((one) => one.kind === undefined || one.kind === kind);
  const names = possible.flatMap((one) => (one.kind === undefined ? [] : (one.name ?? [])));
  return names.length === possible.length ? names : undefined;
}
