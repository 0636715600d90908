// Both serve only to serialize functions, and take most of the time that @pulumi/pulumi takes to load.
jest.mock('typescript', () => ({}));
jest.mock('@npmcli/arborist', () => ({}));

import * as pulumi from '@pulumi/pulumi';
import { madeState } from './cloud-outputs';

/** What a program registers, as the engine is told. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;

  /** `type name`, as all references here. Empty for what has no parent. */
  readonly parent: string;

  /** The provider that it names. Empty for none. */
  readonly provider: string;
  readonly dependsOn: readonly string[];

  /** Secrets are `{ secret: value }`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly ignoreChanges: readonly string[];

  /** Parents that it had before. */
  readonly formerParents: readonly string[];

  /** How long its creation may take. Empty: as long as the provider says. */
  readonly createTimeout: string;
}

/** The request of a registration, as far as it is read here. */
interface Request {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly parent: string;
  readonly provider: string;
  readonly dependenciesList: readonly string[];
  readonly retainondelete: boolean;
  readonly deletebeforereplace: boolean;
  readonly ignorechangesList: readonly string[];
  readonly aliasesList: readonly { readonly spec?: { readonly parenturn: string } }[];
  readonly customtimeouts?: { readonly create: string };
}

interface Message {
  toObject(includeInstance: false): Request;
  getObject(): { toJavaScript(): Record<string, unknown> };
}

/** The mark of a secret on the wire, by which the SDK and the engine know it. */
const SIGNATURE = '4dabf18193072939515e22adb298388d';

/** Runs a program on mocks and returns everything that it registers, in order. */
export async function record(
  program: () => unknown,
  project = 'fleetwright',
  preview = false,
): Promise<Registered[]> {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => ({ id: `${name}-id`, state: madeState(type, name, inputs) }),
      call: ({ token }) => {
        throw new Error(`nothing may be asked for while a program is planned: ${token}`);
      },
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
  // The SDK reads a stack trace for every promise that it keeps, and Jest looks up the source of each of its lines:
  // that is half the time of these tests.
  const { prepareStackTrace } = Error;
  Object.assign(Error, { prepareStackTrace: String });
  try {
    await pulumi.runtime.runInPulumiStack(async () => void (await program()));
  } finally {
    Object.assign(Error, { prepareStackTrace });
    await pulumi.runtime.disconnect();
  }
  return messages.map(registered);
}

function registered(message: Message): Registered {
  const told = message.toObject(false);
  const { type, name, custom, parent, provider } = told;
  return {
    type,
    name,
    custom,
    parent: shown(parent),
    provider: shown(provider.replace(/::[^:]*$/, '')),
    dependsOn: told.dependenciesList.map(shown).toSorted(),
    inputs: readable(message.getObject().toJavaScript()) as Record<string, unknown>,
    retainOnDelete: told.retainondelete,
    deleteBeforeReplace: told.deletebeforereplace,
    ignoreChanges: told.ignorechangesList,
    formerParents: told.aliasesList.map(({ spec }) => shown(spec?.parenturn ?? '')),
    createTimeout: told.customtimeouts?.create ?? '',
  };
}

/** `type name` of a URN: `urn:pulumi:test::fleetwright::Parent$type::name`. */
function shown(urn: string): string {
  if (urn === '') return '';
  const [, , types = '', name = ''] = urn.split('::');
  return `${types.split('$').at(-1)} ${name}`;
}

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  if (SIGNATURE in value && 'value' in value) return { secret: readable(value.value) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)]));
}
