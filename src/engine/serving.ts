import type { Engine } from '../api/engine';
import type { HealthCheck } from '../api/health-check';
import { secondsOf } from '../api/seconds';
import type { EngineProfile } from '../catalog/engines/profile';
import { ROUTING_SIDECAR } from '../catalog/engines/routing-sidecar';
import { takesArguments } from './additions';
import { given, type Reading, readContainer } from './arguments';
import { profileOf, servingMember } from './recognise';
import type { Runs } from './runs';

/** Where an engine answers, and how it is asked whether it is well. */
export interface Serving {
  /** The port that clients reach: that of the engine, or of the sidecar before it. */
  readonly port: number;

  /** The port on which the engine itself listens. */
  readonly enginePort: number;

  /** Absent where nobody asks. */
  readonly health?: Health;

  /** Where Prometheus finds the metrics of the engine, on its own port. */
  readonly metricsPath?: string;
}

/** How an engine is asked: what the deployment declares, field by field, before what its runtime has. */
export interface Health {
  readonly startupPath: string;
  readonly readinessPath: string;

  /** Absent: the port of the engine. */
  readonly port?: number;

  /** All times in seconds. */
  readonly interval: number;
  readonly timeout: number;
  readonly initialDelay: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
}

/**
 * Where an engine of a deployment answers. Ports that nobody can read count as the default of the runtime.
 *
 * @example
 * servingOf(deployment, engine).health?.readinessPath; // '/health'
 */
export function servingOf(deployment: Runs, engine: Engine): Serving {
  const { profile } = profileOf(deployment, engine);
  const reading = readingOf(deployment, engine);
  const own = portGiven(reading) ?? declaredPort(deployment, profile);
  const { healthCheck } = deployment.spec.template.spec;
  const health = healthOf(healthCheck, profile);
  const filled = takesArguments(reading) && profile.port.flags.length > 0 ? phasePort(engine) : undefined;
  const enginePort = own ?? filled ?? profile.port.default;
  return {
    port: engine.phase === 'Decode' ? ROUTING_SIDECAR.port : enginePort,
    enginePort,
    ...(health && { health }),
    ...(profile.metrics && { metricsPath: profile.metrics.path }),
  };
}

/**
 * The port that an engine of a pair is given where the user gives it none: both engines answer on one, for decode
 * that of the sidecar, with the engine behind it.
 */
export function phasePort({ phase }: Engine): number | undefined {
  if (!phase) return undefined;
  return phase === 'Decode' ? ROUTING_SIDECAR.enginePort : ROUTING_SIDECAR.port;
}

/** What the container that answers requests tells its engine. */
export function readingOf(deployment: Runs, engine: Engine): Reading {
  const [container] = servingMember(engine).template.spec.containers;
  return readContainer(container, profileOf(deployment, engine).profile);
}

/** The port that the user gave an engine, if it is one. A variable may hold an address with a port. */
export function portGiven(reading: Reading): number | undefined {
  const value = given(reading, reading.profile.port)?.value;
  const [, digits] = /^(?:.*:)?(\d{1,5})$/.exec(value ?? '') ?? [];
  return digits === undefined || !isPort(Number(digits)) ? undefined : Number(digits);
}

/** Whether a number is one of a port. */
export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** Of a runtime that we know nothing of, the health check is the only word about where it listens. */
function declaredPort({ spec }: Runs, { runtime }: EngineProfile): number | undefined {
  return runtime === 'Custom' ? spec.template.spec.healthCheck.port : undefined;
}

const INTERVAL = 10;
const UNHEALTHY_THRESHOLD = 3;

function healthOf(declared: HealthCheck, { health, healthTimeout }: EngineProfile): Health | undefined {
  const { enabled, path, port, interval, timeout, initialDelay } = declared;
  const startupPath = path ?? health?.startup;
  const readinessPath = path ?? health?.readiness;
  if (enabled === false || startupPath === undefined || readinessPath === undefined) return undefined;
  return {
    startupPath,
    readinessPath,
    ...(port !== undefined && { port }),
    interval: Math.max(1, seconds(interval, INTERVAL)),
    timeout: Math.max(1, seconds(timeout, healthTimeout)),
    initialDelay: seconds(initialDelay, 0),
    healthyThreshold: declared.healthyThreshold ?? 1,
    unhealthyThreshold: declared.unhealthyThreshold ?? UNHEALTHY_THRESHOLD,
  };
}

function seconds(value: string | undefined, otherwise: number): number {
  return value === undefined ? otherwise : secondsOf(value);
}
