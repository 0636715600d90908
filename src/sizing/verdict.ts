import { formatCount } from '../base/figures';
import type { GibRange } from '../catalog/engine-overheads';
import { bytesOfRequests, type KvCache, type KvPlan, computeLongestRequest } from './kv-cache';
import type { ServingOptions } from './serving-options';
import { GIB, type Layout } from './weights';

/** `tight`: inside the range of what the engine takes, or a part is not known. */
export type Verdict = 'fits' | 'tight' | 'no';

interface Judged {
  readonly cache: KvPlan;
  readonly layout: Layout;
  readonly options: ServingOptions;

  /** Why the layout cannot divide the model. */
  readonly misfit: string | undefined;
  readonly usableGiB: number;
  readonly weightsGiBPerGpu: number | null;
  readonly overheadGiBPerGpu: GibRange;
  readonly kvGiBPerGpu: GibRange;
  readonly concurrency: GibRange | null;
}

interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Decides whether a layout holds the wanted requests, and names the number that decides. */
export function judge(one: Judged): Judgement {
  const { misfit, cache, weightsGiBPerGpu: weights, usableGiB, kvGiBPerGpu: kv } = one;
  if (misfit !== undefined) return { verdict: 'no', reason: misfit };
  if (weights === null) return { verdict: 'tight', reason: 'the weights of the model are not known' };
  if (weights >= usableGiB) {
    return {
      verdict: 'no',
      reason: `weights of ${formatGiB(weights)} a GPU exceed the usable ${formatGiB(usableGiB)}`,
    };
  }
  if (kv.high <= 0) {
    const left = formatGiB(usableGiB - weights);
    const reason = `${left} a GPU are left after the weights, and the engine needs at least ${formatGiB(one.overheadGiBPerGpu.low)}`;
    return { verdict: 'no', reason };
  }
  if (cache === 'none') return judgeEncoder(kv);
  if (cache === 'unknown') {
    return {
      verdict: 'tight',
      reason: `weights fit; how many tokens the ${formatGiB(kv.expected)} of KV cache a GPU hold is not known`,
    };
  }
  return judgeRequests(one, cache);
}

function judgeEncoder({ low, expected }: GibRange): Judgement {
  if (low > 0) return { verdict: 'fits', reason: `${formatGiB(low)} a GPU stay free; the model needs no KV cache` };
  return { verdict: 'tight', reason: `between ${formatGiB(low)} and ${formatGiB(expected)} a GPU stay free` };
}

function judgeRequests({ kvGiBPerGpu: kv, concurrency, layout, options }: Judged, cache: KvCache): Judgement {
  const { context, concurrency: wanted } = options;
  const need = bytesOfRequests(cache, Math.ceil(wanted / layout.dp), context) / GIB;
  const held = concurrency ?? { low: 0, expected: 0, high: 0 };
  const numbers = `${requests(wanted)} of ${formatCount(context)} tokens ${wanted === 1 ? 'needs' : 'need'} ${formatGiB(need)} of KV cache a GPU`;
  if (kv.low >= need) {
    return { verdict: 'fits', reason: `at least ${requests(held.low)} of ${formatCount(context)} tokens fit at once` };
  }
  const between = `between ${formatGiB(Math.max(0, kv.low))} and ${formatGiB(kv.high)} are available`;
  if (kv.high >= need) return { verdict: 'tight', reason: `${numbers}, ${between}` };
  const longest = computeLongestRequest(cache, kv.high * GIB, context);
  if (longest < context) {
    const most = longest > 0 ? `at most ${formatCount(longest)} tokens do` : 'no request does';
    return { verdict: 'no', reason: `a request of ${formatCount(context)} tokens does not fit: ${most}` };
  }
  return { verdict: 'no', reason: `${numbers}, at most ${formatGiB(kv.high)} are available` };
}

/** An amount of memory: `41.2 GiB`. */
export function formatGiB(value: number): string {
  return `${value.toFixed(value < 0.095 && value > 0 ? 2 : 1)} GiB`;
}

function requests(count: number): string {
  const whole = Math.floor(count);
  return `${formatCount(whole)} ${whole === 1 ? 'request' : 'requests'}`;
}
