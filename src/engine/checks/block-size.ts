import { pairPhaseOf } from '../../api/engine-phases';
import type { Engine } from '../../api/engine';
import { warningAt } from '../../base/diagnostic';
import { findSetting } from '../container-settings';
import { containerSettingsOf } from '../ports-and-probe-defaults';
import type { RunnableDeployment } from '../runtime-detection';
import { type MemberCheck, containerPathOf } from './member-check';

/**
 * The tokens of a block in the prefix cache of an engine, which an endpoint picker needs: from its arguments or
 * script, else the default of its runtime.
 */
export function blockSizeOf(deployment: RunnableDeployment, engine: Engine): number | undefined {
  const settings = containerSettingsOf(deployment, engine);
  const { blockSize } = settings.profile;
  return parseBlockSize(findSetting(settings, blockSize)?.value) ?? blockSize?.default;
}

/** Whether an engine caches the beginnings of prompts, by default or because the user turned that on. */
export function cachesPrefixes(deployment: RunnableDeployment, engine: Engine): boolean {
  const settings = containerSettingsOf(deployment, engine);
  const { prefixCache } = settings.profile;
  if (!prefixCache) return false;
  const { on, off } = prefixCache;
  return on ? findSetting(settings, on) !== undefined : findSetting(settings, off) === undefined;
}

/** Checks that the block size in the container of an engine can be read. */
export const checkBlockSizeReadable: MemberCheck = function* (subject) {
  const { member, settings } = subject;
  const { blockSize } = settings.profile;
  const found = findSetting(settings, blockSize);
  if (member.role === 'Worker' || !blockSize || !found || parseBlockSize(found.value) !== undefined) return;
  const what = `the value of ${found.name} is known only at run time, and the endpoint picker assumes a block size of ${blockSize.default}`;
  yield warningAt('unread-block-size', containerPathOf(subject, found.path), what, 'Use a number');
};

/** Checks that the engines of a pair have one block size, because they transfer blocks. */
export const checkBlockSizesAgree: MemberCheck = function* (subject) {
  const { deployment, engine, member, settings } = subject;
  if (pairPhaseOf(engine) !== 'Prefill' || member.role === 'Worker') return;
  const other = deployment.spec.template.spec.engines.find(({ phase }) => phase === 'Decode');
  const prefill = blockSizeOf(deployment, engine);
  const decode = other && blockSizeOf(deployment, other);
  if (prefill === decode || prefill === undefined || decode === undefined) return;
  const found = findSetting(settings, settings.profile.blockSize);
  const what = `the block size of the prefill engine is ${prefill} tokens, that of the decode engine ${decode}`;
  const hint = 'Set both to the same block size';
  yield warningAt('contradiction', containerPathOf(subject, found?.path ?? ['image']), what, hint);
};

function parseBlockSize(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined;
}
