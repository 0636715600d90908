import { readFileSync } from 'node:fs';
import { runMain } from '../../stacks/run-main';
import type { ControlPlane } from '../harness/control-plane';
import type { Desk } from './desk';
import { CRIPPLED } from './doctor-rows';
import { FLEET } from './fleet';
import type { Verdicts } from './verdicts';

/** A run of the program of Pulumi.yaml on the fleet of these tests. */
interface Applied {
  readonly code: number;

  /** What it printed. */
  readonly said: string;

  /** The objects and releases that it registered on the cluster. */
  readonly there: number;
}

interface Settings {
  readonly fleet?: string;
  readonly kubeconfig: string;
  readonly precheck?: boolean;
  readonly waves?: boolean;
}

async function applied(desk: Desk, { fleet = FLEET, kubeconfig, ...flags }: Settings): Promise<Applied> {
  desk.write('pulumi/fleet.yaml', fleet);
  const { code, said, registered } = await runMain({
    preview: false,
    config: {
      'fleetwright:fleet': desk.path('pulumi'),
      'fleetwright:lockMode': 'ephemeral',
      'fleetwright:precheck': String(flags.precheck === true),
      'fleetwright:waves': String(flags.waves !== false),
      'fleetwright:kubeconfigs': JSON.stringify({ local: kubeconfig }),
    },
    secrets: ['fleetwright:kubeconfigs'],
  });
  return { code, said: said.join('\n'), there: registered.filter(({ name }) => name.includes('/')).length };
}

/** Nothing is refused: everything was registered. */
function passes({ code, there }: Applied): boolean {
  return code === 0 && there > 10;
}

/** It was refused in these words, before anything was registered on the cluster. */
function isRefused({ code, said, there }: Applied, ...words: readonly string[]): boolean {
  return code !== 0 && there === 0 && words.every((one) => said.includes(one));
}

/** What the pre-check of a stack finds is what `doctor` finds: on a good cluster, a crippled one, and as nobody. */
export async function precheckTrial(plane: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  const kubeconfig = readFileSync(plane.kubeconfig, 'utf8');
  const good = await applied(desk, { kubeconfig, precheck: true });
  verdicts.check('a stack on a good cluster', passes(good), JSON.stringify(good));
  for (const name of ['a cordoned node', 'no storage class']) {
    const row = CRIPPLED[name];
    await row?.break(plane.client);
    const reported = await applied(desk, { kubeconfig, precheck: true });
    const words = (row?.want ?? []).map((one) => `local: ${one}`);
    verdicts.check(`a stack on ${name}`, row !== undefined && isRefused(reported, ...words), JSON.stringify(reported));
    await row?.mend(plane.client);
  }
  const denied = await applied(desk, { kubeconfig: asNobody(kubeconfig), precheck: true });
  const words = 'local: permissions: may not create deployments.apps in ml.';
  verdicts.check('a stack of somebody without permissions', isRefused(denied, words), JSON.stringify(denied));
}

/** The fleet runs, and takes its whole pool: waves of a stack see it, and new replicas may take its place. */
export async function wavesTrial(plane: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  const kubeconfig = readFileSync(plane.kubeconfig, 'utf8');
  const same = await applied(desk, { kubeconfig });
  verdicts.check('waves of what runs', passes(same) && !same.said.includes('waves'), JSON.stringify(same));
  const other = FLEET.replace('metadata: { name: q,', 'metadata: { name: r,').replace('replicas: 2', 'replicas: 1');
  const swapped = await applied(desk, { kubeconfig, fleet: other });
  verdicts.check('others in its place', passes(swapped), JSON.stringify(swapped));
  const without = await applied(desk, { kubeconfig, waves: false });
  verdicts.check('the same without waves', passes(without), JSON.stringify(without));
  const unseen = await applied(desk, { kubeconfig: asNobody(kubeconfig) });
  const words = 'ml/q: a wave of its replicas does not become ready';
  verdicts.check('waves without permissions', unseen.code !== 0 && unseen.said.includes(words), JSON.stringify(unseen));
}

/** A kubeconfig with the same user as a user without any permission. */
export function asNobody(kubeconfig: string): string {
  const config = JSON.parse(kubeconfig) as { users: { user: object }[] };
  const users = config.users.map((one) => ({ ...one, user: { ...one.user, as: 'nobody' } }));
  return JSON.stringify({ ...config, users });
}
