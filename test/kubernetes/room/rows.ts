/** A container around an engine, by the CPU that it requests. */
export interface Around {
  readonly cpu: string;

  /** Always: a sidecar, which starts before the engine and goes on. */
  readonly restartPolicy?: 'Always';
}

/** A pod on nodes of 100 CPU, and how many replicas one node has room for. */
export interface Row {
  /** What its engine requests. Absent: its share of the node. */
  readonly engine?: string;
  readonly beside?: readonly Around[];
  readonly before?: readonly Around[];

  /** Whether a replica is a pair of prefill and decode, of which the second has the routing sidecar. */
  readonly pair?: true;
  readonly want: number;
}

/** What containers around engines take. The devices of a node would do for more of each. */
export const ROWS: Readonly<Record<string, Row>> = {
  'an engine alone': { engine: '10', want: 10 },
  'a helper beside it': { engine: '10', beside: [{ cpu: '15' }], want: 4 },
  'a sidecar that starts before it': {
    engine: '10',
    before: [{ cpu: '15', restartPolicy: 'Always' }],
    want: 4,
  },
  'a step of the start that takes less': { engine: '10', before: [{ cpu: '9' }], want: 10 },
  'a step of the start that takes more': { engine: '10', before: [{ cpu: '50' }], want: 2 },
  'a step beside a sidecar that runs by then': {
    engine: '10',
    before: [{ cpu: '5', restartPolicy: 'Always' }, { cpu: '28' }],
    want: 3,
  },
  'a step before a sidecar': {
    engine: '10',
    before: [{ cpu: '33' }, { cpu: '5', restartPolicy: 'Always' }],
    want: 3,
  },
  'a share of the node, less what is beside the engine': { beside: [{ cpu: '2' }], want: 8 },
  'the routing sidecar of a pair': { engine: '16', pair: true, want: 3 },
  'the routing sidecar of a pair that would fit without it': { engine: '16500m', pair: true, want: 2 },
};
