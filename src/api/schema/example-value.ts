import { z } from 'zod';
import { unwrapSchema } from './fields';

/** Schemas inside others are shown to this depth. Below it, an example is a placeholder. */
const DEPTH = 4;

/**
 * Writes an example of the least that a schema accepts: the required fields of an object, one item of a list. Undefined
 * for a schema without a shape worth showing.
 *
 * @param name the field that has the value. Its texts are this name in capitals.
 * @example
 * exampleOf(secretRef, 'secretRef'); // '{ name: NAME }'
 */
export function exampleOf(schema: unknown, name: string): string | undefined {
  const inner = unwrapSchema(schema);
  const item = itemOf(inner);
  const hasShape = (item === undefined ? inner : item) instanceof z.ZodObject;
  return hasShape ? exampleAt(inner, name, DEPTH) : undefined;
}

/** The schema of the items of a list. Undefined for other schemas. */
export function itemOf(schema: unknown): unknown {
  if (schema instanceof z.ZodArray) return unwrapSchema(schema.element);
  return schema instanceof z.ZodTuple ? unwrapSchema(schema.def.items[0]) : undefined;
}

function exampleAt(schema: unknown, name: string, depth: number): string | undefined {
  const inner = unwrapSchema(schema);
  if (depth === 0) return placeholder(name);
  if (inner instanceof z.ZodObject) return exampleOfObject(inner, depth);
  const element = itemOf(inner);
  if (element !== undefined) {
    const item = exampleAt(element, name, depth - 1);
    return item === undefined ? undefined : `[${item}]`;
  }
  if (inner instanceof z.ZodEnum) return String(inner.options[0]);
  if (inner instanceof z.ZodNumber) return String(Math.max(1, inner.minValue ?? 1));
  return inner instanceof z.ZodBoolean ? 'true' : placeholder(name);
}

/** An object with its required fields. Without any, no field is better than another. */
function exampleOfObject(schema: z.ZodObject, depth: number): string | undefined {
  const required = Object.entries(schema.shape).filter(([, field]) => isRequired(field));
  if (required.length === 0) return undefined;
  const written = required.map(([field, inner]) => `${field}: ${exampleAt(inner, field, depth - 1) ?? '{ ... }'}`);
  return `{ ${written.join(', ')} }`;
}

function isRequired(schema: unknown): boolean {
  return schema instanceof z.ZodType && !schema.safeParse(undefined, { jitless: true }).success;
}

function placeholder(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toUpperCase();
}
