import { formatCount } from '../../base/figures';
import type { EngineMemoryView } from '../../analyze/explain/engine-memory-views';
import { joinNames } from '../../base/text';
import { formatGiB } from '../../sizing/verdict';
import type { Item } from '../document/document';

/** The characters of a bar. */
const WIDTH = 40;

/** Formats the memory of a GPU as a bar, with its figures below it. */
export function formatMemory(view: EngineMemoryView): Item {
  const { model, gpu, gpuMemoryGiB, layout, pools, weightsGiB, overheadGiB, kvGiB, freeGiB } = view;
  const kv = Math.max(0, kvGiB.expected);
  const parts = [
    { sign: '#', giB: weightsGiB, text: `weights ${formatGiB(weightsGiB)}` },
    { sign: '=', giB: kv, text: `KV cache ${formatGiB(kv)}${describeRequests(view)}` },
    { sign: '-', giB: overheadGiB.expected, text: `activations and graphs ${formatGiB(overheadGiB.expected)}` },
    { sign: '.', giB: freeGiB, text: `free ${formatGiB(freeGiB)}` },
  ];
  const legend = parts.map(({ sign, text }) => `${sign} ${text}`).join('  ');
  return {
    text: `memory of a GPU on ${joinNames(pools)}: ${gpu} of ${formatGiB(gpuMemoryGiB)}, ${model}, ${layout}`,
    below: [`[${drawBar(parts, gpuMemoryGiB)}]`, legend],
  };
}

/** Draws each part from where the parts before it end. What exceeds the memory is cut. */
function drawBar(parts: readonly { readonly sign: string; readonly giB: number }[], total: number): string {
  let sum = 0;
  let bar = '';
  for (const { sign, giB } of parts) {
    sum += giB;
    const end = Math.min(WIDTH, Math.round((sum / total) * WIDTH));
    bar += sign.repeat(Math.max(0, end - bar.length));
  }
  return bar;
}

function describeRequests({ kvTokens, concurrency, context }: EngineMemoryView): string {
  if (!kvTokens || !concurrency) return '';
  const count =
    concurrency.expected < 10 ? concurrency.expected.toFixed(1) : formatCount(Math.floor(concurrency.expected));
  return ` (${formatCount(kvTokens.expected)} tokens, ${count} requests of ${formatCount(context)})`;
}
