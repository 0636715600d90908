import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster } from '../../constructs/index';
import { FleetStack, type FleetStackArgs } from '../../stacks/index';
import { cluster, deployment, EIGHT_GPUS, engine } from '../constructs/build';
import { record } from './record';

let out: string;
beforeEach(() => {
  // Without an engine, warnings go to the console.
  jest.spyOn(console, 'warn').mockImplementation();
  out = mkdtempSync(join(tmpdir(), 'must-exist-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(out, { recursive: true });
});

async function needed(args: Partial<FleetStackArgs>): Promise<FleetStack['mustExist']> {
  let reported: FleetStack['mustExist'] = [];
  const kubeconfigs = { us: 'token: abc', eu: 'token: abc' };
  await record(() => {
    const fleet = new Fleet(new App(), 'main');
    const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
    for (const name of ['us', 'eu']) {
      const servingStack = { leaderWorkerSet: { install: false } };
      new InferenceCluster(fleet, name, { ...cluster(h100), servingStack });
    }
    deployment(fleet, 'q', { engines: [engine(1)] });
    ({ mustExist: reported } = new FleetStack('models', {
      fleet,
      kubeconfigs,
      out,
      lockMode: 'ephemeral',
      ...args,
    }));
  });
  return reported;
}

test.each(['resources', 'files'] as const)(
  'the stack of one cluster with its workloads as %s tells what has to be there beforehand',
  async (workloads) => {
    const whole = await needed({});
    expect(whole.map((one) => one.cluster)).toEqual(['eu', 'us']);
    for (const one of whole) expect(await needed({ cluster: one.cluster, workloads })).toEqual([one]);
  },
);
