/** The questions of `ssh`, as its helper program receives them. Pure. */

/**
 * `password`: any text that must not be shown, such as a password, a passphrase or a code. `hostKey`: the host is not known, or `ssh` asks again.
 * `confirm`: yes or no. `notice`: the user has to do something, such as touching a key.
 */
export interface SshQuestion {
  readonly kind: 'password' | 'hostKey' | 'confirm' | 'notice';
  /** The text of `ssh`, which may quote the host. */
  readonly text: string;
}

const MAX_TEXT = 4000;

/** @param hint the variable `SSH_ASKPASS_PROMPT`, with which `ssh` names a question without a text as the answer */
export function sshQuestion(prompt: string, hint: string | undefined): SshQuestion {
  const text = prompt.slice(0, MAX_TEXT).trim();
  if (/\(yes\/no(?:\/\[fingerprint\])?\)\?$/.test(text) || /^Please type 'yes', 'no'/.test(text)) {
    return { kind: 'hostKey', text };
  }
  return { kind: hint === 'confirm' ? 'confirm' : hint === 'none' ? 'notice' : 'password', text };
}
