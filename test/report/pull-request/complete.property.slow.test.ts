import * as fc from 'fast-check';
import type { Resource } from '../../../src/api/kinds';
import { findChangeWarnings } from '../../../src/diff/change-warnings';
import { diffStates } from '../../../src/diff/fleet-diff';
import { findGateFindings } from '../../../src/diff/gate-findings';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { byPath } from '../../api/build';
import { daily } from '../../daily';
import { state } from '../../diff/build';
import { routedFleet } from '../../routing/fleets';
import { FEW_UNLUCKY, unlessUnlucky } from '../../routing/unlucky';

/** A comment on the change between two fleets as a gate judges it, and what it has to say. */
function judge(before: readonly Resource[], after: readonly Resource[]) {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const diff = diffStates(earlier, later, decide(assemble(after), byPath, earlier.decision.lock));
  const states = { before: earlier.decision, after: later.decision };
  const { plan, fleet } = later.decision;
  const warnings = [
    ...plan.warnings,
    ...findChangeWarnings(diff, { ...states, mustExist: plan.mustExist, at: 'here' }),
  ];
  const applied = 'withWaves' as const;
  const findings = findGateFindings(diff, { ...states, applied, acceptRemovals: false });
  const text = formatPullRequestComment(
    diff,
    { ...plan, warnings },
    {
      name: 'fleet',
      verdicts: [],
      earlierWarnings: earlier.decision.plan.warnings,
      gate: { findings, applied, worse: [], located: { fleet, locate: byPath } },
    },
  );
  return { text: toPlain(text), diff, warnings, findings };
}

/** Without what Markdown needs, and in lower case, as sentences begin with capitals. */
function toPlain(text: string): string {
  return text
    .replace(/\\([^\w\s])/g, '$1')
    .replaceAll('\u200d', '')
    .toLowerCase();
}

/** Warnings that the gate repeats at their line, in its own words. */
const OF_GATE: ReadonlySet<string> = new Set(['unserved-entry', 'gateway-down', 'model-swapped', 'gated-model']);

test('each edit and each warning of a change is in its comment, or is counted there', () => {
  const seen = { warnings: 0, edits: 0 };
  fc.assert(
    fc.property(routedFleet, routedFleet, (before, after) => {
      const { text, diff, warnings, findings } = unlessUnlucky(() => judge(before, after));
      const edits = diff.declarations.flatMap(({ where, fields, action }) => [
        ...(action === 'changed' ? [] : [where]),
        ...(action === 'removed' ? [] : fields.map((one) => one.where)),
      ]);
      const left = edits.filter((where) => !text.includes(`(\`${where.trim()}`.toLowerCase()));
      expect(left.length).toBe(Number(/\nand (\d+) more lines?: see `fleetwright plan /.exec(text)?.[1] ?? 0));
      const missing = warnings.filter(({ message, code }) => {
        const words = toPlain(message.replace(/^[\w-]+\/[\w.-]+: /, ''));
        return !text.includes(words) && !(OF_GATE.has(code) && findings.length > 0);
      });
      expect(missing.map(({ message }) => message).filter(() => !text.includes('more of this kind'))).toEqual([]);
      seen.warnings += warnings.length;
      seen.edits += edits.length;
    }),
    { numRuns: daily(6), seed: 11, endOnFailure: true, ...FEW_UNLUCKY },
  );
  expect(Math.min(seen.warnings, seen.edits)).toBeGreaterThan(daily(10));
});
