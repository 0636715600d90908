/** Writes a line for whoever runs the tests. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A duration in words: `4.2 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A number with its unit, in the plural where it is not one. */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}
