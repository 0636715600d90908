import { capitalize } from '../../base/text';
import type { ApplyMode } from '../../diff/serving-during-change';

/**
 * The times of steps, in their order: before the change, before manifests are applied, at any time, when clusters are
 * created, when what manifests create is ready, when manifests are applied, and in a change of its own.
 */
export const STEP_TIMES = ['earlier', 'before', 'anytime', 'created', 'ready', 'last', 'later'] as const;

export type StepTime = (typeof STEP_TIMES)[number];

const BEFORE = 'before manifests are applied';

const ON_MERGE = 'Argo CD applies manifests as soon as the change is merged';

/** How the sentence of a step begins, by its time. */
const OPENINGS: Readonly<Record<StepTime, { readonly word: string; readonly when?: string }>> = {
  earlier: { word: 'First, ' },
  before: { word: '', when: BEFORE },
  anytime: { word: 'To do: ' },
  created: { word: 'Next, ' },
  ready: { word: 'Next, ' },
  last: { word: 'Last, ', when: 'when manifests are applied and the pods that they stop are gone' },
  later: { word: 'Next, ' },
};

/** What people or tools do for a change, apart from applying its manifests. */
export interface ChangeStep {
  readonly time: StepTime;

  /** When that is, as a clause: `when the stack has created eu`. Default: as its time says. */
  readonly when?: string | undefined;

  /** What to do, and what else to know, as sentences. */
  readonly what: string;

  /** Whether a stack of the changed fleet takes it, so that before merging it runs from the branch of the change. */
  readonly isByStack?: boolean;

  /** Whether an earlier step is one that manifests need. Default: only those of the time `before` are. */
  readonly isBeforeManifests?: boolean;

  /** Whether it comes right after a step that says when. */
  readonly isNext?: boolean;
}

/** `Before manifests are applied: Secret x on us.` */
export function formatStep(step: ChangeStep): string {
  const word = step.isNext ? '' : OPENINGS[step.time].word;
  return capitalize(`${word}${formatContent(step)}`);
}

/** The same as an item of a numbered list, which says the order. */
export function formatNumberedStep(step: ChangeStep, i: number): string {
  return `${i + 1}. ${capitalize(formatContent(step))}`;
}

function formatContent({ time, when = OPENINGS[time].when, what }: ChangeStep): string {
  return when === undefined ? what : `${when}: ${what}`;
}

/**
 * Says once, of the first of these steps, that Argo CD applies manifests when a change is merged, where it is the tool that
 * a gate assumes.
 */
export function sayBeforeMerging(steps: readonly ChangeStep[], applied: ApplyMode | undefined): readonly ChangeStep[] {
  if (applied !== 'perCluster') return steps;
  const first = steps.findIndex(isBeforeManifests);
  return steps.map((step, i) => {
    const branch = step.isByStack ? ', from the branch' : '';
    if (i === first) return { ...step, when: `before merging${branch} (${ON_MERGE})` };
    const isNext = isBeforeManifests(step) && step.when === undefined;
    return isNext ? { ...step, isNext, when: `then${branch}` } : step;
  });
}

function isBeforeManifests({ time, isBeforeManifests: isNeeded = time === 'before' }: ChangeStep): boolean {
  return isNeeded;
}
