import { z } from 'zod';

/** Where each older or misplaced field of an object belongs, as a clause that tells the user. */
export type Moved = Readonly<Record<string, string>>;

const MOVED = z.registry<{ readonly moved: Moved }>();

/**
 * An object of exactly these fields. An unknown one is an error that names the nearest.
 *
 * @param moved fields that the object used to have, or that users expect here
 */
export function fields<S extends z.core.$ZodShape>(shape: S, moved?: Moved): z.ZodObject<S, z.core.$strict> {
  const schema = z.strictObject(shape);
  if (moved) MOVED.add(schema, { moved });
  return schema;
}

/** The names of the fields that an object schema knows. */
export function fieldsOf(schema: object): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Where a field that an object schema does not know belongs today. */
export function movedTo(schema: object, field: string): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const moved = MOVED.get(schema)?.moved ?? {};
  return Object.hasOwn(moved, field) ? moved[field] : undefined;
}

/** The schema of a field some objects further down. */
export function fieldAt(schema: object, path: readonly string[]): object {
  return path.reduce((outer, field) => {
    const inner: unknown = outer instanceof z.ZodObject ? unwrapped(outer.shape[field]) : undefined;
    if (typeof inner !== 'object' || inner === null) throw new Error(`bug: no field ${field} in the schema`);
    return inner;
  }, schema);
}

/** A schema without the defaults around it. */
function unwrapped(schema: unknown): unknown {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return wrapped ? unwrapped(schema.unwrap()) : schema;
}
