import { imagePathOf, imageRepositoryOf } from '../../api/image-names';
import { warningAt } from '../../base/diagnostic';
import { editDistance, hasOtherDigits, suggestName } from '../../base/name-suggestion';
import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import type { PublishedImages } from '../../catalog/engines/published-images';
import { MAX_TYPOS } from '../container-settings';
import { containerPathOf, type MemberCheck } from './member-check';

/** Checks that the image of an engine is one that its vendor publishes, if it is almost one, and that it has a tag. */
export const checkImageKnown: MemberCheck = function* (subject) {
  const { image } = subject.member.template.spec.containers[0];
  const at = containerPathOf(subject, ['image']);
  const path = imagePathOf(image);
  const tag = image.slice(imageRepositoryOf(image).length);
  const accepted = `${imageRepositoryOf(image).slice(0, -path.length)}${path.toLowerCase()}${tag}`.replaceAll(
    /\s/g,
    '',
  );
  if (accepted !== image && !image.includes('$')) {
    const what = `container runtimes refuse the image '${image}', because it has a space, or a capital letter in front of the tag`;
    yield warningAt('misspelled-image', at, what, `Use '${accepted}'`);
    return;
  }
  const meant = findMeantImage(image);
  if (meant !== undefined) {
    const isTag = imageRepositoryOf(meant) === imageRepositoryOf(image);
    const what = isTag
      ? `tags of ${imagePathOf(meant)} are written as '${meant.slice(imageRepositoryOf(meant).length + 1)}', so '${image}' probably does not exist`
      : `the image '${image}' is probably a misspelling of ${imagePathOf(meant)}`;
    yield warningAt('misspelled-image', at, what, `Use '${meant}'`);
    return;
  }
  const repository = imageRepositoryOf(image);
  const rest = image.slice(repository.length);
  const { published, title } = subject.settings.profile;
  if (published && (rest === '' || rest === ':latest')) {
    const what =
      rest === ''
        ? `the image has no tag, so it is 'latest', and pods may run different releases of ${title}`
        : `the tag 'latest' is another image with each release, and pods may run different releases of ${title}`;
    yield warningAt('no-image-tag', at, what, `Set the tag of a release, as in '${repository}:${published.tag}'`);
  }
};

const PUBLISHED: readonly PublishedImages[] = Object.values(ENGINE_PROFILES).flatMap(
  ({ published }) => published ?? [],
);

const REPOSITORIES = PUBLISHED.flatMap(({ repositories }) => repositories);

/** A published image that a user probably meant: the repository or the tag differs by few letters. */
export function findMeantImage(image: string): string | undefined {
  const repository = imageRepositoryOf(image);
  const path = imagePathOf(repository);
  const exact = PUBLISHED.find(({ repositories }) => repositories.includes(path));
  if (exact) return correctTag(image, repository, exact);
  const meant = suggestName(path, REPOSITORIES, MAX_TYPOS);
  if (meant === undefined || hasOtherDigits(path, meant) || editDistance(path, meant) > MAX_TYPOS) return undefined;
  return `${repository.slice(0, repository.length - path.length)}${meant}${image.slice(repository.length)}`;
}

/** The image with a `v` before the version, or without it, as its vendor writes tags. */
function correctTag(image: string, repository: string, { tag }: PublishedImages): string | undefined {
  const given = image.slice(repository.length);
  if (tag.startsWith('v') && /^:\d+\.\d+\.\d/.test(given)) return `${repository}:v${given.slice(1)}`;
  if (!tag.startsWith('v') && /^:v\d+\.\d/.test(given)) return `${repository}:${given.slice(2)}`;
  return undefined;
}
