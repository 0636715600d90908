/**
 * Texts that look like keys and are none. Inputs hold them where users put real ones, on purpose or by mistake; no
 * output may show one.
 */
export const CANARY = {
  /** Credentials of a kubeconfig, and the key that `smoke` shows. */
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnktdG9rZW4ifQ.Zm9yLXRoZS1hdHRhY2stb25seQ',
  password: 'pw-7f3Kq9ZxW2vB8nLmT4cY6hRd',
  certificateKey: 'k8Jd72hQpLz5Xv0BnT3mWcRfYe9AsG61',
  pluginVariable: 'ghp_Q7w2Er9Ty4Ui8Op1As5Df6Gh3Jk0LzXcVbNm',
  serviceKey: 'sk-proj-9fT4xQ2mLw7Zc1Vb8Nn3Kj6Hg5Fd0SaPoIuYtRe',

  /** Literals in manifests. */
  literal: 'sk-ant-api03-Hx7Pq2Lw9Vt4Rz8Ym3Kc6Nb1Jd5Gf0SaQe',
} as const;

/** Every spelling in which a canary would be a leak. */
export function spellingsOf(secret: string): readonly string[] {
  return [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
}

/** The canaries that a text shows, by name. */
export function findCanaries(text: string, names: readonly (keyof typeof CANARY)[]): readonly string[] {
  return names.filter((name) => spellingsOf(CANARY[name]).some((spelling) => text.includes(spelling)));
}
