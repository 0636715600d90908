import type { ApplyMode } from '../../diff/serving-during-change';
import { commandError } from '../command-error';
import type { AgainstFlags } from '../earlier-input';
import type { CommonFlags, RebalanceFlags } from '../decide-fleet';
import type { OnlyFlags } from '../narrow-plan';
import type { StrictFlags } from '../strict-warnings';

export interface PlanFlags extends CommonFlags, AgainstFlags, OnlyFlags, RebalanceFlags, StrictFlags {
  readonly detailedExitcode?: boolean;
  readonly from?: string;
  readonly against?: string;
  readonly markdown?: boolean;
  readonly graph?: boolean;
  readonly cost?: boolean;

  /** Whether to print what does not change as well. */
  readonly all?: boolean;
  readonly gate?: boolean;
  readonly acceptRemovals?: boolean;
  readonly repoUrl?: string;

  /** False with `--no-waves`: manifests are applied without waiting for waves. */
  readonly waves?: boolean;

  /** Whether each cluster has its own waves, independently of the others. */
  readonly independentClusters?: boolean;
  readonly save?: string;
  readonly summary?: string;
  readonly html?: string;
}

/** Flags that select the output. Only one of them can be set. */
const OUTPUT_FLAGS = ['json', 'graph', 'markdown', 'cost'] as const;

/** @throws FleetwrightError where two output flags are set */
export function refuseTwoOutputs(target: string, flags: PlanFlags): void {
  const [one, other] = OUTPUT_FLAGS.filter((view) => flags[view]);
  if (one === undefined || other === undefined) return;
  const what = `--${one} and --${other} exclude each other`;
  throw commandError('two-views', target, what, 'Remove one of the two');
}

/** @throws FleetwrightError where flags would do nothing, because no two states are compared, or no gate runs */
export function refuseComparisonFlags(target: string, flags: PlanFlags): void {
  const { against, markdown, gate, waves = true, independentClusters, acceptRemovals, allowDirty } = flags;
  const judging = {
    'no-waves': !waves,
    'independent-clusters': independentClusters,
    'accept-removals': acceptRemovals,
  };
  const names = namesOfSet({ markdown, gate, ...judging, 'allow-dirty': allowDirty });
  if (against === undefined && names.length > 0) {
    const what = `${names.join(' and ')} ${names.length === 1 ? 'needs' : 'need'} --against`;
    throw commandError('no-against', target, what, 'Add --against REVISION');
  }
  const ungated = gate ? [] : namesOfSet(judging);
  if (against !== undefined && ungated.length > 0) {
    const what = `${ungated.join(' and ')} ${ungated.length === 1 ? 'needs' : 'need'} --gate`;
    throw commandError('no-gate', target, what, 'Add --gate');
  }
}

function namesOfSet(flags: Readonly<Record<string, boolean | undefined>>): string[] {
  return Object.entries(flags).flatMap(([flag, isSet]) => (isSet ? [`--${flag}`] : []));
}

/** How the gate assumes that a change is applied. */
export function applyModeOf({
  waves = true,
  independentClusters,
}: Pick<PlanFlags, 'waves' | 'independentClusters'>): ApplyMode {
  if (!waves) return 'atOnce';
  return independentClusters ? 'perCluster' : 'withWaves';
}

/** @throws FleetwrightError where a part of a fleet is compared with the whole of another state */
export function refuseComparedScope(target: string, { only, against }: PlanFlags): void {
  if (only === undefined || against === undefined) return;
  const what = '--only and --against exclude each other: --against compares whole fleets';
  throw commandError('two-views', target, what, 'Remove one of the two');
}
