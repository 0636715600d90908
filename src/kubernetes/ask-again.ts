import type { IncomingMessage } from 'node:http';

/**
 * In how many milliseconds an API server that is busy, or is only making room for a kind, wants to be asked again. Only
 * where it says so itself: then nothing was done, as client-go has it.
 */
export function askAgainAfter({ statusCode = 0, headers }: IncomingMessage): number | undefined {
  const after = headers['retry-after'];
  if ((statusCode !== 429 && statusCode < 500) || !after || !/^\d{1,4}$/.test(after)) return undefined;
  return Math.max(1, Number(after)) * 1000;
}
