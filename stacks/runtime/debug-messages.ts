import { log } from '@pulumi/pulumi';

/**
 * Keeps debug messages of the SDK from the engine. The SDK sends three for each resource, one after the other, one of
 * them with everything that the engine answered: in a large stack they take a third of the time. `pulumi up --debug`
 * is the only place that shows them, so an environment variable brings them back.
 */
export function dropDebugMessages(env: NodeJS.ProcessEnv): void {
  if (env['FLEETWRIGHT_PULUMI_DEBUG']) return;
  // The SDK calls the function of its public module. Where a later version does not, messages are sent as before.
  const { writable = false } = Object.getOwnPropertyDescriptor(log, 'debug') ?? {};
  if (writable) Object.assign(log, { debug: () => Promise.resolve() });
}
