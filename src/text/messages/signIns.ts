/** The state of a sign-in at an agent, in words. Pure. */
import type { TranslateVerbatim } from './translate';

/** Returns the reason for the sign-in card, which a screen reader announces. @param agent its name, made safe */
export function signInWantedText(agent: string, t: TranslateVerbatim): string {
  return t('{agent} requires you to sign in.', { agent });
}

/** Returns the text shown while the agent, a terminal or the browser handles the sign-in. */
export function signInWaitsText(t: TranslateVerbatim): string {
  return t('Waiting for sign-in…');
}

export function signedInText(isSignedIn: boolean, t: TranslateVerbatim): string {
  return isSignedIn ? t('Signed in') : t('Signed out');
}
