/** Whether an address is reached from its own pod only. A variable may hold it with a port. */
export function isLoopback(address: string): boolean {
  const host = address.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
