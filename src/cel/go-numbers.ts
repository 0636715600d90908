import { type Decimal, decimalOf, roundToEven, shift } from './decimal';

/** The digits of a number before and behind the point, without a sign. */
interface Digits {
  readonly whole: string;
  readonly fraction: string;
}

const PLACES = 6;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const MOST_PLACES = 32_767;

/** From this number on Go's parser of formats reads no further digit. */
const READ_NO_FURTHER = 1_000_000n;
const UNREADABLE = '%!(NOVERB)';

/**
 * A double with a fixed number of places, as Kubernetes' `%f` writes it (`golang.org/x/text/message` for en-US, by
 * `ext/formatting.go` of cel-go 0.26): thousands apart, and `∞`.
 *
 * @example
 * fixed(1234567.891, 2n); // '1,234,567.89'
 */
export function fixed(value: number, precision = BigInt(PLACES)): string {
  if (precision / 10n > READ_NO_FURTHER) return UNREADABLE;
  if (!Number.isFinite(value)) return special(value);
  const { whole, fraction } = digits(rounded(value, Number(BigInt.asIntN(16, precision))));
  // The least number of places has a byte there, the greatest two.
  const least = Number(BigInt.asUintN(8, precision));
  const places = fraction.replace(/0+$/, '').padEnd(least, '0');
  return `${value < 0 ? '-' : ''}${grouped(whole)}${places === '' ? '' : `.${places}`}`;
}

/** A double with six places and no more to it, as Go's `%f` writes it. */
export function plainFixed(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const { whole, fraction } = digits(rounded(value, PLACES));
  return `${value < 0 || Object.is(value, -0) ? '-' : ''}${whole}.${fraction.padEnd(PLACES, '0')}`;
}

/**
 * A double with an exponent, as Kubernetes' `%e` writes it: with six places always. The precision, by a mistake of
 * cel-go 0.26, is the least number of characters.
 *
 * @example
 * scientific(1052.5); // '1.052500×10⁰³'
 */
export function scientific(value: number, precision = BigInt(PLACES)): string {
  if (precision / 10n > READ_NO_FURTHER) return UNREADABLE;
  const width = Number(BigInt.asUintN(16, precision));
  const text = Number.isFinite(value) ? withExponent(value) : special(value);
  return ' '.repeat(Math.max(0, width - text.length)) + text;
}

function withExponent(value: number): string {
  const exact = decimalOf(Math.abs(value));
  const place = exact.mantissa === 0n ? 0 : exact.exponent + exact.mantissa.toString().length - 1;
  const all = roundToEven(exact, place - PLACES).mantissa.toString();
  // Nines that are rounded up have one digit more.
  const exponent = place + Math.max(0, all.length - 1 - PLACES);
  const places = all.slice(1, 1 + PLACES).padEnd(PLACES, '0');
  const sign = exponent < 0 ? '⁻' : '';
  return `${value < 0 ? '-' : ''}${all.charAt(0)}.${places}×10${sign}${superscript(exponent)}`;
}

function superscript(exponent: number): string {
  const text = String(Math.abs(exponent)).padStart(2, '0');
  return text.replace(/\d/g, (digit) => SUPERSCRIPTS.charAt(Number(digit)));
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** A number rounded to a number of places; below zero, the shortest that is read back as the same double. */
function rounded(value: number, places: number): Decimal {
  const magnitude = Math.abs(value);
  return places < 0 ? shortest(magnitude) : roundToEven(decimalOf(magnitude), -Math.min(places, MOST_PLACES));
}

function shortest(value: number): Decimal {
  const [, whole = '', fraction = '', power = '0'] =
    /^(\d)(?:\.(\d+))?e(.+)$/.exec(value.toExponential()) ?? [];
  return { mantissa: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function digits({ mantissa, exponent }: Decimal): Digits {
  if (exponent >= 0) return { whole: shift(mantissa, exponent).toString(), fraction: '' };
  const text = mantissa.toString().padStart(1 - exponent, '0');
  return { whole: text.slice(0, exponent), fraction: text.slice(exponent) };
}

function grouped(whole: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A time as `string()` writes it, to the millisecond. */
export function timestampText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

/** A duration, whose primitive value is in milliseconds, as `string()` writes it. */
export function durationText(duration: { valueOf(): number }): string {
  const { whole, fraction } = digits(shortest(Math.abs(duration.valueOf()) / 1000));
  return `${duration.valueOf() < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}s`;
}
