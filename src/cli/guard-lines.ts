import { mayContinueBelow, REACH_BELOW } from '../base/redaction';

/** Texts below this size are guarded as a whole. */
const LARGE = 1 << 16;

/** The lines that are remembered at a time. */
const MAX_LINES = 200_000;

/**
 * Guards a text, each distinct line once: documents of large fleets repeat theirs a hundred times. Lines where a secret
 * can start that continues below are guarded with the lines that it can reach, so that the result is that of the whole.
 */
export function guardLines(text: string, guard: (part: string) => string): string {
  if (text.length < LARGE || text.includes(ANY_LENGTH)) return guard(text);
  const unchanged = new Set<string>();
  const parts: string[] = [];
  let kept = 0;
  for (let start = 0; start < text.length; ) {
    let end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (!unchanged.has(line)) {
      if (unchanged.size >= MAX_LINES) unchanged.clear();
      if (isUnchanged(line, guard)) unchanged.add(line);
      else {
        end = endOfReach(text, start);
        parts.push(text.slice(kept, start), guard(text.slice(start, end)));
        kept = end;
      }
    }
    start = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

/** A private key is the only secret of any number of lines. */
const ANY_LENGTH = '-----BEGIN ';

/** Whether lines are the same after they are guarded, wherever each is: a text of such lines needs no guard. */
export function isUnchanged(lines: string, guard: (part: string) => string): boolean {
  return !lines.includes(ANY_LENGTH) && !mayContinueBelow(lines) && guard(lines) === lines;
}

/** The end of a line, with its line break. */
function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end + 1;
}

/** The end of the lines that a secret can reach that starts in a line, or in one of these. */
function endOfReach(text: string, start: number): number {
  let reach = endOfLine(text, start);
  for (let at = start; at < reach; ) {
    const end = endOfLine(text, at);
    if (mayContinueBelow(text.slice(at, end))) reach = Math.max(reach, endOfLine(text, end + REACH_BELOW));
    at = end;
  }
  return reach;
}
