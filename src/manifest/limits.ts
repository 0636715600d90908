/** How much input a run takes before it refuses, so that a wrong path or a hostile file ends with a message. */
export interface Limits {
  /** Bytes of one file. */
  readonly fileBytes: number;

  /** Bytes of all files together. */
  readonly totalBytes: number;

  /** YAML documents, and items of a `List`, of all files together. */
  readonly documents: number;

  /** Words and signs of one document, as the parser counts them: its nodes take some 300 bytes each. */
  readonly tokens: number;

  /** Collections around one value, counted through aliases. */
  readonly depth: number;

  /** Values that aliases repeat, of all files together: a few lines of aliases can stand for billions. */
  readonly aliasedValues: number;
}

const MIB = 1024 * 1024;

/** The limits of a normal run: some four times what a fleet of 1,000 clusters and 10,000 deployments needs. */
export const LIMITS: Limits = {
  fileBytes: 10 * MIB,
  totalBytes: 64 * MIB,
  documents: 100_000,
  tokens: 4_000_000,
  depth: 64,
  aliasedValues: 1_000_000,
};

/** For what a program declares: it is in memory already, and no wrong path or hostile file makes it large. */
export const UNLIMITED: Limits = {
  fileBytes: Infinity,
  totalBytes: Infinity,
  documents: Infinity,
  tokens: Infinity,
  depth: Infinity,
  aliasedValues: Infinity,
};

/** A size in words, as messages give it: `10 MiB`, `300 bytes`. */
export function sizeText(bytes: number): string {
  return bytes >= MIB ? `${Math.ceil((bytes / MIB) * 10) / 10} MiB` : `${bytes} bytes`;
}
