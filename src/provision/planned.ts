/** So long a cloud may look for machines before a stockout is an error. */
export const POOL_OPTIONS = { customTimeouts: { create: '30m' } };
