import type { z } from 'zod';
import type { Checked, Finding } from '../resource';
import { findingsOf } from './findings';

/**
 * Runs a schema and says every problem in our words.
 *
 * A null field counts as absent when the schema knows it, as on a Kubernetes API server.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const first = run(schema, value);
  if ('value' in first) return first;
  const nulls = first.issues.filter(({ input }) => input === null).map(({ path }) => path ?? []);
  const last = nulls.length > 0 ? run(schema, without(value, nulls)) : first;
  return 'value' in last
    ? last
    : { findings: withoutMisspelt(withoutRepeats(last.issues.flatMap(findingsOf))) };
}

/** Collects issues in their raw form: those know their input and their schema, which our wording needs. */
function run<T>(schema: z.ZodType<T>, value: unknown): { value: T } | { issues: z.core.$ZodRawIssue[] } {
  const issues: z.core.$ZodRawIssue[] = [];
  const result = schema.safeParse(value, {
    error(issue) {
      issues.push(issue);
      return issue.code;
    },
  });
  if (result.success) return { value: result.data };
  // Reading the error is what makes zod call the function above.
  if (result.error.issues.length !== issues.length) throw new Error('bug: a schema words its own issues');
  return { issues };
}

/** Keeps the last finding of each rule at a place: zod reports a huge number against its own limit, then ours. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  return [
    ...new Map(findings.map((finding) => [JSON.stringify([finding.code, finding.path]), finding])).values(),
  ];
}

/** Leaves out that a field is missing where a misspelt one is found that was meant for it. */
function withoutMisspelt(findings: readonly Finding[]): Finding[] {
  const meant = new Set(
    findings.flatMap(({ code, path, hint }) => {
      const name = code === 'unknown-field' ? /^Use '(.+)'$/.exec(hint ?? '')?.[1] : undefined;
      return name === undefined ? [] : [JSON.stringify([...path.slice(0, -1), name])];
    }),
  );
  return findings.filter(({ code, path }) => code !== 'missing-field' || !meant.has(JSON.stringify(path)));
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
