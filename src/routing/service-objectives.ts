import { acceptsRequests, pairPhaseOf } from '../api/engine-phases';
import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { parseLatency, SLO_QUANTILES, type SloQuantile } from '../api/latency-bounds';
import type { Slo } from '../api/slo';
import type { EngineMetric } from '../catalog/engines/engine-metrics';
import { LATENCIES, type Latency, RECORDED_QUANTILES } from '../catalog/recording-rules';
import { profileOf } from '../engine/runtime-detection';

/** The bound of a quantile of a latency. */
export interface LatencyObjective {
  readonly latency: Latency;
  readonly quantile: SloQuantile;

  /** As declared: `500ms`. */
  readonly bound: string;

  /** In seconds. */
  readonly seconds: number;
}

/** What a service guarantees. */
export interface Objectives {
  readonly latencies: readonly LatencyObjective[];

  /** The part of requests without an error of the server: 0.995. */
  readonly availability?: number;
}

/** Lists the objectives of a service, in the order of LATENCIES and SLO_QUANTILES. */
export function objectivesOf(slo: Slo): Objectives {
  const latencies = LATENCIES.flatMap((latency) =>
    SLO_QUANTILES.flatMap((quantile): LatencyObjective[] => {
      const bound = slo[latency]?.[quantile];
      return bound === undefined ? [] : [{ latency, quantile, bound, seconds: parseLatency(bound) }];
    }),
  );
  return { latencies, ...(slo.availability !== undefined && { availability: slo.availability / 100 }) };
}

/** The part of requests that may miss an objective. */
export function budgetOf({ quantile }: LatencyObjective): number {
  return Number((1 - RECORDED_QUANTILES[quantile]).toFixed(6));
}

/** The engine of a pair that sees a latency of clients. The time to first token is that of the prompt. */
const PHASE: Readonly<Record<Latency, 'Prefill' | 'Decode'>> = {
  ttft: 'Prefill',
  interTokenLatency: 'Decode',
  endToEndLatency: 'Decode',
};

/** The engines of a deployment that measure a latency of its clients, with their histogram, if they have one. */
export function measuringEnginesOf(
  deployment: ModelDeployment,
  latency: Latency,
): readonly { readonly engine: Engine; readonly runtime: string; readonly metric?: EngineMetric }[] {
  return deployment.spec.template.spec.engines
    .filter((engine) => acceptsRequests(engine) && [undefined, PHASE[latency]].includes(pairPhaseOf(engine)))
    .map((engine) => {
      const { profile } = profileOf(deployment, engine);
      const metric = profile.metrics?.names?.[latency];
      return { engine, runtime: profile.title, ...(metric && { metric }) };
    });
}
