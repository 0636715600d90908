/** @jest-environment node */

import type * as Constructs from 'constructs';
import type * as Ours from '../constructs/index';
import type * as CommandLine from '../src/cli/run';
import type * as Fleetwright from '../src/index';

/** What takes longer to load than the rest. */
const HEAVY = ['zod', 'yaml', 'cel-js', 're2js', 'cdk8s'];

/** Which of the heavy packages an action loads, in a registry of modules of its own. */
function loadedBy(action: () => unknown): string[] {
  const loaded = new Set<string>();
  for (const name of HEAVY) {
    jest.doMock(name, () => {
      loaded.add(name);
      return jest.requireActual(name);
    });
  }
  jest.isolateModules(() => void action());
  for (const name of HEAVY) jest.dontMock(name);
  return [...loaded].sort();
}

const cases: Record<string, { action: () => unknown; want: string[] }> = {
  'to import fleetwright loads nothing heavy: import types of it, or require it on first use': {
    action: () => require('../src/index'),
    want: [],
  },
  'to import fleetwright/constructs loads nothing heavy either': {
    action: () => require('../constructs/index'),
    want: [],
  },
  'to declare a construct loads nothing heavy: what it is given is read when the fleet is placed': {
    action: () => {
      const { Construct } = require('constructs') as typeof Constructs;
      const { Fleet, InferenceClass } = require('../constructs/index') as typeof Ours;
      const fleet = new Fleet(new Construct(undefined as never, ''), 'main');
      return new InferenceClass(fleet, 'h100', { devices: [] });
    },
    want: [],
  },
  'to read manifests loads their schemas and a parser, and no CEL': {
    action: () => {
      const { loadManifests } = require('../src/index') as typeof Fleetwright;
      const text = 'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet';
      return loadManifests([{ path: 'a.yaml', text }]);
    },
    want: ['yaml', 'zod'],
  },
  'a command that reads no fleet loads what it needs alone: sizing over the whole catalog is plain data': {
    action: () => run(['fit', 'Qwen/Qwen3-32B', '--context', '32k']),
    want: [],
  },
};

function run(args: readonly string[]): void {
  const { runCommandLine } = require('../src/cli/run') as typeof CommandLine;
  const lines: string[] = [];
  const keep = (text: string): number => lines.push(text);
  const code = runCommandLine(args, { out: keep, err: keep, terminal: false, env: {}, stdin: () => '' }, '1.0.0');
  if (code !== 0 || lines.length === 0) throw new Error(lines.join(''));
}

test.each(Object.entries(cases))('%s', (_, { action, want }) => {
  expect(loadedBy(action)).toEqual(want);
});
