import type { Member } from './engine';
import type { ModelDeployment } from './model-deployment';

/**
 * Where a deployment seems to hold a secret in clear: `variable HF_TOKEN of engine main`. Nothing where it does not.
 * Names of variables and flags decide, and the forms of well-known keys; the value itself is never shown.
 */
export function literalSecret({ spec }: ModelDeployment): string | undefined {
  for (const { name, members } of spec.template.spec.engines) {
    for (const { template } of members) {
      const [found] = [...inVariables(template), ...inArguments(template)];
      if (found) return `${found} of engine ${name}`;
    }
  }
  return KEY.test(JSON.stringify(spec.template)) ? 'a value in the form of a key' : undefined;
}

/** Whether a text has the form of a well-known key. */
export function looksLikeKey(value: string): boolean {
  return KEY.test(value);
}

type Template = Member['template'];

function inVariables({ spec: { containers } }: Template): string[] {
  const [{ env }] = containers;
  return env.filter(({ name, value }) => isSecret(name, value)).map(({ name }) => `variable ${name}`);
}

/** Also those within a script that a shell gets as one argument. */
function inArguments({ spec: { containers } }: Template): string[] {
  const [{ command = [], args = [] }] = containers;
  const line = [...command, ...args].join(' ');
  const given = [...line.matchAll(ASSIGNED), ...line.matchAll(FLAG)];
  return given.filter(([, name = '', value]) => isSecret(name, value)).map(([, name]) => `argument ${name}`);
}

const ASSIGNED = /([A-Za-z][\w-]*)=(\S+)/g;
const FLAG = /--?([A-Za-z][\w-]*)\s+(?!-)(\S+)/g;

function isSecret(name: string, value: string | undefined): boolean {
  return value !== undefined && SECRET_NAME.test(name) && !HARMLESS.test(value);
}

/** `HF_TOKEN`, `--api-key`, `APIKEY`, `db_password`; not `--tokenizer`, `--max-num-batched-tokens`. */
const SECRET_NAME =
  /(^|[^a-z])(key|pass|auth|authorization|credentials?)([^a-z]|$)|(token|secret|password|passwd|passphrase|apikey)([^a-z]|$)/i;

/** Nothing, a number, a switch, or another variable. */
const HARMLESS = /^["']?(\d*|true|false|none|\$\(\w+\)|\$\{?\w+\}?)["']?$/i;

/** Hugging Face, OpenAI and others, GitHub, GitLab, Slack, AWS, Google, a JSON web token, PEM, a URL with a password. */
const KEY =
  /\bhf_[A-Za-z0-9]{16,}|\bsk-[\w-]{16,}|\bgh[opsu]_[A-Za-z0-9]{16,}|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA[0-9A-Z]{16}|\bAIza[\w-]{30,}|\beyJ[\w-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@"]+:[^/\s@"]+@/;
