import { trimTrailing } from '../../base/text';
import { type Decimal, multiplyByPowerOfTen, roundToEven, toDecimal } from './decimal';

/** The digits of a number before and after the decimal point, without a sign. */
interface Digits {
  readonly whole: string;
  readonly fraction: string;
}

const PLACES = 6;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const MAX_PLACES = 32_767;

/** The format parser of Go stops at this precision. */
const MAX_PARSED_PRECISION = 1_000_000n;
const UNREADABLE = '%!(NOVERB)';

/**
 * Formats a double with a fixed number of decimals, as `%f` of Kubernetes does (`golang.org/x/text/message` for en-US,
 * by `ext/formatting.go` of cel-go 0.26): with grouped thousands, and `∞`.
 *
 * @example
 * formatFixed(1234567.891, 2n); // '1,234,567.89'
 */
export function formatFixed(value: number, precision = BigInt(PLACES)): string {
  if (precision / 10n > MAX_PARSED_PRECISION) return UNREADABLE;
  if (!Number.isFinite(value)) return formatSpecial(value);
  const { whole, fraction } = toDigits(roundToPlaces(value, Number(BigInt.asIntN(16, precision))));
  // Go stores the minimum number of decimals in one byte, and the maximum in two.
  const least = Number(BigInt.asUintN(8, precision));
  const places = trimTrailing(fraction, '0').padEnd(least, '0');
  return `${value < 0 ? '-' : ''}${groupThousands(whole)}${places === '' ? '' : `.${places}`}`;
}

function groupThousands(digits: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...groups].join(',');
}

/** Formats a double with six decimals, as `%f` of Go does. */
export function formatPlainFixed(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const { whole, fraction } = toDigits(roundToPlaces(value, PLACES));
  return `${value < 0 || Object.is(value, -0) ? '-' : ''}${whole}.${fraction.padEnd(PLACES, '0')}`;
}

/**
 * Formats a double with an exponent and six decimals, as `%e` of Kubernetes does. Because of a bug in cel-go 0.26, the
 * precision is the minimum number of characters.
 *
 * @example
 * formatScientific(1052.5); // '1.052500×10⁰³'
 */
export function formatScientific(value: number, precision = BigInt(PLACES)): string {
  if (precision / 10n > MAX_PARSED_PRECISION) return UNREADABLE;
  const width = Number(BigInt.asUintN(16, precision));
  const text = Number.isFinite(value) ? formatWithExponent(value) : formatSpecial(value);
  return ' '.repeat(Math.max(0, width - text.length)) + text;
}

function formatWithExponent(value: number): string {
  const exact = toDecimal(Math.abs(value));
  const place = exact.mantissa === 0n ? 0 : exact.exponent + exact.mantissa.toString().length - 1;
  const all = roundToEven(exact, place - PLACES).mantissa.toString();
  // Rounded nines have an additional digit.
  const exponent = place + Math.max(0, all.length - 1 - PLACES);
  const places = all.slice(1, 1 + PLACES).padEnd(PLACES, '0');
  const sign = exponent < 0 ? '⁻' : '';
  return `${value < 0 ? '-' : ''}${all.charAt(0)}.${places}×10${sign}${toSuperscript(exponent)}`;
}

function toSuperscript(exponent: number): string {
  const text = String(Math.abs(exponent)).padStart(2, '0');
  return text.replace(/\d/g, (digit) => SUPERSCRIPTS.charAt(Number(digit)));
}

function formatSpecial(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** Rounds to a number of decimals, or with negative `places` to the shortest decimal of the same double. */
function roundToPlaces(value: number, places: number): Decimal {
  const magnitude = Math.abs(value);
  return places < 0 ? toShortestDecimal(magnitude) : roundToEven(toDecimal(magnitude), -Math.min(places, MAX_PLACES));
}

function toShortestDecimal(value: number): Decimal {
  const [, whole = '', fraction = '', power = '0'] = /^(\d)(?:\.(\d+))?e(.+)$/.exec(value.toExponential()) ?? [];
  return { mantissa: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function toDigits({ mantissa, exponent }: Decimal): Digits {
  if (exponent >= 0) return { whole: multiplyByPowerOfTen(mantissa, exponent).toString(), fraction: '' };
  const text = mantissa.toString().padStart(1 - exponent, '0');
  return { whole: text.slice(0, exponent), fraction: text.slice(exponent) };
}

/** Formats a time with milliseconds, as `string()` does. */
export function formatTimestamp(time: Date): string {
  const [seconds, fraction = ''] = time.toISOString().slice(0, -1).split('.');
  const digits = trimTrailing(fraction, '0');
  return `${seconds}${digits === '' ? '' : `.${digits}`}Z`;
}

/** Formats a duration, whose primitive value is in milliseconds, as `string()` does. */
export function formatCelDuration(duration: { valueOf(): number }): string {
  const { whole, fraction } = toDigits(toShortestDecimal(Math.abs(duration.valueOf()) / 1000));
  return `${duration.valueOf() < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** From this exponent on, the text has an exponent. */
const MIN_LARGE_EXPONENT = 6;

/** Below this exponent, the text has an exponent too. */
const MIN_SMALL_EXPONENT = -4;

/**
 * Formats a double as Go and Kubernetes do: the fewest digits that parse as the same double, with an exponent earlier
 * than in JavaScript.
 *
 * @example
 * formatGoFloat(100000000); // '1e+08'
 */
export function formatGoFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= MIN_SMALL_EXPONENT && exponent < MIN_LARGE_EXPONENT)
    return Object.is(value, -0) ? '-0' : String(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}
