import type { Engine } from '../api/engine';
import { pairPhaseOf } from '../api/engine-phases';
import type { EngineHealthCheck } from '../api/health-check';
import { parseDuration } from '../base/duration';
import type { EngineProfile } from '../catalog/engines/engine-profile';
import { ROUTING_SIDECAR } from '../catalog/llm-d/routing-sidecar';
import { type ContainerSettings, findSetting, readContainerSettings, takesArguments } from './container-settings';
import { profileOf, type RunnableDeployment, servingMemberOf } from './runtime-detection';

/** The ports and the health check of an engine. */
export interface EngineServing {
  /** The port that clients connect to: that of the engine, or of its proxy sidecar. */
  readonly port: number;

  /** The port on which the engine itself listens. */
  readonly enginePort: number;

  /** The name of the port of the engine in its pod. Absent: Fleetwright chooses it. */
  readonly portName?: string;

  /** Absent if the engine has no health check. */
  readonly health?: EngineHealth;

  /** The path of the metrics of the engine for Prometheus, on its own port. */
  readonly metricsPath?: string;
}

/**
 * The health check of an engine. For each field, the declaration of the deployment comes before the default of the
 * runtime.
 */
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
 * The ports and the health check of an engine of a deployment. A port that cannot be read counts as the default of
 * the runtime.
 *
 * @example
 * servingOf(deployment, engine).health?.readinessPath; // '/health'
 */
export function servingOf(deployment: RunnableDeployment, engine: Engine): EngineServing {
  const { profile } = profileOf(deployment, engine);
  const settings = containerSettingsOf(deployment, engine);
  const { healthCheck } = deployment.spec.template.spec;
  const health = healthOf(healthCheck, profile);
  // For an unknown runtime, only the health check states the port.
  const declaredPort = findPort(settings) ?? (profile.runtime === 'Custom' ? healthCheck.port : undefined);
  const phasePort = takesArguments(settings) && profile.port.flags.length > 0 ? phasePortOf(engine) : undefined;
  const enginePort = declaredPort ?? phasePort ?? profile.port.default;
  const port = pairPhaseOf(engine) === 'Decode' ? ROUTING_SIDECAR.port : enginePort;
  return {
    port,
    enginePort,
    ...(profile.portName !== undefined && { portName: profile.portName }),
    ...(health && { health }),
    ...(profile.metrics && { metricsPath: profile.metrics.path }),
  };
}

/**
 * The default port of an engine of a prefill and decode pair, which both engines serve on. For decode, the sidecar
 * has that port, and the engine listens on another one behind it.
 */
export function phasePortOf(engine: Engine): number | undefined {
  const phase = pairPhaseOf(engine);
  if (!phase) return undefined;
  return phase === 'Decode' ? ROUTING_SIDECAR.enginePort : ROUTING_SIDECAR.port;
}

/** The settings in the container of the member that serves requests. */
export function containerSettingsOf(deployment: RunnableDeployment, engine: Engine): ContainerSettings {
  const [container] = servingMemberOf(engine).template.spec.containers;
  return readContainerSettings(container, profileOf(deployment, engine).profile);
}

/** The valid port that the user gave an engine, if any. A variable may hold an address with a port. */
export function findPort(settings: ContainerSettings): number | undefined {
  const value = findSetting(settings, settings.profile.port)?.value;
  const port = Number(/^(?:.*:)?(\d{1,5})$/.exec(value ?? '')?.[1]);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

const DEFAULT_INTERVAL = 10;
const DEFAULT_UNHEALTHY_THRESHOLD = 3;

function healthOf(declared: EngineHealthCheck, { health, healthTimeout }: EngineProfile): EngineHealth | undefined {
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

/** Whether an address is reachable only from its own pod. A variable may hold it with a port. */
export function isLoopback(address: string): boolean {
  const host = address.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
