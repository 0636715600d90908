import { join } from 'node:path';
import { SetupError } from '../kubernetes/harness/setup-error';
import { CACHE, HERE } from './harness/paths';
import { type Tools, tools } from './harness/tools';
import { runBoth, type TwoProcesses } from './harness/two-processes';
import { inside } from './inside';
import { SCENARIOS } from './scenarios';

const USAGE = `usage: npm run test:envoy -- [${SCENARIOS.map(({ name }) => name).join('|')}]...`;

const RUN: TwoProcesses<Tools> = {
  name: 'test:envoy',
  file: join(HERE, 'run.ts'),
  caches: [CACHE],
  build: async (names) => {
    const unknown = names.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
    if (unknown !== undefined) throw new SetupError(USAGE);
    return tools();
  },
  inside,
};

/** Sends traffic through real gateways, in namespaces of its own, and ends the process with what came of it. */
export function main(args: readonly string[]): Promise<void> {
  return runBoth(RUN, args);
}
