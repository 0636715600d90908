import type { Engine } from '../api/engine';
import type { EngineHealthCheck } from '../api/health-check';
import { parseDuration } from '../base/duration';
import type { EngineProfile } from '../catalog/engines/engine-profile';
import { ROUTING_SIDECAR } from '../catalog/llm-d/routing-sidecar';
import {
  type ContainerSettings,
  findSetting,
  readContainerSettings,
  takesArguments,
} from './container-settings';
import { profileOf, type RunnableDeployment, servingMemberOf } from './runtime-detection';

/** Where an engine answers, and how it is asked whether it is well. */
export interface EngineServing {
  /** The port that clients reach: that of the engine, or of the sidecar before it. */
  readonly port: number;

  /** The port on which the engine itself listens. */
  readonly enginePort: number;

  /** Absent where nobody asks. */
  readonly health?: EngineHealth;

  /** Where Prometheus finds the metrics of the engine, on its own port. */
  readonly metricsPath?: string;
}

/** How an engine is asked: what the deployment declares, field by field, before what its runtime has. */
export interface EngineHealth {
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
export function servingOf(deployment: RunnableDeployment, engine: Engine): EngineServing {
  const { profile } = profileOf(deployment, engine);
  const reading = containerSettingsOf(deployment, engine);
  const own = findPort(reading) ?? declaredPortOf(deployment, profile);
  const { healthCheck } = deployment.spec.template.spec;
  const health = healthOf(healthCheck, profile);
  const filled = takesArguments(reading) && profile.port.flags.length > 0 ? phasePortOf(engine) : undefined;
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
export function phasePortOf({ phase }: Engine): number | undefined {
  if (!phase) return undefined;
  return phase === 'Decode' ? ROUTING_SIDECAR.enginePort : ROUTING_SIDECAR.port;
}

/** What the container that answers requests tells its engine. */
export function containerSettingsOf(deployment: RunnableDeployment, engine: Engine): ContainerSettings {
  const [container] = servingMemberOf(engine).template.spec.containers;
  return readContainerSettings(container, profileOf(deployment, engine).profile);
}

/** The port that the user gave an engine, if it is one. A variable may hold an address with a port. */
export function findPort(reading: ContainerSettings): number | undefined {
  const value = findSetting(reading, reading.profile.port)?.value;
  const [, digits] = /^(?:.*:)?(\d{1,5})$/.exec(value ?? '') ?? [];
  return digits === undefined || !isPortNumber(Number(digits)) ? undefined : Number(digits);
}

/** Whether a number is one of a port. */
export function isPortNumber(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** Of a runtime that we know nothing of, the health check is the only word about where it listens. */
function declaredPortOf({ spec }: RunnableDeployment, { runtime }: EngineProfile): number | undefined {
  return runtime === 'Custom' ? spec.template.spec.healthCheck.port : undefined;
}

const DEFAULT_INTERVAL = 10;
const DEFAULT_UNHEALTHY_THRESHOLD = 3;

function healthOf(
  declared: EngineHealthCheck,
  { health, healthTimeout }: EngineProfile,
): EngineHealth | undefined {
  const { enabled, path, port, interval, timeout, initialDelay } = declared;
  const startupPath = path ?? health?.startup;
  const readinessPath = path ?? health?.readiness;
  if (enabled === false || startupPath === undefined || readinessPath === undefined) return undefined;
  return {
    startupPath,
    readinessPath,
    ...(port !== undefined && { port }),
    interval: Math.max(1, toSeconds(interval, DEFAULT_INTERVAL)),
    timeout: Math.max(1, toSeconds(timeout, healthTimeout)),
    initialDelay: toSeconds(initialDelay, 0),
    healthyThreshold: declared.healthyThreshold ?? 1,
    unhealthyThreshold: declared.unhealthyThreshold ?? DEFAULT_UNHEALTHY_THRESHOLD,
  };
}

function toSeconds(value: string | undefined, otherwise: number): number {
  return value === undefined ? otherwise : parseDuration(value);
}

/** Whether an address is reached from its own pod only. A variable may hold it with a port. */
export function isLoopback(address: string): boolean {
  const host = address.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
