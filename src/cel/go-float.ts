/** From this exponent on a number is written with it. */
const MOST = 6;

/** Below this exponent, too. */
const LEAST = -4;

/**
 * A floating point number as Go, and so Kubernetes, writes it: the fewest digits that read back the same, with an
 * exponent where JavaScript has none yet.
 *
 * @example
 * goFloat(100000000); // '1e+08'
 */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= LEAST && exponent < MOST) return Object.is(value, -0) ? '-0' : String(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}
