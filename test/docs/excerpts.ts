import { explainField } from '../../src/api/field-reference';
import { KINDS } from '../../src/api/kind-table';

/** An object of YAML. */
export type Value = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a document is a declaration of a fleet. */
export function isOwn({ apiVersion }: Value): boolean {
  return /^(fleetwright\.dev|modelplane\.ai)\//.test(String(apiVersion));
}

/** Where an excerpt starts, as the path of a field, and what of it has no field there. */
export interface Start {
  readonly path: string;
  readonly unknown: readonly string[];
}

/** The place in a kind where the most of an excerpt has fields. */
export function startOf(value: Value): Start {
  const kinds = value['kind'] === undefined ? KINDS.map((one) => one.kind) : [String(value['kind'])];
  const paths = kinds.flatMap((one) => [one, ...partsOf(one)]);
  const starts = paths.map((path) => ({ path, unknown: unknownFields(value, path) }));
  const [best] = starts.toSorted((a, b) => a.unknown.length - b.unknown.length);
  return best ?? { path: '', unknown: [] };
}

/** The document of a kind that an excerpt is a part of, with what the excerpt has and nothing else. */
export function wholeOf(value: Value): Value {
  const [kind = '', ...fields] = startOf(value).path.split('.');
  const inner = fields.reduceRight<unknown>(
    (part, field) => ({ [field]: LISTS.has(field) ? [part] : part }),
    value,
  ) as Value;
  return { apiVersion: 'fleetwright.dev/v1alpha1', kind, ...inner };
}

/** The fields on the way to an excerpt that are lists. */
const LISTS: ReadonlySet<string> = new Set(['engines', 'members', 'devices']);

/** Where an excerpt of a kind may start: at its top, in its spec, or at a replica, an engine or a node selector. */
function partsOf(kind: string): string[] {
  const parts = ['spec', 'spec.template.spec', 'spec.template.spec.engines', 'spec.template.spec.engines.members'];
  const selector = 'spec.template.spec.engines.members.nodeSelector';
  return [...parts, selector, `${selector}.devices`].map((part) => `${kind}.${part}`).filter(isField);
}

function isField(path: string): boolean {
  try {
    explainField(path);
    return true;
  } catch {
    return false;
  }
}

/** The paths of a value that are no fields. Fields of Kubernetes below an object without fields of its own are free. */
function unknownFields(value: unknown, path: string, isEntry = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(item, path));
  if (!isMap(value)) return [];
  const { fields, type } = explainField(path);
  if (fields.length === 0) return [];
  if (type.startsWith('map of') && !isEntry) {
    return Object.values(value).flatMap((inner) => unknownFields(inner, path, true));
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    fields.some((field) => field.name === name) ? unknownFields(inner, `${path}.${name}`) : [`${path}.${name}`],
  );
}
