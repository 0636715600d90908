import { readFileSync } from 'node:fs';
import { type ControlPlane, startControlPlane } from '../harness/control-plane';
import { Kubelet } from '../harness/kubelet';
import type { Part, Report } from '../part';
import { furnish } from './cluster';
import { Desk } from './desk';
import { CRIPPLED } from './doctor-rows';
import { draftTrial } from './draft-trial';
import { FLEET } from './fleet';
import { asNobody, precheckTrial, wavesTrial } from './pulumi-trial';
import { reachTrial } from './reach-trial';
import { statusTrial } from './status-trial';
import { Verdicts } from './verdicts';
import { isWell } from './well';

/** What `doctor`, `status` and a Pulumi stack say of a running cluster is so. */
export const live: Part = { name: 'live', run };

async function run(): Promise<Report> {
  const plane = await startControlPlane();
  const kubelet = new Kubelet(plane.client);
  const desk = new Desk({ KUBECONFIG: plane.kubeconfig });
  const verdicts = new Verdicts();
  try {
    await furnish(plane.client);
    desk.write('fleet/fleet.yaml', FLEET);
    await kubelet.start();
    await Promise.race([plane.failure, tryAll(plane, desk, verdicts)]);
  } finally {
    kubelet.stop();
    desk.remove();
    await plane.stop();
  }
  const { failures, rows } = verdicts;
  return { figures: [`live: ${rows - failures.length} of ${rows} rows as expected`], failures };
}

async function tryAll(plane: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  await doctorOnGood(desk, verdicts);
  await doctorOnCrippled(plane, desk, verdicts);
  await doctorAsNobody(plane, desk, verdicts);
  await reachTrial(plane, desk, verdicts);
  await precheckTrial(plane, desk, verdicts);
  await draftTrial(desk, verdicts);
  await statusTrial(plane, desk, verdicts);
  await wavesTrial(plane, desk, verdicts);
}

async function doctorOnGood(desk: Desk, verdicts: Verdicts): Promise<void> {
  const { code, out } = await desk.run('doctor', 'local', desk.path('fleet'));
  verdicts.check('a good cluster', code === 0 && isWell(out), out);
}

async function doctorOnCrippled({ client }: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  for (const [name, row] of Object.entries(CRIPPLED)) {
    await row.break(client);
    const { code, out } = await desk.run('doctor', 'local', desk.path('fleet'));
    const failures = out.split('\n').filter((line) => line.includes('FAILURE'));
    const complete = row.want.every((want) => failures.some((line) => line.includes(want)));
    verdicts.check(name, code === 6 && complete && failures.length === row.want.length, out);
    await row.mend(client);
  }
  await doctorOnGood(desk, verdicts);
}

/** A user without any permission sees that, and no finding says that anything is wrong with the cluster. */
async function doctorAsNobody({ kubeconfig }: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  const nobody = desk.write('nobody', asNobody(readFileSync(kubeconfig, 'utf8')));
  const { code, out } = await desk.run('doctor', 'local', desk.path('fleet'), '--kubeconfig', nobody);
  const unknown = ['device classes', 'nodes', 'resource slices', 'settings of Envoy Gateway', 'storage classes'];
  const complete = unknown.every((one) => out.includes(`to list ${one}`));
  const denied = out.includes('FAILURE  permissions: may not create deployments.apps in ml.');
  verdicts.check('a user without permissions', code === 6 && complete && denied, out);
}
