import { plural } from '../plan/format';
import { cutLines } from './cut-lines';
import { fenceFor } from './markup';

/** More than tags and the line take that tells of others. */
const FRAME = 200;

/**
 * A part of a comment that opens on a click, with as many lines as fit.
 *
 * @param title what is seen of it before
 * @param room how many characters it may have; it has a few hundred also where there is less
 */
export function folded(title: string, lines: readonly string[], room: number): string {
  const left = room - title.length - 2 * fenceFor(lines).length - FRAME;
  const kept = cutLines(lines, left, (more) => [
    `... and ${plural(more, 'line')} more: see 'fleetwright plan'`,
  ]);
  const fence = fenceFor(kept);
  return [
    '<details>',
    `<summary>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`,
    '',
    `${fence}text`,
    ...kept,
    fence,
    '',
    '</details>',
    '',
  ].join('\n');
}
