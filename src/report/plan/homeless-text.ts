import type { Diagnostic } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';
import type { ShortfallPlan } from '../../plan/plan';
import { formatCountedRemedy, listCheapest } from './remedy-text';
import { formatDecisiveReason, formatShortfallLine } from './shortfall-text';

/** A deployment that asks for what no cluster has any more, so that it loses replicas. */
export interface Homeless {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly replicas: number;
  readonly shortfall: ShortfallPlan;

  /** The clusters and pools that its replicas lose: `us / l4`. */
  readonly lost: readonly string[];

  /** Whether their pools have other devices than before. */
  readonly losesHardware: boolean;

  /**
   * Whether the error stands at a selector that their pools do not meet: it changed, or it or the pools may have. Absent:
   * no selector decides.
   */
  readonly selector?: 'changed' | 'undecided' | undefined;
}

/** What stands before the reason that decides, and before the others. */
const [BEFORE_REASON, BEFORE_OTHERS] = [' not fit any more: ', ' (all reasons: '] as const;

/** Says how many replicas of a deployment lose their place, and why. */
export function describeHomeless({ deployment, replicas, shortfall, lost }: Homeless): string {
  const verb = shortfall.missing === 1 ? 'does' : 'do';
  const count = `${shortfall.missing} of ${pluralize(replicas, 'replica')} of ${deployment}`;
  const why = formatDecisiveReason(shortfall, lost);
  const all = shortfall.rejections.length > 1 ? `${BEFORE_OTHERS}${formatShortfallLine(shortfall)})` : '';
  return `${count} ${verb}${BEFORE_REASON}${why}${all}`;
}

/** Says what to do for replicas that lose their place, as sentences without the last full stop. */
export function adviseHomeless(homeless: Homeless, command: string): string {
  const { shortfall, losesHardware, selector } = homeless;
  const sentences = [
    [
      ...adviseUndoing(homeless),
      ...listCheapest(shortfall.remedies).map((one) => formatCountedRemedy(one, shortfall)),
    ].join(', or '),
    ...(losesHardware && selector !== 'changed' ? [`Or ${REPLACE_HARDWARE}`] : []),
    `${BEFORE_GIVING_UP}${command} --accept-unplaced'`,
  ];
  return sentences.filter((sentence) => sentence !== '').join('. ');
}

function adviseUndoing({ lost, selector }: Homeless): string[] {
  if (selector === 'changed') return ['Undo this change'];
  if (lost.length === 0) return [];
  const asked = selector === undefined ? '' : 'this selector, or of ';
  return [`Undo the change of ${asked}${joinNames(lost, MAX_NAMED)}, where its replicas run`];
}

const MAX_NAMED = 4;

const BEFORE_GIVING_UP = "To give up the replicas, run 'fleetwright lock ";

export const REPLACE_HARDWARE =
  'declare the new hardware as another pool, let the deployment ask for it, and remove the old pool when the replicas have moved';

/** The reason that decides, of an error that `describeHomeless` describes. Undefined: it describes something else. */
export function readHomeless({ message }: Pick<Diagnostic, 'message'>): string | undefined {
  const [, why] = message.split(BEFORE_REASON, 2);
  return why?.split(BEFORE_OTHERS, 1)[0];
}

/** What such an error says without the reasons that do not decide. Other errors as they are. */
export function omitOtherReasons(message: string): string {
  return message.split(BEFORE_OTHERS, 1).join('');
}

/** All reasons of such an error. */
export function readAllReasons({ message }: Pick<Diagnostic, 'message'>): string[] {
  const [, all] = message.split(BEFORE_OTHERS, 2);
  return all === undefined ? [] : [all.slice(0, -1)];
}

/** What to do about such an error, without how to give up the replicas. */
export function readAdvice({ hint = '' }: Pick<Diagnostic, 'hint'>): string {
  return (hint.split(BEFORE_GIVING_UP, 1)[0] ?? '').replace(/\. $/, '');
}
