import { isMap } from '../base/json';
import { sortedBy } from '../base/order';
import { partNameOf } from './part-names';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A named object schema inside other schemas. Objects with the same fields and descriptions are one part. */
export interface SchemaPart {
  readonly name: string;

  /** The schema, without the description and the default of the fields that use it. */
  readonly schema: JsonSchema;

  /** The fields that use it: `Probe.httpGet`. The fields of a parent part count once for all uses of the parent. */
  readonly uses: ReadonlySet<string>;

  /** The descriptions of the fields that use it. */
  readonly descriptions: ReadonlySet<unknown>;
}

type Parts = ReadonlyMap<string, SchemaPart>;

const FIELD_KEYWORDS = ['description', 'default'] as const;

/**
 * Finds the parts of schemas, each with its name.
 *
 * @param schemas by name: the kind of a document, or the name of a part
 */
export function findSchemaParts(schemas: ReadonlyMap<string, JsonSchema>): Parts {
  const parts = new Map<string, FoundPart>();
  for (const [name, schema] of schemas) {
    for (const { field, schema: inner } of childrenOf(schema)) collectParts(inner, name, field, parts);
  }
  checkUniqueNames(parts, [...schemas.keys()]);
  return parts;
}

/** The key that identifies a part. Undefined for a schema that is not an object with fields. */
export function partKeyOf(schema: JsonSchema): string | undefined {
  const isPart = schema['type'] === 'object' && 'properties' in schema;
  return isPart ? JSON.stringify(removeFieldKeywords(schema)) : undefined;
}

interface DividedSchemas {
  /** The given schemas, by name, with references to parts. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly parts: Readonly<Record<string, JsonSchema>>;
}

/** Extracts the parts of schemas. References point to `$defs` of the document that will contain the result. */
export function divideSchemas(schemas: ReadonlyMap<string, JsonSchema>): DividedSchemas {
  const parts = findSchemaParts(schemas);
  const replaceInner = (schema: JsonSchema): JsonSchema => mapChildren(schema, (inner) => replaceParts(inner, parts));
  const sorted = sortedBy(parts.values(), ({ name }) => name);
  return {
    schemas: Object.fromEntries([...schemas].map(([name, schema]) => [name, replaceInner(schema)])),
    parts: Object.fromEntries(sorted.map(({ name, schema }) => [name, replaceInner(schema)])),
  };
}

function checkUniqueNames(parts: Parts, documents: readonly string[]): void {
  const named = new Map(documents.map((name) => [name, 'a document']));
  for (const { name, uses } of parts.values()) {
    const other = named.get(name);
    const places = [...uses].join(', ');
    if (other) throw new Error(`bug: ${name} names two objects: ${other}; ${places}. See part-names.ts`);
    named.set(name, places);
  }
}

interface FoundPart extends SchemaPart {
  readonly uses: Set<string>;
  readonly descriptions: Set<unknown>;
}

function collectParts(schema: JsonSchema, parent: string, field: string, parts: Map<string, FoundPart>): void {
  const key = partKeyOf(schema);
  if (key === undefined) {
    for (const child of childrenOf(schema)) collectParts(child.schema, parent, `${field}${child.field}`, parts);
    return;
  }
  const name = partNameOf(parent, field);
  const use = `${parent}.${field}`;
  const known = parts.get(key);
  if (known && known.name !== name) {
    const places = [...known.uses, use].join(', ');
    throw new Error(`bug: one object is named ${known.name} and ${name}: ${places}. Name it in part-names.ts`);
  }
  const part = known ?? { name, schema: removeFieldKeywords(schema), uses: new Set(), descriptions: new Set() };
  parts.set(key, part);
  part.uses.add(use);
  part.descriptions.add(schema['description']);
  if (known) return;
  for (const child of childrenOf(schema)) collectParts(child.schema, name, child.field, parts);
}

interface Child {
  /**
   * `image` for a field, `[]` for list items, `[0]` for the first item of a tuple, `{}` for map values, empty for a
   * choice.
   */
  readonly field: string;
  readonly schema: JsonSchema;
}

function childrenOf(schema: JsonSchema): Child[] {
  const { properties = {}, items, additionalItems, additionalProperties } = schema;
  const choices = [schema['anyOf'], schema['oneOf']].flat();
  const children: [string, unknown][] = [
    ...Object.entries(properties as object),
    ...(Array.isArray(items)
      ? items.map((item, index): [string, unknown] => [`[${index}]`, item])
      : [['[]', items] as [string, unknown]]),
    ['[]', additionalItems],
    ['{}', additionalProperties],
    ...choices.map((choice): [string, unknown] => ['', choice]),
  ];
  return children.flatMap(([field, child]) => (isMap(child) ? [{ field, schema: child }] : []));
}

function mapChildren(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    return isMap(value) ? change(value) : value;
  };
  const below = (value: unknown): unknown =>
    Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, changed(inner)]));
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, below(value)];
      return [keyword, SCHEMAS.has(keyword) ? changed(value) : value];
    }),
  );
}

/** The keywords whose value is a schema, or a list of schemas. */
const SCHEMAS = new Set(['items', 'additionalItems', 'additionalProperties', 'anyOf', 'oneOf']);

function replaceParts(schema: JsonSchema, parts: Parts): JsonSchema {
  const part = parts.get(partKeyOf(schema) ?? '');
  if (!part) return mapChildren(schema, (inner) => replaceParts(inner, parts));
  const fieldKeywords = Object.fromEntries(
    FIELD_KEYWORDS.flatMap((word) => (word in schema ? [[word, schema[word]]] : [])),
  );
  return { ...fieldKeywords, $ref: `#/$defs/${part.name}` };
}

function removeFieldKeywords(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !FIELD_KEYWORDS.some((word) => word === keyword)),
  );
}
