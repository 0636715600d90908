import type { EngineMember } from './engine';
import type { ModelDeployment } from './model-deployment';
import type { EngineContainerSpec, HelperContainer, InitContainer } from './pod/container';

/**
 * Where a deployment seems to hold a secret in clear: `variable HF_TOKEN of engine main`. Nothing where it does not.
 * Names of variables, flags, headers and attributes decide, and the forms of well-known keys; the value itself is
 * never shown.
 */
export function findPlainTextSecret({ spec }: ModelDeployment): string | undefined {
  for (const { name, members } of spec.template.spec.engines) {
    for (const { template } of members) {
      const [found] = [...containersOf(template).flatMap(findInContainer), ...findInVolumes(template)];
      if (found) return `${found} of engine ${name}`;
    }
  }
  return KEY_PATTERN.test(JSON.stringify(spec.template)) ? 'a value in the form of a key' : undefined;
}

/** Whether a text has the form of a well-known key. */
export function isLikelyKey(value: string): boolean {
  return KEY_PATTERN.test(value);
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
    ...lines.flatMap(findInArguments),
    ...findSecretsAmong('header', headers),
  ];
  return container.name === 'engine' ? found : found.map((one) => `${one} of container ${container.name}`);
}

/** What probes and hooks do. */
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
  return pairs.filter(({ name, value }) => isSecret(name, value)).map(({ name }) => `${noun} ${name}`);
}

/** Also those within a script that a shell gets as one argument. */
function findInArguments(words: readonly string[]): string[] {
  const line = words.join(' ');
  const given = [...line.matchAll(ASSIGNMENT), ...line.matchAll(FLAG_PATTERN)];
  return given.filter(([, name = '', value]) => isSecret(name, value)).map(([, name]) => `argument ${name}`);
}

function findInVolumes({ spec: { volumes = [] } }: Template): string[] {
  return volumes.flatMap(({ name: volume, csi }) => {
    const pairs = Object.entries(csi?.volumeAttributes ?? {}).map(([name, value]) => ({ name, value }));
    return findSecretsAmong('attribute', pairs).map((one) => `${one} of volume ${volume}`);
  });
}

const ASSIGNMENT = /([A-Za-z][\w-]*)=(\S+)/g;
const FLAG_PATTERN = /--?([A-Za-z][\w-]*)\s+(?!-)(\S+)/g;

/** What stands in place of a secret. */
export const REDACTED = '(hidden)';

/**
 * A text to show, without what seems to be a secret in it.
 *
 * @param name what the text is the value of: the name of a variable, of a field
 */
export function redactSecrets(text: string, name = ''): string {
  if (isSecret(name, text) || KEY_PATTERN.test(text)) return REDACTED;
  const hide = (whole: string, key: string, value: string): string =>
    isSecret(key, value) ? `${whole.slice(0, whole.length - value.length)}${REDACTED}` : whole;
  return text.replace(ASSIGNMENT, hide).replace(FLAG_PATTERN, hide);
}

function isSecret(name: string, value: string | undefined): boolean {
  return value !== undefined && SECRET_NAME_PATTERN.test(name) && !HARMLESS_VALUE.test(value);
}

/** `HF_TOKEN`, `--api-key`, `APIKEY`, `db_password`; not `--tokenizer`, `--max-num-batched-tokens`. */
const SECRET_NAME_PATTERN =
  /(^|[^a-z])(key|pass|auth|authorization|credentials?)([^a-z]|$)|(token|secret|password|passwd|passphrase|apikey)([^a-z]|$)/i;

/** Nothing, a number, a switch, or another variable. */
const HARMLESS_VALUE = /^["']?(\d*|true|false|none|\$\(\w+\)|\$\{?\w+\}?)["']?$/i;

/** Hugging Face, OpenAI and others, GitHub, GitLab, Slack, AWS, Google, a JSON web token, PEM, a URL with a password. */
const KEY_PATTERN =
  /\bhf_[A-Za-z0-9]{16,}|\bsk-[\w-]{16,}|\bgh[opsu]_[A-Za-z0-9]{16,}|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA[0-9A-Z]{16}|\bAIza[\w-]{30,}|\beyJ[\w-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@"]+:[^/\s@"]+@/;
