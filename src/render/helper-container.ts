import type { EngineContainer, HelperContainer, InitContainer } from '../api/pod/container';
import type { JsonObject } from './manifest';

/** Fields of the engine's container that a user sets as they are. Where we set one too, the user's wins. */
const PASSED = [
  'imagePullPolicy',
  'workingDir',
  'envFrom',
  'startupProbe',
  'readinessProbe',
  'livenessProbe',
] as const satisfies readonly (keyof EngineContainer)[];

/**
 * The engine's container with what its user says beyond image, command, arguments, variables and resources.
 *
 * @param given variables that it has unless its user sets them. They stand first: others may refer to them
 */
export function customizedEngine(
  ours: JsonObject,
  own: EngineContainer,
  given: readonly JsonObject[],
): JsonObject {
  const { lifecycle, securityContext, volumeMounts = [] } = own;
  const taken = new Set<unknown>(volumeMounts.map(({ mountPath }) => mountPath));
  const kept = ((ours['volumeMounts'] ?? []) as readonly JsonObject[]).filter(
    ({ mountPath }) => !taken.has(mountPath),
  );
  const set = (ours['env'] ?? []) as readonly JsonObject[];
  const missing = given.filter(({ name }) => !set.some((variable) => variable['name'] === name));
  return {
    ...ours,
    ...(missing.length > 0 && { env: [...missing, ...set] }),
    ...Object.fromEntries(PASSED.filter((key) => own[key] !== undefined).map((key) => [key, own[key]])),
    ...(lifecycle && { lifecycle: { ...(ours['lifecycle'] as JsonObject | undefined), ...lifecycle } }),
    securityContext: { ...(ours['securityContext'] as JsonObject | undefined), ...securityContext },
    volumeMounts: [...kept, ...volumeMounts],
  };
}

/** A container of the user's beside the engine, or before it, as it was written: what is empty is left out. */
export function helper({ env, resources, ...container }: HelperContainer | InitContainer): JsonObject {
  const amounts = Object.entries(resources).filter(([, some]) => Object.keys(some).length > 0);
  return {
    ...container,
    ...(env.length > 0 && { env }),
    ...(amounts.length > 0 && { resources: Object.fromEntries(amounts) }),
  };
}
