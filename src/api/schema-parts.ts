import { sortedBy } from '../base/order';
import { partName } from './part-names';

/** A JSON Schema, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object with fields somewhere in a schema. Objects with the same fields and the same words are one part. */
export interface Part {
  readonly name: string;

  /** Without what says how a field uses it. */
  readonly schema: JsonSchema;

  /** What uses it: `Probe.httpGet`. A part is counted once, however often the part around it is used. */
  readonly uses: ReadonlySet<string>;

  /** What the fields that use it say about it. */
  readonly descriptions: ReadonlySet<unknown>;
}

/** The parts of schemas, by their fields: `partKey` of an object. */
export type Parts = ReadonlyMap<string, Part>;

/** What a field adds to the object that it holds. */
const OF_FIELD = ['description', 'default'] as const;

/**
 * Finds the parts of schemas, each with the name of what it describes.
 *
 * @param schemas by the name of what is described: the kind of a document
 */
export function partsOf(schemas: ReadonlyMap<string, JsonSchema>): Parts {
  const parts = new Map<string, FoundPart>();
  for (const [name, schema] of schemas) {
    for (const { field, schema: inner } of childrenOf(schema)) find(inner, { holder: name, field }, parts);
  }
  refuseTwins(parts, [...schemas.keys()]);
  return parts;
}

/** What tells a part from others; undefined for what is no object with fields. */
export function partKey(schema: JsonSchema): string | undefined {
  return isPart(schema) ? JSON.stringify(bare(schema)) : undefined;
}

/** Schemas in which each part is written once, under its name, and referred to. */
export interface Divided {
  /** The schemas that were given, by their names. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly parts: Readonly<Record<string, JsonSchema>>;
}

/** Writes each part of schemas once. References are to `$defs` of the document that the result becomes a part of. */
export function divided(schemas: ReadonlyMap<string, JsonSchema>): Divided {
  const parts = partsOf(schemas);
  const below = (schema: JsonSchema): JsonSchema => mapped(schema, (inner) => referring(inner, parts));
  const sorted = sortedBy(parts.values(), ({ name }) => name);
  return {
    schemas: Object.fromEntries([...schemas].map(([name, schema]) => [name, below(schema)])),
    parts: Object.fromEntries(sorted.map(({ name, schema }) => [name, below(schema)])),
  };
}

/** One name is that of one part, or of one document. */
function refuseTwins(parts: Parts, documents: readonly string[]): void {
  const named = new Map(documents.map((name) => [name, 'a document']));
  for (const { name, uses } of parts.values()) {
    const other = named.get(name);
    const places = [...uses].join(', ');
    if (other) throw new Error(`bug: ${name} names two objects: ${other}; ${places}. See part-names.ts`);
    named.set(name, places);
  }
}

interface FoundPart extends Part {
  readonly uses: Set<string>;
  readonly descriptions: Set<unknown>;
}

interface Place {
  readonly holder: string;
  readonly field: string;
}

function find(schema: JsonSchema, { holder, field }: Place, parts: Map<string, FoundPart>): void {
  const key = partKey(schema);
  if (key === undefined) {
    for (const child of childrenOf(schema))
      find(child.schema, { holder, field: `${field}${child.field}` }, parts);
    return;
  }
  const name = partName(holder, field);
  const use = `${holder}.${field}`;
  const known = parts.get(key);
  if (known && known.name !== name) {
    const places = [...known.uses, use].join(', ');
    throw new Error(
      `bug: one object is named ${known.name} and ${name}: ${places}. Name it in part-names.ts`,
    );
  }
  const part = known ?? { name, schema: bare(schema), uses: new Set(), descriptions: new Set() };
  parts.set(key, part);
  part.uses.add(use);
  part.descriptions.add(schema['description']);
  if (known) return;
  for (const child of childrenOf(schema)) find(child.schema, { holder: name, field: child.field }, parts);
}

interface Child {
  /** `image` of an object, `[]` of a list, `[0]` of a list that begins with it, `{}` of a map, nothing of a choice. */
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
  return children.flatMap(([field, child]) => (isSchema(child) ? [{ field, schema: child }] : []));
}

/** A schema with other ones in the place of those directly in it. */
function mapped(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    return isSchema(value) ? change(value) : value;
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

/** A schema in which parts are references. */
function referring(schema: JsonSchema, parts: Parts): JsonSchema {
  const part = parts.get(partKey(schema) ?? '');
  if (!part) return mapped(schema, (inner) => referring(inner, parts));
  const own = Object.fromEntries(OF_FIELD.flatMap((word) => (word in schema ? [[word, schema[word]]] : [])));
  return { ...own, $ref: `#/$defs/${part.name}` };
}

function bare(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !OF_FIELD.some((word) => word === keyword)),
  );
}

function isPart(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && 'properties' in schema;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
