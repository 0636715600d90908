import { LLAMA_CPP } from '../../../src/catalog/engines/llama-cpp';
import type { Pod } from '../harness/pod';

const { path = '', names = {} } = LLAMA_CPP.metrics ?? {};

/** The names of metrics of the profile. */
export const NAMES: readonly string[] = Object.values(names).map(({ name }) => name);

/** What an engine says of itself by the metrics that the profile names. Not a number: it has no such metric. */
export interface EngineLoad {
  readonly running: number;
  readonly waiting: number;
  readonly tokensIn: number;
  readonly tokensOut: number;

  /** Names of the profile that the engine lacks. */
  readonly missing: readonly string[];
}

/** The load of an engine, at the path that the profile names. */
export async function loadOf(pod: Pod): Promise<EngineLoad> {
  const { body } = await pod.ask(path);
  const series = new Map([...body.matchAll(/^([a-z_:]+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
  const value = (measure: keyof typeof names): number => series.get(names[measure]?.name) ?? NaN;
  return {
    running: value('running'),
    waiting: value('waiting'),
    tokensIn: value('tokensIn'),
    tokensOut: value('tokensOut'),
    missing: NAMES.filter((name) => !series.has(name)),
  };
}
