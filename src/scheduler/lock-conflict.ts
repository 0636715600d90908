import { joinShapes } from './former-shape';
import type { Lock } from './lock';
import { parseLock } from './lock-parse';
import type { Placement } from './types';

const MARK = { ours: /^<{7}( |$)/, base: /^\|{7}( |$)/, theirs: /^={7}$/, end: /^>{7}( |$)/ };

/** Whether a text holds the conflict markers of git. */
export function hasConflict(text: string): boolean {
  return text.split(/\r?\n/).some((line) => MARK.ours.test(line));
}

/**
 * Reads a lock that git could not merge: both sides together are the previous state, and scheduling from it
 * settles what does not fit or is too many. Where the sides name one replica differently, ours counts.
 *
 * @throws FleetwrightError when a side alone is no lock
 */
export function parseConflictedLock(text: string, file: string): Lock {
  const { ours, theirs } = sides(text);
  const first = parseLock(ours, file);
  const second = parseLock(theirs, file);
  const placements = new Map<string, Placement>();
  for (const placement of [...second.placements, ...first.placements]) {
    placements.set(`${placement.deployment} ${placement.cluster} ${placement.index}`, placement);
  }
  const unplaced = new Map(second.unplaced);
  for (const [id, count] of first.unplaced) unplaced.set(id, Math.max(count, unplaced.get(id) ?? 0));
  return { placements: [...placements.values()], unplaced, shapes: joinShapes(second.shapes, first.shapes) };
}

type Side = 'both' | 'ours' | 'base' | 'theirs';

/** The text as each side had it. Lines of the other side are left blank, so that line numbers stay true. */
function sides(text: string): { ours: string; theirs: string } {
  let side: Side = 'both';
  const ours: string[] = [];
  const theirs: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const next = nextSide(line);
    if (next) side = next;
    ours.push(!next && (side === 'both' || side === 'ours') ? line : '');
    theirs.push(!next && (side === 'both' || side === 'theirs') ? line : '');
  }
  return { ours: ours.join('\n'), theirs: theirs.join('\n') };
}

function nextSide(line: string): Side | undefined {
  if (MARK.ours.test(line)) return 'ours';
  if (MARK.base.test(line)) return 'base';
  if (MARK.theirs.test(line)) return 'theirs';
  return MARK.end.test(line) ? 'both' : undefined;
}
