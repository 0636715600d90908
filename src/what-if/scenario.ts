/** Something that may happen to a fleet, or be done to it. */
export interface Scenario {
  /** For people. */
  readonly name: string;

  /** All at once: their order does not matter. */
  readonly steps: readonly Step[];
}

/** One change of a scenario. */
export type Step =
  | { readonly kind: 'price'; readonly cluster: string; readonly pool: string; readonly perHour: number }
  | { readonly kind: 'add-nodes'; readonly cluster: string; readonly pool: string; readonly nodes: number }
  /** `deployment` is `namespace/name`. */
  | { readonly kind: 'scale'; readonly deployment: string; readonly replicas: number }
  | { readonly kind: 'remove-pool'; readonly cluster: string; readonly pool: string }
  /** No replica may stay; what is there serves until its replacement does. */
  | { readonly kind: 'drain'; readonly cluster: string }
  /** It is gone at once, with all that is on it. */
  | { readonly kind: 'lose'; readonly cluster: string }
  /** All clusters with a value of a failure domain are gone at once. `label` is the label of the domain. */
  | { readonly kind: 'lose-domain'; readonly label: string; readonly value: string };

/** The step of a kind. */
export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

/** Every kind of step, in the order in which they are named. */
export const STEP_KINDS = [
  'price',
  'add-nodes',
  'scale',
  'remove-pool',
  'drain',
  'lose',
  'lose-domain',
] as const satisfies readonly Step['kind'][];
