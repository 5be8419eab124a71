/** Addresses that no other machine of the internet has. */

/** True for addresses of this machine, its networks and its cloud's metadata. */
export function isPrivateAddress(address: string): boolean {
  const plain = plainName(address).replace(/^::ffff:(?=\d+\.)/, '');
  const parts = plain.split('.').map(Number);
  if (parts.length === 4 && parts.every((part) => part >= 0 && part <= 255)) {
    const [first = 0, second = 0] = parts;
    return (
      first === 0 ||
      first === 10 ||
      first === 127 ||
      (first === 100 && second >= 64 && second < 128) ||
      (first === 169 && second === 254) ||
      (first === 172 && second >= 16 && second < 32) ||
      (first === 192 && second === 168) ||
      first >= 224
    );
  }
  return /^(?:::1?$|::ffff:|f[cd]|fe[89ab]|ff|64:ff9b:)/.test(plain);
}

/** Returns the name of a host without brackets and the final dot, in lower case. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** True for a host on this machine: a connection to it does not leave it, so that it needs no TLS. @param host may have brackets */
export function isLoopback(host: string): boolean {
  const name = plainName(host);
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
