import type { Desk } from './desk';
import { FLEET } from './fleet';
import type { Verdicts } from './verdicts';
import { isWell } from './well';

/** A cluster that is drafted from what it shows has the room that the original declares, and the doctor agrees. */
export async function draftTrial(desk: Desk, verdicts: Verdicts): Promise<void> {
  const deployment = FLEET.split('---\n').find((one) => one.includes('kind: ModelDeployment'));
  desk.write('draft/models.yaml', deployment ?? '');
  const written = await desk.run('doctor', 'local', '--write', desk.path('draft/local.yaml'));
  verdicts.check('a cluster is drafted', written.code === 0, written.out);
  const [original, again] = [await placements(desk, 'fleet'), await placements(desk, 'draft')];
  verdicts.check(
    'the draft places what the original places',
    original === again && original.includes('"h100"'),
    `${original}\n${again}`,
  );
  const { code, out } = await desk.run('doctor', 'local', desk.path('draft'));
  verdicts.check('the doctor agrees with the draft', code === 0 && isWell(out), out);
}

interface PlanDocument {
  readonly deployments: readonly {
    readonly staying: readonly { readonly placement: object }[];
    readonly changes: readonly { readonly replica?: { readonly placement: object } }[];
  }[];
}

async function placements(desk: Desk, folder: string): Promise<string> {
  const { out } = await desk.run('plan', desk.path(folder), '--json');
  const { deployments } = JSON.parse(out) as PlanDocument;
  const all = deployments.flatMap(({ staying, changes }) => [
    ...staying.map(({ placement }) => placement),
    ...changes.map(({ replica }) => replica?.placement),
  ]);
  return JSON.stringify(all);
}
