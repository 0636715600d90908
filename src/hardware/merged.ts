import type { Finding } from '../api/resource';

/** What the catalogue and a class say together: complete unless there are findings. */
export interface Merged<T> {
  readonly value: T;

  /** Paths start at the resource. */
  readonly findings: readonly Finding[];
}

/** The fields that are there: one that is undefined would hide what the catalogue says. */
export function stated(value: object | undefined): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, one]) => one !== undefined));
}

/** Moves a finding from the part that was checked to its place in the resource. */
export function below(...outer: readonly (string | number)[]): (finding: Finding) => Finding {
  return (finding) => ({ ...finding, path: [...outer, ...finding.path] });
}
