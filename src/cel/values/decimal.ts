/** An exact decimal number: `mantissa` x 10^`exponent`. */
export interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const MAX_SHIFT = 20_000;
/** The largest signed and unsigned integers of 64 bits. */
export const INT64_MAX = 2n ** 63n - 1n;
export const UINT64_MAX = 2n ** 64n - 1n;

/** Reports whether a number fits a signed 64-bit integer. */
export function isInt64(value: bigint): boolean {
  return value >= -INT64_MAX - 1n && value <= INT64_MAX;
}

/** Returns `value` x 10^`places`. Throws above 20,000: a short exponent in the input must not allocate gigabytes. */
export function multiplyByPowerOfTen(value: bigint, places: number): bigint {
  if (places > MAX_SHIFT) throw new RangeError(`the exponents differ by ${places}, more than ${MAX_SHIFT}`);
  return value * 10n ** BigInt(places);
}

/** Compares two numbers: -1, 0 or 1. The exponents do not affect the run time. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const sign = signOf(a.mantissa);
  if (sign !== signOf(b.mantissa)) return sign < signOf(b.mantissa) ? -1 : 1;
  if (sign === 0) return 0;
  const magnitudes = magnitude(a) - magnitude(b);
  if (magnitudes !== 0) return magnitudes > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(a.exponent, b.exponent);
  return signOf(
    multiplyByPowerOfTen(a.mantissa, a.exponent - exponent) - multiplyByPowerOfTen(b.mantissa, b.exponent - exponent),
  );
}

export function signOf(value: bigint): -1 | 0 | 1 {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** Returns the number with an exponent of at least `least`. Digits below are rounded away from zero. */
export function roundAwayFromZero({ mantissa, exponent }: Decimal, least: number): Decimal {
  if (exponent >= least || mantissa === 0n) return { mantissa, exponent: Math.max(exponent, least) };
  const places = least - exponent;
  const digits = mantissa.toString().length;
  if (places > digits) return { mantissa: BigInt(signOf(mantissa)), exponent: least };
  const unit = 10n ** BigInt(places);
  const rest = mantissa % unit;
  return { mantissa: mantissa / unit + BigInt(rest === 0n ? 0 : signOf(mantissa)), exponent: least };
}

/** Returns the exact value of a finite double. */
export function toDecimal(value: number): Decimal {
  let exponent = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent++;
  }
  // 1/2 is 5/10, so the number of decimals is the number of doublings.
  return { mantissa: BigInt(scaled) * 5n ** BigInt(exponent), exponent: exponent === 0 ? 0 : -exponent };
}

/** Returns the nearest number with an exponent of at least `least`. Ties round to even. */
export function roundToEven({ mantissa, exponent }: Decimal, least: number): Decimal {
  if (exponent >= least) return { mantissa, exponent };
  const unit = 10n ** BigInt(least - exponent);
  const down = mantissa / unit;
  const twice = (mantissa - down * unit) * BigInt(2 * signOf(mantissa));
  const up = twice > unit || (twice === unit && down % 2n !== 0n);
  return { mantissa: up ? down + BigInt(signOf(mantissa)) : down, exponent: least };
}

/** Returns the position of the first digit, which depends only on the number of digits before the decimal point. */
function magnitude({ mantissa, exponent }: Decimal): number {
  const text = mantissa.toString();
  return exponent + text.length - (mantissa < 0n ? 1 : 0);
}
