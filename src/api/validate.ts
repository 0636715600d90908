import type { z } from 'zod';
import { findingsOf } from './findings';
import type { Checked } from './resource';

/**
 * Runs a schema and says every problem in our words.
 *
 * A null field counts as absent when the schema knows it, as on a Kubernetes API server.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const first = run(schema, value);
  const nulls = first.issues.filter((issue) => issue.input === null).map(({ path }) => path ?? []);
  const { issues, value: output } = nulls.length > 0 ? run(schema, without(value, nulls)) : first;
  return issues.length > 0 ? { findings: issues.flatMap(findingsOf) } : { value: output };
}

/** The raw form of a parse: its issues still know their input and their schema, which our wording needs. */
function run<T>(schema: z.ZodType<T>, value: unknown): { value: T; issues: z.core.$ZodRawIssue[] } {
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  if (result instanceof Promise) throw new Error('bug: a schema is asynchronous');
  return { value: result.value as T, issues: result.issues };
}

/** A copy of a document without some of its map entries. Items of lists stay. */
function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of paths) {
    const last = path.at(-1);
    const holder = path.slice(0, -1).reduce<unknown>(child, copy);
    if (isMap(holder) && typeof last === 'string') delete holder[last];
  }
  return copy;
}

function child(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
