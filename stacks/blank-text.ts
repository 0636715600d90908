/** Whether a value is a text that says nothing, as that of a file which a failed command left behind. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
