import { z } from 'zod';
import { isMap } from '../../base/json';

/** Hints, by field, for obsolete or misplaced fields of an object: where the user must write them. */
export type MovedFields = Readonly<Record<string, string>>;

/** The same hint for several fields. */
export function sameHint(names: readonly string[], hint: string): MovedFields {
  return Object.fromEntries(names.map((name) => [name, hint]));
}

const MOVED_BY_SCHEMA = z.registry<{ readonly moved: MovedFields }>();

/**
 * Creates the schema of an object with exactly these fields. An unknown field is an error that suggests a similar
 * field.
 *
 * @param moved obsolete fields of the object, or fields that users expect in it
 */
export function fields<S extends z.core.$ZodShape>(shape: S, moved?: MovedFields): z.ZodObject<S, z.core.$strict> {
  const schema = z.strictObject(shape);
  if (moved) MOVED_BY_SCHEMA.add(schema, { moved });
  return schema;
}

/** Creates the schema of a field with a default. Its description ends with the default. */
export function withDefault<T extends z.ZodType>(
  schema: T,
  value: z.util.NoUndefined<z.output<T>> & (string | number | boolean),
  description: string,
): z.ZodDefault<T> {
  return schema.default(value).describe(`${description} Default: ${value}.`);
}

/** The names of the fields of an object schema. Empty for other schemas. */
export function fieldNamesOf(schema: object): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The field of `MovedFields` whose hint is for all fields that the object does not have, except misspelt ones. */
export const ANY_FIELD = '*';

/** The hint for an obsolete or misplaced field of an object schema, or for `ANY_FIELD`. Undefined for other fields. */
export function findMovedField(schema: object, field: string): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const moved = MOVED_BY_SCHEMA.get(schema)?.moved ?? {};
  return Object.hasOwn(moved, field) ? moved[field] : undefined;
}

/** Finds the schema of the field at a path of nested objects. */
export function findFieldSchema(schema: object, path: readonly string[]): object {
  return path.reduce((outer, field) => {
    const inner: unknown = outer instanceof z.ZodObject ? unwrapSchema(outer.shape[field]) : undefined;
    if (typeof inner !== 'object' || inner === null) throw new Error(`bug: no field ${field} in the schema`);
    return inner;
  }, schema);
}

/** The schema inside wrappers: defaults, and conversions before or after it. */
export function unwrapSchema(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  if (isWrapped) return unwrapSchema(schema.unwrap());
  if (!(schema instanceof z.ZodPipe)) return schema;
  return unwrapSchema(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
}

const KEYWORDS = z.registry<{ readonly words: readonly string[] }>();

/** By the schema of the object alone, which issues name. */
const KEYWORDS_INSTEAD = z.registry<{ readonly words: readonly string[] }>();

/**
 * Creates a schema that accepts an object, or a keyword instead of it.
 *
 * @param meaning the object that the keyword is short for
 */
export function allowKeyword<const W extends string, S extends z.ZodType>(
  word: W,
  meaning: z.input<S>,
  schema: S,
): z.ZodType<z.output<S>, z.input<S> | W> {
  const either = z.preprocess((value) => (value === word ? meaning : value), schema);
  KEYWORDS.add(either, { words: [word] });
  KEYWORDS_INSTEAD.add(schema, { words: [word] });
  // `z.preprocess` loses the input type: the word, or the input of the schema.
  return either as unknown as z.ZodType<z.output<S>, z.input<S> | W>;
}

/**
 * Creates a schema that accepts an object, or one of some words that stand for a field of it.
 *
 * @param field the field that the word is the value of
 */
export function allowShorthand<const W extends string, S extends z.ZodType>(
  words: readonly W[],
  field: string,
  schema: S,
): z.ZodType<z.output<S>, z.input<S> | W> {
  const either = z.preprocess((value) => (typeof value === 'string' ? { [field]: value } : value), schema);
  KEYWORDS.add(either, { words });
  // As in `allowKeyword`.
  return either as unknown as z.ZodType<z.output<S>, z.input<S> | W>;
}

/** Creates a schema that accepts a number, or an object instead of it. Findings are those of the form that is written. */
export function allowNumber<N extends z.ZodType, S extends z.ZodType>(
  number: N,
  object: S,
): z.ZodUnion<readonly [N, S]> {
  const either = z.union([number, object]);
  // A union reports the findings of all its forms, nested in one issue.
  const parse: typeof either._zod.run = (payload, context) =>
    (isMap(payload.value) ? object : number)._zod.run(payload, context) as ReturnType<typeof either._zod.run>;
  either._zod.parse = parse;
  either._zod.run = parse;
  return either;
}

/** The words that can replace an object of a schema. Empty if there are none. */
export function keywordsOf(schema: z.core.$ZodType): readonly string[] {
  return KEYWORDS.get(schema)?.words ?? [];
}

/** The words that a field accepts in place of an object of this schema. Empty if there are none. */
export function keywordsInsteadOf(schema: z.core.$ZodType): readonly string[] {
  return KEYWORDS_INSTEAD.get(schema)?.words ?? [];
}
