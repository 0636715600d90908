import { runCommandLine } from '../../src/cli/run';
import type { FitDocument } from '../../src/cli/json-documents';
import { qualifiedNameOf } from '../../src/api/resource';
import { formatCount } from '../../src/base/figures';
import type { Decision } from '../../src/plan/decision';
import { memoryBookOf } from '../../src/plan/engine-memory';
import { poolOf } from '../../src/scheduler/placement';
import type { Verdict } from '../../src/sizing/verdict';
import { formatGiB } from '../../src/sizing/verdict';
import type { Recipe } from './read-recipe';

/** The memory of an engine of a recipe, as sizing expects it. */
export interface RecipeMemory {
  readonly engine: string;
  readonly verdict: Verdict;
  readonly reason: string;

  /** What is expected, in words. */
  readonly words: string;
}

/** The parts of a sized layout that describe it. */
interface Sized {
  readonly gpu: string;
  readonly gpuMemoryGiB: number;
  readonly context: number;
  readonly weightsGiBPerGpu: number | null;
  readonly kvGiBPerGpu: { readonly low: number; readonly high: number };
  readonly concurrency: { readonly low: number } | null;
}

/**
 * Sizes the engines of a recipe: as the plan does, or by the command of its field `Sizing` where the plan does not size
 * the engine.
 */
export function sizeRecipe(recipe: Pick<Recipe, 'folder' | 'fields'>, decision: Decision): RecipeMemory[] {
  const command = recipe.fields.get('Sizing');
  return command === undefined ? sizePlaced(decision) : [sizeByCommand(command)];
}

function sizePlaced({ fleet, model, matcher, schedule }: Decision): RecipeMemory[] {
  const book = memoryBookOf(fleet, matcher);
  return fleet.deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const demands = model.deployments.find((one) => one.id === id)?.demand.engines ?? [];
    const placement = schedule.placements.find((one) => one.deployment === id);
    const cluster = model.clusters.find(({ name }) => name === placement?.cluster);
    return deployment.spec.template.spec.engines.flatMap((engine) => {
      const pool = cluster && placement && poolOf(cluster, placement, engine.name);
      const demand = demands.find(({ name }) => name === engine.name);
      const sized = pool ? book.memoryOn({ deployment, engine, demand }, pool.node) : [];
      return sized.map(({ fit, served: { gpu, options } }) => ({
        engine: engine.name,
        verdict: fit.verdict,
        reason: fit.reason,
        words: describe({ ...fit, gpu: gpu.name, gpuMemoryGiB: gpu.memoryGiB, context: options.context }),
      }));
    });
  });
}

function sizeByCommand(command: string): RecipeMemory {
  const [, ...args] = command.split(' ');
  let text = '';
  const out = (part: string): void => void (text += part);
  const code = runCommandLine([...args, '--json'], { out, err: out, terminal: false, env: {}, stdin: () => '' }, '0');
  const { context, rows }: Partial<FitDocument> = code === 0 ? (JSON.parse(text) as FitDocument) : {};
  const [row] = rows ?? [];
  if (!row || context === undefined) throw new Error(`${command}: ${text}`);
  return { engine: '', verdict: row.verdict, reason: row.reason, words: describe({ ...row, context }) };
}

function describe({ gpu, gpuMemoryGiB, context, weightsGiBPerGpu, kvGiBPerGpu: kv, concurrency }: Sized): string {
  const weights = `${formatGiB(weightsGiBPerGpu ?? 0)} of weights on each ${gpu} of ${formatGiB(gpuMemoryGiB)}`;
  if (!concurrency) return `${weights}, no KV cache`;
  const requests = Math.floor(concurrency.low);
  const least = `at least ${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'}`;
  return `${weights}, ${kv.low.toFixed(1)} to ${formatGiB(kv.high)} of KV cache: ${least} of ${formatCount(context)} tokens at once`;
}
