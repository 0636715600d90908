import { type Copies, copyBoundsOf } from '../../api/engine-copies';
import { formatBounds } from '../../base/text';
import type { CopiesChange, EngineCopiesChange } from '../../diff/copies-changes';
import { escapeMarkdown } from '../document/write-markdown';

/**
 * Formats what changes in the copies of a deployment: `copies 1 to 4 -> 1 to 6`, `copies 2 -> 1 to 6`, `scaling: queue
 * 4 -> 8`, `other scaling`, each with the name of the engine where the deployment has several.
 */
export function formatCopiesChange({ engines, several }: CopiesChange, arrow = '->'): string {
  return engines
    .map((change) => {
      const { engine, before, after, scaling } = change;
      const [was, is] = [formatCopies(before), formatCopies(after)];
      const steps = formatScalingSteps(change, arrow);
      const other = steps === '' ? 'other scaling' : `scaling: ${steps}`;
      const parts = [...(was === is ? [] : [`copies ${was} ${arrow} ${is}`]), ...(scaling ? [other] : [])];
      return `${several ? `${engine}: ` : ''}${parts.join(', ')}`;
    })
    .join('; ');
}

/** The most fields of scaling whose values are said. */
const MAX_STEPS = 2;

/** `queue 4 -> 8, down.after 5m -> 10m`. Empty where more changes, or more than values do. */
function formatScalingSteps({ scalingFields: fields = [] }: EngineCopiesChange, arrow: string): string {
  const steps = fields.flatMap(({ field, before, after }) => {
    const values = [before, after].filter((value) => typeof value === 'number' || typeof value === 'string');
    return values.length === 2 ? [`${field.replace(SIGNAL, '')} ${values.join(` ${arrow} `)}`] : [];
  });
  return steps.length === fields.length && steps.length <= MAX_STEPS ? steps.join(', ') : '';
}

/** The place of a signal, which has a name of its own. */
const SIGNAL = /^on\[\d+\]\./;

/** `2`, `1 to 4`. */
export function formatCopies(copies: Copies): string {
  const { min, max } = copyBoundsOf({ copies });
  return typeof copies === 'number' ? `${copies}` : formatBounds({ least: min, most: max });
}

/** Whether an engine has more copies at most. */
export function growsInCopies({ before, after }: EngineCopiesChange): boolean {
  return copyBoundsOf({ copies: after }).max > copyBoundsOf({ copies: before }).max;
}

/**
 * Formats the change of an engine as a clause: `lets ml/chat grow to 6 copies instead of 4`.
 *
 * @param who the name of the deployment, or of an engine of it
 * @param each ` in each replica`, where there are several
 */
export function formatCopiesClause(change: EngineCopiesChange, who: string, each: string): string {
  const { before, after } = change;
  const [was, is] = [copyBoundsOf({ copies: before }), copyBoundsOf({ copies: after })];
  const instead = (earlier: Copies): string => `${each} instead of ${formatCopies(earlier)}`;
  if (typeof before === 'number' && typeof after === 'number')
    return `${after > before ? 'adds' : 'removes'} ${countCopies(Math.abs(after - before))}${each} ${after > before ? 'to' : 'of'} ${who} (${before} → ${after})`;
  const range = `${is.min} to ${countCopies(is.max)}`;
  if (typeof after === 'number') return `fixes ${who} at ${countCopies(after)}${instead(before)}`;
  if (typeof before === 'number') return `lets ${who} have ${range}${each} instead of a fixed ${before}`;
  if (was.min !== is.min && was.max !== is.max) return `lets ${who} have ${range}${instead(before)}`;
  if (is.max > was.max) return `lets ${who} grow to ${countCopies(is.max)}${instead(was.max)}`;
  if (is.max < was.max) return `limits ${who} to ${countCopies(is.max)}${instead(was.max)}`;
  if (is.min > was.min) return `keeps at least ${countCopies(is.min)} of ${who}${instead(was.min)}`;
  if (is.min < was.min) return `lets ${who} shrink to ${countCopies(is.min)}${instead(was.min)}`;
  const steps = formatScalingSteps(change, '→');
  return `changes when ${who} scales${steps === '' ? '' : ` (${escapeMarkdown(steps)})`}`;
}

function countCopies(count: number): string {
  return count === 1 ? '1 copy' : `${count} copies`;
}
