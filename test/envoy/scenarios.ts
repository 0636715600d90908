import type { Scenario } from './scenario';
import { credentials } from './scenarios/credentials';
import { death } from './scenarios/death';
import { direct } from './scenarios/direct';
import { failover } from './scenarios/failover';
import { loading } from './scenarios/loading';
import { modelName } from './scenarios/model-name';
import { partlyReady } from './scenarios/partly-ready';
import { refusals } from './scenarios/refusals';
import { split } from './scenarios/split';
import { stream } from './scenarios/stream';

/** Everything that is tried, in the order in which it is. */
export const SCENARIOS: readonly Scenario[] = [
  stream,
  split,
  refusals,
  direct,
  credentials,
  modelName,
  loading,
  partlyReady,
  death,
  failover,
];
