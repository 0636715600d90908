import { FleetwrightError } from '../errors';
import type { AgainstFlags } from './against';
import type { CommonFlags } from './context';

/** What `fleetwright plan` is told. */
export interface PlanFlags extends CommonFlags, AgainstFlags {
  readonly detailedExitcode?: boolean;
  readonly from?: string;

  /** A git revision, a folder, or a saved plan. */
  readonly against?: string;
  readonly markdown?: boolean;

  /** Whether to print clusters and services as a graph in Mermaid. */
  readonly graph?: boolean;

  /** Whether to print what each part costs, as tables. */
  readonly cost?: boolean;

  /** Whether a change is refused that leaves users of a deployment without any replica. */
  readonly gate?: boolean;

  /** False with `--no-waves`: what applies manifests does not wait. */
  readonly waves?: boolean;

  /** Where to keep the plan, to compare another with it. */
  readonly save?: string;

  /** Where to write a map of the fleet. */
  readonly html?: string;
}

/** Each is all that a run prints. */
const VIEWS = ['json', 'graph', 'markdown', 'cost'] as const;

/** @throws FleetwrightError where two flags each say what is printed */
export function refuseTwoViews(target: string, flags: PlanFlags): void {
  const [one, other] = VIEWS.filter((view) => flags[view]);
  if (one === undefined || other === undefined) return;
  const what = `--${one} and --${other} each say what is printed`;
  throw new FleetwrightError([{ code: 'two-views', where: target, what, hint: 'Leave one out' }]);
}

/** Flags that mean nothing where no two states are compared, and whether they are given. */
const OF_TWO: Readonly<Record<string, (flags: PlanFlags) => boolean | undefined>> = {
  markdown: ({ markdown }) => markdown,
  gate: ({ gate }) => gate,
  'no-waves': ({ waves = true }) => !waves,
  'allow-dirty': ({ allowDirty }) => allowDirty,
};

/** @throws FleetwrightError where flags would do nothing, because no two states are compared or nothing is judged */
export function refuseWithoutAgainst(target: string, flags: PlanFlags): void {
  if (flags.against !== undefined) return refuseWithoutGate(target, flags);
  const without = Object.keys(OF_TWO).filter((flag) => OF_TWO[flag]?.(flags));
  if (without.length === 0) return;
  const named = without.map((flag) => `--${flag}`).join(' and ');
  const what = `${named} ${without.length === 1 ? 'is' : 'are'} for two states, and only one is named`;
  throw new FleetwrightError([{ code: 'no-against', where: target, what, hint: 'Add --against REVISION' }]);
}

function refuseWithoutGate(target: string, { gate, waves = true }: PlanFlags): void {
  if (gate || waves) return;
  const what = '--no-waves is for the gate, and it is not asked for';
  throw new FleetwrightError([{ code: 'no-gate', where: target, what, hint: 'Add --gate' }]);
}
