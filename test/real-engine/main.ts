import { join } from 'node:path';
import { CACHE as ENVOY_CACHE } from '../envoy/harness/paths';
import { ENVOY, type Tools, tools } from '../envoy/harness/tools';
import { runBoth, type TwoProcesses } from '../envoy/harness/two-processes';
import { report, runOne } from '../envoy/inside';
import type { Row } from '../envoy/scenario';
import { built, keptBuild } from '../kubernetes/harness/built';
import { say, seconds } from '../kubernetes/harness/say';
import { SetupError } from '../kubernetes/harness/setup-error';
import { CACHE, ENGINE_BUILD, HERE, LLAMA_CPP } from './harness/engine-build';
import { openSite } from './harness/open-site';
import { draining } from './rows/draining';
import { loading } from './rows/loading';
import { requests } from './rows/requests';

/** What the process inside needs. */
interface Programs {
  readonly tools: Tools;
  readonly engine: string;
}

const BUILD = '--build';

const RUN: TwoProcesses<Programs> = {
  name: 'test:engine',
  file: join(HERE, 'run.ts'),
  caches: [CACHE, ENVOY_CACHE],
  build: async (args) => {
    if (args.some((one) => one !== BUILD)) throw new SetupError(`usage: npm run test:engine -- [${BUILD}]`);
    const kept = keptBuild(ENGINE_BUILD);
    if (kept === undefined && !args.includes(BUILD)) {
      say(
        `test:engine is skipped: llama.cpp ${LLAMA_CPP} is not built. \`npm run test:engine -- ${BUILD}\` builds it.`,
      );
      return undefined;
    }
    return { engine: kept ?? (await built(ENGINE_BUILD)), tools: await tools() };
  },
  inside: async (_, folder, { tools, engine }) => {
    const start = Date.now();
    const site = await openSite(folder, tools, engine);
    const rows: Row[] = [];
    for (const scenario of [loading, requests, draining]) {
      rows.push(...(await runOne(scenario, site)));
      if (rows.some(({ holds }) => !holds)) break;
    }
    say(`\nllama.cpp ${LLAMA_CPP}, Envoy ${ENVOY}, ${seconds(Date.now() - start)}\n`);
    return report(rows, site.gateways);
  },
};

/** Sends requests to a real engine behind real gateways, and ends the process with what came of it. */
export function main(args: readonly string[]): Promise<void> {
  return runBoth(RUN, args);
}
