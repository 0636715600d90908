/**
 * The lines that fit, from the first on and whole, and where others are left out, lines that say how many.
 *
 * @param room how many characters the lines may have together, with their ends; what `rest` makes comes on top
 * @param rest tells that so many lines are left out
 */
export function cutLines(
  lines: readonly string[],
  room: number,
  rest: (count: number) => readonly string[],
): string[] {
  let left = room;
  const first = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return first === -1 ? [...lines] : [...lines.slice(0, first), ...rest(lines.length - first)];
}
