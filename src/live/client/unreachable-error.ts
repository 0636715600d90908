/** A cluster does not answer, because of its network, its certificate or the credentials. The message is a clause. */
export class UnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unreachable';
  }
}
