import { quoteShellWord } from '../base/text';
import type { Load } from './carried-load';
import type { MeasuredSubject } from './measured-speed';

/** How a load is measured on one replica, and where the result goes. */
export interface Measurement {
  readonly subject: MeasuredSubject;
  readonly load: Omit<Load, 'requestsPerSecond'>;

  /** Requests at once. */
  readonly concurrency: number;

  /** The directory of the fleet. */
  readonly directory: string;
}

/** Enough requests that start and end of a run count little. */
const REQUESTS_EACH = 10;
const FEWEST_REQUESTS = 100;

/** Outside the folder of the fleet, which reads each JSON file in it as manifests. */
const FOLDER = '/tmp';

/** The commands that measure one replica at an address of it, and add the result to the model catalog of a fleet. */
export function measureCommands({ subject, load, concurrency, directory }: Measurement): readonly [string, string] {
  const { model, gpu, layout } = subject;
  const name = quoteShellWord(model.repository);
  const file = `run-${concurrency}.json`;
  const requests = Math.max(FEWEST_REQUESTS, REQUESTS_EACH * concurrency);
  const measure = [
    `vllm bench serve --base-url http://localhost:8000 --model ${name} --dataset-name random`,
    `--random-input-len ${load.inputTokens} --random-output-len ${load.outputTokens} --ignore-eos`,
    `--num-prompts ${requests} --max-concurrency ${concurrency} --save-result`,
    `--result-dir ${FOLDER} --result-filename ${file}`,
  ];
  return [
    measure.join(' '),
    `fleetwright fit ${name} ${quoteShellWord(directory)} --gpu ${quoteShellWord(gpu)} ${formatLayoutFlags(layout)} --measured ${FOLDER}/${file}`,
  ];
}

/** A layout as flags of `fleetwright fit`. */
function formatLayoutFlags({ tp, pp, dp }: MeasuredSubject['layout']): string {
  return [`--tp ${tp}`, ...(pp > 1 ? [`--pp ${pp}`] : []), ...(dp > 1 ? [`--dp ${dp}`] : [])].join(' ');
}

/** Engines are at their fastest with far fewer requests at once. */
const MOST_AT_ONCE = 256;

/** The requests at once to measure with: the wanted number from 2 on, else as many of the load as are expected to fit. */
export function chooseConcurrency(wanted: number, fitting = 1): number {
  return wanted > 1 ? wanted : Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(fitting)));
}
