import { isInt64 } from './decimal';
import { bytesOf } from './bytes-of-text';
import { fixed, scientific } from './go-numbers';
import { written } from './text-format-values';
import { kindOf, numberOf } from './values';

/** A clause of a format: `%d`, `%.2f`. */
export interface Clause {
  /** The kinds of values that it writes. */
  readonly takes: ReadonlySet<string>;

  /** What they are called in a message. */
  readonly noun: string;

  readonly write: (value: unknown, precision?: bigint) => string;
}

/** A piece of a format: text as it is, or a clause for the next argument. */
export type Piece = string | { readonly clause: Clause; readonly precision: bigint | undefined };

const INTEGERS = ['int', 'uint'];
const DOUBLES = { takes: new Set(['double', 'string']), noun: 'doubles' };
const SHOWN = ['string', 'bool', 'bytes', 'double', 'map', 'list', 'type', 'null', 'timestamp', 'duration'];
const NO_NUMBERS: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

/** The clauses of cel-go 0.26 (`ext/formatting.go`), which the strings library of Kubernetes 1.36 has. */
const CLAUSES: Readonly<Record<string, Clause>> = {
  s: { takes: new Set([...INTEGERS, ...SHOWN]), noun: 'texts, numbers, lists and maps', write: written },
  d: { takes: new Set(INTEGERS), noun: 'integers', write: (value) => inBase(value, 10) },
  f: { ...DOUBLES, write: (value, precision) => fixed(double(value), precision) },
  e: { ...DOUBLES, write: (value, precision) => scientific(double(value), precision) },
  b: {
    takes: new Set([...INTEGERS, 'bool']),
    noun: 'integers and bools',
    write: (value) => (typeof value === 'boolean' ? String(Number(value)) : inBase(value, 2)),
  },
  o: { takes: new Set(INTEGERS), noun: 'integers', write: (value) => inBase(value, 8) },
  x: hexadecimal((text) => text),
  X: hexadecimal((text) => text.toUpperCase()),
};

const PIECE = /%%|%(?:\.(\d+))?([sdfeboxX])|%|[^%]+/g;

/** The pieces of a format. Throws an `Error` whose message is a clause for one that is none. */
export function piecesOf(format: string): readonly Piece[] {
  return [...format.matchAll(PIECE)].map(([text, digits, name = '']) => {
    const clause = CLAUSES[name];
    const precision = digits === undefined ? undefined : BigInt(digits);
    if (clause && isInt64(precision ?? 0n)) return { clause, precision };
    if (text === '%%') return '%';
    if (!text.startsWith('%')) return text;
    throw new Error(`'${format}' is no format: '%' is followed by one of ${Object.keys(CLAUSES).join(' ')}`);
  });
}

/** `format.format(values)`. Throws an `Error` whose message is a clause where a clause has no value that it writes. */
export function formatText(format: string, values: readonly unknown[]): string {
  let next = 0;
  return piecesOf(format)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      const value = values[next++];
      const { takes, noun, write } = piece.clause;
      if (takes.has(kindOf(value)) || kindOf(value) === 'device') return write(value, piece.precision);
      throw new Error(`the clause is for ${noun}, and the value is of type ${kindOf(value)}`);
    })
    .join('');
}

function inBase(value: unknown, base: number): string {
  return BigInt(numberOf(value) ?? 0).toString(base);
}

function double(value: unknown): number {
  const number = typeof value === 'string' ? NO_NUMBERS[value] : value;
  if (typeof number === 'number') return number;
  throw new Error(`the clause is for doubles, and '${String(value)}' is none`);
}

function hexadecimal(spelled: (text: string) => string): Clause {
  return {
    takes: new Set([...INTEGERS, 'string', 'bytes']),
    noun: 'integers, bytes and texts',
    write: (value) => spelled(inHex(value)),
  };
}

function inHex(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(bytesOf(value), 'latin1').toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : inBase(value, 16);
}
