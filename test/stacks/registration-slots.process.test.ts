import { spawnSync } from 'node:child_process';
import * as pulumi from '@pulumi/pulumi';
import { ClusterWorkloads, ExistingCluster } from '../../stacks/index';
import { anObject } from './build';

/** Registers objects of a cluster on an engine that is slow, and returns what it had at the same time at most. */
async function register(names: readonly string[], isSlow: (name: string) => boolean) {
  let [now, most] = [0, 0];
  const order: string[] = [];
  await pulumi.runtime.setMocks({
    async newResource({ name, inputs }) {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, isSlow(name) ? 300 : 1));
      now--;
      order.push(name);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  });
  const manifests = names.map((name) => anObject(name.includes('/') ? 'ConfigMap' : 'Namespace', name));
  await pulumi.runtime.runInPulumiStack(async () => {
    const cluster = new ExistingCluster('us', { kubeconfig: 'token: abc' });
    new ClusterWorkloads('us', { cluster, manifests });
  });
  await pulumi.runtime.disconnect();
  return { most, order };
}

test('the engine gets all objects of a large cluster, and few of them at the same time', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `ml/c${i}`);
  const { most, order } = await register(['ml', ...names], () => false);
  expect(order.filter((name) => name.includes('ConfigMap'))).toHaveLength(200);
  expect(most).toBeLessThan(50);
});

test('objects that wait for another keep back no object that does not', async () => {
  const waiting = Array.from({ length: 100 }, (_, i) => `a-slow/c${i}`);
  const { order } = await register(['a-slow', ...waiting, 'fast', 'fast/c'], (name) => name === 'us/Namespace.a-slow');
  expect(order.indexOf('us/ConfigMap.fast.c')).toBeLessThan(order.indexOf('us/Namespace.a-slow'));
});

/** Each with what fails, the objects that are registered, and the number of errors. */
const failures: Record<string, [fails: readonly string[], objects: RegExp | undefined, errors: number]> = {
  'registrations of objects': [['Namespace us/Namespace.bad'], /good/, 40],
  'inputs of objects': [['nothing', 'bad'], /good/, 1],
  'a release that they wait for': [['Release us/lws'], undefined, 1],
  'the provider of the cluster': [['providers:kubernetes us'], undefined, 1],
};

test.each(Object.entries(failures))(
  'the program ends with the error, and registers all objects that do not need what fails: %s',
  (_, [fails, objects, errors]) => {
    const program = 'test/stacks/programs/failing-registrations.ts';
    const args = ['-r', './scripts/typescript-hook.cjs', program, ...fails];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const result = JSON.parse(stdout) as { ended: boolean; registered: string[]; errors: string[] };
    expect({ status, ended: result.ended, errors: result.errors.length }).toEqual({ status: 1, ended: true, errors });
    const found = result.registered.filter((name) => /\.(bad|good)\d/.test(name));
    expect(found.filter((name) => !objects?.test(name))).toEqual([]);
    expect(found).toHaveLength(objects ? 80 : 0);
  },
  60_000,
);
