/** An exact decimal number: `mantissa` x 10^`exponent`. */
export interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const MAX_SHIFT = 20_000;
const INT64_MAX = 2n ** 63n - 1n;

/** Whether a number is a signed 64-bit integer. */
export function isInt64(value: bigint): boolean {
  return value >= -INT64_MAX - 1n && value <= INT64_MAX;
}

/**
 * `value` x 10^`places`, for `places` from 0.
 *
 * Throws above 20,000 places: an exponent is a few characters of input, and must not become gigabytes.
 */
export function multiplyByPowerOfTen(value: bigint, places: number): bigint {
  if (places > MAX_SHIFT) throw new RangeError(`the exponents differ by ${places}, more than ${MAX_SHIFT}`);
  return value * 10n ** BigInt(places);
}

/** -1, 0 or 1, as the numbers compare. Takes no longer for large exponents. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const sign = signOf(a.mantissa);
  if (sign !== signOf(b.mantissa)) return sign < signOf(b.mantissa) ? -1 : 1;
  if (sign === 0) return 0;
  const magnitudes = magnitude(a) - magnitude(b);
  if (magnitudes !== 0) return magnitudes > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(a.exponent, b.exponent);
  return signOf(
    multiplyByPowerOfTen(a.mantissa, a.exponent - exponent) -
      multiplyByPowerOfTen(b.mantissa, b.exponent - exponent),
  );
}

/** -1, 0 or 1. */
export function signOf(value: bigint): -1 | 0 | 1 {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** The same number with an exponent of at least `exponent`; digits below are rounded away from zero. */
export function roundAwayFromZero({ mantissa, exponent }: Decimal, least: number): Decimal {
  if (exponent >= least || mantissa === 0n) return { mantissa, exponent: Math.max(exponent, least) };
  const places = least - exponent;
  const digits = mantissa.toString().length;
  if (places > digits) return { mantissa: BigInt(signOf(mantissa)), exponent: least };
  const unit = 10n ** BigInt(places);
  const rest = mantissa % unit;
  return { mantissa: mantissa / unit + BigInt(rest === 0n ? 0 : signOf(mantissa)), exponent: least };
}

/** The number that a finite double is, exactly. */
export function toDecimal(value: number): Decimal {
  let exponent = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent++;
  }
  // A half is five tenths: as many places behind the point as halvings.
  return { mantissa: BigInt(scaled) * 5n ** BigInt(exponent), exponent: exponent === 0 ? 0 : -exponent };
}

/** The nearest number with an exponent of at least `least`; of two that are as near, the even one. */
export function roundToEven({ mantissa, exponent }: Decimal, least: number): Decimal {
  if (exponent >= least) return { mantissa, exponent };
  const unit = 10n ** BigInt(least - exponent);
  const down = mantissa / unit;
  const twice = (mantissa - down * unit) * BigInt(2 * signOf(mantissa));
  const up = twice > unit || (twice === unit && down % 2n !== 0n);
  return { mantissa: up ? down + BigInt(signOf(mantissa)) : down, exponent: least };
}

/** The place of the first digit: equal for numbers with equally many digits before the decimal point. */
function magnitude({ mantissa, exponent }: Decimal): number {
  const text = mantissa.toString();
  return exponent + text.length - (mantissa < 0n ? 1 : 0);
}
