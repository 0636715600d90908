/** The least and the most time that a part of starting a copy takes, in minutes. */
export interface StartTime {
  readonly least: number;
  readonly most: number;
  readonly source: string;
  readonly date: string;
}

/** From the request for a node to its first pod, and to pull an image of 10 to 25 GB to it. */
export const NEW_NODE: readonly StartTime[] = [
  { least: 2, most: 10, source: 'usual values for GPU nodes of managed clouds, not measured', date: '2026-09' },
  { least: 1, most: 3, source: 'usual values for images of engines, not measured', date: '2026-09' },
];
