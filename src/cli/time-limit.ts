import { FleetwrightError } from '../errors';

/** More seconds than anybody waits for one answer. */
const LONGEST = 600;

/**
 * The time limit of each request, in milliseconds.
 *
 * @throws FleetwrightError for what is no number of seconds
 */
export function timeLimit({ timeout }: { readonly timeout: string }): number {
  const seconds = Number(timeout);
  if (/^\d+(\.\d+)?$/.test(timeout) && seconds > 0 && seconds <= LONGEST) return seconds * 1000;
  const what = `'${timeout}' is no number of seconds up to ${LONGEST}`;
  throw new FleetwrightError([
    { code: 'bad-flag', where: '--timeout', what, hint: 'Write a number of seconds: 15' },
  ]);
}
