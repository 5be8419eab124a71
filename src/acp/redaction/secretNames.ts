/** Names of members, options and variables with secret values. */

/** Words of which a secret's name contains one. */
export const SECRET_NAMES =
  'authorization|api[-_ ]?key|token|secret|password|passwd|passphrase|cookie|bearer|credential|(?:private|access|account)[-_]?key';
const SECRET_NAME = new RegExp(SECRET_NAMES, 'i');
const SECRET_VARIABLE = /(?:^|[-_])(?:auth|key|pass|pat|pin|pw|dsn|signature|webhook)(?:[-_]|$)/i;

/** True for the name of a JSON member, an option or a setting with a secret value. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The same for environment variables, headers and query parameters, where short words are more significant. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VARIABLE.test(name);
}
