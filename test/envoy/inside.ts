import { say, seconds } from '../kubernetes/harness/say';
import { emitted } from './fleet/emitted';
import { openSite } from './harness/open-site';
import { ENVOY, ENVOY_GATEWAY, type Tools } from './harness/tools';
import type { Gateway } from './harness/gateway';
import type { Row, Scenario } from './scenario';
import { SCENARIOS } from './scenarios';
import type { Site } from './site';

/** Runs the scenarios that are named, or all, and returns the exit code. */
export async function inside(names: readonly string[], folder: string, tools: Tools): Promise<number> {
  const start = Date.now();
  const site = await openSite(folder, tools, emitted());
  say(`the front answers after ${seconds(Date.now() - start)}`);
  const chosen = SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
  const rows = await runAll(chosen, site);
  say(`\nEnvoy Gateway ${ENVOY_GATEWAY}, Envoy ${ENVOY}, ${seconds(Date.now() - start)}\n`);
  return report(rows, site.gateways);
}

/** Prints what was measured, and returns the exit code. */
export function report(rows: readonly Row[], gateways: readonly Gateway[]): number {
  say(table(rows));
  const broken = rows.filter(({ holds }) => !holds);
  if (broken.length === 0) return 0;
  for (const gateway of gateways) say(`\nThe last warnings of ${gateway.name}:\n${gateway.tail()}`);
  say(`\n${broken.length} of ${rows.length} rows do not hold`);
  sayBroken(broken);
  return 1;
}

async function runAll(scenarios: readonly Scenario[], site: Site): Promise<Row[]> {
  const beside = scenarios.filter(({ when }) => when === 'Beside').map((one) => runOne(one, site));
  const rows: Row[] = [];
  for (const one of scenarios.filter(({ when }) => when === undefined)) rows.push(...(await runOne(one, site)));
  rows.push(...(await Promise.all(beside)).flat());
  for (const one of scenarios.filter(({ when }) => when === 'Disturbs')) rows.push(...(await runOne(one, site)));
  return rows;
}

/** Runs a scenario to its end, however that is, and prints what does not hold. */
export async function runOne<S = Site>({ name, run }: Scenario<S>, site: S): Promise<Row[]> {
  const begun = Date.now();
  const rows = (await run(site).catch(toBrokenRow)).map((row) => ({ ...row, what: `${name}: ${row.what}` }));
  const broken = rows.filter(({ holds }) => !holds);
  const verdict = broken.length === 0 ? 'holds' : `${broken.length} of ${rows.length} rows do not hold`;
  say(`${name}: ${verdict}, ${seconds(Date.now() - begun)}`);
  sayBroken(broken);
  return rows;
}

function sayBroken(rows: readonly Row[]): void {
  for (const { what, wanted, measured } of rows) say(`  ${what}: ${measured}; wanted ${wanted}`);
}

/** What becomes of a scenario that cannot go on. */
function toBrokenRow(error: unknown): Row[] {
  const measured = error instanceof Error ? `${error.stack}` : String(error);
  return [{ what: 'the scenario ends', wanted: 'yes', measured, holds: false }];
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, wanted, measured, holds }) => `| ${holds ? 'yes' : 'NO'} | ${what} | ${wanted} | ${measured} |`,
  );
  return ['| holds | what | wanted | measured |', '|---|---|---|---|', ...lines].join('\n');
}
