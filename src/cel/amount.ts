import { compareDecimals, type Decimal, roundAwayFromZero, shift, signOf } from './decimal';

/** How a quantity was written: `12M`, `12Mi` or `12e6`. It is printed in the same way. */
export type Format = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** The number behind a quantity, as Kubernetes would hold it. */
export interface Amount extends Decimal {
  readonly format: Format;

  /**
   * How many decimals the number has where Kubernetes keeps it, below zero for a power of ten. Shows in the last
   * digit of an approximation only.
   */
  readonly scale: number;

  /**
   * Whether Kubernetes holds the number with arbitrary precision instead of as an int64 and a power of ten.
   * Such a number is never an integer for CEL, whatever its value.
   */
  readonly wide: boolean;
}

interface Suffix {
  readonly format: Format;
  readonly exponent: number;
}

/** What a text says before its suffix is applied; `whole` has no leading zeros and is `0` where it is missing. */
interface Digits {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

const DECIMAL = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(DECIMAL).map(([name, e]) => [e, name]),
);
const BINARY_NAMES: readonly string[] = ['', ...Object.keys(BINARY)];
const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ...suffixes('DecimalSI', DECIMAL),
  ...suffixes('BinarySI', BINARY),
]);

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const NANO = -9;
const INT64_DIGITS = 18;
const INT32_MAX = 2 ** 31 - 1;
const BINARY_MAX: Decimal = { mantissa: 2n ** 63n - 1n, exponent: 0 };

/** Reads a quantity. Throws an `Error` whose message is a clause that names the text. */
export function readAmount(text: string): Amount {
  const [, sign, whole, fraction = '', name] = SHAPE.exec(text) ?? [];
  if (text === '' || whole === undefined || name === undefined) {
    throw new Error(`'${text}' is no quantity, which is a number and a suffix such as 80Gi, 500m or 1e3`);
  }
  const suffix = SUFFIXES.get(name) ?? readExponent(name);
  if (!suffix)
    throw new Error(`'${text}' is no quantity: '${name}' is no suffix, unlike ${suffixNames()} and e3`);

  const digits = { negative: sign === '-', whole: whole.replace(/^0+/, '') || '0', fraction };
  const amount = narrow(digits, suffix);
  if (amount) return amount;
  if (whole + fraction === '') throw new Error(`'${text}' is no quantity: it has no digits`);
  return wide(digits, suffix);
}

/** The canonical text: no fraction, and the largest suffix that loses nothing, in the format it was written in. */
export function printAmount(amount: Amount): string {
  if (amount.mantissa === 0n) return '0';
  return (amount.format === 'BinarySI' && printBinary(amount)) || printDecimal(amount);
}

function suffixes(format: Format, exponents: Record<string, number>): [string, Suffix][] {
  return Object.entries(exponents).map(([name, exponent]) => [name, { format, exponent }]);
}

function readExponent(name: string): Suffix | undefined {
  if (!/^[eE][-+]?\d+$/.test(name)) return undefined;
  const exponent = Number(name.slice(1));
  return Math.abs(exponent) <= INT32_MAX ? { format: 'DecimalExponent', exponent } : undefined;
}

function suffixNames(): string {
  return [...SUFFIXES.keys()].filter((name) => name !== '').join(' ');
}

/** The amount as an int64 and a power of ten, where Kubernetes takes it to fit one. */
function narrow({ negative, whole, fraction }: Digits, { format, exponent }: Suffix): Amount | undefined {
  const magnitude = BigInt(whole + fraction);
  const mantissa = negative ? -magnitude : magnitude;
  if (format === 'BinarySI') {
    // Its estimate of what fits is coarse: 99Ti is the last whole number of Ti, and 1Pi is already wide.
    const fits = fraction === '' && whole.length <= 14 - (exponent * 3) / 10;
    return fits
      ? { mantissa: mantissa << BigInt(exponent), exponent: 0, scale: 0, format, wide: false }
      : undefined;
  }
  const power = exponent - fraction.length;
  const fits = whole.length + fraction.length <= INT64_DIGITS && power >= NANO;
  return fits ? { mantissa, exponent: power, scale: -power, format, wide: false } : undefined;
}

/** The amount with arbitrary precision: rounded away from zero to a nano, and a binary one capped at 2^63-1. */
function wide({ negative, whole, fraction }: Digits, { format, exponent }: Suffix): Amount {
  const binary = format === 'BinarySI';
  const magnitude = BigInt(whole + fraction);
  const exact = binary
    ? { mantissa: magnitude << BigInt(exponent), exponent: -fraction.length }
    : { mantissa: magnitude, exponent: exponent - fraction.length };
  const rounded = roundAwayFromZero(exact, NANO);
  const capped = binary && compareDecimals(rounded, BINARY_MAX) > 0;
  const value = capped ? BINARY_MAX : rounded;
  return {
    mantissa: negative ? -value.mantissa : value.mantissa,
    exponent: value.exponent,
    scale: capped || magnitude === 0n ? -Math.min(0, value.exponent) : -NANO,
    format,
    wide: true,
  };
}

/** Nothing for what is no whole number, or below 1Ki. */
function printBinary({ mantissa, exponent }: Amount): string | undefined {
  const unit = 10n ** BigInt(Math.max(0, -exponent));
  if (mantissa % unit !== 0n) return undefined;
  let value = shift(mantissa / unit, Math.max(0, exponent));
  if (value * BigInt(signOf(value)) < 1024n) return undefined;
  let power = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${BINARY_NAMES[power]}`;
}

function printDecimal({ mantissa, exponent, format }: Amount): string {
  let value = mantissa;
  let power = exponent;
  while (value % 10n === 0n) {
    value /= 10n;
    power++;
  }
  while (power % 3 !== 0) {
    value *= 10n;
    power--;
  }
  const name = format === 'DecimalExponent' ? undefined : DECIMAL_NAMES.get(power);
  return `${value}${name ?? (power === 0 ? '' : `e${power}`)}`;
}
