import { parseResource, type Resource } from '../../src/api/kinds';
import { formatDiagnostic, relocate } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { checkFleet } from '../../src/plan/check-fleet';
import { byPath, type Doc } from './build';

/** Fields to set by their dotted path; `undefined` removes one. */
export type Change = Record<string, unknown>;

/** A document that is wrong, and every line that its reader gets. */
export interface BadRow {
  readonly change: Change;
  readonly want: readonly string[];
}

/** The document with some fields changed. */
export function changed(document: Doc, change: Change): Doc {
  for (const [path, value] of Object.entries(change)) {
    const parts = path.split('.');
    const last = parts.pop()!;
    const holder = parts.reduce<Doc>((at, part) => (at[part] ??= {}) as Doc, document);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return document;
}

/** What a reader learns about a document: `path: what is wrong. What to do.` Nothing when it is good. */
export function reported(document: unknown): string[] {
  const result = parseResource(document);
  if ('resource' in result) return [];
  return result.findings.map((finding) => formatDiagnostic(relocate(finding, (path) => path.join('.'))));
}

/** Resources that are each good, and every line about what is wrong between them. */
export interface FleetRow {
  resources: Resource[];
  want: string[];
}

/** Whether a reader learns what is wrong between resources, in whichever order they are declared. */
export function checkRow({ resources, want }: FleetRow): void {
  expect(checkFleet(assemble(resources), byPath).map(formatDiagnostic)).toEqual(want);
  expect(checkFleet(assemble(resources.toReversed()), byPath).map(formatDiagnostic)).toEqual(want);
}
