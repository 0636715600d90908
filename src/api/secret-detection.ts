import { hasKey } from '../base/key-formats';
import { hasSecret, HIDDEN, redact } from '../base/redaction';
import type { EngineMember } from './engine';
import type { ModelDeployment } from './model-deployment';
import type { EngineContainerSpec, HelperContainer, InitContainer } from './pod/container';

/**
 * The location of a likely plain-text secret in a deployment: `variable HF_TOKEN of engine main`. Undefined if there is
 * none. Names of variables, flags, headers and attributes identify a secret, as do the formats of well-known keys. The
 * result never includes the value.
 */
export function findPlainTextSecret({ spec }: ModelDeployment): string | undefined {
  for (const { name, members } of spec.template.spec.engines) {
    for (const { template } of members) {
      const [found] = [...containersOf(template).flatMap(findInContainer), ...findInVolumes(template)];
      if (found) return `${found} of engine ${name}`;
    }
  }
  return hasSecret(JSON.stringify(spec.template)) ? 'a value in the form of a key' : undefined;
}

type Template = EngineMember['template'];
type Container = EngineContainerSpec | HelperContainer | InitContainer;

function containersOf({ spec: { containers, initContainers = [] } }: Template): Container[] {
  return [...containers, ...initContainers];
}

function findInContainer(container: Container): string[] {
  const { command = [], args = [] } = container;
  const actions = actionsOf(container);
  const lines = [[...command, ...args], ...actions.map(({ exec }) => exec?.command ?? [])];
  const headers = actions.flatMap(({ httpGet }) => httpGet?.httpHeaders ?? []);
  const found = [
    ...findSecretsAmong('variable', container.env),
    ...lines.flatMap(findSecretArguments),
    ...findSecretsAmong('header', headers),
  ];
  return container.name === 'engine' ? found : found.map((one) => `${one} of container ${container.name}`);
}

function actionsOf({ startupProbe, readinessProbe, livenessProbe, lifecycle }: Container): Action[] {
  const all = [startupProbe, readinessProbe, livenessProbe, lifecycle?.postStart, lifecycle?.preStop];
  return all.filter((one) => one !== undefined);
}

interface Action {
  readonly exec?: { readonly command: readonly string[] } | undefined;
  readonly httpGet?: { readonly httpHeaders?: readonly Pair[] | undefined } | undefined;
}

interface Pair {
  readonly name: string;
  readonly value?: string | undefined;
}

function findSecretsAmong(noun: string, pairs: readonly Pair[]): string[] {
  return pairs.filter(({ name, value }) => isSecretValue(name, value)).map(({ name }) => `${noun} ${name}`);
}

/** Finds secrets in arguments, also inside a script that is one argument of a shell. */
export function findSecretArguments(words: readonly string[]): string[] {
  const line = words.join(' ');
  const given = [...line.matchAll(ASSIGNMENT), ...line.matchAll(FLAG_PATTERN)];
  return given.filter(([, name = '', value]) => isSecretValue(name, value)).map(([, name]) => `argument ${name}`);
}

function findInVolumes({ spec: { volumes = [] } }: Template): string[] {
  return volumes.flatMap(({ name: volume, csi }) => {
    const pairs = Object.entries(csi?.volumeAttributes ?? {}).map(([name, value]) => ({ name, value }));
    return findSecretsAmong('attribute', pairs).map((one) => `${one} of volume ${volume}`);
  });
}

const ASSIGNMENT = /(?<![\w-])[\d_-]*([A-Za-z][\w-]*)=(\S+)/g;
const FLAG_PATTERN = /(?<![\w-])-+([A-Za-z][\w-]*)\s+(?!-)(\S+)/g;

/**
 * Replaces likely secrets in a text, for display.
 *
 * @param name the name of the variable or field whose value the text is
 */
export function redactValue(text: string, name = ''): string {
  if (isSecretValue(name, text) || hasKey(text)) return HIDDEN;
  const hideValue = (match: string, key: string, value: string): string =>
    isSecretValue(key, value) ? `${match.slice(0, match.length - value.length)}${HIDDEN}` : match;
  return redact(text.replace(ASSIGNMENT, hideValue).replace(FLAG_PATTERN, hideValue));
}

/** Reports whether a variable, flag, header or attribute of a name holds a secret in clear text. */
export function isSecretValue(name: string, value: string | undefined): boolean {
  return value !== undefined && SECRET_NAME_PATTERN.test(name) && !HARMLESS_VALUE.test(value);
}

/** Matches `HF_TOKEN`, `--api-key`, `APIKEY`, `db_password`, but not `--tokenizer`, `--max-num-batched-tokens`. */
const SECRET_NAME_PATTERN =
  /(^|[^a-z])(key|pass|auth|authorization|credentials?)([^a-z]|$)|(token|secret|password|passwd|passphrase|apikey)([^a-z]|$)/i;

/** Matches an empty value, a number, a Boolean, `none`, or a reference to a variable. */
const HARMLESS_VALUE = /^["']?(\d*|true|false|none|\$\(\w+\)|\$\{?\w+\}?)["']?$/i;
