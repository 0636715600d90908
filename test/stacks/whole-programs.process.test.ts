import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Pulumi from '@pulumi/pulumi';
import { readManifests } from '../../src/files/read-fleet';
import { isManagedCloud } from '../../src/provision/managed-cloud';
import type * as Stacks from '../../stacks/index';
import { answerOf, madeState } from './cloud-outputs';
import { type Host, run, type RunOptions, startHost } from './engine.cjs';
import { PROGRAMS } from './example-programs';
import type * as Recording from './record';
import { type Registered, registered } from './registered';
import { RULES, SECRET } from './rules';
import { treeOf } from './tree';

// A process loads Pulumi and all sources.
jest.setTimeout(300_000);

const root = process.cwd();
const work = mkdtempSync(join(tmpdir(), 'programs-'));
afterAll(() => rmSync(work, { recursive: true }));

/** It waits for addresses of Gateways, and runs in a process of its own. `program.test` has the rest of what such processes do. */
const ALONE = 'ingress-gateway';

/** FLEETWRIGHT_STACKS: all programs, the others in one process. */
const isSweep = 'FLEETWRIGHT_STACKS' in process.env;
const wanted = (name: string) => isSweep || name === ALONE;

/** A program as its Pulumi.yaml says, and the resources that it makes on mocks. */
interface Whole {
  readonly options: Pick<RunOptions, 'program' | 'root' | 'project' | 'config' | 'secrets' | 'require' | 'host'>;
  golden(): Promise<string>;
}

const HOOK = join(root, 'scripts/typescript-hook.cjs');

let host: Host | undefined;
afterAll(() => host?.stop());

/** Where a program runs: a process for each would take most of the time of all. */
function hostOf(name: string): Pick<RunOptions, 'require' | 'host'> {
  return name === ALONE ? { require: HOOK } : { host: (host ??= startHost(HOOK)) };
}

/** The program of an example. It runs in a copy: one of them writes files. */
function programOf(example: string): Whole {
  const folder = join(work, example);
  cpSync(join('examples', example), folder, { recursive: true });
  const config = PROGRAMS[example] ?? {};
  return {
    options: { program: join(folder, 'main.ts'), root: folder, project: example, config, ...hostOf(example) },
    golden: async () => readFileSync(join('examples', example, 'resources.txt'), 'utf8'),
  };
}

/** The program of Pulumi.yaml with the fleet of a folder: its clusters on clouds are made, the others have kubeconfigs. */
function fleetOf(folder: string): Whole {
  const existing = readManifests(folder, {}).resources.filter(
    (one) => one.kind === 'InferenceCluster' && !isManagedCloud(one.spec.cluster.source),
  );
  const pairs = existing.map(({ metadata }) => [metadata.name, `{"token": "${SECRET}"}`]);
  const kubeconfigs: Record<string, string> = Object.fromEntries(pairs);
  const config = {
    'gcp:project': 'models',
    'fleetwright:fleet': folder,
    'fleetwright:kubeconfigs': JSON.stringify(kubeconfigs),
  };
  const secrets = ['fleetwright:kubeconfigs'];
  return {
    options: {
      program: join(root, 'stacks/main.ts'),
      root,
      project: 'fleetwright',
      config,
      secrets,
      ...hostOf(folder),
    },
    golden: async () => treeOf(await onMocks(folder, kubeconfigs)),
  };
}

/** What a stack of a fleet registers on mocks. Only the sweep loads what that takes. */
function onMocks(fleet: string, kubeconfigs: Record<string, string>): Promise<Registered[]> {
  const { record } = require('./record') as typeof Recording;
  const { runtime } = require('@pulumi/pulumi') as typeof Pulumi;
  const { FleetStack } = require('../../stacks/index') as typeof Stacks;
  runtime.setAllConfig({ 'gcp:project': 'models' });
  return record(() => new FleetStack('fleet', { fleet, kubeconfigs }));
}

/** Folders of manifests with a lock, up to two levels below the examples. */
function fleets(): string[] {
  const folders = readdirSync('examples', { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'fleet.lock.yaml')
    .map(({ parentPath }) => parentPath);
  return folders.filter((folder) => !existsSync(join(folder, 'cdk8s.yaml'))).toSorted();
}

const wholes: [string, () => Whole][] = [
  ...Object.keys(PROGRAMS)
    .filter(wanted)
    .map((name): [string, () => Whole] => [`the program of examples/${name}`, () => programOf(name)]),
  ...fleets()
    .filter((folder) => wanted(folder))
    .map((folder): [string, () => Whole] => [`the program of Pulumi.yaml with ${folder}`, () => fleetOf(folder)]),
];

/** Whether a line is not about a cluster that was asked about its replicas: no cluster is there. */
function isOfPrograms(line: string): boolean {
  return !/: (whether waves would block is unknown|replicas are not replaced in waves), /.test(line);
}

/**
 * A tree without the edges to providers, which every object of a cluster has anyway. The check of waves has one, and
 * asks nothing in a preview of a cluster that does not exist yet.
 */
function withoutProviders(tree: string): string {
  return tree
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('after pulumi:providers:kubernetes '))
    .join('\n');
}

/** Whether a program registers it itself, or a cloud that the program brings. The rules are about what the stacks register. */
function isOfProgram({ custom, parent }: Registered): boolean {
  return custom && /^(acme:|pulumi:pulumi:Stack own-cloud-)/.test(parent);
}

beforeAll(() => {
  jest.spyOn(console, 'warn').mockImplementation();
  // Programs of examples find their packages as from their own place.
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  // The tools of clouds that this machine may have would take seconds to say that no one is logged in.
  const tools = join(work, 'tools');
  mkdirSync(tools);
  for (const tool of ['aws', 'gke-gcloud-auth-plugin', 'kubelogin']) {
    writeFileSync(join(tools, tool), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }
  process.env['PATH'] = `${tools}:${process.env['PATH']}`;
});

test.each(wholes)('%s previews all that it updates, by every rule of graphs', async (_, whole) => {
  const { options, golden } = whole();
  const unknown = { preview: true, known: (type: string) => !/^(aws|azure-native|gcp):/.test(type) };
  const [preview, update] = await Promise.all([
    run({ ...options, ...unknown }),
    run({ ...options, preview: false, made: madeState, answer: answerOf }),
  ]);
  expect([preview.code, update.code]).toEqual([0, 0]);
  expect(preview.said.filter(isOfPrograms)).toEqual(update.said.filter(isOfPrograms));
  const urns = [preview, update].map((one) => one.registered.map(({ urn }) => urn).toSorted());
  expect(urns[0]).toEqual(urns[1]);
  const graphs = [preview, update].map((one) => one.registered.map(({ message }) => registered(message)));
  const want = await golden();
  expect(treeOf(graphs[1]!)).toBe(want);
  expect(withoutProviders(treeOf(graphs[0]!))).toBe(withoutProviders(want));
  // What is not known has no marks, of secrets neither: so no rule is asked about a preview.
  const own = new Set<unknown>(graphs[1]!.filter(isOfProgram));
  const broken = Object.entries(RULES).filter(([, rule]) => rule(graphs[1]!).some((one) => !own.has(one)));
  expect(broken.map(([rule]) => rule)).toEqual([]);
});
