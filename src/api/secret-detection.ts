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
  return KEY_PATTERN.test(JSON.stringify(spec.template)) ? 'a value in the form of a key' : undefined;
}

/** Whether a text contains a well-known format of a key. */
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

/** Finds secrets in arguments, also inside a script that is one argument of a shell. */
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

const ASSIGNMENT = /(?<![\w-])[\d_-]*([A-Za-z][\w-]*)=(\S+)/g;
const FLAG_PATTERN = /(?<![\w-])-+([A-Za-z][\w-]*)\s+(?!-)(\S+)/g;

const REDACTED = '(hidden)';

/**
 * Replaces likely secrets in a text, for display.
 *
 * @param name the name of the variable or field whose value the text is
 */
export function redactSecrets(text: string, name = ''): string {
  if (isSecret(name, text) || KEY_PATTERN.test(text)) return REDACTED;
  const redact = (match: string, key: string, value: string): string =>
    isSecret(key, value) ? `${match.slice(0, match.length - value.length)}${REDACTED}` : match;
  return text.replace(ASSIGNMENT, redact).replace(FLAG_PATTERN, redact);
}

function isSecret(name: string, value: string | undefined): boolean {
  return value !== undefined && SECRET_NAME_PATTERN.test(name) && !HARMLESS_VALUE.test(value);
}

/** Matches `HF_TOKEN`, `--api-key`, `APIKEY`, `db_password`, but not `--tokenizer`, `--max-num-batched-tokens`. */
const SECRET_NAME_PATTERN =
  /(^|[^a-z])(key|pass|auth|authorization|credentials?)([^a-z]|$)|(token|secret|password|passwd|passphrase|apikey)([^a-z]|$)/i;

/** Matches an empty value, a number, a Boolean, `none`, or a reference to a variable. */
const HARMLESS_VALUE = /^["']?(\d*|true|false|none|\$\(\w+\)|\$\{?\w+\}?)["']?$/i;

/**
 * Matches keys of Hugging Face, OpenAI and others, GitHub, GitLab, Slack, AWS and Google, a JSON Web Token, a PEM
 * private key, and a URL with a password.
 */
const KEY_PATTERN =
  /\bhf_[A-Za-z0-9]{16,}|\bsk-[\w-]{16,}|\bgh[opsu]_[A-Za-z0-9]{16,}|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA[0-9A-Z]{16}|\bAIza[\w-]{30,}|\beyJ(?:(?!-eyJ)[\w-]){10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@"]+:[^/\s@"]+@/;
