import * as pulumi from '@pulumi/pulumi';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { ClusterWorkloads, ExistingCluster, ServingStack } from '../../../stacks/index';
import { anObject } from '../build';

// A program of tests on mocks. Its first argument matches the names of resources whose registration fails. Of the
// namespaces that the second one starts, an input fails. It prints what was registered, the errors, and whether the
// SDK had nothing left to do.
const [, , failing = '', changed = '-'] = process.argv;
const registered: string[] = [];
const errors = new Set<string>();
let ended = false;
process.on('unhandledRejection', (error) => errors.add((error as Error).message));
process.on('exit', () => process.stdout.write(JSON.stringify({ ended, registered, errors: [...errors] })));

async function main(): Promise<void> {
  await pulumi.runtime.setMocks({
    async newResource({ type, name, inputs }) {
      if (new RegExp(failing).test(`${type} ${name}`)) throw new Error('no room');
      registered.push(name);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  });
  await pulumi.runtime.runInPulumiStack(async () => register());
  await pulumi.runtime.disconnect();
  ended = true;
}

/** More objects than are registered at the same time, and an object that needs each of them. */
function register(): void {
  const names = Array.from({ length: 40 }, (_, i) => [`bad${i}`, `bad${i}/c`, `good${i}`, `good${i}/c`]).flat();
  const manifests = names.map((name) => anObject(name.includes('/') ? 'ConfigMap' : 'Namespace', name));
  const cluster = new ExistingCluster('us', { kubeconfig: 'token: abc' });
  const lws = { name: 'lws', namespace: 'lws', chart: 'lws', version: 'v1', values: {}, needs: [] };
  const after = [new ServingStack('us', { cluster, releases: [lws] })];
  new ClusterWorkloads('us', { cluster, manifests, after, transform: { object: changeInput } });
}

function changeInput(manifest: Manifest) {
  if (!manifest.metadata.name.startsWith(changed)) return manifest;
  return { ...manifest, data: pulumi.output(Promise.reject(new Error('no address'))) };
}

void main();
