import type { Specimen } from './corpus';
import type { Random } from './random';
import { CANARY } from './secrets';

/** What an input runs. `{url}` stands for the address of the server of the input. */
export interface Attack {
  readonly command: string;

  /** How often it is drawn. */
  readonly weight: number;

  /** The paths that it may write. */
  readonly writes?: RegExp;

  /** Files that it needs besides a fleet. */
  readonly needs?: readonly string[];

  /** Whether it prints the declarations of the user themselves. */
  readonly showsDeclarations?: true;

  /** Whether it speaks to a server. */
  readonly server?: true;
  readonly env?: Readonly<Record<string, string>>;
}

/** Commands that take the files of a fleet. */
export const ATTACKS: readonly Attack[] = [
  { command: 'validate fleet', weight: 4 },
  { command: 'validate fleet --json', weight: 2 },
  { command: 'validate fleet --annotations github', weight: 1 },
  { command: 'validate -', weight: 1 },
  { command: 'plan fleet', weight: 6 },
  { command: 'plan fleet --json', weight: 2 },
  { command: 'plan fleet --cost --detailed-exitcode', weight: 1 },
  { command: 'plan fleet --graph', weight: 1 },
  { command: 'plan fleet --html map.html', weight: 2, writes: /^map\.html$/ },
  { command: 'plan fleet --save kept.json', weight: 1, writes: /^kept\.json$/ },
  { command: 'plan fleet --against earlier', weight: 2, needs: ['earlier/fleet.yaml'] },
  { command: 'plan fleet --against earlier --markdown --gate', weight: 3, needs: ['earlier/fleet.yaml'] },
  {
    command: 'plan fleet --against earlier --html map.html',
    weight: 1,
    writes: /^map\.html$/,
    needs: ['earlier/fleet.yaml'],
  },
  { command: 'plan fleet --against saved.json', weight: 3, needs: ['saved.json'] },
  { command: 'plan fleet --annotations github', weight: 1 },
  { command: 'lock fleet', weight: 6, writes: /^fleet\/fleet\.lock\.yaml$/ },
  { command: 'lock fleet --accept-unplaced --finalize', weight: 3, writes: /^fleet\/fleet\.lock\.yaml$/ },
  { command: 'lock fleet --check', weight: 1 },
  { command: 'synth fleet -o out', weight: 6, writes: /^out\// },
  { command: 'synth fleet -o out --ephemeral', weight: 6, writes: /^out\// },
  { command: 'export fleet', weight: 2, showsDeclarations: true },
  { command: 'export fleet -o kept.yaml', weight: 1, writes: /^kept\.yaml$/, showsDeclarations: true },
  { command: 'explain team-a/chat fleet', weight: 2 },
  { command: 'explain ml/llama-70b fleet --json', weight: 1 },
  { command: 'explain class/h100 fleet', weight: 1 },
  { command: 'catalog h100 --fleet fleet', weight: 2 },
  { command: 'what-if fleet --lose us', weight: 1 },
  { command: 'what-if fleet --scenarios fleet/scenarios.yaml', weight: 4, needs: ['fleet/scenarios.yaml'] },
  { command: 'what-if fleet --scenarios fleet/scenarios.yaml --json', weight: 1, needs: ['fleet/scenarios.yaml'] },
  { command: 'survive fleet --require 1', weight: 2 },
  { command: 'survive fleet --domain region', weight: 1 },
];

const SMOKE_ENV = { SERVICE_KEY: CANARY.serviceKey };

/** Commands that speak to servers. Their kubeconfig names the server of the input. */
export const LIVE_ATTACKS: readonly Attack[] = [
  { command: 'status fleet --cluster us --context us={context}', weight: 5 },
  { command: 'status fleet --context us={context} --json', weight: 2 },
  {
    command: 'status fleet --cluster us --context us={context} --snapshot fleet/snapshots',
    weight: 4,
    writes: /^fleet\/snapshots\/us\.yaml$/,
  },
  { command: 'doctor us fleet --context {context}', weight: 5 },
  { command: 'doctor us fleet --context {context} --json', weight: 1 },
  { command: 'doctor new fleet --context {context} --write drafted.yaml', weight: 3, writes: /^drafted\.yaml$/ },
].map(
  (one): Attack => ({
    ...one,
    command: `${one.command} --kubeconfig kubeconfig.yaml --timeout 1`,
    needs: ['kubeconfig.yaml'],
    server: true,
  }),
);

export const SMOKE_ATTACKS: readonly Attack[] = [
  { command: 'smoke fleet --via {url} --key-env SERVICE_KEY --timeout 1', weight: 3, server: true, env: SMOKE_ENV },
  {
    command: 'smoke fleet --via {url} --key-env SERVICE_KEY --timeout 1 --json',
    weight: 1,
    server: true,
    env: SMOKE_ENV,
  },
];

/** One of the attacks that a specimen has the files for. */
export function pickAttack(attacks: readonly Attack[], { files }: Specimen, random: Random): Attack {
  const able = attacks.filter(({ needs = [] }) => needs.every((path) => files[path] !== undefined));
  return random.pick(able.flatMap((one) => Array.from({ length: one.weight }, () => one)));
}
