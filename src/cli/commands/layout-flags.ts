import { attemptAll } from '../../base/attempt';
import { joinNames } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import type { Load } from '../../sizing/carried-load';
import { expertRanksOf } from '../../sizing/layout-rules';
import type { Layout } from '../../sizing/weights';
import { commandError } from '../command-error';
import { type FitFlags, parseCount } from './fit-flags';

/** Reads `--tp`, `--pp`, `--dp` and `--ep`: one layout. Undefined without these flags. */
export function parseLayoutFlags(flags: FitFlags, model: ModelRow): Omit<Layout, 'nodes'> | undefined {
  if ([flags.tp, flags.pp, flags.dp, flags.ep].every((text) => text === undefined)) return undefined;
  const { tp, pp, dp, ep } = parseRankFlags(flags);
  if (flags.ep === undefined) return { tp, pp, dp, ep: expertRanksOf(model, { tp, dp }) };
  const ranks = tp * dp;
  if (!model.experts && ep > 1) {
    throw commandError('bad-flag', '--ep', `${model.repository} has no experts to distribute`, 'Remove the flag');
  }
  if (ranks % ep !== 0) {
    const what = `EP ${ep} does not divide the ${ranks} GPUs of TP ${tp} x DP ${dp}`;
    throw commandError('bad-flag', '--ep', what, `Use ${ranks}, or another divisor of it`);
  }
  return { tp, pp, dp, ep };
}

type Ranks = Omit<Layout, 'nodes'>;

/** Reads `--tp`, `--pp`, `--dp` and `--ep`, each 1 if it is not given. */
export function parseRankFlags(flags: FitFlags): Ranks {
  return attemptAll<Ranks>({
    tp: () => parseRanks('--tp', flags.tp),
    pp: () => parseRanks('--pp', flags.pp),
    dp: () => parseRanks('--dp', flags.dp),
    ep: () => parseRanks('--ep', flags.ep),
  });
}

/** The most GPUs of a replica in one direction. */
const MOST_RANKS = 1024;

function parseRanks(flag: string, text: string | undefined): number {
  const value = text === undefined ? 1 : parseCount(flag, text);
  if (value <= MOST_RANKS) return value;
  throw commandError('bad-flag', flag, `'${text}' is more than ${MOST_RANKS}`, 'Name the ranks of one replica');
}

/** The flags of a load, in the order in which messages name them. */
const LOAD_FLAGS = ['--requests-per-second', '--input-tokens', '--output-tokens'];

/** Reads the three flags of a load. Undefined without these flags. */
export function parseLoadFlags({ requestsPerSecond, inputTokens, outputTokens }: FitFlags): Load | undefined {
  const given = [requestsPerSecond, inputTokens, outputTokens];
  const missing = LOAD_FLAGS.filter((_, i) => given[i] === undefined);
  if (missing.length === LOAD_FLAGS.length) return undefined;
  if (requestsPerSecond === undefined || inputTokens === undefined || outputTokens === undefined) {
    const first = LOAD_FLAGS.find((flag) => !missing.includes(flag)) ?? '';
    const what = `a load also needs ${joinNames(missing, missing.length, ' and ')}`;
    throw commandError(
      'bad-flag',
      first,
      what,
      "Name all three: '--requests-per-second 20 --input-tokens 1000 --output-tokens 200'",
    );
  }
  return attemptAll<Load>({
    requestsPerSecond: () => parseRate('--requests-per-second', requestsPerSecond),
    inputTokens: () => parseCount('--input-tokens', inputTokens),
    outputTokens: () => parseCount('--output-tokens', outputTokens),
  });
}

const MOST_REQUESTS = 1_000_000;

function parseRate(flag: string, text: string): number {
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= MOST_REQUESTS) return value;
  const what = `'${text}' is not a number above 0 and up to ${MOST_REQUESTS}`;
  throw commandError('bad-flag', flag, what, "Write the requests of a second: '20' or '0.5'");
}
