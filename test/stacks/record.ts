import * as pulumi from '@pulumi/pulumi';
import { API_OPTIONS } from '../../stacks/checks/cluster-checks';
import { answerOf, madeState } from './cloud-outputs';
import { type Message, registered, type Registered } from './registered';

export type { Registered } from './registered';

/** Leaves out the warnings that no cluster of mocks can be asked for waves. Other warnings are printed. */
export function ignoreUnaskedClusters(): void {
  const { warn } = console;
  beforeAll(() => {
    // Not a spy, so that tests can spy on it.
    Object.assign(console, {
      warn: (...said: unknown[]): void => {
        if (!String(said[0]).includes('replicas are not replaced in waves')) warn(...said);
      },
    });
  });
  afterAll(() => void Object.assign(console, { warn }));
}

/** Runs a program on mocks and returns everything that it registers, in order. */
export async function record(program: () => unknown, project = 'fleetwright', preview = false): Promise<Registered[]> {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => ({ id: `${name}-id`, state: madeState(type, name, inputs) }),
      call: ({ token }) => answerOf(token),
    },
    project,
    'test',
    preview,
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as {
    registerResource(message: Message, callback: unknown): unknown;
  };
  const messages: Message[] = [];
  const original = monitor.registerResource.bind(monitor);
  monitor.registerResource = (message, callback) => {
    messages.push(message);
    return original(message, callback);
  };
  // The SDK takes and reads a stack trace for every promise that it keeps, and Jest looks up the source of each of its
  // lines: that is half the time of these tests.
  const { prepareStackTrace, stackTraceLimit } = Error;
  // Kubeconfigs of clouds name programs that fetch credentials, which some machines have: no cluster is asked here.
  const env: Record<string, string | undefined> = API_OPTIONS.env;
  const { PATH } = env;
  env['PATH'] = '';
  // No cluster of mocks answers a second request either.
  const { pauses } = API_OPTIONS;
  Object.assign(API_OPTIONS, { pauses: [] });
  Object.assign(Error, { prepareStackTrace: String, stackTraceLimit: 0 });
  try {
    await pulumi.runtime.runInPulumiStack(async () => void (await program()));
  } finally {
    await pulumi.runtime.disconnect();
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
    env['PATH'] = PATH;
    Object.assign(API_OPTIONS, { pauses });
  }
  return messages.map(registered);
}
