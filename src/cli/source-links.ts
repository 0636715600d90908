import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { attempt } from '../base/attempt';
import { trimTrailing } from '../base/text';
import type { CreateLink } from '../report/pull-request/edit-list';
import { commandError } from './command-error';
import { findTopLevel, resolveCommit } from './git/repository';
import type { Io } from './output';

/** How a host of repositories shows a line of a file at a commit. The first host whose pattern matches is used. */
const HOSTS: readonly { readonly pattern: RegExp; readonly folder: string; readonly anchor: string }[] = [
  { pattern: /gitlab/i, folder: '-/blob', anchor: '#L' },
  { pattern: /bitbucket/i, folder: 'src', anchor: '#lines-' },
  { pattern: /(?:)/, folder: 'blob', anchor: '#L' },
];

/** The address of the repository in the environment of a CI: GitHub Actions, then GitLab. */
function findRepositoryUrl({ env }: Io): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  return server && repository ? `${server}/${repository}` : project || undefined;
}

/**
 * Creates a function that returns the address of a source position. Undefined if the address of the repository is not
 * known, or if the fleet is in no git repository.
 *
 * @param url the address of the repository, from `--repo-url`
 * @throws FleetwrightError when `url` is not the address of a website
 */
export function createSourceLinks(target: string, url: string | undefined, io: Io): CreateLink | undefined {
  const address = url ?? findRepositoryUrl(io);
  if (address === undefined) return undefined;
  const repository = parseRepositoryUrl(address);
  const place = attempt(() => ({ top: findTopLevel(target), commit: resolveCommit('HEAD', target) }));
  if ('problems' in place) return undefined;
  const { top, commit } = place.value;
  const host = HOSTS.find(({ pattern }) => pattern.test(repository.host));
  const base = `${trimTrailing(repository.href, '/')}/${host?.folder}/${commit}`;
  return (where) => {
    const [, file, line] = /^(.+):(\d+):\d+$/s.exec(where) ?? [];
    if (file === undefined || !existsSync(file)) return undefined;
    const inside = relative(realpathSync(top), realpathSync(resolve(file)));
    if (inside.startsWith('..')) return undefined;
    return `${base}/${inside.split(sep).map(encodeURIComponent).join('/')}${host?.anchor}${line}`;
  };
}

/** @throws FleetwrightError when the text is not the address of a website */
function parseRepositoryUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const hint = 'Write the address of the repository: https://github.com/acme/fleet';
    throw commandError('bad-flag', '--repo-url', `'${text}' is not the address of a website`, hint);
  }
  return new URL(`${url.origin}${url.pathname}`);
}
