import type * as re2js from 're2js';
import { Kept } from './kept';

const patterns = new Kept<re2js.RE2JS>(256);

/**
 * The regular expression of a pattern, in the syntax of RE2, as Kubernetes has it: linear time, no lookaround.
 *
 * Throws an `Error` whose message is a clause that names the pattern.
 */
export function regex(pattern: string): re2js.RE2JS {
  return patterns.get(pattern, () => compile(pattern));
}

/** All matches of a pattern, from left to right, at most `limit`. */
export function findAll(text: string, pattern: string, limit = Infinity): string[] {
  const found: string[] = [];
  const matcher = regex(pattern).matcher(text);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function compile(pattern: string): re2js.RE2JS {
  // Loaded on the first use: few selectors have patterns, and every plan pays for what is loaded.
  const { RE2JS } = require('re2js') as typeof re2js;
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : String(cause);
    throw new Error(`'${pattern}' is no regular expression: ${reason}`, { cause });
  }
}
