/** The form of a range of IPv4 addresses. */
export const CIDR_PATTERN = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|(?=\/))){4}\/(3[0-2]|[12]?\d)$/;

/** Whether a text is a range of IPv4 addresses: `10.0.0.0/16`. */
export function isCidr(text: string): boolean {
  return CIDR_PATTERN.test(text);
}
