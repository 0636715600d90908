/** The pattern of an IPv4 address range in CIDR notation. */
export const CIDR_PATTERN = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|(?=\/))){4}\/(3[0-2]|[12]?\d)$/;

/** Whether a text is an IPv4 address range: `10.0.0.0/16`. */
export function isCidr(text: string): boolean {
  return CIDR_PATTERN.test(text);
}
