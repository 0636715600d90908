/** Whether the doctor finds nothing amiss. */
export function isWell(out: string): boolean {
  return out.includes('0 failures, 0 warnings, 0 unknown');
}
