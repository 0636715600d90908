/** The last of `count` sorted items for which `holds`, given that it holds for a first part of them; or -1. */
export function lastThat(count: number, holds: (index: number) => boolean): number {
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
