import type { JsonObject } from '../manifest';

/**
 * Who owns staged files. Engines that run as somebody else write beside them as members of the group.
 * Not root, as the strictest Pod Security level asks, and no user that an image would have to know.
 */
export const CACHE_USER = 1000;

/** A container that needs nothing but its volumes: fit for the strictest Pod Security level. */
export const SECURE_CONTAINER: JsonObject = {
  runAsNonRoot: true,
  runAsUser: CACHE_USER,
  runAsGroup: CACHE_USER,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** A pod of such containers, to whose group its volumes belong. */
export const SECURE_POD: JsonObject = {
  runAsNonRoot: true,
  fsGroup: CACHE_USER,
  // The volume of a large model has too many files to visit all of them each time.
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
};
