/**
 * How pools are made. So long a cloud may look for machines before a stockout is an error; and since a pool's name is
 * fixed, and quota for twice its nodes is rare, the old one goes before a new one comes.
 */
export const POOL_OPTIONS = { customTimeouts: { create: '30m' }, deleteBeforeReplace: true };
