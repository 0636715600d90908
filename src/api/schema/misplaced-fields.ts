import { z } from 'zod';
import type { Path } from '../resource';
import { unwrapSchema } from './fields';

/** A field that an object does not have, as it is written. */
interface Misplaced {
  /** The path of the object, from the document. */
  readonly holder: Path;
  readonly key: string;
  readonly value: unknown;
}

/** How many levels below an object are searched. Further below, a field of the same name rarely is the one meant. */
const LEVELS_BELOW = 2;

/**
 * Finds the place of a field that is written at a wrong level of a document: in an object around its holder, or below
 * it. Undefined if neither has a field of this name, or several below have one.
 *
 * @param root the schema of the document
 * @param mustFit whether the value must be one of the field, because any name can be meant: that of a label
 * @returns what a user does: `Move it up, next to 'selector'`
 */
export function findPlaceOfField(root: object, field: Misplaced, mustFit: boolean): string | undefined {
  const around = schemasAlong(root, field.holder);
  const own = around.at(-1);
  return findAbove(around.slice(0, -1), field, mustFit) ?? (mustFit ? undefined : findBelow(own, field));
}

/** The schemas of a document and of each step of a path. Shorter than the path where a step leads to no field. */
function schemasAlong(root: object, path: Path): unknown[] {
  const schemas: unknown[] = [unwrapSchema(root)];
  for (const part of path) {
    const outer = schemas.at(-1);
    schemas.push(typeof part === 'number' ? itemsOf(outer) : (shapeOf(outer)[part] ?? valuesOf(outer)));
  }
  return schemas;
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const object = formsOf(schema).find((form) => form instanceof z.ZodObject);
  if (!object) return {};
  return Object.fromEntries(Object.entries(object.shape).map(([name, inner]) => [name, unwrapSchema(inner)]));
}

/** A schema, or those of the forms that a value can have. */
function formsOf(schema: unknown): unknown[] {
  return schema instanceof z.ZodUnion ? schema.options.map(unwrapSchema) : [schema];
}

function itemsOf(schema: unknown): unknown {
  if (schema instanceof z.ZodArray) return unwrapSchema(schema.element);
  return schema instanceof z.ZodTuple ? unwrapSchema(schema.def.items[0]) : undefined;
}

function valuesOf(schema: unknown): unknown {
  return schema instanceof z.ZodRecord ? unwrapSchema(schema.valueType) : undefined;
}

/** Looks around the holder, nearest first. The fields of each document, such as `kind`, are not searched. */
function findAbove(around: readonly unknown[], { holder, key, value }: Misplaced, mustFit: boolean) {
  for (let depth = around.length - 1; depth > 0; depth--) {
    const schema = shapeOf(around[depth])[key];
    const sibling = holder[depth];
    if (schema === undefined || typeof sibling !== 'string' || sibling === key) continue;
    if (!mustFit || fits(schema, value)) return `Move it up, next to '${sibling}'`;
  }
  return undefined;
}

function fits(schema: unknown, value: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(value, { jitless: true }).success;
}

/** Looks below an object, level by level. */
function findBelow(own: unknown, { holder, key }: Misplaced): string | undefined {
  let level = childrenOf(own, holder.map((part) => (typeof part === 'number' ? '[]' : `.${part}`)).join(''));
  for (let depth = 0; depth < LEVELS_BELOW && level.length > 0; depth++) {
    const [only, ...others] = level.filter(({ schema }) => key in shapeOf(schema));
    if (only) return others.length > 0 ? undefined : `Move it into ${only.at.slice(1)}`;
    level = level.flatMap(({ schema, at }) => childrenOf(schema, at));
  }
  return undefined;
}

interface Child {
  readonly schema: unknown;
  readonly at: string;
}

/** The objects in the fields of an object, and those in its lists. */
function childrenOf(schema: unknown, prefix: string): Child[] {
  return Object.entries(shapeOf(schema)).map(([name, inner]) => {
    const item = itemsOf(inner);
    return item === undefined
      ? { schema: inner, at: `${prefix}.${name}` }
      : { schema: item, at: `${prefix}.${name}[]` };
  });
}
