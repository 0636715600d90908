import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { isMap, listAt } from '../base/json';
import { suggestName } from '../base/name-suggestion';
import { joinNames } from '../base/text';
import { jsonSchemaOf } from './json-schema';
import { KINDS } from './kind-table';
import type { JsonSchema } from './schema-parts';

/** A field of a kind, as its schema declares it. */
export interface FieldReference {
  readonly name: string;

  /** `integer`, `list of objects`, `map of text`. */
  readonly type: string;
  readonly required: boolean;

  /** Absent: there is none. */
  readonly default?: unknown;
  readonly description: string;

  /** The values that it allows. Absent: others too. */
  readonly values?: readonly string[];

  /** Bounds of its value, as a clause. */
  readonly bounds?: string;
}

/** A field with those below it, or a kind with its fields. */
export interface FieldExplanation extends FieldReference {
  readonly path: string;
  readonly fields: readonly FieldReference[];
}

/** The schemas of kinds that were asked for before: each takes a tenth of a second to make. */
const SCHEMAS = new Map<string, JsonSchema>();

function schemaOf(kind: (typeof KINDS)[number]): JsonSchema {
  const schema = SCHEMAS.get(kind.kind) ?? jsonSchemaOf(kind);
  SCHEMAS.set(kind.kind, schema);
  return schema;
}

const KIND_NAMES: readonly string[] = KINDS.map(({ kind }) => kind);

/** The kind that a person means: in any case, also in the plural. */
export function findKindName(word: string): string | undefined {
  const lower = word.toLowerCase();
  return KIND_NAMES.find((kind) => [kind.toLowerCase(), pluralOf(kind)].includes(lower));
}

/** The kind that a person probably meant by a word that is none. */
export function suggestKindName(word: string): string | undefined {
  return suggestName(word, KIND_NAMES) ?? findKindWithEnd(word.toLowerCase());
}

/** `deployment` and `deployments` are short for ModelDeployment. */
function findKindWithEnd(word: string): string | undefined {
  return KIND_NAMES.find((kind) =>
    [kind.toLowerCase(), pluralOf(kind)].some((name) => word !== '' && name.endsWith(word)),
  );
}

function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  return lower.endsWith('s') ? `${lower}es` : `${lower}s`;
}

/** The paths of all fields of all kinds, with the kinds: `ModelDeployment`, `ModelDeployment.spec`. Down to a depth. */
export function listFieldPaths(depth: number): string[] {
  return KINDS.flatMap((kind) => [kind.kind, ...pathsBelow(schemaOf(kind), kind.kind, depth)]);
}

function pathsBelow(schema: JsonSchema, path: string, depth: number): string[] {
  if (depth === 0) return [];
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const own = `${path}.${name}`;
    return [own, ...pathsBelow(field, own, depth - 1)];
  });
}

/**
 * Explains a kind, or a field of it. Lists and maps are walked through: `InferenceCluster.spec.nodePools.zones`, with or
 * without an index.
 *
 * @throws FleetwrightError when there is no such field
 */
export function explainField(path: string): FieldExplanation {
  const [word = '', ...names] = path.replaceAll(/\[[^[\]]*\]/g, '').split('.');
  const kind = KINDS.find((one) => one.kind === findKindName(word));
  if (!kind) throw new FleetwrightError([unknownKind(path, word)]);
  let field: FieldReference & { readonly schema: JsonSchema } = {
    ...referenceOf(kind.kind, schemaOf(kind), true),
    description: kind.description,
    schema: schemaOf(kind),
  };
  const walked: string[] = [kind.kind];
  for (const name of names.filter((one) => one !== '')) {
    const known = propertiesOf(field.schema);
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!schema) throw new FleetwrightError([unknownField(walked.join('.'), name, known)]);
    field = { ...referenceOf(name, schema, requiredOf(field.schema).has(name)), schema };
    walked.push(name);
  }
  const { schema, ...reference } = field;
  const required = requiredOf(schema);
  const fields = Object.entries(propertiesOf(schema)).map(([name, one]) => referenceOf(name, one, required.has(name)));
  return { path: walked.join('.'), ...reference, fields };
}

function unknownKind(path: string, word: string) {
  const near = suggestKindName(word);
  const hint = near ? `Did you mean '${near}'?` : `Use one of ${joinNames(KIND_NAMES, KIND_NAMES.length)}`;
  return errorAt('unknown-kind', path, `there is no kind '${word}'`, hint);
}

function unknownField(path: string, name: string, fields: ReturnType<typeof propertiesOf>) {
  const known = Object.keys(fields);
  const inSpec = fields['spec'] && Object.hasOwn(propertiesOf(fields['spec']), name) ? `spec.${name}` : undefined;
  const near = inSpec ?? suggestName(name, known);
  const some = known.length > 0 ? `Use one of ${joinNames(known, known.length)}` : `Remove '.${name}'`;
  const what = known.length > 0 ? `unknown field '${name}'` : `the field has no fields, so there is no '${name}'`;
  return errorAt('unknown-field', path, what, near ? `Did you mean '${near}'?` : some);
}

function referenceOf(name: string, schema: JsonSchema, required: boolean): FieldReference {
  const { description, default: preset } = schema;
  const values = valuesOf(schema);
  const bounds = boundsOf(schema);
  return {
    name,
    type: typeOf(schema),
    required: required && preset === undefined,
    ...(preset !== undefined && { default: preset }),
    // In docstrings of props, '- ' marks a default that is no value.
    description: typeof description === 'string' ? description.replaceAll('Default: - ', 'Default: ') : '',
    ...(values.length > 0 && { values }),
    ...(bounds !== '' && { bounds }),
  };
}

/** The schema of the fields below a field: its own, that of the items of a list or map, or of one of alternatives. */
function objectOf(schema: JsonSchema): JsonSchema | undefined {
  if (isMap(schema['properties'])) return schema;
  for (const inner of innerSchemasOf(schema)) {
    const found = objectOf(inner);
    if (found) return found;
  }
  return undefined;
}

function innerSchemasOf({ items, additionalItems, additionalProperties, anyOf }: JsonSchema): JsonSchema[] {
  const all = [items, additionalItems, additionalProperties, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [])];
  return all.flat().filter(isMap);
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = objectOf(schema)?.['properties'];
  return isMap(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {};
}

function requiredOf(schema: JsonSchema): ReadonlySet<unknown> {
  return new Set(listAt(objectOf(schema), ['required']));
}

/** The values that a field, or the items of a list, allow. */
function valuesOf(schema: JsonSchema): string[] {
  const { enum: words, const: only } = schema;
  const own = Array.isArray(words) ? (words as unknown[]).map(String) : only === undefined ? [] : [String(only)];
  return [...own, ...innerSchemasOf({ items: schema['items'], anyOf: schema['anyOf'] }).flatMap(valuesOf)];
}

/** What people call the types of JSON Schema. */
const TYPE_WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false' };

function typeOf(schema: JsonSchema): string {
  const { type, anyOf, additionalProperties, properties } = schema;
  const forms = Array.isArray(anyOf)
    ? (anyOf as JsonSchema[])
    : Array.isArray(type)
      ? type.map((one) => ({ type: one as unknown }))
      : [];
  if (forms.length > 0) return [...new Set(forms.map(typeOf))].join(' or ');
  if (type === 'array') {
    const [item] = innerSchemasOf({ items: schema['items'], additionalItems: schema['additionalItems'] });
    return item ? `list of ${typeOf(item)}` : 'list';
  }
  if (type === 'object' && !properties && isMap(additionalProperties)) return `map of ${typeOf(additionalProperties)}`;
  return typeof type === 'string' ? (TYPE_WORDS[type] ?? type) : 'anything';
}

function boundsOf(schema: JsonSchema): string {
  const ranges = [
    rangeText(schema['minimum'], schema['maximum'], ''),
    rangeText(schema['minItems'], schema['maxItems'], ' items'),
  ];
  return ranges.filter((text) => text !== '').join(', ');
}

function rangeText(least: unknown, most: unknown, unit: string): string {
  const end = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  if (least === undefined && end === undefined) return '';
  if (end === undefined) return `at least ${String(least)}${unit}`;
  return least === undefined ? `at most ${String(end)}${unit}` : `${String(least)} to ${String(end)}${unit}`;
}
