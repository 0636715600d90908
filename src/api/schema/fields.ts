import { z } from 'zod';

/** Where each older or misplaced field of an object belongs, as a clause that tells the user. */
export type MovedFields = Readonly<Record<string, string>>;

const MOVED_BY_SCHEMA = z.registry<{ readonly moved: MovedFields }>();

/**
 * An object of exactly these fields. An unknown one is an error that names the nearest.
 *
 * @param moved fields that the object used to have, or that users expect here
 */
export function fields<S extends z.core.$ZodShape>(shape: S, moved?: MovedFields): z.ZodObject<S, z.core.$strict> {
  const schema = z.strictObject(shape);
  if (moved) MOVED_BY_SCHEMA.add(schema, { moved });
  return schema;
}

/** The names of the fields that an object schema knows. */
export function fieldNamesOf(schema: object): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Where a field that an object schema does not know belongs today. */
export function findMovedField(schema: object, field: string): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const moved = MOVED_BY_SCHEMA.get(schema)?.moved ?? {};
  return Object.hasOwn(moved, field) ? moved[field] : undefined;
}

/** The schema of a field some objects further down. */
export function findFieldSchema(schema: object, path: readonly string[]): object {
  return path.reduce((outer, field) => {
    const inner: unknown = outer instanceof z.ZodObject ? unwrapSchema(outer.shape[field]) : undefined;
    if (typeof inner !== 'object' || inner === null) throw new Error(`bug: no field ${field} in the schema`);
    return inner;
  }, schema);
}

/** A schema without the defaults around it. */
function unwrapSchema(schema: unknown): unknown {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return wrapped ? unwrapSchema(schema.unwrap()) : schema;
}

const KEYWORDS = z.registry<{ readonly word: string }>();

/**
 * An object that may be written as one word instead.
 *
 * @param meaning the fields that the word stands for
 */
export function allowKeyword<const W extends string, S extends z.ZodType>(
  word: W,
  meaning: z.input<S>,
  schema: S,
): z.ZodType<z.output<S>, z.input<S> | W> {
  const either = z.preprocess((value) => (value === word ? meaning : value), schema);
  KEYWORDS.add(either, { word });
  // The type of what goes in is lost on the way: it is the word, or what the schema takes.
  return either as unknown as z.ZodType<z.output<S>, z.input<S> | W>;
}

/** The word by which an object may be written. */
export function keywordOf(schema: z.core.$ZodType): string | undefined {
  return KEYWORDS.get(schema)?.word;
}
