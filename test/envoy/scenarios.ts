import type { Scenario } from './scenario';
import { adapters } from './scenarios/adapters';
import { credentials } from './scenarios/credentials';
import { crowd } from './scenarios/crowd';
import { death } from './scenarios/death';
import { direct } from './scenarios/direct';
import { failover } from './scenarios/failover';
import { hidden } from './scenarios/hidden';
import { loading } from './scenarios/loading';
import { modelName } from './scenarios/model-name';
import { partlyReady } from './scenarios/partly-ready';
import { picking } from './scenarios/picking';
import { refusals } from './scenarios/refusals';
import { sessions } from './scenarios/sessions';
import { smoke } from './scenarios/smoke';
import { split } from './scenarios/split';
import { stream } from './scenarios/stream';
import { tokens } from './scenarios/tokens';
import { webSocket } from './scenarios/web-socket';

/** Everything that is tried, in the order in which it is. */
export const SCENARIOS: readonly Scenario[] = [
  stream,
  split,
  refusals,
  direct,
  credentials,
  modelName,
  adapters,
  hidden,
  tokens,
  webSocket,
  smoke,
  crowd,
  loading,
  picking,
  sessions,
  partlyReady,
  death,
  failover,
];
