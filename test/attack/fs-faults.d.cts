/** What happens at a change of a folder. */
export interface Fault {
  readonly folder: string;

  /** Which change: 1 is the first. */
  readonly at: number;
  readonly action: 'count' | 'kill' | 'torn' | 'fail';

  /** The code of the error, as in `ENOSPC`. */
  readonly code?: string;
}

/** Disturbs a change of a folder by this process. Returns what ends that, and lists the changes until then: `renameSync`. */
export function disturb(fault: Fault): () => readonly string[];
