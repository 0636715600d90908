/** A number from 0, rounded, with separators of thousands: `1,240`. */
export function formatCount(count: number | bigint): string {
  const digits = String(typeof count === 'bigint' ? count : Math.round(count));
  const first = digits.length % 3 || 3;
  const groups = [digits.slice(0, first)];
  for (let i = first; i < digits.length; i += 3) groups.push(digits.slice(i, i + 3));
  return groups.join(',');
}

/** A part from 0 to 1 as a percentage with one decimal: `62.5 %`. A small part is not shown as none. */
export function formatPercent(part: number): string {
  const percent = part * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent < 100 && percent > 99.9) return '> 99.9 %';
  return `${percent.toFixed(1)} %`;
}

/** A percentage for a sentence: `62 %`, with a decimal only below 10. */
export function formatRoundPercent(part: number): string {
  const percent = part * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}
