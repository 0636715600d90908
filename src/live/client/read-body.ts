import type { Readable } from 'node:stream';
import { tryParseJson } from '../../base/json';

/** The limits of a response. */
export interface BodyLimits {
  readonly maxBytes: number;

  /** Aborted when the time of the request is over. */
  readonly signal: AbortSignal;
}

/** Reads a response body. Throws if it is longer or takes longer than the limits, and closes the connection. */
export async function readBody(message: Readable, { maxBytes, signal }: BodyLimits): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of message) {
      size += (part as Buffer).length;
      if (size > maxBytes) throw new Error(`its answer is longer than ${formatMebibytes(maxBytes)}`);
      parts.push(part as Buffer);
    }
  } catch (error) {
    // Node reports a body that the signal ends as a connection that the server ends.
    throw signal.aborted ? signal.reason : error;
  }
  return Buffer.concat(parts).toString('utf8');
}

export function formatMebibytes(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`;
}

/** The maximum nesting of JSON from servers. Functions that walk such a value by recursion reach no limit of Node. */
const MAX_DEPTH = 200;

/** Parses JSON of a server or a plugin. Undefined where it is not JSON, or nested deeper than any object of Kubernetes. */
export function parseForeignJson(text: string, change?: (key: string, value: unknown) => unknown): unknown {
  return isDeeper(text, MAX_DEPTH) ? undefined : tryParseJson(text, change);
}

/** Whether more than `limit` brackets are open at the same time, outside of strings. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '}' || character === ']') depth -= 1;
    else if ((character === '{' || character === '[') && ++depth > limit) return true;
  }
  return false;
}

/** Where the string ends that starts at a quote: at the next one that is not escaped, or at the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
