/** What a program registers, as the engine is reported. */
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

/** A registration on its way to the engine. */
export interface Message {
  toObject(includeInstance: false): Request;
  getObject(): { toJavaScript(): Record<string, unknown> };
}

/** The mark of a secret on the wire, by which the SDK and the engine know it. */
const SIGNATURE = '4dabf18193072939515e22adb298388d';

/** What a message says. */
export function registered(message: Message): Registered {
  const reported = message.toObject(false);
  const { type, name, custom, parent, provider } = reported;
  return {
    type,
    name,
    custom,
    parent: shown(parent),
    provider: shown(provider.replace(/::[^:]*$/, '')),
    dependsOn: reported.dependenciesList.map(shown).toSorted(),
    inputs: readable(message.getObject().toJavaScript()) as Record<string, unknown>,
    retainOnDelete: reported.retainondelete,
    deleteBeforeReplace: reported.deletebeforereplace,
    ignoreChanges: reported.ignorechangesList,
    formerParents: reported.aliasesList.map(({ spec }) => shown(spec?.parenturn ?? '')),
    createTimeout: reported.customtimeouts?.create ?? '',
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
