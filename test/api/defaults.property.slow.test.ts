import * as fc from 'fast-check';
import { KINDS } from '../../src/api/kind-table';
import { parseResource, type Resource } from '../../src/api/kinds';
import type { Doc } from './build';
import { fullDocument } from './documents';

/** A copy without the parts that `drop` names, which are counted from the outside in. */
function pruned(value: unknown, drop: (part: number) => boolean, counter = { parts: 0 }): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((_, index) => index === 0 || !drop(counter.parts++));
    return kept.map((item) => pruned(item, drop, counter));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(() => !drop(counter.parts++));
  return Object.fromEntries(kept.map(([key, item]) => [key, pruned(item, drop, counter)]));
}

/** The document that says all that a resource says. */
function documentOf({ group, kind, metadata, spec }: Resource): Doc {
  return { apiVersion: `${group}/v1alpha1`, kind, metadata, spec };
}

/** Documents of a kind with a few parts of the full one left out, under each group that has the kind. */
function documents({ kind, groups }: (typeof KINDS)[number]): fc.Arbitrary<Doc> {
  return fc
    .record({ group: fc.constantFrom(...groups), dropped: fc.array(fc.nat(80), { maxLength: 6 }) })
    .map((row) => {
      const { apiVersion: _, ...rest } = fullDocument(kind);
      const parts = new Set(row.dropped);
      return {
        apiVersion: `${row.group}/v1alpha1`,
        ...(pruned(rest, (part) => parts.has(part)) as Doc),
        kind,
      };
    });
}

test.each(KINDS.map((kind) => [kind.kind, kind] as const))('%s: reading what was read changes nothing', (_, kind) => {
  let accepted = 0;
  fc.assert(
    fc.property(documents(kind), (document) => {
      const result = parseResource(document);
      if ('findings' in result) return;
      accepted += 1;
      expect(parseResource(documentOf(result.resource))).toEqual({ resource: result.resource });
    }),
    { numRuns: 100 },
  );
  expect(accepted).toBeGreaterThan(10);
});
